/** Acts of this page: each is sent, and becomes a step of the list. */
import { inform, report } from '../state/messages.ts';
import { fullRef, candidatesOf, plainMatcher, type Candidate } from '../selector/candidates.ts';
import { gestureHandler, type Gesture } from '../state/gesture.ts';
import { selectedReady, selectedSerial } from '../state/devices.ts';
import { tree } from '../state/screen.ts';
import { addStep, setCard } from '../steps/run.ts';
import { labelOf, type UiNode } from '../tree/model.ts';
import { describe, key, longPress, swipe, tap, typeText, type Deed, type Params, type Target } from './build.ts';
import { perform, performing } from './perform.ts';

/** A node by its ref; the middle of it where it has none. */
export function targetOf(node: UiNode): Target {
  const ref = fullRef(node.ref);
  if (ref) return { ref };
  const [x, y] = node.center ?? middle(node);
  return { point: { x, y } };
}

function middle({ bounds = [0, 0, 0, 0] }: UiNode): [number, number] {
  return [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2];
}

// A ref of a press that began on an older tree names another node of the new one.
function contains({ bounds: [left, top, right, bottom] = [0, 0, 0, 0] }: UiNode, point: { x: number; y: number }): boolean {
  return point.x >= left && point.x <= right && point.y >= top && point.y <= bottom;
}

async function bestCandidate(serial: string, ref: string, node: UiNode): Promise<Candidate | null> {
  const plain = plainMatcher(node);
  const found = await candidatesOf(serial, ref).catch(() => []);
  return found[0] ?? (plain && { matcher: plain, matches: 0, nth: 0 });
}

/** The deed by a matcher or a point: a ref is of one screen alone. Where several nodes match, the step refuses to guess. */
async function repeatable(what: Deed, serial: string, node: UiNode | null): Promise<Deed> {
  if (!('action' in what) || !what.ref || !node) return what;
  const { id, type, params } = what.action;
  const candidate = await bestCandidate(serial, what.ref, node);
  const [x, y] = node.center ?? middle(node);
  // A field needs a matcher; its class names the node where nothing else does.
  const place: Params = candidate
    ? { matcher: candidate.matcher, ...(candidate.matches > 1 && { strict: true }) }
    : type === 'click' ? { coordinate: { x: Math.round(x), y: Math.round(y) } } : { matcher: { role: node.role ?? 'textfield' } };
  return { action: { id, type, params: { ...place, ...params } } };
}

/** Sends a deed and adds its step. `kept` is what the list keeps instead, where the text is a secret. */
export async function act(what: Deed, node: UiNode | null = null, kept?: (deed: Deed) => Deed): Promise<boolean> {
  const serial = selectedSerial.value;
  if (!serial || !selectedReady.value || performing.value) return false;
  const step = repeatable(what, serial, node).then((deed) => addStep(kept ? kept(deed) : deed, kept !== undefined));
  try {
    const done = await perform(what, describe(what, node ? labelOf(node) : undefined));
    setCard(await step, done);
    return done.outcome?.state === 'done';
  } catch (problem) {
    report('The act could not be sent', problem);
    return false;
  }
}

export function tapNode(node: UiNode) {
  return act(tap(targetOf(node)), node);
}

export function longPressNode(node: UiNode) {
  return act(longPress(targetOf(node)), node);
}

export function type(node: UiNode | null, text: string, options: { submit: boolean; secret: boolean; placeholder: string }) {
  const what = typeText(node ? targetOf(node) : {}, text, options);
  if (!options.secret) return act(what, node);
  // The list, which the browser stores, has a placeholder for it.
  const hidden = (deed: Deed): Deed => {
    if ('input' in deed) return { input: { ...deed.input, text: `{{${options.placeholder}}}` } };
    return { action: { ...deed.action, params: { ...deed.action.params, text: `{{${options.placeholder}}}` } } };
  };
  return act(what, node, hidden);
}

function onGesture(gesture: Gesture) {
  if (gesture.kind === 'swipe') return void act(swipe(gesture));
  if (gesture.kind === 'key') return void act(key(gesture.key));
  const node = gesture.ref === null ? null : tree.value?.byRef.get(gesture.ref) ?? null;
  if (node && !contains(node, gesture)) return inform('The screen changed under the pointer; nothing was sent.');
  const target: Target = node ? targetOf(node) : { point: { x: gesture.x, y: gesture.y } };
  void act(gesture.kind === 'tap' ? tap(target) : longPress(target), node);
}

gestureHandler.value = onGesture;
