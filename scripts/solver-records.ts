// Writes the records of a solver that tests compare with: golden bits, pins of the published interface, coverage, the
// table of the README, and the list of solvers that wait for a room of the museum. Prints each file that changed.
//
//   node scripts/solver-records.ts <slug> "<reason why its numbers changed>"

import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compile-kernel.ts';

const RECORDS = [
  ...['README.md', 'docs/coverage.md', 'test/golden/*.json', 'test/pins/*', 'test/mcp/transcripts.json'],
  'test/receipts/waiting.json',
];

const read = (): Map<string, string> =>
  new Map(globSync(RECORDS, { cwd: ROOT }).map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));

function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  try {
    execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...env } });
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    console.error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
    process.exit(1);
  }
}

const [slug = '', reason = ''] = process.argv.slice(2);
if (!existsSync(join(ROOT, `src/solvers/${slug}/solver.ts`)) || slug === '' || reason === '') {
  console.error('usage: node scripts/solver-records.ts <slug> "<reason why its numbers changed>"');
  process.exit(2);
}
const before = read();
const node = (...args: readonly string[]) => run(process.execPath, args);
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
node('scripts/build-kernels.ts');
run(process.execPath, [vitest, 'run', `test/solvers/${slug}.test.ts`, '-t', 'golden'], { SVC_UPDATE_GOLDEN: reason });
node(vitest, 'run', 'test/pins', 'test/mcp/transcripts.test.ts', '-u');
node('scripts/coverage.ts');
node('scripts/solver-table.ts');
node('test/receipts/waiting.ts');
for (const [path, text] of read()) if (before.get(path) !== text) console.log(`${path} (record)`);
