// Arguments of a skill, and the needs of an agent skill.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { type AgentSkill, isEnvName, needRows, settableEnv, shownSkills, stateOf, type Show } from '../src/agentskills/needs.ts';
import { splitWords } from '../src/skills/words.ts';

const problem = (line: string) => (splitWords(line) as { problem: string }).problem;

test('words, as a shell splits them', () => {
  const lines = ['', '  ', '--row Apps', '--row "Display & touch"', "--a='it is' b", `"a"'b'c`, "''", '"\\"q\\" \\n"', 'a\\ b', "'a\\'"];
  for (const line of lines) {
    const words = execFileSync('sh', ['-c', `for w in ${line.replaceAll('&', line.includes('"') ? '&' : '\\&')}; do printf '%s\\0' "$w"; done`]);
    assert.deepEqual(splitWords(line), { words: words.toString().split('\0').slice(0, -1) }, line);
  }
  assert.ok(/quote/.test(problem('"a')));
  assert.ok(/quote/.test(problem("a'")));
  assert.ok(/backslash/.test(problem('a\\')));
});

const NONE = { bins: [], anyBins: [], env: [], config: [], os: [] };
const skill = (more: Partial<AgentSkill>): AgentSkill => ({ name: 'gog', description: 'Google', source: 'workspace', filePath: '/s', skillKey: 'gog', eligible: true,
  disabled: false, always: false, blockedByAllowlist: false, requirements: NONE, missing: NONE, install: [], ...more });
const lacking = skill({ name: 'sag', eligible: false, primaryEnv: 'KEY', requirements: { ...NONE, bins: ['a', 'b'], env: ['KEY', 'CITY'] },
  missing: { ...NONE, bins: ['b'], env: ['KEY'] } });

test('needs', () => {
  assert.deepEqual(needRows(lacking), [
    { kind: 'bins', label: 'Programs', names: [{ name: 'a', missing: false }, { name: 'b', missing: true }] },
    { kind: 'env', label: 'Variables', names: [{ name: 'KEY', missing: true }, { name: 'CITY', missing: false }] },
  ]);
  assert.deepEqual(stateOf(lacking), { state: 'missing', text: '2 missing' });
  assert.equal(stateOf(skill({ disabled: true })).state, 'disabled');
  assert.equal(stateOf(skill({ blockedByAllowlist: true })).state, 'blocked');
  assert.equal(stateOf(skill({})).state, 'ready');
  assert.deepEqual(settableEnv(lacking), ['CITY']);
});

test('filter', () => {
  const all = [skill({}), lacking, skill({ name: 'off', disabled: true })];
  const names = (words: string, show: Show) => shownSkills(all, words, show).map((each) => each.name).join();
  assert.equal(names('', 'all'), 'gog,sag,off');
  assert.equal(names('', 'missing'), 'sag');
  assert.equal(names('', 'off'), 'off');
  assert.equal(names('GOOGLE sag', 'all'), 'sag');
  assert.equal(names('nothing', 'all'), '');
  assert.ok(isEnvName('A_1') && !isEnvName('1A') && !isEnvName('A-B') && !isEnvName(''));
});
