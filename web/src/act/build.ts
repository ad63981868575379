/** What a gesture or a button sends: one action, or one input where no action does it. */
import { LONGEST_SWIPE_MS, SHORTEST_SWIPE_MS } from '../screen/press.ts';
import type { Json } from '../selector/quote.ts';

export type Params = { [name: string]: Json };
export interface Action {
  id: string;
  type: string;
  params: Params;
}
export type Input = Params & { type: string };
/** `secret`: no answer and no list shows the text of this input. */
export type Deed = { action: Action; ref?: string } | { input: Input; secret?: boolean };

export interface Target {
  ref?: string; // HASH@n of a shown tree
  matcher?: Record<string, string>;
  point?: { x: number; y: number };
}

export interface Drag {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
  durationMs: number;
}

const MOST_TEXT = 512;

function at(target: Target): { params: Params; ref?: string } {
  if (target.ref) return { params: {}, ref: target.ref };
  if (target.matcher) return { params: { matcher: target.matcher } };
  if (target.point) return { params: { coordinate: rounded(target.point) } };
  throw new Error('an act on a node needs a node or a point');
}

function rounded(point: { x: number; y: number }) {
  return { x: Math.max(0, Math.round(point.x)), y: Math.max(0, Math.round(point.y)) };
}

function deed(type: string, params: Params, ref?: string): Deed {
  return { action: { id: type, type, params }, ...(ref && { ref }) };
}

export function tap(target: Target): Deed {
  const { params, ref } = at(target);
  return deed('click', params, ref);
}

export function longPress(target: Target): Deed {
  const { params, ref } = at(target);
  return deed('click', { ...params, clickType: 'long_click' }, ref);
}

/** Replaces the text of a field; without a field the text goes to whatever has the focus. */
export function typeText(target: Target, text: string, options: { submit: boolean; secret: boolean }): Deed {
  if (!target.ref && !target.matcher) return { input: { type: 'text', text }, ...(options.secret && { secret: true }) };
  const { params, ref } = at(target);
  const more = { ...(options.submit && { submit: true }), ...(options.secret && { secret: true }) };
  return deed('enter_text', { ...params, text, ...more }, ref);
}

/** Why `text` cannot be typed; null: it can. */
export function typingProblem(text: string, hasField: boolean): string | null {
  if (text === '') return 'There is no text yet.';
  if (hasField) return [...text].length > MOST_TEXT ? `A field takes ${MOST_TEXT} characters at once.` : null;
  if (!/^[ -~]*$/.test(text)) return 'Without a selected field only printable ASCII can be typed. Select the field first.';
  return text.length > 1000 ? 'The phone takes 1000 characters at once.' : null;
}

/** No action moves from point to point, so a drag is an input. */
export function swipe(drag: Drag): Deed {
  const durationMs = Math.min(Math.max(Math.round(drag.durationMs), SHORTEST_SWIPE_MS), LONGEST_SWIPE_MS);
  const point = (value: number) => Math.max(0, Math.round(value));
  const { x1, y1, x2, y2 } = drag;
  return { input: { type: 'swipe', x1: point(x1), y1: point(y1), x2: point(x2), y2: point(y2), durationMs } };
}

const APP_KEYS = ['back', 'home', 'recents'];

/** back, home and recents are actions; every other key of Android is an input. */
export function key(name: string): Deed {
  if (APP_KEYS.includes(name)) return deed('press_key', { key: name });
  return { input: { type: 'key', key: /^\d+$/.test(name) ? Number(name) : name } };
}

/** The name of a key as a person writes it: "volume up", "KEYCODE_TAB", "66". Null: no key. */
export function keyName(typed: string): string | null {
  const name = typed.trim();
  if (/^\d+$/.test(name)) return Number(name) >= 1 && Number(name) <= 288 ? String(Number(name)) : null;
  if (APP_KEYS.includes(name.toLowerCase())) return name.toLowerCase();
  const code = name.toUpperCase().replace(/[\s-]+/g, '_').replace(/^KEYCODE_/, '');
  return /^[A-Z0-9_]+$/.test(code) ? 'KEYCODE_' + code : null;
}

/** An address, a deep link, a package or the name of an app. Null: nothing was typed. */
export function open(typed: string): Deed | null {
  const text = typed.trim();
  if (text === '') return null;
  if (/^[a-z][a-z0-9+.-]*:/i.test(text)) return deed('open_uri', { uri: text });
  if (/^[^\s/]+\.[^\s/]+\/\S*$/.test(text) || /^www\.\S+$/i.test(text)) return deed('open_uri', { uri: 'https://' + text });
  return deed('open_app', { applicationId: text });
}

export interface Request {
  route: 'execute' | 'input';
  body: { [name: string]: Json };
}

// They change nothing, so no effect is expected.
const ONLY_READ = ['wait_for_node', 'wait_for_navigation', 'read_text', 'read_key_value_pair', 'snapshot_ui', 'take_screenshot', 'sleep'];

/** The request for a deed. `commandId` must be new. */
export function requestFor(what: Deed, deviceId: string, commandId: string, backend?: 'app' | 'shell'): Request {
  if ('input' in what) return { route: 'input', body: { ...what.input, verify: 'changed' } };
  const { id, type, params } = what.action;
  const execution = {
    commandId,
    taskId: 'inspector',
    source: 'inspector',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 30000,
    actions: [{ id, type, params }],
  };
  const ref: Params = what.ref ? { ref: what.ref } : {};
  const way: Params = backend ? { backend } : {};
  const proof: Params = ONLY_READ.includes(type) ? {} : { verify: 'changed' };
  const body = { deviceId, execution, ...ref, observe: 'nodes', ...proof, miss: true, queue: true, ...way };
  return { route: 'execute', body };
}

const DOTS = '••••';

/** The request of a deed without a text that must stay secret. */
export function shownRequest(request: Request, what: Deed): Request {
  const copy = JSON.parse(JSON.stringify(request)) as Request;
  if ('input' in what && what.secret) copy.body.text = DOTS;
  const execution = copy.body.execution as { actions?: Action[] } | undefined;
  for (const action of execution?.actions ?? []) {
    if (action.params.secret === true && 'text' in action.params) action.params.text = DOTS;
  }
  return copy;
}

/** One line for people: `Tap HASH@3`, `Type "Ada"`. */
export function describe(what: Deed, name?: string): string {
  if ('input' in what) return what.secret ? `Type ${DOTS}` : describeInput(what.input);
  const { type, params } = what.action;
  const node = name ?? what.ref ?? nodeOf(params);
  switch (type) {
    case 'click':
      return (params.clickType === 'long_click' ? 'Long press ' : params.clickType === 'focus' ? 'Focus ' : 'Tap ') + node;
    case 'enter_text':
      return `Type ${params.secret === true ? DOTS : JSON.stringify(params.text)} into ${node}`;
    case 'press_key':
      return `Press ${String(params.key)}`;
    case 'open_app':
      return `Open ${String(params.applicationId)}`;
    case 'close_app':
      return `Close ${String(params.applicationId)}`;
    case 'open_uri':
      return `Open ${String(params.uri)}`;
    case 'sleep':
      return `Wait ${String(params.durationMs)} ms`;
    default:
      return node ? `${type} ${node}` : type;
  }
}

function describeInput(input: Input): string {
  if (input.type === 'swipe') return `Swipe ${input.x1},${input.y1} to ${input.x2},${input.y2}`;
  if (input.type === 'tap') return `Tap ${input.x},${input.y}`;
  if (input.type === 'key') return `Press ${String(input.key)}`;
  return `Type ${JSON.stringify(input.text)}`;
}

function nodeOf(params: Params): string {
  const matcher = (params.matcher ?? params.labelMatcher ?? params.expectedNode) as Record<string, string> | undefined;
  if (matcher && typeof matcher === 'object') return Object.values(matcher).map((value) => JSON.stringify(value)).join(' ');
  const point = params.coordinate as { x: number; y: number } | undefined;
  return point ? `${point.x},${point.y}` : '';
}
