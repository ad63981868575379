/** Where points and nodes are on the shown picture. Everything maps by ratio, never by pixels. No DOM here. */
import type { Bounds, UiNode } from '../tree/model.ts';

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  left: number;
  top: number;
}

export interface Point {
  x: number;
  y: number;
}

/** The largest box of the picture's shape within `room`, in its middle. It grows to `most` times the picture at most. */
export function fitInto(room: Size, picture: Size, most = Infinity): Box {
  const ratio = Math.min(room.width / picture.width, room.height / picture.height, most);
  const width = Math.max(0, Math.round(picture.width * ratio));
  const height = Math.max(0, Math.round(picture.height * ratio));
  return { left: Math.round((room.width - width) / 2), top: Math.round((room.height - height) / 2), width, height };
}

/** A point of the page (relative to the room of `box`) in pixels of the device, or null beside the picture. */
export function toDevice(point: Point, box: Box, screen: Size): Point | null {
  const x = (point.x - box.left) / box.width;
  const y = (point.y - box.top) / box.height;
  if (!(x >= 0 && x < 1 && y >= 0 && y < 1)) return null;
  return { x: Math.floor(x * screen.width), y: Math.floor(y * screen.height) };
}

/** The same, with points beside the picture moved to its edge: a swipe may end there. */
export function toDeviceClamped(point: Point, box: Box, screen: Size): Point {
  const within = (value: number, size: number) => Math.min(Math.max(value, 0), size - 1);
  return {
    x: within(Math.floor(((point.x - box.left) / box.width) * screen.width), screen.width),
    y: within(Math.floor(((point.y - box.top) / box.height) * screen.height), screen.height),
  };
}

/** Bounds of the device as a box of the page, cut at the picture's edge. */
export function toShown(bounds: Bounds, box: Box, screen: Size): Box {
  const cut = (value: number, size: number) => Math.min(Math.max(value / size, 0), 1);
  const left = cut(bounds[0], screen.width) * box.width;
  const right = cut(bounds[2], screen.width) * box.width;
  const top = cut(bounds[1], screen.height) * box.height;
  const bottom = cut(bounds[3], screen.height) * box.height;
  return { left: box.left + left, top: box.top + top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

function areaOf([left, top, right, bottom]: Bounds): number {
  return (right - left) * (bottom - top);
}

/** The node that a pointer means: the smallest one below the point; of equal ones the deepest, then the last. */
export function nodeAt(nodes: readonly UiNode[], { x, y }: Point): UiNode | null {
  let best: UiNode | null = null;
  let bestArea = Infinity;
  for (const node of nodes) {
    const bounds = node.bounds;
    if (!bounds || x < bounds[0] || y < bounds[1] || x >= bounds[2] || y >= bounds[3]) continue;
    const area = areaOf(bounds);
    if (area > bestArea || (area === bestArea && best && node.depth < best.depth)) continue;
    best = node;
    bestArea = area;
  }
  return best;
}
