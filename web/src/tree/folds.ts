/** Folded nodes are kept by their path, because the next snapshot counts its refs anew. No DOM here. */
import type { Tree, UiNode } from './model.ts';

function childrenOf(tree: Tree, index: number): number[] {
  const children: number[] = [];
  const end = index < 0 ? tree.nodes.length : tree.nodes[index]!.end;
  for (let child = index + 1; child < end; child = tree.nodes[child]!.end) children.push(child);
  return children;
}

export function pathOf(tree: Tree, node: UiNode): string {
  const path: number[] = [];
  for (let index = node.index; index >= 0; index = tree.nodes[index]!.parentIndex)
    path.unshift(childrenOf(tree, tree.nodes[index]!.parentIndex).indexOf(index));
  return path.join('.');
}

export function nodeOfPath(tree: Tree, path: string): UiNode | null {
  let index = -1;
  for (const step of path.split('.')) {
    const next = childrenOf(tree, index)[Number(step)];
    if (next === undefined) return null;
    index = next;
  }
  return tree.nodes[index] ?? null;
}

export function foldedRefs(tree: Tree, paths: ReadonlySet<string>): Set<string> {
  const refs = new Set<string>();
  for (const path of paths) {
    const node = nodeOfPath(tree, path);
    if (node && node.end > node.index + 1) refs.add(node.ref);
  }
  return refs;
}
