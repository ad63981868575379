/** A matcher as code: the forms that a person copies. */

import { hasHidden, jsonText, pythonLiteral, shellWord, type Json } from './quote.ts';

export type Matcher = { [field: string]: string };
export type Purpose = 'click' | 'long_press' | 'enter_text' | 'read_text' | 'wait_for_node';

export interface Place {
  serial: string;
  origin: string; // of the server: http://127.0.0.1:3000
  tokenRequired: boolean;
}

export interface Wish {
  matcher: Matcher;
  purpose: Purpose;
  strict: boolean;
}

export interface Form {
  id: 'flags' | 'command' | 'matcher' | 'action' | 'curl' | 'mcp' | 'python' | 'javascript';
  label: string;
  text: string;
}

// Field of a matcher, its flag, its name in a selector of MCP.
const FIELDS: ReadonlyArray<readonly [string, string, string]> = [
  ['resourceId', '--id', 'id'],
  ['textEquals', '--text', 'text'],
  ['textContains', '--text-contains', 'text_contains'],
  ['contentDescEquals', '--desc', 'description'],
  ['contentDescContains', '--desc-contains', 'description_contains'],
  ['role', '--role', 'role'],
];

const PLACEHOLDER = 'TEXT';
const TOKEN = 'CLAWPERATOR_TOKEN';

function flag(name: string, value: string): string {
  const word = shellWord(value);
  return value.startsWith("-") ? `${name}=${word}` : `${name} ${word}`;
}

// --selector takes the matcher whole: where flags cannot say it, or would contain what a terminal does not show.
export function cliFlags(matcher: Matcher, purpose: Purpose = 'click'): string {
  const names = Object.keys(matcher);
  const known = names.every((name) => FIELDS.some(([field]) => field === name));
  const hidden = Object.values(matcher).some(hasHidden);
  // Of `type`, --text is the text to type.
  const taken = purpose === 'enter_text' && 'textEquals' in matcher;
  if (!known || hidden || taken) return '--selector ' + shellWord(jsonText(matcher));
  const given = FIELDS.filter(([field]) => field in matcher);
  return given.map(([field, name]) => flag(name, matcher[field] ?? '')).join(' ');
}

const COMMANDS: Record<Purpose, string> = {
  click: 'click',
  long_press: 'click',
  enter_text: `type ${PLACEHOLDER}`,
  read_text: 'read',
  wait_for_node: 'wait',
};

export function cliCommand(wish: Wish, place: Place): string {
  const words = ['clawperator', COMMANDS[wish.purpose], flag('--device', place.serial)];
  words.push(cliFlags(wish.matcher, wish.purpose));
  if (wish.purpose === 'long_press') words.push('--long');
  // `wait` has no --strict.
  if (wish.strict && wish.purpose !== 'wait_for_node') words.push('--strict');
  return words.join(' ');
}

export function action(wish: Wish): { id: string; type: string; params: { [name: string]: Json } } {
  const type = wish.purpose === 'long_press' ? 'click' : wish.purpose;
  const params: { [name: string]: Json } = { matcher: wish.matcher };
  if (wish.purpose === 'long_press') params.clickType = 'long_click';
  if (wish.purpose === 'enter_text') params.text = PLACEHOLDER;
  if (wish.purpose === 'wait_for_node') params.timeoutMs = 10000;
  if (wish.strict) params.strict = true;
  return { id: wish.purpose, type, params };
}

export function executeBody(wish: Wish, place: Place): { [name: string]: Json } {
  const execution = {
    commandId: 'my-command',
    taskId: 'my-task',
    source: 'me',
    expectedFormat: 'android-ui-automator',
    timeoutMs: 30000,
    actions: [action(wish)],
  };
  const acts = wish.purpose !== 'read_text' && wish.purpose !== 'wait_for_node';
  return { deviceId: place.serial, execution, ...(acts && { observe: 'compact', verify: 'changed' }), queue: true };
}

function curl(wish: Wish, place: Place): string {
  const lines = [`curl -s -X POST ${shellWord(place.origin + "/execute")}`, "-H 'Content-Type: application/json'"];
  if (place.tokenRequired) lines.push(`-H "Authorization: Bearer $${TOKEN}"`);
  lines.push('-d ' + shellWord(jsonText(executeBody(wish, place))));
  return lines.join(' \\\n  ');
}

function mcpSelector(matcher: Matcher): Matcher | null {
  const selector: Matcher = {};
  for (const [field, value] of Object.entries(matcher)) {
    const found = FIELDS.find(([name]) => name === field);
    if (!found) return null;
    selector[found[2]] = value;
  }
  return selector;
}

const TOOLS: Partial<Record<Purpose, string>> = {
  click: 'tap',
  long_press: 'long_press',
  enter_text: 'type_text',
  wait_for_node: 'wait_for',
};

// A tool's call always takes one node alone. What has no tool is an action of `execute`.
function mcp(wish: Wish, place: Place): string {
  const selector = mcpSelector(wish.matcher);
  const tool = TOOLS[wish.purpose];
  const typed = wish.purpose === 'enter_text' ? { text: PLACEHOLDER } : {};
  const params =
    selector && tool
      ? { name: tool, arguments: { device: place.serial, selector, ...typed } }
      : { name: 'execute', arguments: { device: place.serial, actions: [action(wish)] } };
  return jsonText({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, 2);
}

function python(wish: Wish, place: Place): string {
  const lines = ['import json, urllib.request', ''];
  let headers = '{"Content-Type": "application/json"}';
  if (place.tokenRequired) {
    lines[0] = 'import json, os, urllib.request';
    headers = `{"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["${TOKEN}"]}`;
  }
  lines.push(
    `body = ${pythonLiteral(executeBody(wish, place))}`,
    `request = urllib.request.Request(${pythonLiteral(place.origin + "/execute")}, json.dumps(body).encode(),`,
    `                                 ${headers})`,
    'print(json.load(urllib.request.urlopen(request))["envelope"]["status"])',
  );
  return lines.join('\n');
}

function javascript(wish: Wish, place: Place): string {
  const token = place.tokenRequired ? `, Authorization: \`Bearer \${process.env.${TOKEN}}\`` : "";
  return [
    `const answer = await fetch(${jsonText(place.origin + "/execute")}, {`,
    '  method: "POST",',
    `  headers: { "Content-Type": "application/json"${token} },`,
    `  body: JSON.stringify(${jsonText(executeBody(wish, place))}),`,
    '});',
    'console.log((await answer.json()).envelope?.status);',
  ].join('\n');
}

export function forms(wish: Wish, place: Place): Form[] {
  return [
    { id: 'flags', label: 'CLI flags', text: cliFlags(wish.matcher, wish.purpose) },
    { id: 'command', label: 'Command', text: cliCommand(wish, place) },
    { id: 'matcher', label: 'JSON matcher', text: jsonText(wish.matcher) },
    { id: 'action', label: 'Action', text: jsonText(action(wish), 2) },
    { id: 'curl', label: 'curl', text: curl(wish, place) },
    { id: 'mcp', label: 'MCP call', text: mcp(wish, place) },
    { id: 'python', label: 'Python', text: python(wish, place) },
    { id: 'javascript', label: 'JavaScript', text: javascript(wish, place) },
  ];
}
