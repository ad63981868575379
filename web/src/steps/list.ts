/** A list of steps: its order, its values, and what may stand in it. */
import type { Action, Deed, Input, Params } from '../act/build.ts';
import type { Json } from '../selector/quote.ts';

export interface Step {
  key: string; // within this list
  what: Deed; // by a matcher or a point: a ref is of one screen alone
  literal: boolean; // {{NAME}} in it is what the device showed or a person typed, no placeholder
}

export type Values = Record<string, string>;

const PLACEHOLDER = /\{\{([A-Za-z0-9_]+)\}\}/g;
export const MOST_STEPS = 500;

export function moved(steps: Step[], key: string, by: number): Step[] {
  const from = steps.findIndex((step) => step.key === key);
  const to = Math.min(Math.max(from + by, 0), steps.length - 1);
  const step = steps[from];
  if (!step || from === to) return steps;
  const rest = steps.filter((each) => each.key !== key);
  return [...rest.slice(0, to), step, ...rest.slice(to)];
}

export function removed(steps: Step[], key: string): Step[] {
  return steps.filter((step) => step.key !== key);
}

export function replaced(steps: Step[], key: string, what: Deed): Step[] {
  return steps.map((step) => (step.key === key ? { key, what, literal: false } : step));
}

/** The oldest go where there are too many. */
export function added(steps: Step[], more: Step[]): Step[] {
  return [...steps, ...more].slice(-MOST_STEPS);
}

export function newStep(key: string, what: Deed): Step {
  return { key, what, literal: placeholdersIn(what as Json).length > 0 };
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return (Array.isArray(value) ? value : Object.values(value)).flatMap(textsIn);
}

function placeholdersIn(value: Json): string[] {
  return textsIn(value).flatMap((text) => [...text.matchAll(PLACEHOLDER)].map((found) => found[1] ?? ''));
}

/** The names that need a value, in their order, each once. */
export function placeholders(steps: Step[]): string[] {
  const names = steps.flatMap((step) => (step.literal ? [] : placeholdersIn(bodyOf(step.what))));
  return [...new Set(names)];
}

/** Those of texts that no answer and no log may show. */
export function secretPlaceholders(steps: Step[]): string[] {
  return placeholders(steps.filter(({ what }) => ('input' in what ? what.secret : what.action.params.secret) === true));
}

function bodyOf(what: Deed): Json {
  return 'input' in what ? what.input : what.action.params;
}

function filledText(value: Json, values: Values): Json {
  if (typeof value === 'string') return value.replace(PLACEHOLDER, (whole, name: string) => values[name] || whole);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => filledText(each, values));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filledText(member, values)]));
}

/** The step with its values. A name without a value stays. */
export function filled(step: Step, values: Values): Deed {
  if (step.literal) return step.what;
  if ('input' in step.what) return { ...step.what, input: filledText(step.what.input, values) as Input };
  const { action } = step.what;
  return { ...step.what, action: { ...action, params: filledText(action.params, values) as Params } };
}

/** The step with its typed text as a value, so that a run can type another one. */
export function withValue(step: Step, name: string): { step: Step; text: string } | null {
  if (!('action' in step.what) || typeof step.what.action.params.text !== 'string') return null;
  const { action } = step.what;
  const text = action.params.text as string;
  const params = { ...action.params, text: `{{${name}}}` };
  return { step: { ...step, what: { action: { ...action, params } }, literal: false }, text };
}

export function freeName(steps: Step[], wish: string): string {
  const taken = placeholders(steps);
  let name = wish;
  for (let n = 2; taken.includes(name); n++) name = `${wish}_${n}`;
  return name;
}

// Every action of docs/reference/actions.md, with what it cannot do without.
const REQUIRED: Record<string, string[]> = {
  open_app: ['applicationId'],
  open_uri: ['uri'],
  close_app: ['applicationId'],
  start_recording: [],
  stop_recording: [],
  wait_for_node: ['matcher'],
  click: [],
  scroll_and_click: ['matcher'],
  scroll: [],
  scroll_until: [],
  read_text: ['matcher'],
  enter_text: ['matcher', 'text'],
  snapshot_ui: [],
  take_screenshot: [],
  sleep: ['durationMs'],
  press_key: ['key'],
  wait_for_navigation: ['timeoutMs'],
  read_key_value_pair: ['labelMatcher'],
};

function isObject(value: unknown): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const INPUTS: Record<string, string[]> = {
  tap: ['x', 'y'],
  swipe: ['x1', 'y1', 'x2', 'y2'],
  key: ['key'],
  text: ['text'],
};

function readInput(value: { [name: string]: Json }): Input | string {
  const type = String(value.type);
  const needs = Object.hasOwn(INPUTS, type) ? INPUTS[type] : undefined;
  if (!needs) return `An input is of the type ${Object.keys(INPUTS).join(', ')}, not ${JSON.stringify(value.type)}.`;
  const missing = needs.find((name) => value[name] === undefined);
  return missing ? `The input ${type} needs "${missing}".` : (value as Input);
}

function readAction(value: { [name: string]: Json }): Action | string {
  const { id, type, params = {} } = value;
  if (typeof type !== 'string' || !Object.hasOwn(REQUIRED, type)) {
    return `"type" is ${JSON.stringify(type)}; an action is one of ${Object.keys(REQUIRED).join(', ')}.`;
  }
  if (id !== undefined && (typeof id !== 'string' || id === '' || id.length > 128)) {
    return '"id" is a text of 1 to 128 characters.';
  }
  if (!isObject(params)) return '"params" is an object.';
  const other = Object.keys(value).find((name) => !['id', 'type', 'params'].includes(name));
  if (other) return `An action has "id", "type" and "params", not "${other}".`;
  const missing = (REQUIRED[type] ?? []).find((name) => params[name] === undefined);
  if (missing) return `${type} needs "${missing}" in "params".`;
  if (type === 'click' && !params.matcher && !params.coordinate) return 'click needs "matcher" or "coordinate" in "params".';
  return { id: id ?? type, type, params };
}

/** One step from its JSON; a text is what is wrong. The server checks the rest when the step runs. */
export function readDeed(value: unknown): Deed | string {
  if (!isObject(value)) return 'A step is a JSON object.';
  if (isObject(value.input) && Object.keys(value).every((name) => name === 'input' || name === 'secret')) {
    const input = readInput(value.input);
    return typeof input === 'string' ? input : { input, ...(value.secret === true && { secret: true }) };
  }
  const action = readAction(value);
  return typeof action === 'string' ? action : { action };
}

export function readDeedText(text: string): Deed | string {
  try {
    return readDeed(JSON.parse(text));
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** What a person edits. */
export function deedJson(what: Deed): Json {
  return 'input' in what ? { ...what } : { ...what.action };
}
