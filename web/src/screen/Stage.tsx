/** The picture itself, and what lies over it. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { selectedDevice } from '../state/devices.ts';
import {
  hovered, markedRefs, picture, pictureSize, pictureUrl, screenSize, selectedNode, shownSide, shownTree, tree,
} from '../state/screen.ts';
import { lineOf } from '../tree/line.ts';
import type { UiNode } from '../tree/model.ts';
import { fitInto, toShown, type Box, type Point } from './geometry.ts';
import type { Press } from './press.ts';
import { usePointer } from './usePointer.ts';

const SIDE_STEP = 160;
const LARGEST_SCALE = 4;

/** The side that the server scales to: in steps, so that a small change of the window loads nothing. */
function sideFor(box: Box): number {
  const side = Math.max(box.width, box.height) * window.devicePixelRatio;
  return Math.max(2, Math.ceil(side / SIDE_STEP)) * SIDE_STEP;
}

function styleOf({ left, top, width, height }: Box) {
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}

function Outline({ node, kind, box }: { node: UiNode | null; kind: string; box: Box }) {
  const size = screenSize.value;
  if (!node?.bounds || !size) return null;
  const shown = toShown(node.bounds, box, size);
  return shown.width && shown.height ? <div class={`outline ${kind}`} style={styleOf(shown)} /> : null;
}

/** Boxes of many nodes: one canvas, because they may be thousands. */
function Marks({ box, refs: changed, kind = '' }: { box: Box; refs: Iterable<string>; kind?: string }) {
  const element = useRef<HTMLCanvasElement>(null);
  const size = screenSize.value;
  useLayoutEffect(() => {
    const canvas = element.current!;
    const scale = window.devicePixelRatio;
    canvas.width = Math.round(box.width * scale);
    canvas.height = Math.round(box.height * scale);
    const context = canvas.getContext('2d');
    if (!context || !size) return;
    context.scale(scale, scale);
    context.strokeStyle = getComputedStyle(canvas).color;
    context.lineWidth = 1.5;
    context.setLineDash([4, 3]);
    const inside = { ...box, left: 0, top: 0 };
    for (const ref of changed) {
      const bounds = tree.value?.byRef.get(ref)?.bounds;
      if (!bounds) continue;
      const shown = toShown(bounds, inside, size);
      if (shown.width && shown.height) context.strokeRect(shown.left + 1, shown.top + 1, shown.width - 2, shown.height - 2);
    }
  }, [changed, size?.width, size?.height, box.width, box.height, document.documentElement.dataset.theme]);
  return <canvas ref={element} class={`marks ${kind}`} style={styleOf(box)} />;
}

/** In place of a black picture: why there is none, and where the nodes are. */
function NoPicture({ box, why }: { box: Box; why: string }) {
  const shown = tree.value;
  const refs = useMemo(() => [...(shown?.byRef.keys() ?? [])], [shown]);
  return (
    <>
      <div class="no-picture" style={styleOf(box)} />
      <Marks box={box} refs={refs} kind="faint" />
      <div class="no-picture-words" role="status" style={styleOf(box)}>
        <p><strong>No picture</strong><br />{why[0]!.toUpperCase() + why.slice(1)}. {refs.length > 0 && 'The boxes are the nodes of the tree.'}</p>
      </div>
    </>
  );
}

/** Below the picture: what the pointer is on. */
function Caption({ node, point }: { node: UiNode | null; point: Point | null }) {
  const line = node && lineOf(node, false);
  return (
    <div class="caption small mono" aria-hidden="true">
      <span class="cut grow">{line && <><span class="muted">{node.ref}</span> {line.role} <bdi>{line.text || line.desc || (line.id && `#${line.id}`)}</bdi></>}</span>
      {point && <span class="muted">{point.x}, {point.y}</span>}
    </div>
  );
}

export function Stage() {
  const room = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const box = useComputed(() => fitInto(size.value, pictureSize.value ?? { width: 9, height: 20 }, LARGEST_SCALE));
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      size.value = { width: Math.floor(entry!.contentRect.width), height: Math.floor(entry!.contentRect.height) };
    });
    observer.observe(room.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (box.value.height > 0) shownSide.value = sideFor(box.value);
  }, [box.value.width, box.value.height]);

  const warning = picture.value?.warning;
  const { acts, point, press, handlers } = usePointer(room, box);
  const hoveredNode = hovered.value === null ? null : shownTree.value?.byRef.get(hovered.value) ?? null;
  const name = selectedDevice.value?.model ?? selectedDevice.value?.serial ?? '';
  return (
    <>
      <div ref={room} class={`stage ${acts ? 'acts' : ''}`} {...handlers}>
        <img src={pictureUrl.value!} alt={`Screen of ${name}`} draggable={false} style={styleOf(box.value)} onLoad={(event) => {
          pictureSize.value = { width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight };
        }} />
        {warning && <NoPicture box={box.value} why={warning} />}
        {markedRefs.value.size > 0 && <Marks box={box.value} refs={markedRefs.value} />}
        {!acts && <Outline node={hoveredNode} kind="hover" box={box.value} />}
        <Outline node={selectedNode.value} kind="selected" box={box.value} />
        {acts && press.value && <Trail press={press.value} />}
      </div>
      <Caption node={hoveredNode ?? selectedNode.value} point={point.value} />
    </>
  );
}

function Trail({ press }: { press: Press }) {
  return (
    <svg class="trail" aria-hidden="true">
      <line x1={press.from.x} y1={press.from.y} x2={press.to.x} y2={press.to.y} />
      <circle cx={press.from.x} cy={press.from.y} r="5" />
      <circle cx={press.to.x} cy={press.to.y} r="5" />
    </svg>
  );
}
