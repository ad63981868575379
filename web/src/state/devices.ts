/** The devices that the server knows, and what is known about each. */
import { computed, effect, signal } from '@preact/signals';
import { get, toFailure, type Answer, type Failure } from '../api/client.ts';
import type { DeviceDetails, DeviceRow } from '../api/coming.ts';
import { onEvent, onReload } from '../api/events.ts';
import { latencySince, mergeRows, type Verbs } from '../shelf/words.ts';
import { changesScreen, foreignRuns } from './activity.ts';
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
const BUSY_AFTER_MS = 700;
const BUSY_EACH_MS = 5000;

export const selectedDevice = computed(() =>
  mergeRows(devices.value ?? []).find(({ row }) => row.serial === selectedSerial.value)?.row ?? null);
/** True while the chosen device can be used. */
export const selectedReady = computed(() => selectedDevice.value?.state === 'device');

export function selectDevice(serial: string) {
  selectedSerial.value = serial;
  lastDevice.value = serial;
}

const usableSerials = (rows: DeviceRow[]) =>
  [...new Set(rows.filter((row) => row.state === 'device').map((row) => row.serial))];

function apply(rows: DeviceRow[]) {
  const before = new Set(usableSerials(devices.value ?? []));
  devices.value = rows;
  devicesFailure.value = null;
  // A device that vanishes stays chosen: it may return.
  if (!selectedSerial.value) {
    const kept = rows.find((row) => row.serial === lastDevice.value)?.serial;
    selectedSerial.value = kept ?? usableSerials(rows)[0] ?? rows[0]?.serial ?? null;
  }
  for (const serial of usableSerials(rows)) if (!before.has(serial)) void loadDetails(serial);
}

export async function loadDevices(): Promise<void> {
  try {
    apply((await get('/devices')).devices as DeviceRow[]);
  } catch (problem) {
    devicesFailure.value = toFailure(problem);
  }
}

export async function loadDetails(serial: string): Promise<void> {
  try {
    const known = await get('/devices/{serial}', { path: { serial } });
    details.value = { ...details.value, [serial]: known };
    const { [serial]: _, ...others } = detailsFailures.value;
    detailsFailures.value = others;
  } catch (problem) {
    const failure = toFailure(problem);
    detailsFailures.value = { ...detailsFailures.value, [serial]: failure };
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

/** Who uses the devices: worth a request once an execution of others is not over soon. */
let busyAt = 0;
async function loadBusy() {
  if (!foreignRuns.peek() || Date.now() - busyAt < BUSY_EACH_MS) return;
  busyAt = Date.now();
  for (const serial of usableSerials(devices.peek() ?? [])) await loadDetails(serial);
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
    if (changesScreen(input)) void loadStats(deviceId);
  });
  effect(() => {
    if (foreignRuns.value) window.setTimeout(loadBusy, BUSY_AFTER_MS);
  });
  window.setInterval(() => {
    if (document.hidden) return;
    for (const serial of usableSerials(devices.peek() ?? [])) void loadStats(serial);
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
