/** Which nodes a search and the switches of the tree leave. No DOM here. */
import { hasFlag, type RawNode, type Tree, type UiNode } from './model.ts';

export interface Filter {
  search: string;
  interactiveOnly: boolean;
  visibleOnly: boolean;
}

type Field = 'text' | 'desc' | 'id' | 'role' | 'ref';
interface Word {
  field: Field | null;
  value: string;
}

const FIELDS: Field[] = ['text', 'desc', 'id', 'role', 'ref'];
const INTERACTIVE = ['clickable', 'long-clickable', 'checkable', 'scrollable', 'editable'];

/** The words of a search: all must match. `id:title` looks at one field; quotes keep blanks: `text:"Do not"`. */
export function parseSearch(search: string): Word[] {
  const words: Word[] = [];
  for (const [, name, quoted, plain] of search.matchAll(/(?:(\w+):)?(?:"([^"]*)"?|(\S+))/g)) {
    const field = FIELDS.find((known) => known === name?.toLowerCase()) ?? null;
    const rest = quoted ?? plain ?? '';
    const value = (name !== undefined && field === null ? `${name}:${rest}` : rest).toLowerCase();
    if (value) words.push({ field, value });
  }
  return words;
}

const includes = (text: string | undefined, value: string) => text !== undefined && text.toLowerCase().includes(value);

function fieldMatches(node: RawNode, field: Field, value: string): boolean {
  switch (field) {
    case 'text': return includes(node.text, value) || includes(node.hint as string | undefined, value);
    case 'desc': return includes(node.desc, value);
    case 'id': return includes(node.id, value);
    case 'role': return includes(node.role, value) || includes(node.class, value);
    case 'ref': return node.ref === value || node.ref === `@${value}`;
  }
}

function wordMatches(node: RawNode, { field, value }: Word): boolean {
  return field ? fieldMatches(node, field, value) : FIELDS.some((each) => fieldMatches(node, each, value));
}

export function isInteractive(node: RawNode): boolean {
  return INTERACTIVE.some((flag) => hasFlag(node, flag)) && !hasFlag(node, 'disabled');
}

/** Whether some part of the node is on the screen. */
export function isVisible(node: RawNode, screen: { width: number; height: number } | null): boolean {
  const bounds = node.bounds;
  if (!bounds || hasFlag(node, 'invisible')) return false;
  const [left, top, right, bottom] = bounds;
  if (right <= left || bottom <= top) return false;
  return !screen || (left < screen.width && top < screen.height && right > 0 && bottom > 0);
}

/** The nodes that match, by index; null if the filter leaves all. */
export function matchNodes(tree: Tree, filter: Filter, screen: { width: number; height: number } | null): Set<number> | null {
  const words = parseSearch(filter.search);
  if (!words.length && !filter.interactiveOnly && !filter.visibleOnly) return null;
  const found = new Set<number>();
  const matches = (node: UiNode) =>
    (!filter.interactiveOnly || isInteractive(node)) && (!filter.visibleOnly || isVisible(node, screen))
    && words.every((word) => wordMatches(node, word));
  for (const node of tree.nodes) if (matches(node)) found.add(node.index);
  return found;
}

/** The rows to show, as indices of nodes: without folded parts, or what matches with the nodes around it. */
export function visibleRows(tree: Tree, matches: Set<number> | null, folded: ReadonlySet<string>): number[] {
  const rows: number[] = [];
  if (matches) {
    const shown = new Uint8Array(tree.nodes.length);
    for (const match of matches)
      for (let index = match; index >= 0 && !shown[index]; index = tree.nodes[index]!.parentIndex) shown[index] = 1;
    shown.forEach((value, index) => value && rows.push(index));
    return rows;
  }
  for (let index = 0; index < tree.nodes.length;) {
    const node = tree.nodes[index]!;
    rows.push(index);
    index = folded.has(node.ref) ? node.end : index + 1;
  }
  return rows;
}
