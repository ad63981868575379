/** A line of arguments as words, as a POSIX shell splits it: quotes and backslashes, no variables. */

export type Words = { words: string[] } | { problem: string };

export function splitWords(line: string): Words {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (char === "'" || char === '"') {
      const end = closing(line, at, char);
      if (end < 0) return { problem: `The quote ${char} has no end.` };
      const inside = line.slice(at + 1, end);
      word = (word ?? '') + (char === "'" ? inside : inside.replace(/\\(["\\$`])/g, '$1'));
      at = end;
    } else if (char === '\\') {
      if (at + 1 === line.length) return { problem: 'A backslash is the last character.' };
      at++;
      word = (word ?? '') + line.charAt(at);
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== null) words.push(word);
  return { words };
}

function closing(line: string, from: number, quote: string): number {
  for (let at = from + 1; at < line.length; at++) {
    if (line.charAt(at) === quote) return at;
    if (quote === '"' && line.charAt(at) === '\\') at++;
  }
  return -1;
}
