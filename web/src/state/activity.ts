/** Which executions run now: those of this page, and those of others as far as events show them. */
import { computed, signal } from '@preact/signals';
import { onEvent, onReload } from '../api/events.ts';

/** An execution without a stage for so long counts as ended: its last event may be lost. */
const FORGET_MS = 15000;

/** What the server itself sends for a picture or a snapshot, and after a miss: too short to wait for, and some have no last event. */
const OWN_READS = /^(serve-(shot|snap)|snapshot)-/;
const READS = new Set(['take_screenshot', 'snapshot_ui', 'read_text', 'wait_for_node', 'sleep', 'look']);

/** Whether an execution may have changed the screen. */
export function changesScreen(input: { actions?: { type?: string }[] } | null | undefined): boolean {
  return !input?.actions || input.actions.some(({ type }) => !READS.has(type ?? ''));
}

interface Running {
  /** null: a stage event names no device. */
  deviceId: string | null;
  seen: number;
  since: number;
  foreign?: true;
}

const running = signal<ReadonlyMap<string, Running>>(new Map());

function change(edit: (map: Map<string, Running>) => void) {
  const map = new Map(running.value);
  edit(map);
  running.value = map;
}

/** True while an execution runs on the device, or one whose device is not known. */
export function isBusy(serial: string | null): boolean {
  for (const { deviceId } of running.value.values())
    if (deviceId === null || deviceId === serial) return true;
  return false;
}

/** The execution on that device, as far as the page knows without a request. */
export function runningOn(serial: string): { commandId: string; since: number } | null {
  for (const [commandId, { deviceId, since }] of running.value) if (deviceId === serial) return { commandId, since };
  return null;
}

/** An execution runs that this page did not send. */
export const foreignRuns = computed(() => [...running.value.values()].some(({ foreign }) => foreign));

/** Marks the device as busy with a request of this page while `work` runs. */
export async function whileBusy<T>(serial: string, commandId: string, work: () => Promise<T>): Promise<T> {
  change((map) => map.set(commandId, { deviceId: serial, seen: Infinity, since: Date.now() }));
  try {
    return await work();
  } finally {
    change((map) => map.delete(commandId));
  }
}

export function watchActivity() {
  const ended = (commandId: unknown) => {
    if (typeof commandId === 'string' && running.value.has(commandId)) change((map) => map.delete(commandId));
  };
  onEvent('clawperator:stage', ({ commandId, deviceId }) => {
    const known = running.value.get(commandId);
    if (known?.seen === Infinity || OWN_READS.test(commandId)) return;
    // Every stage renews the time, but only a new command is news to the page.
    if (known) known.seen = Date.now();
    else change((map) => map.set(commandId, { deviceId: deviceId ?? null, seen: Date.now(), since: Date.now(), foreign: true }));
  });
  onEvent('clawperator:result', ({ envelope }) => ended(envelope?.commandId));
  onEvent('clawperator:execution', ({ input, result }) => ended(input?.commandId ?? result?.envelope?.commandId));
  onReload(() => change((map) => map.forEach((entry, id) => entry.seen !== Infinity && map.delete(id))));
  window.setInterval(() => {
    const oldest = Date.now() - FORGET_MS;
    for (const [id, { seen }] of running.value)
      if (seen < oldest) ended(id);
  }, 5000);
}
