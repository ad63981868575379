/** The devices that the server knows, and what is known about each. */
import { computed, effect, signal } from '@preact/signals';
import { get, toFailure, type Answer, type DeviceDetails, type DeviceRow, type Failure } from '../api/client.ts';
import { onEvent, onReload } from '../api/events.ts';
import { latencySince, type Verbs } from '../shelf/words.ts';
import { foreignRuns } from './activity.ts';
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
const STATS_MS = 5000;
const DETAILS_MS = 30000;

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
    apply((await get('/devices')).devices);
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
    const before = stats.value[serial]?.verbs;
    const now = await get('/devices/{serial}/stats', { path: { serial } });
    stats.value = { ...stats.value, [serial]: now };
    const latency = latencySince(before as Verbs | undefined, now.verbs as Verbs);
    if (!latency) return;
    const list = [...(latencies.value[serial] ?? []), latency.micros].slice(-KEPT_LATENCIES);
    latencies.value = { ...latencies.value, [serial]: list };
  } catch {
    // Nothing was done on the device yet: the shelf shows no times.
  }
}

/** Who uses the device: loaded once an execution that is not of this page runs. */
async function loadBusy() {
  for (const row of devices.peek() ?? []) if (row.state === 'device') await loadDetails(row.serial);
}

function setIdle(serial: string, commandId: string) {
  const known = details.peek()[serial];
  if (known?.busy?.commandId === commandId) details.value = { ...details.peek(), [serial]: { ...known, busy: null } };
}

export function watchDevices() {
  onEvent('clawperator:devices', (data: { devices: DeviceRow[] }) => apply(data.devices));
  onReload(() => void loadDevices());
  onEvent('clawperator:execution', ({ deviceId, input }) => {
    if (typeof deviceId !== 'string') return;
    setIdle(deviceId, input?.commandId);
    void loadStats(deviceId);
  });
  effect(() => {
    if (foreignRuns.value) void loadBusy();
  });
  window.setInterval(() => {
    if (document.hidden) return;
    for (const row of devices.peek() ?? []) if (row.state === 'device') void loadStats(row.serial);
  }, STATS_MS);
  window.setInterval(() => {
    const serial = selectedSerial.peek();
    if (!document.hidden && serial && selectedReady.peek()) void loadDetails(serial);
  }, DETAILS_MS);
  // A device that is chosen is worth a fresh look.
  effect(() => {
    const serial = selectedSerial.value;
    if (serial && selectedReady.value && !details.peek()[serial]) void loadDetails(serial);
  });
}
