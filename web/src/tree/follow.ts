/** Finds the selected node again in the next snapshot. No DOM here. */
import type { RawNode, Tree } from './model.ts';

function likeness(a: RawNode, b: RawNode): number {
  if (a.class !== b.class || a.id !== b.id) return 0;
  const texts = a.text === b.text && a.desc === b.desc;
  const place = String(a.bounds) === String(b.bounds);
  if (!texts && !place) return 0;
  if (!a.id && !texts) return 0;
  return 1 + (texts ? 4 : 0) + (place ? 2 : 0);
}

/** The ref of the same node in `next`, or null if there is none, or several alike. */
export function followNode(last: Tree | null, ref: string | null, next: Tree): string | null {
  const node = ref === null ? undefined : last?.byRef.get(ref);
  if (!node) return null;
  let best = 0;
  let found: string | null = null;
  let same = 0;
  for (const other of next.nodes) {
    const score = likeness(node, other);
    if (score === 0 || score < best) continue;
    same = score === best ? same + 1 : 1;
    best = score;
    found = other.ref;
  }
  return same === 1 ? found : null;
}
