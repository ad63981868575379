import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitInto, nodeAt, toDevice, toDeviceClamped, toShown } from '../src/screen/geometry.ts';
import { gestureOf } from '../src/screen/press.ts';
import { buildTree } from '../src/tree/model.ts';

const SCREEN = { width: 1080, height: 2400 };

test('a picture fits into its room and keeps its shape', () => {
  assert.deepEqual(fitInto({ width: 400, height: 600 }, SCREEN), { left: 65, top: 0, width: 270, height: 600 });
  assert.deepEqual(fitInto({ width: 108, height: 600 }, SCREEN), { left: 0, top: 180, width: 108, height: 240 });
  assert.deepEqual(fitInto({ width: 400, height: 600 }, { width: 2400, height: 1080 }),
    { left: 0, top: 210, width: 400, height: 180 });
});

test('a point maps by ratio, whatever the size of the picture', () => {
  const box = fitInto({ width: 400, height: 600 }, SCREEN);
  assert.deepEqual(toDevice({ x: 65, y: 0 }, box, SCREEN), { x: 0, y: 0 });
  assert.deepEqual(toDevice({ x: 200, y: 300 }, box, SCREEN), { x: 540, y: 1200 });
  assert.equal(toDevice({ x: 64, y: 10 }, box, SCREEN), null);
  assert.equal(toDevice({ x: 335, y: 10 }, box, SCREEN), null);
  assert.deepEqual(toDeviceClamped({ x: 900, y: -20 }, box, SCREEN), { x: 1079, y: 0 });
});

test('bounds are cut at the edge of the picture', () => {
  const box = { left: 10, top: 20, width: 108, height: 240 };
  assert.deepEqual(toShown([0, 0, 540, 240], box, SCREEN), { left: 10, top: 20, width: 54, height: 24 });
  assert.deepEqual(toShown([-500, 2200, 2000, 5000], box, SCREEN), { left: 10, top: 240, width: 108, height: 20 });
  assert.equal(toShown([0, 5000, 100, 6000], box, SCREEN).height, 0);
});

test('the pointer means the smallest node, of equal ones the deepest', () => {
  const { nodes } = buildTree({ hash: 'h', nodes: [
    { ref: '@1', bounds: [0, 0, 1000, 1000] },
    { ref: '@2', parent: '@1', bounds: [0, 0, 500, 500] },
    { ref: '@3', parent: '@2', bounds: [0, 0, 500, 500] },
    { ref: '@4', bounds: [0, 0, 500, 500] },
    { ref: '@5', bounds: [600, 600, 600, 700] },
  ] });
  assert.equal(nodeAt(nodes, { x: 10, y: 10 })?.ref, '@3');
  assert.equal(nodeAt(nodes, { x: 700, y: 700 })?.ref, '@1');
  assert.equal(nodeAt(nodes, { x: 1000, y: 0 }), null);
});

test('a press is a tap, a long press or a swipe', () => {
  const still = { from: { x: 5, y: 5 }, to: { x: 9, y: 9 } };
  const start = { x: 50, y: 60 };
  assert.deepEqual(gestureOf({ ...still, durationMs: 80 }, start, start, '@3'), { kind: 'tap', x: 50, y: 60, ref: '@3' });
  assert.equal(gestureOf({ ...still, durationMs: 700 }, start, start, null).kind, 'long');
  const moved = { from: { x: 0, y: 0 }, to: { x: 0, y: 80 }, durationMs: 20 };
  assert.deepEqual(gestureOf(moved, start, { x: 50, y: 900 }, '@3'),
    { kind: 'swipe', x1: 50, y1: 60, x2: 50, y2: 900, durationMs: 50 });
});
