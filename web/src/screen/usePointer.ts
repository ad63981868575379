/** The pointer over the picture: it hovers and selects, or makes gestures while it acts. */
import { useSignal, type ReadonlySignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { acting, altHeld, gestureHandler } from '../state/gesture.ts';
import { hovered, screenSize, select, shownTree } from '../state/screen.ts';
import { isAddressable, type UiNode } from '../tree/model.ts';
import { nodeAt, toDevice, toDeviceClamped, type Box, type Point } from './geometry.ts';
import { gestureOf, isStill, type Press } from './press.ts';

/** Of a mouse that acts: its middle and its right button. */
const BUTTON_KEYS: { [button: number]: 'back' | 'home' | undefined } = { 1: 'home', 2: 'back' };

interface Began extends Press {
  at: number;
  node: UiNode | null;
}

export function usePointer(room: RefObject<HTMLElement | null>, box: ReadonlySignal<Box>) {
  /** Where the pointer is, in pixels of the device. */
  const point = useSignal<Point | null>(null);
  const press = useSignal<Began | null>(null);
  const acts = (acting.value || altHeld.value) && gestureHandler.value !== null;

  const place = (event: PointerEvent): Point => {
    const edge = room.current!.getBoundingClientRect();
    return { x: event.clientX - edge.left, y: event.clientY - edge.top };
  };
  const onDevice = (where: Point) => screenSize.value && toDevice(where, box.value, screenSize.value);
  const below = (on: Point | null) => on && nodeAt(shownTree.value?.nodes ?? [], on);

  const onPointerMove = (event: PointerEvent) => {
    const where = place(event);
    point.value = onDevice(where);
    if (press.value) press.value = { ...press.value, to: where };
    else hovered.value = below(point.value)?.ref ?? null;
  };
  const onPointerDown = (event: PointerEvent) => {
    const where = place(event);
    const on = onDevice(where);
    if (!on) return;
    const key = acts && event.pointerType === 'mouse' ? BUTTON_KEYS[event.button] : undefined;
    if (key) gestureHandler.value!({ kind: 'key', key });
    if (event.button !== 0) return;
    if (acts) room.current!.setPointerCapture(event.pointerId);
    press.value = { from: where, to: where, durationMs: 0, at: event.timeStamp, node: below(on) };
  };
  const onPointerUp = (event: PointerEvent) => {
    const began = press.value;
    const screen = screenSize.value;
    press.value = null;
    if (!began || !screen) return;
    const done = { ...began, to: place(event), durationMs: event.timeStamp - began.at };
    if (!acts) {
      if (isStill(done)) select(began.node?.ref ?? null);
      return;
    }
    const ref = began.node && isAddressable(began.node) ? began.node.ref : null;
    const [from, to] = [done.from, done.to].map((end) => toDeviceClamped(end, box.value, screen));
    gestureHandler.value!(gestureOf(done, from!, to!, ref));
  };
  const onPointerLeave = () => {
    hovered.value = null;
    point.value = null;
    if (!acts) press.value = null;
  };
  const onPointerCancel = () => {
    press.value = null;
  };
  // No menu and no scrolling of the browser where the buttons act.
  const onContextMenu = (event: Event) => {
    if (acts) event.preventDefault();
  };
  const onMouseDown = (event: MouseEvent) => {
    if (acts && event.button === 1) event.preventDefault();
  };
  return { acts, point, press,
    handlers: { onPointerMove, onPointerDown, onPointerUp, onPointerLeave, onPointerCancel, onContextMenu, onMouseDown } };
}
