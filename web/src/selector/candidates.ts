/** The ranked matchers of a node, as the server finds them; kept as long as their tree is the shown one. */
import { get, type Answer } from '../api/client.ts';
import { hash } from '../state/screen.ts';
import type { RawNode } from '../tree/model.ts';
import type { Matcher } from './forms.ts';

export interface Candidate {
  matcher: Matcher;
  matches: number;
  /** Of the nodes that match it is this one, from 1 on. */
  nth: number;
}

type Answered = Answer<'/snapshots/{hash}/selectors', 'get'>['candidates'][number];

let kept: { hash: string; byRef: Map<string, Promise<Candidate[]>> } = { hash: '', byRef: new Map() };

function readable(found: Answered): Candidate | null {
  const values = Object.values(found.matcher);
  if (values.length === 0 || values.some((value) => typeof value !== 'string')) return null;
  return { matcher: found.matcher as Matcher, matches: found.matches, nth: found.nth };
}

/** Candidates of `HASH@n`, best first. */
export function candidatesOf(serial: string, ref: string): Promise<Candidate[]> {
  const tree = ref.slice(0, ref.indexOf('@'));
  if (kept.hash !== tree) kept = { hash: tree, byRef: new Map() };
  const key = `${serial} ${ref}`;
  const known = kept.byRef.get(key);
  if (known) return known;
  const asked = get('/snapshots/{hash}/selectors', { path: { hash: tree }, query: { ref } })
    .then((answer) => answer.candidates.flatMap((each) => readable(each) ?? []));
  kept.byRef.set(key, asked);
  // A failure is no answer to keep.
  asked.catch(() => kept.byRef.delete(key));
  return asked;
}

/** `HASH@n` of a node of the shown tree; null for a node that only the full tree has. */
export function fullRef(ref: string | null): string | null {
  return ref?.startsWith('@') && hash.value ? hash.value + ref : null;
}

/** The plainest matcher by what the node shows itself; null: it shows nothing. */
export function plainMatcher(node: RawNode): Matcher | null {
  const matcher: Matcher = {};
  if (node.id) matcher.resourceId = node.id;
  if (node.text) matcher.textEquals = node.text;
  else if (node.desc) matcher.contentDescEquals = node.desc;
  return Object.keys(matcher).length > 0 ? matcher : null;
}
