// Builds dist, the program in JavaScript: what is published, and what a checkout runs on a Node that does not strip
// types. It mirrors the repository:
//
//   dist/src, dist/migrations     compiled
//   dist/src/**/*.json            the operators and templates
//   dist/build/kernels            wasm and its manifest
//   dist/build/portal             the pages
//   dist/build/routes.json        routes by operation, for clients
//   dist/build/python             the wheel
//   dist/package.json             name, version and imports map, pointing to the compiled files
//
//   node scripts/build-dist.ts                  as part of the build: nothing while no input changed
//   node scripts/build-dist.ts --declarations   as npm's prepack: checks the types and adds declarations

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './compile-kernel.ts';
import { filesOf, runTool } from './gates/gate.ts';
import { fingerprintOf, publish } from './output-folder.ts';

const DIST = join(ROOT, 'dist');
/** bin/svc.js compares its time with the sources. */
const STAMP = join(DIST, '.fingerprint');

/** All inputs of the build. */
const SOURCES = [
  '{src,migrations}/**/*.*',
  'build/{kernels/manifest,routes}.json',
  'build/portal/.fingerprint',
  'build/python/*.whl',
  'scripts/{build-dist,output-folder}.ts',
  'tsconfig{,.dist}.json',
  'package.json',
  'package-lock.json',
];

async function main({ withDeclarations }: { readonly withDeclarations: boolean }): Promise<void> {
  const startedAt = new Date();
  const fingerprint = fingerprintOf(SOURCES);
  const isFresh = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint;
  if (isFresh && !withDeclarations) return utimesSync(STAMP, startedAt, startedAt);

  const draft = join(ROOT, `build/dist.${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  await compile(draft, withDeclarations);
  const counts = ['build/kernels/{,archive/}*.wasm', 'build/portal/**/*.*', 'build/python/*.whl', 'src/**/*.json'].map(
    (files) => mirror(files, draft),
  );
  mirror('build/{kernels/manifest,routes}.json', draft);
  writeFileSync(join(draft, 'package.json'), packageOf(readFileSync(join(ROOT, 'package.json'), 'utf8')));
  const modules = filesOf(draft, ['**/*.js']).length;
  publish(draft, DIST);
  writeFileSync(STAMP, fingerprint);
  utimesSync(STAMP, startedAt, startedAt);
  const [kernels, pages, , records] = counts;
  console.error(`dist: ${modules} modules, ${kernels} kernels, ${records} records, portal of ${pages} files`);
}

/** The gate `types` checks the sources of every change, so only what is published is checked here. */
async function compile(outDir: string, withDeclarations: boolean): Promise<void> {
  const options = withDeclarations ? ['--declaration'] : ['--noCheck'];
  const args = ['-p', 'tsconfig.dist.json', '--outDir', relative(ROOT, outDir), ...options];
  const { code, stdout, stderr } = await runTool(ROOT, 'tsc', args);
  if (code !== 0) throw new Error(`tsc ${args.join(' ')} ended with ${code}\n${stdout}${stderr}`);
}

/** Copies files of the repository to the same path in `folder`. @returns their number */
function mirror(pattern: string, folder: string): number {
  const files = filesOf(ROOT, [pattern]);
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(ROOT, file), join(folder, file));
  }
  if (files.length === 0) throw new Error(`No file for dist matches ${pattern}; run npm run build.`);
  return files.length;
}

function packageOf(json: string): string {
  const { name, version, imports } = JSON.parse(json) as Record<string, unknown>;
  const compiled: unknown = JSON.parse(JSON.stringify(imports).replaceAll('.ts"', '.js"'));
  return `${JSON.stringify({ name, version, type: 'module', imports: compiled }, null, 2)}\n`;
}

await main({ withDeclarations: process.argv.includes('--declarations') });
