// Prepares what is published, as npm's prepack: dist mirrors the repository, with JavaScript and declarations for the
// sources, because Node does not strip types inside node_modules.
//
//   dist/src, dist/migrations     compiled
//   dist/src/**/*.json            the operators and templates
//   dist/build/kernels            wasm and its manifest
//   dist/build/portal             the pages
//   dist/package.json             the imports map of the repository, pointing to the compiled files

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPortal } from './build-portal.ts';
import { ROOT } from './compile-kernel.ts';
import { filesOf, runTool } from './gates/gate.ts';

const DIST = join(ROOT, 'dist');

async function run(tool: string, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runTool(ROOT, tool, args);
  if (code !== 0) throw new Error(`${tool} ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`);
}

/** Copies files of the repository to the same path in dist. */
function mirror(pattern: string): number {
  const files = filesOf(ROOT, [pattern]);
  for (const file of files) {
    mkdirSync(dirname(join(DIST, file)), { recursive: true });
    cpSync(join(ROOT, file), join(DIST, file));
  }
  if (files.length === 0) throw new Error(`no file to publish matches ${pattern}`);
  return files.length;
}

rmSync(DIST, { recursive: true, force: true });
await run('node', ['scripts/build-kernels.ts']);
await run('tsc', ['-p', 'tsconfig.pack.json']);
const kernels = mirror('build/kernels/*.wasm');
mirror('build/kernels/manifest.json');
const { initialBytes } = await buildPortal();
const pages = mirror('build/portal/**/*.*');
const records = mirror('src/**/*.json');

const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { imports?: unknown };
const compiled: unknown = JSON.parse(JSON.stringify(imports ?? {}).replaceAll('.ts"', '.js"'));
writeFileSync(join(DIST, 'package.json'), `${JSON.stringify({ type: 'module', imports: compiled }, null, 2)}\n`);

const modules = filesOf(DIST, ['**/*.js']).length;
console.error(
  `dist: ${modules} modules, ${kernels} kernels, ${records} records, portal of ${pages} files (${initialBytes} bytes of initial script)`,
);
