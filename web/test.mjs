// Bundles test/*.test.ts and runs them: the node of Debian 12 reads no TypeScript.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const out = join(root, 'build', 'test');
const names = readdirSync(join(root, 'test')).filter((name) => name.endsWith('.test.ts'));
rmSync(out, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: names.map((name) => join('test', name)),
  outdir: out,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});
const files = names.map((name) => join(out, name.replace(/\.ts$/, '.mjs')));
process.exit(spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status ?? 1);
