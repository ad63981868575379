/** How long the page waits until the next picture. No DOM here. */
import type { RefreshMode } from './settings.ts';

export interface Pace {
  /** Pictures in a row that did not change. */
  unchanged: number;
  failures: number;
}

const FAST_MS = 300;
const SLOW_MS = 2000;
const LONGEST_MS = 15000;

/** A still screen is looked at less often; a device that fails even less. */
export function nextDelay(mode: RefreshMode, { unchanged, failures }: Pace): number {
  const wanted = typeof mode === 'number' ? mode : Math.min(SLOW_MS, FAST_MS * 1.5 ** Math.max(0, unchanged - 2));
  return Math.min(LONGEST_MS, Math.round(wanted * 2 ** Math.min(failures, 6)));
}
