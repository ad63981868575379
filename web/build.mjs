// Bundles the page into dist/, where the C++ build embeds it. `--watch` bundles again after each change.
import { build, context } from 'esbuild';
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIMIT = 300 * 1024;
const root = dirname(fileURLToPath(import.meta.url));
const dist = join(root, 'dist');
const options = {
  absWorkingDir: root,
  entryPoints: { app: 'src/main.tsx' },
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
};

mkdirSync(dist, { recursive: true });
for (const name of ['index.html', 'icon.svg']) copyFileSync(join(root, 'src', name), join(dist, name));
if (process.argv.includes('--watch')) {
  await (await context({ ...options, logLevel: 'info' })).watch();
} else {
  await build(options);
  const bytes = readdirSync(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  console.log(`dist: ${bytes} bytes`);
  if (bytes > LIMIT) {
    console.error(`dist has ${bytes} bytes; the limit is ${LIMIT}`);
    process.exit(1);
  }
}
