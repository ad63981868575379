/** What the tree shows of the snapshot: search, folds, rows. */
import { computed, effect, signal } from '@preact/signals';
import { fullTree, screenSize, selection, shownTree, xml } from '../state/screen.ts';
import { interactiveOnly, visibleOnly } from '../state/settings.ts';
import { matchNodes, visibleRows } from './filter.ts';
import { foldedRefs, pathOf } from './folds.ts';
import type { UiNode } from './model.ts';
import { linesOf } from './xml.ts';

export const search = signal('');
const foldedPaths = signal<ReadonlySet<string>>(new Set());

export const folded = computed(() => shownTree.value ? foldedRefs(shownTree.value, foldedPaths.value) : new Set<string>());
export const matches = computed(() => shownTree.value && matchNodes(shownTree.value,
  { search: search.value, interactiveOnly: interactiveOnly.value, visibleOnly: visibleOnly.value }, screenSize.value));
/** Indices of the nodes that have a row. */
export const rows = computed(() => shownTree.value ? visibleRows(shownTree.value, matches.value, folded.value) : []);
/** The row of the selected node, or -1. */
export const selectedRow = computed(() => {
  const node = selection.value === null ? undefined : shownTree.value?.byRef.get(selection.value);
  return node ? rows.value.indexOf(node.index) : -1;
});

export const xmlLines = computed(() => {
  const lines = linesOf(xml.value?.text ?? '');
  const words = search.value.trim().toLowerCase();
  return words ? lines.filter(({ text }) => text.toLowerCase().includes(words)) : lines;
});
/** The line of the selected node, or -1. */
export const selectedLine = computed(() => {
  const index = selection.value === null ? undefined : fullTree.value?.byRef.get(selection.value)?.index;
  return index === undefined ? -1 : xmlLines.value.findIndex(({ node }) => node === index);
});

export function setFolded(node: UiNode, fold: boolean) {
  const shown = shownTree.value;
  if (!shown) return;
  const paths = new Set(foldedPaths.value);
  if (fold) paths.add(pathOf(shown, node));
  else paths.delete(pathOf(shown, node));
  foldedPaths.value = paths;
}

/** A node that is selected elsewhere must have a row: what hides it is unfolded. */
effect(() => {
  const shown = shownTree.value;
  const node = selection.value === null ? undefined : shown?.byRef.get(selection.value);
  if (!shown || !node || !foldedPaths.peek().size) return;
  for (let index = node.parentIndex; index >= 0; index = shown.nodes[index]!.parentIndex)
    if (folded.peek().has(shown.nodes[index]!.ref)) setFolded(shown.nodes[index]!, false);
});
