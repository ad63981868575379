/** Reads the XML of a snapshot into the same shape as its nodes. No DOM here. */
import { buildTree, type Bounds, type RawNode, type Tree } from './model.ts';

const TAG = /<(\/?)node\b([^>]*?)(\/?)>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;
const NAMES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const FLAGS = ['clickable', 'long-clickable', 'checkable', 'checked', 'focusable', 'focused', 'scrollable', 'selected', 'password'];

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex: string, decimal: string, name: string) => {
    if (name) return NAMES[name] ?? whole;
    const code = hex ? parseInt(hex, 16) : parseInt(decimal, 10);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function parseBounds(text: string): Bounds | undefined {
  const found = /^\[(-?\d+),(-?\d+)\]\[(-?\d+),(-?\d+)\]$/.exec(text);
  return found ? (found.slice(1).map(Number) as Bounds) : undefined;
}

function nodeOf(attributes: Map<string, string>, ref: string, parent: string | undefined): RawNode {
  const flags = FLAGS.filter((flag) => attributes.get(flag) === 'true');
  if (attributes.get('enabled') === 'false') flags.push('disabled');
  if (attributes.get('visible-to-user') === 'false') flags.push('invisible');
  const node: RawNode = { ref, class: attributes.get('class') ?? '', flags };
  if (parent !== undefined) node.parent = parent;
  const bounds = parseBounds(attributes.get('bounds') ?? '');
  if (bounds) node.bounds = bounds;
  for (const [member, name] of [['text', 'text'], ['desc', 'content-desc'], ['id', 'resource-id']] as const) {
    const value = attributes.get(name);
    if (value) node[member] = value;
  }
  return node;
}

const keyOf = (node: RawNode) => `${node.class}|${node.id ?? ''}|${node.bounds}`;

/** Gives the refs of `compact` to the same nodes; both lists have one order. */
function takeRefs(raw: RawNode[], compact: Tree | null) {
  const waiting = new Map<string, string[]>();
  for (const node of compact?.nodes ?? []) {
    const key = keyOf(node);
    waiting.set(key, [...(waiting.get(key) ?? []), node.ref]);
  }
  const renamed = new Map<string, string>();
  for (const node of raw) {
    const ref = waiting.get(keyOf(node))?.shift();
    if (ref !== undefined) renamed.set(node.ref, ref);
  }
  for (const node of raw) {
    node.ref = renamed.get(node.ref) ?? node.ref;
    if (node.parent !== undefined) node.parent = renamed.get(node.parent) ?? node.parent;
  }
}

export interface XmlLine {
  text: string;
  /** The index in `parseXml` of the node that begins there. */
  node?: number;
}

/** The lines of the XML. An attribute contains no `<` and no line end of its own. */
export function linesOf(text: string): XmlLine[] {
  let count = 0;
  return text.split('\n').map((line) => {
    const begins = line.match(/<node\b/g)?.length ?? 0;
    count += begins;
    return begins ? { text: line, node: count - 1 } : { text: line };
  });
}

/** Every node of the XML. Those that `compact` has keep its refs, the others get `#n`. */
export function parseXml(text: string, hash: string, compact: Tree | null): Tree {
  const raw: RawNode[] = [];
  const open: string[] = [];
  for (const [, closing, inside, empty] of text.matchAll(TAG)) {
    if (closing) {
      open.pop();
      continue;
    }
    const attributes = new Map<string, string>();
    for (const [, name, value] of inside!.matchAll(ATTRIBUTE)) attributes.set(name!, decodeEntities(value!));
    const ref = `#${raw.length + 1}`;
    raw.push(nodeOf(attributes, ref, open.at(-1)));
    if (!empty) open.push(ref);
  }
  takeRefs(raw, compact?.hash === hash ? compact : null);
  return buildTree({ hash, package: compact?.package, rotation: compact?.rotation, nodes: raw });
}
