// Loads modules of src/ that need no page: esbuild makes JavaScript of them.
import { build } from 'esbuild';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export async function source(path) {
  const { outputFiles } = await build({
    absWorkingDir: root, entryPoints: [join('src', path)], bundle: true, format: 'esm', write: false, platform: 'neutral',
    // Lone surrogates and the like arrive as they are written.
    charset: 'ascii', logLevel: 'warning',
  });
  return import('data:text/javascript;base64,' + Buffer.from(outputFiles[0].contents).toString('base64'));
}
