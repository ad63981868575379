// What an act sends, and how its answer reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as build from '../src/act/build.ts';
import * as outcome from '../src/act/outcome.ts';
import { milliseconds, phasesOf, type Phase } from '../src/act/phases.ts';

const params = (what: build.Deed | null) => (what && 'action' in what ? what.action.params : undefined);
const REF = 'c798d3b66442@9';

test('a node goes by its ref, a point only without one', () => {
  assert.deepEqual(build.tap({ ref: REF, point: { x: 1, y: 2 } }), { action: { id: 'click', type: 'click', params: {} }, ref: REF });
  assert.deepEqual(params(build.tap({ point: { x: 1.6, y: -2 } })), { coordinate: { x: 2, y: 0 } });
  assert.deepEqual(params(build.longPress({ matcher: { role: 'x' } })), { matcher: { role: 'x' }, clickType: 'long_click' });
});

test('text goes into a field, else to the focus', () => {
  const typed = build.typeText({ ref: REF }, 'Ada', { submit: true, secret: false });
  assert.deepEqual(typed, { action: { id: 'enter_text', type: 'enter_text', params: { text: 'Ada', submit: true } }, ref: REF });
  assert.deepEqual(build.typeText({}, 'Ada', { submit: true, secret: false }), { input: { type: 'text', text: 'Ada' } });
  assert.equal(build.typingProblem('é', true), null);
  assert.ok(/ASCII/.test(build.typingProblem('é', false)!));
  assert.ok(/512/.test(build.typingProblem('x'.repeat(513), true)!));
  assert.equal(build.typingProblem('🎮'.repeat(512), true), null);
  assert.ok(/no text/.test(build.typingProblem('', true)!));
});

test('keys and places', () => {
  assert.deepEqual(build.key('back'), { action: { id: 'press_key', type: 'press_key', params: { key: 'back' } } });
  assert.deepEqual(build.key('KEYCODE_TAB'), { input: { type: 'key', key: 'KEYCODE_TAB' } });
  assert.deepEqual(build.key('66'), { input: { type: 'key', key: 66 } });
  assert.equal(build.keyName('volume up'), 'KEYCODE_VOLUME_UP');
  assert.equal(build.keyName('keycode_tab'), 'KEYCODE_TAB');
  assert.equal(build.keyName(' Back '), 'back');
  assert.equal(build.keyName('0289'), null);
  assert.equal(build.keyName('é'), null);
  const opened = (text: string) => params(build.open(text));
  assert.deepEqual(opened('com.android.settings'), { applicationId: 'com.android.settings' });
  assert.deepEqual(opened('youtube music'), { applicationId: 'youtube music' });
  assert.deepEqual(opened('https://example.com/a'), { uri: 'https://example.com/a' });
  assert.deepEqual(opened('geo:1,2'), { uri: 'geo:1,2' });
  assert.deepEqual(opened('example.com/a'), { uri: 'https://example.com/a' });
  assert.deepEqual(opened('www.example.com'), { uri: 'https://www.example.com' });
  assert.equal(opened('  '), undefined);
});

test('a swipe is an input within its limits', () => {
  assert.deepEqual(build.swipe({ x1: 1.4, y1: 2, x2: -3, y2: 4, durationMs: 99999 }),
    { input: { type: 'swipe', x1: 1, y1: 2, x2: 0, y2: 4, durationMs: 10000 } });
});

test('the request, and what of it is shown', () => {
  const typed = build.typeText({ ref: REF }, 'hunter2', { submit: false, secret: true });
  const request = build.requestFor(typed, 'emulator-5554', 'i-1');
  assert.equal(request.route, 'execute');
  const wait = build.requestFor({ action: { id: 'w', type: 'sleep', params: { durationMs: 1 } } }, 'x', 'i');
  assert.equal('verify' in wait.body, false);
  assert.deepEqual({ ...request.body, execution: 0 }, { deviceId: 'emulator-5554', execution: 0, ref: REF, observe: 'nodes',
    verify: 'changed', miss: true, queue: true });
  assert.ok(/hunter2/.test(JSON.stringify(request.body)));
  assert.ok(!/hunter2/.test(JSON.stringify(build.shownRequest(request, typed))));
  assert.ok(/hunter2/.test(JSON.stringify(request)));
  assert.ok(!/hunter2/.test(build.describe(typed)));
  const blind = build.typeText({}, 'hunter2', { submit: false, secret: true });
  const sent = build.requestFor(blind, 'x', 'i');
  assert.deepEqual(sent.body, { type: 'text', text: 'hunter2', verify: 'changed' });
  assert.ok(!/hunter2/.test(JSON.stringify(build.shownRequest(sent, blind)) + build.describe(blind)));
  assert.deepEqual(build.requestFor(build.key('KEYCODE_TAB'), 'x', 'i').body, { type: 'key', key: 'KEYCODE_TAB', verify: 'changed' });
});

const answer = (envelope: object, more = {}) => ({ envelope: { status: 'success', stepResults: [], error: null, ...envelope }, ...more });

test('an answer with its tree and its proof', () => {
  const text = '{"hash":"c798d3b66442","nodes":[]}';
  const found = outcome.outcomeOfExecution(answer({ stepResults: [
    { id: 'click', actionType: 'click', success: true, data: { elapsed_ms: '4', warn: 'slow' } },
    { id: 'look', actionType: 'snapshot_ui', success: true, data: { actual_format: 'nodes', text } },
  ] }, { effect: 'changed', proof: 'tree' }));
  assert.equal(found.state, 'done');
  assert.equal(found.proof, 'tree');
  assert.deepEqual(found.tree, { text, hash: 'c798d3b66442' });
  assert.deepEqual(found.steps.map((step) => step.id), ['click']);
  assert.deepEqual(found.facts, [['Warning', 'slow']]);
});

test('a miss has near refs', () => {
  const found = outcome.outcomeOfExecution(answer({ status: 'failed', error: 'no node', errorCode: 'NODE_NOT_FOUND' },
    { effect: 'unknown', miss: { foreground: 'com.a', near: ['c798d3b66442@9 "Network\n& internet" #title', 'nonsense'] } }));
  assert.deepEqual(found.near, [{ ref: REF, line: '"Network\n& internet" #title' }]);
  assert.equal(found.code, 'NODE_NOT_FOUND');
  assert.equal(found.effect, undefined);
  assert.deepEqual(found.facts, [['App in front', 'com.a']]);
});

test('a broken tree is no tree', () => {
  for (const text of ['{', '{}', 'null', '{"hash":1,"nodes":[]}']) {
    const look = { id: 'look', actionType: 'snapshot_ui', success: true, data: { actual_format: 'nodes', text } };
    assert.equal(outcome.outcomeOfExecution(answer({ stepResults: [look] })).tree, undefined);
  }
});

test('a refusal reports whether it may have happened', () => {
  assert.equal(outcome.outcomeOfRefusal({ code: 'STALE_REF', message: 'm', hint: 'h' }).title, 'Nothing was done');
  const lost = outcome.outcomeOfRefusal({ code: 'LINK_LOST', message: 'm', details: { dispatchAttempted: true, executionPosition: 'unknown' } });
  assert.ok(/may have happened/.test(lost.title));
  assert.deepEqual(lost.facts, [['executionPosition', 'unknown']]);
});

test('phases add up', () => {
  const stages = [
    { atMs: 20, stage: 'start', operation: 'logUiTree' }, { atMs: 30, stage: 'success', operation: 'logUiTree' },
    { atMs: 30, stage: 'start', operation: 'click(NodeMatcher(textEquals=a))' },
    { atMs: 40, stage: 'retry', operation: 'click(NodeMatcher(textEquals=a))' }, { atMs: 50, stage: 'success', operation: 'click' },
    { atMs: 900, stage: 'start', operation: 'logUiTree' },
  ];
  const sum = (phases: Phase[]) => Math.round(phases.reduce((all, each) => all + each.ms, 0));
  const phases = phasesOf(400, stages, []);
  assert.deepEqual(phases.map((each) => each.name), ['wait and send', 'read the tree', 'click', 'settle']);
  assert.equal(sum(phases), 400);
  const steps: outcome.StepResult[] = [{ id: 'a', actionType: 'click', success: true, data: { elapsed_ms: '30' } },
    { id: 'b', actionType: 'sleep', success: true, data: { duration_ms: '9999' } }];
  assert.equal(sum(phasesOf(400, [], steps)), 400);
  assert.equal(milliseconds(3.21), '3.2 ms');
  assert.equal(milliseconds(12345), '12.3 s');
});
