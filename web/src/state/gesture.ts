/** Pointer gestures on the picture. `screen/` makes them, `act/` registers what sends them. */
import { signal } from '@preact/signals';

export type Gesture =
  | { kind: 'tap' | 'long'; x: number; y: number; ref: string | null }
  | { kind: 'key'; key: 'back' | 'home' }
  | { kind: 'swipe'; x1: number; y1: number; x2: number; y2: number; durationMs: number };

/** What sends a gesture; null while nothing can. Set it when the module is loaded: its pane may be hidden. */
export const gestureHandler = signal<((gesture: Gesture) => void) | null>(null);
/** The pointer acts instead of selecting. Alt held down means the same. */
export const acting = signal(false);
export const altHeld = signal(false);
