/** The devices that the server knows, and what is known about each. */
import { computed, effect, signal } from '@preact/signals';
import { get, toFailure, type Answer, type Failure } from '../api/client.ts';
import type { DeviceDetails, DeviceRow } from '../api/coming.ts';
import { onEvent, onReload } from '../api/events.ts';
import { lastDevice } from './settings.ts';

export type Stats = Answer<'/devices/{serial}/stats', 'get'>;

/** null until the first answer. */
export const devices = signal<DeviceRow[] | null>(null);
export const devicesFailure = signal<Failure | null>(null);
export const selectedSerial = signal<string | null>(null);
export const details = signal<Record<string, DeviceDetails>>({});
export const detailsFailures = signal<Record<string, Failure>>({});
export const stats = signal<Record<string, Stats>>({});
/** Times of the last executions of each device, in microseconds, for the sparkline. */
export const latencies = signal<Record<string, number[]>>({});
const KEPT_LATENCIES = 40;

export const selectedDevice = computed(() =>
  devices.value?.find((row) => row.serial === selectedSerial.value) ?? null);
/** True while the chosen device can be used. */
export const selectedReady = computed(() => selectedDevice.value?.state === 'device');

export function selectDevice(serial: string) {
  selectedSerial.value = serial;
  lastDevice.value = serial;
}

function apply(rows: DeviceRow[]) {
  const before = new Map((devices.value ?? []).map((row) => [row.serial, row.state]));
  devices.value = rows;
  devicesFailure.value = null;
  if (!selectedSerial.value || (!rows.some((row) => row.serial === selectedSerial.value) && !before.has(selectedSerial.value))) {
    const usable = rows.filter((row) => row.state === 'device');
    const first = rows.find((row) => row.serial === lastDevice.value) ?? usable[0] ?? rows[0];
    if (first) selectedSerial.value = first.serial;
  }
  for (const row of rows)
    if (row.state === 'device' && before.get(row.serial) !== 'device') void loadDetails(row.serial);
}

export async function loadDevices(): Promise<void> {
  try {
    apply((await get('/devices')).devices as DeviceRow[]);
  } catch (problem) {
    devicesFailure.value = toFailure(problem);
  }
}

export async function loadDetails(serial: string): Promise<void> {
  const { [serial]: _, ...others } = detailsFailures.value;
  try {
    details.value = { ...details.value, [serial]: await get('/devices/{serial}', { path: { serial } }) };
    detailsFailures.value = others;
  } catch (problem) {
    detailsFailures.value = { ...others, [serial]: toFailure(problem) };
  }
  void loadStats(serial);
}

export async function loadStats(serial: string): Promise<void> {
  try {
    stats.value = { ...stats.value, [serial]: await get('/devices/{serial}/stats', { path: { serial } }) };
  } catch {
    // The shelf shows no times then.
  }
}

export function addLatency(serial: string, micros: number) {
  const list = [...(latencies.value[serial] ?? []), micros].slice(-KEPT_LATENCIES);
  latencies.value = { ...latencies.value, [serial]: list };
}

export function watchDevices() {
  onEvent('clawperator:devices', (data: { devices: DeviceRow[] }) => apply(data.devices));
  onReload(() => void loadDevices());
  onEvent('clawperator:execution', ({ deviceId }) => {
    if (typeof deviceId === 'string') void loadStats(deviceId);
  });
  // A device that is chosen is worth a fresh look.
  effect(() => {
    const serial = selectedSerial.value;
    if (serial && selectedReady.value && !details.peek()[serial]) void loadDetails(serial);
  });
}
