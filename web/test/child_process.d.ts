declare module 'node:child_process' {
  export function execFileSync(program: string, words: string[], options?: { input?: string }): { toString(): string };
}
