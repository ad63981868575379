/** The list of steps as the page has it: kept for this tab, and run again. */
import { computed, effect, signal, type Signal } from '@preact/signals';
import type { Deed } from '../act/build.ts';
import { describe } from '../act/build.ts';
import { perform, performing, type Card } from '../act/perform.ts';
import { selectedReady } from '../state/devices.ts';
import { report } from '../state/messages.ts';
import { steps as kept } from '../state/steps.ts';
import { added, filled, newStep, placeholders, readDeed, deedJson, secretPlaceholders, type Step, type Values } from './list.ts';

export const steps = kept as Signal<Step[]>;
/** What the placeholders stand for. Those of secrets are never stored. */
export const values = signal<Values>({});
/** The last result of each step, as long as the page is open. */
export const cards = signal<ReadonlyMap<string, Card>>(new Map());
/** The step that runs; null: none. */
export const runningKey = signal<string | null>(null);
export const running = signal(false);
/** The list before the last removal. */
export const undo = signal<Step[] | null>(null);

export const missingValues = computed(() => placeholders(steps.value).filter((name) => !values.value[name]));

let count = 0;
export function newKey(): string {
  return `${Date.now().toString(36)}-${++count}`;
}

export function addStep(what: Deed, hasPlaceholder = false): string {
  const step = newStep(newKey(), what);
  steps.value = added(steps.value, [hasPlaceholder ? { ...step, literal: false } : step]);
  return step.key;
}

export function setCard(key: string, card: Card) {
  cards.value = new Map(cards.value).set(key, card);
}

export function change(next: Step[], undoable = false) {
  undo.value = undoable ? steps.value : null;
  steps.value = next;
}

let stopped = false;

export function stopRun() {
  stopped = true;
}

/** Runs the steps from `key` on, or all; ends at the first that fails. */
export async function run(key: string | null = null): Promise<void> {
  if (running.value || performing.value || !selectedReady.value) return;
  const list = steps.value;
  const from = key === null ? 0 : list.findIndex((step) => step.key === key);
  stopped = false;
  running.value = true;
  const fresh = new Map(cards.value);
  for (const step of list.slice(from)) fresh.delete(step.key);
  cards.value = fresh;
  try {
    for (const step of list.slice(from)) {
      if (stopped) break;
      runningKey.value = step.key;
      const done = await perform(filled(step, values.value), describe(step.what), (card) => setCard(step.key, card));
      if (done.outcome?.state !== 'done') break;
    }
  } catch (problem) {
    report('The step could not be sent', problem);
  } finally {
    runningKey.value = null;
    running.value = false;
  }
}

const STEPS = 'clawperator.steps';
const VALUES = 'clawperator.values';

function load() {
  try {
    const rows: unknown = JSON.parse(sessionStorage.getItem(STEPS) ?? '[]');
    if (!Array.isArray(rows)) return;
    steps.value = rows.flatMap((row: { what?: unknown; literal?: unknown }) => {
      const what = readDeed(row?.what);
      return typeof what === 'string' ? [] : [{ key: newKey(), what, literal: row.literal === true }];
    });
    const texts: unknown = JSON.parse(sessionStorage.getItem(VALUES) ?? '{}');
    if (typeof texts === 'object' && texts !== null) values.value = texts as Values;
  } catch {
    // A broken list, or no storage: the page begins with an empty one.
  }
}

function store() {
  const secrets = secretPlaceholders(steps.value);
  const shown = Object.entries(values.value).filter(([name]) => !secrets.includes(name));
  const rows = steps.value.map(({ what, literal }) => ({ what: deedJson(what), literal }));
  try {
    sessionStorage.setItem(STEPS, JSON.stringify(rows));
    sessionStorage.setItem(VALUES, JSON.stringify(Object.fromEntries(shown)));
  } catch {
    // Without storage the list lasts as long as the page.
  }
}

load();
effect(store);
