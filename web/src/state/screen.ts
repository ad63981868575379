/** The screen of the chosen device: its picture, its tree, what is selected, and how old each of them is. */
import { batch, computed, effect, signal } from '@preact/signals';
import { get, request, toFailure, type Answer, type Failure } from '../api/client.ts';
import { followNode } from '../tree/follow.ts';
import { buildTree, type Bounds, type RawTree, type Tree, type UiNode } from '../tree/model.ts';
import { parseXml } from '../tree/xml.ts';
import { selectedSerial } from './devices.ts';
import { treeView } from './settings.ts';

const NEW_SCREEN_NODES = 8;
const NEW_SCREEN_PART = 0.8;
const NONE: ReadonlySet<string> = new Set();

export interface Picture {
  url: string;
  etag: string;
  /** The side that the server scaled to. */
  side: number;
  /** When the server answered; also a 304 renews it. */
  takenAt: number;
  /** A secure window, for example: the server's words. */
  warning: string;
  /** In pixels of the device; the picture may be smaller. */
  screen: { width: number; height: number } | null;
}

export const picture = signal<Picture | null>(null);
export const pictureUrl = computed(() => picture.value?.url ?? null);
export const pictureFailure = signal<Failure | null>(null);
export const pictureLoading = signal(false);
/** The size of the loaded image in its own pixels. */
export const pictureSize = signal<{ width: number; height: number } | null>(null);
/** The longer side of the shown picture in pixels of this display; the server scales to it. */
export const shownSide = signal(960);

/** The last snapshot: nodes, as the agent's refs count them. */
export const tree = signal<Tree | null>(null);
export const treeAt = signal(0);
export const treeFailure = signal<Failure | null>(null);
export const treeLoading = signal(false);
/** True once the picture changed after the tree was read. */
export const treeStale = signal(false);
export const nodes = computed<UiNode[]>(() => tree.value?.nodes ?? []);
export const hash = computed<string | null>(() => tree.value?.hash ?? null);
export const previousHash = signal<string | null>(null);
/** `shell` after the user chose it for a phone without the Operator app. */
export const backend = signal<'app' | 'shell' | undefined>(undefined);

/** The whole tree as Android writes it; only while a view needs it. */
export const xml = signal<{ hash: string; text: string } | null>(null);
export const fullTree = computed<Tree | null>(() =>
  xml.value ? parseXml(xml.value.text, xml.value.hash, tree.value) : null);
/** The tree that the chosen view shows. */
export const shownTree = computed<Tree | null>(() =>
  treeView.value === 'compact' ? tree.value : fullTree.value ?? tree.value);

export interface Changes {
  text: string;
  changed: ReadonlySet<string>;
  removed: string[];
}
/** What differs between `previousHash` and `hash`; null without a diff. */
export const changes = signal<Changes | null>(null);
/** Nearly every node is new, so marks of changed nodes say nothing. */
export const newScreen = computed(() => {
  const changed = changes.value?.changed.size ?? 0;
  return changed > NEW_SCREEN_NODES && changed > NEW_SCREEN_PART * nodes.value.length;
});
/** The refs of the changed nodes while they are marked. */
export const markedRefs = computed<ReadonlySet<string>>(() =>
  marksShown.value && !newScreen.value ? changes.value?.changed ?? NONE : NONE);

/** The ref of the selected node: `@n`, or `#n` for a node that only the full tree has. */
export const selection = signal<string | null>(null);
export const hovered = signal<string | null>(null);
/** Changed nodes are marked on the picture and in the tree. */
export const marksShown = signal(true);
export const selectedNode = computed<UiNode | null>(() => {
  const ref = selection.value;
  if (ref === null) return null;
  return shownTree.value?.byRef.get(ref) ?? tree.value?.byRef.get(ref) ?? null;
});

/** The size of the screen in its present rotation: by the picture, else by what the nodes cover. */
export const screenSize = computed<{ width: number; height: number } | null>(() =>
  picture.value?.screen ?? boundsOf(tree.value));

function boundsOf(shown: Tree | null) {
  if (!shown?.nodes.length) return null;
  const sides = shown.nodes.map((node) => node.bounds ?? ([0, 0, 0, 0] as Bounds));
  return { width: Math.max(1, ...sides.map((side) => side[2])), height: Math.max(1, ...sides.map((side) => side[3])) };
}

export function select(ref: string | null) {
  selection.value = ref;
}

function serialOrThrow(): string {
  const serial = selectedSerial.value;
  if (!serial) throw new Error('No device is chosen.');
  return serial;
}

/** Takes the nodes that an action has read with `"observe": "nodes"`: `text` is their JSON. */
export function applyTree(text: string, treeHash?: string) {
  const raw = JSON.parse(text) as RawTree;
  const next = buildTree({ ...raw, hash: treeHash ?? raw.hash });
  const last = tree.value;
  batch(() => {
    const kept = followNode(last, selection.value, next);
    treeAt.value = Date.now();
    treeStale.value = false;
    treeFailure.value = null;
    if (last?.hash === next.hash) return;
    previousHash.value = last?.hash ?? null;
    changes.value = null;
    tree.value = next;
    selection.value = kept;
    hovered.value = null;
    if (xml.value?.hash !== next.hash) xml.value = null;
  });
  if (last?.hash === next.hash) return;
  // By hand alone, too, the picture belongs to the tree.
  void loadPicture();
  if (previousHash.value) void loadChanges(previousHash.value, next.hash);
  if (treeView.value !== 'compact' && xml.value?.hash !== next.hash) void loadXml();
}

type Compared = Answer<'/snapshots/{hash}/changes', 'get'>;
let compared: { key: string; answer: Promise<Compared | null> } | null = null;

/** What differs between two snapshots; null where the server no longer holds one of them. One request for the last pair. */
export function changesOf(from: string, to: string): Promise<Compared | null> {
  const key = `${from} ${to}`;
  if (compared?.key === key) return compared.answer;
  const answer = get('/snapshots/{hash}/changes', { path: { hash: to }, query: { since: from } }).catch(() => {
    if (compared?.key === key) compared = null; // a failure is no answer to keep
    return null;
  });
  compared = { key, answer };
  return answer;
}

async function loadChanges(from: string, to: string) {
  const diff = await changesOf(from, to);
  if (diff && hash.value === to)
    changes.value = { text: diff.text, changed: new Set([...diff.added, ...diff.changed]), removed: diff.removed };
}

let treeRequest: Promise<void> | null = null;

/** Reads the nodes of the screen. One request at a time; a second call waits for the first. */
export function loadTree(options: { queue?: boolean } = {}): Promise<void> {
  treeRequest ??= readTree(options).finally(() => {
    treeRequest = null;
  });
  return treeRequest;
}

async function readTree({ queue = true }: { queue?: boolean }) {
  const serial = serialOrThrow();
  treeLoading.value = true;
  try {
    const query = { format: 'nodes', queue: queue || undefined, queueTimeoutMs: queue ? 10000 : undefined, backend: backend.value, giveWay: true };
    const answer = await request('get', '/devices/{serial}/snapshot', { path: { serial }, query });
    const text = await answer.text();
    if (serial === selectedSerial.value) applyTree(text, answer.headers.get('X-Tree-Hash') ?? undefined);
  } catch (problem) {
    const failure = toFailure(problem);
    // An unasked read that meets an execution is made later.
    if (serial === selectedSerial.value && (queue || failure.status !== 423)) treeFailure.value = failure;
    if (!queue) treeStale.value = true;
  } finally {
    treeLoading.value = false;
  }
}

/** Reads the whole tree for the views that show it. */
export async function loadXml(): Promise<void> {
  const serial = serialOrThrow();
  try {
    const query = { format: 'xml', queue: true, queueTimeoutMs: 10000, backend: backend.value, giveWay: true };
    const answer = await request('get', '/devices/{serial}/snapshot', { path: { serial }, query });
    const text = await answer.text();
    if (serial !== selectedSerial.value) return;
    xml.value = { hash: answer.headers.get('X-Tree-Hash') ?? '', text };
  } catch (problem) {
    treeFailure.value = toFailure(problem);
  }
}

let pictureRequest: Promise<boolean> | null = null;

/** Loads the picture unless it is the one that is shown (ETag). True if it changed. */
export function loadPicture(): Promise<boolean> {
  pictureRequest ??= readPicture().finally(() => {
    pictureRequest = null;
  });
  return pictureRequest;
}

async function readPicture(): Promise<boolean> {
  const serial = serialOrThrow();
  pictureLoading.value = true;
  const side = shownSide.value;
  try {
    const last = picture.value;
    const known = last?.side === side ? last.etag : '';
    const answer = await request('get', '/devices/{serial}/screenshot.jpg', {
      path: { serial },
      query: { maxSide: side, events: false },
      headers: known ? { 'If-None-Match': known } : {},
    }, undefined, [304]);
    const body = answer.status === 304 ? null : await answer.blob();
    if (serial !== selectedSerial.value) return false;
    pictureFailure.value = null;
    if (!body) {
      picture.value = { ...last!, takenAt: Date.now() };
      return false;
    }
    const changed = answer.headers.get('ETag') !== last?.etag;
    showPicture(body, answer.headers, side);
    return changed;
  } catch (problem) {
    if (serial === selectedSerial.value) pictureFailure.value = toFailure(problem);
    return false;
  } finally {
    pictureLoading.value = false;
  }
}

function sizeOf(text: string | null) {
  const sides = text?.match(/^(\d+)x(\d+)$/);
  return sides ? { width: Number(sides[1]), height: Number(sides[2]) } : null;
}

function showPicture(body: Blob, headers: Headers, side: number) {
  const last = picture.value;
  picture.value = {
    url: URL.createObjectURL(body),
    etag: headers.get('ETag') ?? '',
    side,
    takenAt: Date.now(),
    warning: headers.get('X-Warning') ?? '',
    screen: sizeOf(headers.get('X-Screen-Size')),
  };
  // The old picture is shown until the new one is decoded.
  if (last) window.setTimeout(() => URL.revokeObjectURL(last.url), 2000);
}

/** Both, by hand: `r`. */
export function refresh() {
  if (!selectedSerial.value) return;
  void loadPicture();
  void loadTree();
}

/** Empties the screen when another device is chosen. */
export function watchScreen() {
  let shown: string | null = null;
  effect(() => {
    const serial = selectedSerial.value;
    if (serial === shown) return;
    shown = serial;
    batch(() => {
      picture.value = null;
      pictureSize.value = null;
      pictureFailure.value = null;
      tree.value = null;
      treeFailure.value = null;
      treeStale.value = false;
      previousHash.value = null;
      changes.value = null;
      xml.value = null;
      selection.value = null;
      hovered.value = null;
      backend.value = undefined;
    });
  });
  effect(() => {
    if (treeView.value !== 'compact' && tree.value && xml.peek()?.hash !== tree.value.hash) void loadXml();
  });
}
