/** Texts of a device as words of other languages. What a reader cannot see (control and bidirectional characters)
    is escaped in every language that has escapes: pasted code does what it shows. */

// Controls, joiners and marks of direction, line separators, lone surrogates.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export function hasHidden(text: string): boolean {
  return new RegExp(HIDDEN.source).test(text);
}

function fourDigits(char: string): string {
  return '\\u' + char.charCodeAt(0).toString(16).padStart(4, '0');
}

// JSON that is also JavaScript.
export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent);
  // Line ends stand there only between the members of an indented text.
  return text.replace(HIDDEN, (char) => (char === '\n' ? char : fourDigits(char)));
}

// One word of a POSIX shell.
export function shellWord(text: string): string {
  if (/^[A-Za-z0-9_@+:,./-]+$/.test(text)) return text;
  return "'" + text.replace(/'/g, "'\\''") + "'";
}

const PYTHON_ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

// As repr() of Python writes it.
export function pythonText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text
    .replace(/\\/g, '\\\\')
    .replace(quote === "'" ? /'/g : /"/g, "\\" + quote)
    .replace(HIDDEN, (char) => {
      const code = char.charCodeAt(0);
      return PYTHON_ESCAPES[char] ?? (code < 256 ? '\\x' + code.toString(16).padStart(2, '0') : fourDigits(char));
    });
  return quote + inside + quote;
}

export function pythonLiteral(value: Json): string {
  if (typeof value === 'string') return pythonText(value);
  if (value === null) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return '[' + value.map(pythonLiteral).join(', ') + ']';
  const members = Object.entries(value).map(([name, member]) => pythonText(name) + ': ' + pythonLiteral(member));
  return '{' + members.join(', ') + '}';
}
