// Code forms of a selector with hostile texts: every language must read back exactly the text of the device.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { cliFlags, forms, type Form, type Matcher, type Purpose, type Wish } from '../src/selector/forms.ts';
import { hasHidden, jsonText, pythonLiteral, shellWord } from '../src/selector/quote.ts';

const HOSTILE = [
  'plain', '', ' blanks ', "it's", '"double"', `both ' and "`, '$(touch /tmp/x) `id` ${HOME} $HOME !!', '\\n is no line end',
  'line\nend\r\n\ttab', "'; rm -rf / #", '-x', '--text', '=ls', '~root', '*', 'a&&b|c;d>e<f', '🎮 emoji 👨‍👩‍👧', 'שלום עולם', 'مرحبا',
  '\u202eevil\u202c', '\u2028\u2029', '\u0000\u0007\u001b[201~', '\ud800 lone', 'lone \udfff', '<script>alert(1)</script>', '%s %d',
  '{{ROW}}', '\u00e9\u0301', '\ufeffmark', '\u007f\u0085\u00ad',
];
const PLACE = { serial: "it's $(phone)", origin: 'http://127.0.0.1:3000', tokenRequired: true };
const printable = HOSTILE.filter((text) => !text.includes('\0') && !/[\ud800-\udfff]/u.test(text));

const wish = (matcher: Matcher, purpose: Purpose = 'click', strict = false): Wish => ({ matcher, purpose, strict });
const form = (id: Form['id'], ...args: Parameters<typeof wish>) => forms(wish(...args), PLACE).find((each) => each.id === id)!.text;
const shell = (words: string): string[] => execFileSync('sh', ['-c', `for w in ${words}; do printf '%s\\0' "$w"; done`])
  .toString().split('\0').slice(0, -1);

test('JSON reads back, and hides nothing', () => {
  for (const text of HOSTILE) {
    for (const indent of [undefined, 2]) {
      const json = jsonText({ [text]: [text, null, true, 1.5] }, indent);
      assert.deepEqual(JSON.parse(json), { [text]: [text, null, true, 1.5] });
      assert.equal(hasHidden(json.replaceAll('\n', '')), false, json);
    }
  }
});

test('a word of the shell is the text', () => {
  for (const text of printable) assert.deepEqual(shell(shellWord(text)), [text]);
});

test('Python reads back', () => {
  const values = [...HOSTILE, { [HOSTILE[5]!]: [true, false, null, -3, 0.5, 'x'] }];
  const program = `import json\nprint(json.dumps(${pythonLiteral(values)}))`;
  assert.deepEqual(JSON.parse(execFileSync('python3', ['-c', program]).toString()), values);
  for (const text of HOSTILE) assert.equal(hasHidden(pythonLiteral(text)), false);
});

test('flags contain the matcher', () => {
  const flags: Record<string, string> = { '--id': 'resourceId', '--text': 'textEquals', '--desc-contains': 'contentDescContains', '--role': 'role' };
  for (const text of printable) {
    const matcher = { role: 'button', contentDescContains: text, textEquals: text, resourceId: 'a.b:id/c' };
    const words = shell(cliFlags(matcher));
    const found: Record<string, unknown> = {};
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      if (word === '--selector') Object.assign(found, JSON.parse(words[++at]!));
      else if (/^--[a-z-]+=/.test(word)) found[flags[word.split('=')[0]!]!] = word.slice(word.indexOf('=') + 1);
      else found[flags[word]!] = words[++at];
    }
    assert.deepEqual(found, matcher);
  }
});

test('flags: the order of the docs, what they cannot say, and what a terminal does not show', () => {
  assert.equal(cliFlags({ textEquals: 'Wi-Fi', resourceId: 'a:id/b' }), "--id a:id/b --text Wi-Fi");
  assert.equal(cliFlags({ textEquals: "it's" }), "--text 'it'\\''s'");
  assert.equal(cliFlags({ textEquals: '-x' }), '--text=-x');
  assert.equal(cliFlags({ textEquals: 'a\u001b[201~' }), `--selector '{"textEquals":"a\\u001b[201~"}'`);
  assert.equal(cliFlags({ hint: 'x' }), `--selector '{"hint":"x"}'`);
  assert.equal(cliFlags({ textEquals: 'Name' }, 'enter_text'), `--selector '{"textEquals":"Name"}'`);
});

test('commands', () => {
  const place = { ...PLACE, serial: 'emulator-5554' };
  const command = (...args: Parameters<typeof wish>) => forms(wish(...args), place).find((each) => each.id === 'command')!.text;
  const id = { resourceId: 'a:id/b' };
  assert.equal(command(id), 'clawperator click --device emulator-5554 --id a:id/b');
  assert.equal(command(id, 'long_press', true), 'clawperator click --device emulator-5554 --id a:id/b --long --strict');
  assert.equal(command(id, 'enter_text'), 'clawperator type TEXT --device emulator-5554 --id a:id/b');
  assert.equal(command(id, 'read_text'), 'clawperator read --device emulator-5554 --id a:id/b');
  assert.equal(command(id, 'wait_for_node', true), 'clawperator wait --device emulator-5554 --id a:id/b');
});

test('an action has the matcher', () => {
  for (const text of HOSTILE) {
    assert.deepEqual(JSON.parse(form('matcher', { textEquals: text })), { textEquals: text });
    assert.deepEqual(JSON.parse(form('action', { textEquals: text }, 'long_press', true)),
      { id: 'long_press', type: 'click', params: { matcher: { textEquals: text }, clickType: 'long_click', strict: true } });
  }
});

test('curl sends the body', () => {
  for (const text of printable) {
    const words = shell(form('curl', { textEquals: text }).replace(/^curl/, ''));
    const body = JSON.parse(words[words.indexOf('-d') + 1]!);
    assert.deepEqual(body.execution.actions[0].params.matcher, { textEquals: text });
    assert.equal(body.deviceId, PLACE.serial);
    assert.ok(words.includes('http://127.0.0.1:3000/execute'));
  }
  assert.ok(/Bearer \$CLAWPERATOR_TOKEN/.test(form('curl', { role: 'x' })));
});

test('a call of MCP has the names of a selector; what has no tool is an action', () => {
  const tap = JSON.parse(form('mcp', { resourceId: 'a', textContains: 'b', contentDescEquals: 'c' }));
  assert.deepEqual(tap.params, { name: 'tap',
    arguments: { device: PLACE.serial, selector: { id: 'a', text_contains: 'b', description: 'c' } } });
  assert.equal(JSON.parse(form('mcp', { role: 'x' }, 'enter_text')).params.name, 'type_text');
  const read = JSON.parse(form('mcp', { role: 'x' }, 'read_text')).params;
  assert.equal(read.name, 'execute');
  assert.equal(read.arguments.actions[0].type, 'read_text');
});

test('Python sends the body', () => {
  const programs = HOSTILE.map((text) => form('python', { textEquals: text }));
  // Each program is parsed; its line `body = ...` runs.
  const judge = `import ast, json, sys
def body_of(program):
    ast.parse(program)
    names = {}
    exec(next(line for line in program.split("\\n") if line.startswith("body = ")), names)
    return names["body"]["execution"]["actions"][0]["params"]["matcher"]["textEquals"]
print(json.dumps([body_of(program) for program in json.load(sys.stdin)]))`;
  const texts = JSON.parse(execFileSync('python3', ['-c', judge], { input: JSON.stringify(programs) }).toString());
  assert.deepEqual(texts, HOSTILE);
});

test('JavaScript sends the body', async () => {
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  for (const text of HOSTILE) {
    let sent: any;
    const fetch = async (_: string, options: { body: string }) => {
      sent = JSON.parse(options.body);
      return { json: async () => ({}) };
    };
    await new AsyncFunction('fetch', 'process', 'console', form('javascript', { textEquals: text }))(
      fetch, { env: {} }, { log() {} });
    assert.equal(sent.execution.actions[0].params.matcher.textEquals, text);
  }
});
