/** What a press of the pointer means. No DOM here. */
import type { Gesture } from '../state/gesture.ts';
import type { Point } from './geometry.ts';

export interface Press {
  /** On the page, for the distance that a hand moves without meaning it. */
  from: Point;
  to: Point;
  durationMs: number;
}

const STILL_PX = 10;
const LONG_MS = 500;
/** What the phone takes as a swipe. */
export const SHORTEST_SWIPE_MS = 50;
export const LONGEST_SWIPE_MS = 10000;

export function isStill({ from, to }: Press): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) < STILL_PX;
}

/** The gesture of a press; `start` and `end` are its points on the device. A swipe keeps its real duration. */
export function gestureOf(press: Press, start: Point, end: Point, ref: string | null): Gesture {
  if (isStill(press)) return { kind: press.durationMs >= LONG_MS ? 'long' : 'tap', x: start.x, y: start.y, ref };
  const durationMs = Math.round(Math.min(LONGEST_SWIPE_MS, Math.max(SHORTEST_SWIPE_MS, press.durationMs)));
  return { kind: 'swipe', x1: start.x, y1: start.y, x2: end.x, y2: end.y, durationMs };
}
