/** The shelf in words and numbers. No DOM here. */

const ROUTES: Record<string, string> = { usb: 'USB', tcp: 'TCP', server: 'adb server' };

/** How the device is reached. */
export function routeOf(row: Row): string {
  return row.tls ? 'TLS' : (ROUTES[row.transport] ?? row.transport);
}

interface Row {
  serial: string;
  state: string;
  transport: string;
  tls?: boolean;
}

/** One entry for each device: a device that is reached by several ways has one serial in several rows. */
export function mergeRows<T extends Row>(rows: readonly T[]): { row: T; route: string }[] {
  const found = new Map<string, T[]>();
  for (const row of rows) found.set(row.serial, [...(found.get(row.serial) ?? []), row]);
  return [...found.values()].map((same) => {
    const usable = same.filter((row) => row.state === 'device');
    const shown = usable.length ? usable : same;
    return { row: shown[0]!, route: [...new Set(shown.map(routeOf))].join(', ') };
  });
}

export type Tone = 'ok' | 'warn' | 'bad' | 'off';

const STATES: Record<string, { tone: Tone; words: string; advice: string }> = {
  device: { tone: 'ok', words: 'ready', advice: '' },
  unauthorized: { tone: 'warn', words: 'unauthorized', advice: 'Unlock the phone and accept the dialog “Allow USB debugging”.' },
  authorizing: { tone: 'warn', words: 'authorizing', advice: 'Accept the dialog “Allow USB debugging” on the phone.' },
  connecting: { tone: 'warn', words: 'connecting', advice: 'The link is being opened.' },
  offline: { tone: 'bad', words: 'offline', advice: 'Nothing answers there. Check the cable, the network, and that the phone is on.' },
  busy: { tone: 'warn', words: 'held', advice: 'Another process holds the phone on USB. Stop that process, often an adb server.' },
  'no permissions': { tone: 'bad', words: 'no permissions', advice: 'This user may not open the USB device. `clawperator doctor` prints the rule to add.' },
  detached: { tone: 'warn', words: 'detached', advice: 'An adb server released the phone. Run `adb attach`.' },
};

export function stateOf(state: string): { tone: Tone; words: string; advice: string } {
  return STATES[state] ?? { tone: 'off', words: state, advice: 'Android does not run there, so the page cannot show it.' };
}

export function durationOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h`;
}

export function timeOf(micros: number): string {
  const ms = micros / 1000;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

export interface Verbs {
  [verb: string]: { count: number; micros: Record<string, { p50: number; p95: number } | undefined> };
}

/** The typical time of the executions since `before`: the p50 of each verb, weighted by its new executions. */
export function latencySince(before: Verbs | undefined, now: Verbs): { micros: number; count: number } | null {
  let sum = 0;
  let count = 0;
  for (const [verb, { count: total, micros }] of Object.entries(now)) {
    const fresh = total - (before?.[verb]?.count ?? 0);
    // Executions that were refused before they began took no time.
    if (fresh <= 0 || !micros.total?.p50) continue;
    sum += fresh * micros.total.p50;
    count += fresh;
  }
  return count ? { micros: sum / count, count } : null;
}

/** The points of a polyline in a box of that size; the largest value reaches its upper edge. */
export function sparkline(values: number[], width: number, height: number): string {
  const most = Math.max(1, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values.map((value, index) =>
    `${(index * step).toFixed(1)},${(height - 1 - (value / most) * (height - 2)).toFixed(1)}`).join(' ');
}
