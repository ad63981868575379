/** The rows of the tree. Only those in sight are in the page, however many there are. */
import { hovered, markedRefs, select, selection, shownTree } from '../state/screen.ts';
import { treeView } from '../state/settings.ts';
import { lineOf } from './line.ts';
import type { Tree, UiNode } from './model.ts';
import { folded, matches, rows, selectedRow, setFolded } from './state.ts';
import { useRows } from './useRows.ts';

const ROW = 24;
const INDENT = 12;
const DEEPEST = 14;

const rowId = (node: UiNode) => `node-${node.index}`;
const isParent = (node: UiNode) => node.end > node.index + 1;

function Row({ node, top }: { node: UiNode; top: number }) {
  const open = isParent(node) ? matches.value !== null || !folded.value.has(node.ref) : undefined;
  const line = lineOf(node, treeView.value === 'full');
  const context = matches.value !== null && !matches.value.has(node.index);
  const changed = markedRefs.value.has(node.ref);
  const names = ['node', context ? 'context' : '', changed ? 'changed' : '', hovered.value === node.ref ? 'hovered' : ''];
  return (
    <div role="treeitem" id={rowId(node)} class={names.filter(Boolean).join(' ')} aria-level={node.depth + 1}
      aria-selected={selection.value === node.ref} aria-expanded={open} data-ref={node.ref}
      style={{ top: `${top}px`, paddingLeft: `${4 + Math.min(node.depth, DEEPEST) * INDENT}px` }}>
      <span class="fold" aria-hidden="true">{open === undefined ? '' : open ? '▾' : '▸'}</span>
      <span class="ref">{node.ref}</span>
      <span class="role">{line.role}</span>
      {line.text && <span class="text">"<bdi>{line.text}</bdi>"</span>}
      {line.desc && <span class="desc">desc "<bdi>{line.desc}</bdi>"</span>}
      {line.id && <span class="id">#{line.id}</span>}
      {line.flags && <span class="flags">{line.flags}</span>}
      {changed && <span class="unseen">changed</span>}
    </div>
  );
}

function keyAction(tree: Tree, event: KeyboardEvent, page: number): (() => void) | null {
  const list = rows.value;
  const at = selectedRow.value;
  const node = at < 0 ? null : tree.nodes[list[at]!]!;
  const go = (row: number) => () => {
    const index = list[Math.min(Math.max(row, 0), list.length - 1)];
    if (index !== undefined) select(tree.nodes[index]!.ref);
  };
  const isOpen = node !== null && isParent(node) && (matches.value !== null || !folded.value.has(node.ref));
  switch (event.key) {
    case 'ArrowDown': return go(at + 1);
    case 'ArrowUp': return go(at < 0 ? list.length - 1 : at - 1);
    case 'PageDown': return go(at + page);
    case 'PageUp': return go(at - page);
    case 'Home': return go(0);
    case 'End': return go(list.length - 1);
    case 'ArrowRight': return !node || !isParent(node) ? null : isOpen ? go(at + 1) : () => setFolded(node, false);
    case 'ArrowLeft':
      if (!node) return null;
      if (isOpen && matches.value === null) return () => setFolded(node, true);
      return node.parentIndex < 0 ? null : () => select(tree.nodes[node.parentIndex]!.ref);
    default: return null;
  }
}

export function TreeList() {
  const tree = shownTree.value;
  const list = rows.value;
  const { element, onScroll, start, end, page } = useRows(ROW, list.length, selectedRow);
  if (!tree) return null;
  const nodeOf = (event: Event) => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-ref]') : null;
    return row ? tree.byRef.get(row.dataset.ref!) ?? null : null;
  };
  const click = (event: MouseEvent) => {
    const node = nodeOf(event);
    if (!node) return;
    const onFold = (event.target as Element).closest('.fold') !== null;
    if (onFold && isParent(node)) setFolded(node, !folded.value.has(node.ref));
    else select(node.ref);
  };
  const key = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const action = keyAction(tree, event, page);
    if (!action) return;
    event.preventDefault();
    action();
  };
  const active = selectedRow.value >= start && selectedRow.value < end ? tree.nodes[list[selectedRow.value]!] : undefined;
  return (
    <div ref={element} class="tree-list mono" role="tree" aria-label="Nodes of the screen" tabIndex={0}
      aria-activedescendant={active && rowId(active)} onScroll={onScroll} onClick={click} onKeyDown={key}
      onPointerMove={(event) => { hovered.value = nodeOf(event)?.ref ?? null; }}
      onPointerLeave={() => { hovered.value = null; }}>
      <div class="tree-space" role="none" style={{ height: `${list.length * ROW}px` }}>
        {list.slice(start, end).map((index, offset) => <Row key={index} node={tree.nodes[index]!} top={(start + offset) * ROW} />)}
      </div>
    </div>
  );
}
