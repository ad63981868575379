// A list of steps: order, values, files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Deed, Params } from '../src/act/build.ts';
import * as files from '../src/steps/files.ts';
import * as list from '../src/steps/list.ts';
import type { Step } from '../src/steps/list.ts';

const click = (text: string, id = 'click'): Deed => ({ action: { id, type: 'click', params: { matcher: { textEquals: text } } } });
const step = (key: string, what: Deed = click(key), literal = false): Step => ({ key, what, literal });
const keys = (steps: Step[]) => steps.map((each) => each.key).join('');
const params = (what: Deed): Params => ('action' in what ? what.action.params : {});
const text = (what: Deed) => (params(what).matcher as { textEquals: string }).textEquals;
const read = (content: string) => files.readFile(content, keyOf) as Step[];
let count = 0;
const keyOf = () => `k${++count}`;

test('order', () => {
  const steps = ['a', 'b', 'c'].map((key) => step(key));
  assert.equal(keys(list.moved(steps, 'c', -1)), 'acb');
  assert.equal(keys(list.moved(steps, 'a', 9)), 'bca');
  assert.equal(keys(list.moved(steps, 'a', -1)), 'abc');
  assert.equal(keys(list.moved(steps, 'x', 1)), 'abc');
  assert.equal(keys(list.removed(steps, 'b')), 'ac');
  assert.equal(keys(steps), 'abc');
  assert.equal(list.added(Array.from({ length: 500 }, (_, at) => step(String(at))), [step('new')]).length, 500);
});

test('values', () => {
  const typed = step('a', { action: { id: 't', type: 'enter_text', params: { matcher: { role: 'x' }, text: 'Hi {{NAME}}' } } });
  const secret = step('b', { action: { id: 's', type: 'enter_text', params: { matcher: { role: 'x' }, text: '{{PIN}}', secret: true } } });
  assert.deepEqual(list.placeholders([typed, secret, typed, step('c', click('{{X}}'), true)]), ['NAME', 'PIN']);
  const blind = step('c', { input: { type: 'text', text: '{{BLIND}}' }, secret: true });
  assert.deepEqual(list.secretPlaceholders([typed, secret, blind]), ['PIN', 'BLIND']);
  assert.equal(params(list.filled(typed, { NAME: '$& "quoted"' })).text, 'Hi $& "quoted"');
  assert.equal(params(list.filled(typed, {})).text, 'Hi {{NAME}}');
  assert.equal(text(list.filled(step('c', click('{{X}}'), true), { X: 'y' })), '{{X}}');
  assert.equal(list.newStep('k', click('{{X}}')).literal, true);
  const made = list.withValue(step('d', { action: { id: 't', type: 'enter_text', params: { matcher: {}, text: 'Ada' } } }), 'TEXT')!;
  assert.equal(made.text, 'Ada');
  assert.equal(params(made.step.what).text, '{{TEXT}}');
  assert.equal(list.freeName([made.step], 'TEXT'), 'TEXT_2');
  assert.equal(list.withValue(step('e'), 'TEXT'), null);
});

test('what may be a step', () => {
  const wrong = (json: string) => list.readDeedText(json) as string;
  assert.deepEqual(wrong('{"type":"click","params":{"matcher":{"role":"x"}}}'),
    { action: { id: 'click', type: 'click', params: { matcher: { role: 'x' } } } });
  assert.deepEqual(wrong('{"input":{"type":"key","key":66}}'), { input: { type: 'key', key: 66 } });
  assert.ok(/not JSON/.test(wrong('{')));
  assert.ok(/JSON object/.test(wrong('[]')));
  assert.ok(/"clik"/.test(wrong('{"type":"clik"}')));
  assert.ok(/"constructor"/.test(wrong('{"type":"constructor"}')));
  assert.ok(/matcher/.test(wrong('{"type":"click","params":{}}')));
  assert.ok(/applicationId/.test(wrong('{"type":"open_app"}')));
  assert.ok(/"param"/.test(wrong('{"type":"sleep","param":{}}')));
  assert.ok(/"id"/.test(wrong('{"id":"","type":"sleep","params":{"durationMs":1}}')));
  assert.ok(/"params"/.test(wrong('{"type":"sleep","params":[]}')));
  assert.ok(/"y1"/.test(wrong('{"input":{"type":"swipe","x1":1}}')));
  assert.ok(/toString/.test(wrong('{"input":{"type":"toString"}}')));
});

test('an execution has actions alone, with ids of their own', () => {
  const steps = [step('a'), step('b', { input: { type: 'key', key: 66 } }), step('c'), step('d', click('{{V}}'))];
  const saved = files.asExecution(steps, { V: 'x' }, 'my-plan');
  const plan = JSON.parse(saved.text);
  assert.deepEqual(plan.actions.map((each: { id: string }) => each.id), ['click', 'click-2', 'click-3']);
  assert.equal(plan.actions[2].params.matcher.textEquals, 'x');
  assert.equal(plan.expectedFormat, 'android-ui-automator');
  assert.equal(keys(saved.left), 'b');
  assert.deepEqual(saved.missing, []);
  assert.deepEqual(files.asExecution(steps, {}, 'p').missing, ['V']);
  const many = files.asExecution(Array.from({ length: 60 }, (_, at) => step(String(at))), {}, 'p');
  assert.equal(JSON.parse(many.text).actions.length, 50);
  assert.equal(many.left.length, 10);
  assert.ok(JSON.parse(many.text).timeoutMs <= 120000);
});

// As src/skills/phone/rules/compile.cpp substitutes: {{NAME}} in the text of the file.
const substitute = (content: string, values: Record<string, string>) => content.replace(/\{\{([A-Za-z0-9_]+)\}\}/g, (_, name: string) => {
  if (!values[name]) throw new Error(`Missing required variable: ${name}`);
  return JSON.stringify(values[name]).slice(1, -1);
});

test('a recipe has placeholders; braces of the device are none', () => {
  const texts = ['{{ROW}}', '{{{ROW}}}', '{{', 'a{{b}}c{{d}}', '"{{\\u007b'];
  const steps = [step('a', click('{{ROW}}')), ...texts.map((text, at) => step(`t${at}`, click(text), true))];
  const saved = files.asRecipe(steps, 'open', 'com.a.open');
  assert.equal(saved.name, 'open.recipe.json');
  const plan = JSON.parse(substitute(saved.text, { COMMAND_ID: 'c', TASK_ID: 't', ROW: 'Wi-Fi "5"' }));
  assert.equal(plan.commandId, 'c');
  assert.equal(plan.source, 'com.a.open');
  assert.deepEqual(plan.actions.map((action: any) => text({ action })), ['Wi-Fi "5"', ...texts]);
});

test('files come back', () => {
  const steps = [step('a'), step('b', { input: { type: 'key', key: 66 } }), step('c', click('{{V}}')), step('d', click('{{V}}'), true),
    step('e', { input: { type: 'text', text: '{{S}}' }, secret: true })];
  const back = read(files.asList(steps, 'l').text);
  assert.deepEqual(back.map(({ what, literal }) => ({ what, literal })), steps.map(({ what, literal }) => ({ what, literal })));
  assert.equal(new Set(back.map((each) => each.key)).size, 5);
  const actions = read(files.asExecution(steps, {}, 'p').text);
  assert.deepEqual(actions.map((each) => text(each.what)), ['a', '{{V}}', '{{V}}']);
  assert.equal(files.readFile(files.asRecipe(steps, 'r', 's').text, keyOf).length, 3);
  assert.equal(files.readFile('[{"type":"snapshot_ui"}]', keyOf).length, 1);
  assert.equal(files.readFile('{"execution":{"actions":[{"type":"snapshot_ui"}]}}', keyOf).length, 1);
});

test('a broken file is refused whole', () => {
  for (const content of ['', '{', 'null', '1', '{}', '{"actions":[]}', '{"actions":{}}']) {
    assert.equal(typeof files.readFile(content, keyOf), 'string');
  }
  assert.ok(/Step 2: /.test(String(files.readFile('{"actions":[{"type":"snapshot_ui"},{"type":"nope"}]}', keyOf))));
  assert.ok(/Step 1: /.test(String(files.readFile('{"actions":[null]}', keyOf))));
});
