import { devices, selectDevice, selectedSerial } from '../state/devices.ts';

export function Shelf() {
  return (
    <nav class="shelf" aria-label="Devices">
      {devices.value?.map((row) => (
        <button key={row.serial} class="button" aria-pressed={row.serial === selectedSerial.value} onClick={() => selectDevice(row.serial)}>
          {row.serial} {row.state}
        </button>
      ))}
    </nav>
  );
}
