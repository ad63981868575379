/** Nodes of a screen as the server writes them, and their place in the tree. No DOM here. */

export type Bounds = [left: number, top: number, right: number, bottom: number];

/** One node of `snapshot?format=nodes`. */
export interface RawNode {
  ref: string;
  parent?: string;
  role?: string;
  text?: string;
  desc?: string;
  id?: string;
  class?: string;
  bounds?: Bounds;
  center?: [number, number];
  flags?: string[];
  [member: string]: unknown;
}

export interface RawTree {
  hash: string;
  package?: string;
  rotation?: number;
  nodes: RawNode[];
}

export interface UiNode extends RawNode {
  /** Its index in `Tree.nodes`, where every parent stands before its children. */
  index: number;
  /** The index of the parent, or -1. */
  parentIndex: number;
  depth: number;
  /** The index after its last descendant. */
  end: number;
}

export interface Tree {
  hash: string;
  package: string;
  rotation: number;
  nodes: UiNode[];
  byRef: Map<string, UiNode>;
}

export function buildTree(raw: RawTree): Tree {
  const byRef = new Map<string, UiNode>();
  const nodes = raw.nodes.map((node, index): UiNode => {
    const parent = node.parent === undefined ? undefined : byRef.get(node.parent);
    const placed = {
      ...node, index, parentIndex: parent ? parent.index : -1, depth: parent ? parent.depth + 1 : 0, end: index + 1,
    };
    byRef.set(node.ref, placed);
    return placed;
  });
  for (let index = nodes.length - 1; index >= 0; --index) {
    const node = nodes[index]!;
    const parent = nodes[node.parentIndex];
    if (parent) parent.end = Math.max(parent.end, node.end);
  }
  return { hash: raw.hash, package: raw.package ?? '', rotation: raw.rotation ?? 0, nodes, byRef };
}

/** Whether an action can name the node by its ref: nodes that only the full tree has cannot be named. */
export function isAddressable(node: RawNode): boolean {
  return node.ref.startsWith('@');
}

export function hasFlag(node: RawNode, flag: string): boolean {
  return node.flags?.includes(flag) ?? false;
}

/** The last part of a class or a resource id. */
export function shortName(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('/'), name.lastIndexOf('$')) + 1);
}

const LONGEST_LINE = 160;
const LONGEST_FACT = 500;

/** The text, cut: a row shows one line, however long the text is. */
export function cutText(text: string): string {
  const line = text.slice(0, LONGEST_LINE + 1).replace(/\s+/g, ' ');
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line;
}

/** The text with its line breaks, so that what stands below it stays within reach. */
export function shownFact(text: string): string {
  return text.length > LONGEST_FACT ? `${text.slice(0, LONGEST_FACT)}… (${text.length} characters)` : text;
}

/** Where it is, and its size, in pixels of the device. */
export function boundsText({ bounds }: RawNode): string | undefined {
  if (!bounds) return undefined;
  const [left, top, right, bottom] = bounds;
  return `${left},${top} – ${right},${bottom} (${right - left}\u00a0×\u00a0${bottom - top})`;
}

/** What a person calls the node. */
export function labelOf(node: RawNode): string {
  return cutText(node.text || node.desc || (node.id ? '#' + shortName(node.id) : '') || node.role || shortName(node.class ?? '') || node.ref);
}
