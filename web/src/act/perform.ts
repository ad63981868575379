/** Sends a deed, and collects what a person sees of it: the request, its outcome, the diff and the times. */
import { signal } from '@preact/signals';
import { post, request, toFailure } from '../api/client.ts';
import { onEvent } from '../api/events.ts';
import { whileBusy } from '../state/activity.ts';
import { selectedSerial } from '../state/devices.ts';
import { expectChange } from '../state/refresh.ts';
import { applyTree, backend, changesOf, hash, loadTree } from '../state/screen.ts';
import { requestFor, shownRequest, type Deed, type Request } from './build.ts';
import { outcomeOfExecution, outcomeOfInput, outcomeOfRefusal, type Outcome } from './outcome.ts';
import { phasesOf, type Phase, type Stage } from './phases.ts';

export interface Card {
  id: string; // of the command
  title: string;
  serial: string;
  sent: Request; // without secrets
  outcome: Outcome | null; // null while it runs
  totalMs: number;
  phases: Phase[];
  diff: string | null;
}

/** The last act of this page. */
export const card = signal<Card | null>(null);
/** True while an act of this page runs: one at a time. */
export const performing = signal(false);

let count = 0;
const page = Date.now().toString(36) + Math.floor(Math.random() * 1e6).toString(36);

function newCommandId(): string {
  return `inspector-${page}-${++count}`;
}

async function send(sent: Request, serial: string, commandId: string): Promise<Outcome> {
  try {
    if (sent.route === 'input') {
      const path = { serial };
      return outcomeOfInput(await whileBusy(serial, commandId, () => post('/devices/{serial}/input', sent.body as never, { path })));
    }
    const answer = await whileBusy(serial, commandId, () => request('post', '/execute', {}, sent.body));
    return outcomeOfExecution(await answer.json());
  } catch (problem) {
    return outcomeOfRefusal(toFailure(problem));
  }
}

/** The tree that the act has read, or a new one: an input reads none. */
async function follow({ tree, state, unsure }: Outcome, serial: string) {
  if (serial !== selectedSerial.value) return;
  if (tree) applyTree(tree.text, tree.hash);
  else if (state === 'done' || unsure) await loadTree();
  expectChange();
}

async function diffOf(from: string | null, to: string | null): Promise<string | null> {
  return from && to && from !== to ? ((await changesOf(from, to))?.text ?? null) : null;
}

/** Sends it to the chosen device. The card is there at once, and complete when this returns. */
export async function perform(what: Deed, title: string, onCard: (card: Card) => void = () => {}): Promise<Card> {
  const serial = selectedSerial.value;
  if (!serial) throw new Error('No device is chosen.');
  const commandId = newCommandId();
  const sent = requestFor(what, serial, commandId, backend.value);
  let shown: Card = { id: commandId, title, serial, sent: shownRequest(sent, what), outcome: null, totalMs: 0, phases: [], diff: null };
  const show = (more: Partial<Card>) => {
    shown = { ...shown, ...more };
    card.value = shown;
    onCard(shown);
  };
  show({});
  performing.value = true;
  const before = hash.value;
  const start = performance.now();
  const stages: Stage[] = [];
  const end = onEvent('clawperator:stage', (stage) => {
    if (stage.commandId === commandId) stages.push({ ...stage, atMs: performance.now() - start });
  });
  try {
    const outcome = await send(sent, serial, commandId);
    const totalMs = performance.now() - start;
    show({ outcome, totalMs, phases: phasesOf(totalMs, stages, outcome.steps) });
    await follow(outcome, serial);
    show({ diff: await diffOf(before, outcome.tree?.hash ?? hash.value) });
  } finally {
    end();
    performing.value = false;
  }
  return shown;
}
