// A copy of the project with holes in it, and the outcome of its tests.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/compile-kernel.ts';

export interface Planted {
  readonly file: string;
  /** Occurs once in the file. */
  readonly defence: string;
  readonly planted: string;
}

const COPIED = ['src', 'test', 'migrations', 'scripts', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
const LINKED = ['node_modules', 'build', 'kernels', 'assembly', 'docs'];
/** Packages of other tools, and recorded receipts, which no test of a hole reads. */
const LEFT_OUT = /test\/(judges|receipts)(\/|$)/;

/**
 * Runs tests in a copy of the project that has all of these holes.
 *
 * @param names  of the tests, as Vitest prints them, or all of the files
 * @returns status by full name
 */
export async function outcomesWith(
  holes: readonly Planted[],
  files: readonly string[],
  names: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> {
  const root = mkdtempSync(join(tmpdir(), 'svc-hole-'));
  try {
    for (const name of COPIED)
      cpSync(join(ROOT, name), join(root, name), { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(root, name));
    for (const hole of holes) plant(root, hole);
    return await runTests(root, [...new Set(files)], names);
  } finally {
    rmSync(root, { recursive: true });
  }
}

function plant(root: string, { file, defence, planted }: Planted): void {
  const path = join(root, file);
  const parts = readFileSync(path, 'utf8').split(defence);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} of: ${defence}`);
  writeFileSync(path, parts.join(planted));
}

async function runTests(
  root: string,
  files: readonly string[],
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const report = join(root, 'report.json');
  const pattern = names.map((name) => `${name.replaceAll(/[^\w ]/g, '.')}$`).join('|');
  const run = promisify(execFile)(
    process.execPath,
    [
      ...[join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files],
      ...(names.length === 0 ? [] : ['--testNamePattern', pattern]),
      ...['--reporter=json', `--outputFile=${report}`, '--retry=0', '--maxWorkers=1'],
    ],
    { cwd: root, env: { ...process.env, VITEST: undefined, SVC_SLOW: undefined } },
  );
  // Failing tests are what is expected.
  await run.catch(() => {});
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return new Map(tests.map(({ fullName, status }) => [fullName.trim(), status]));
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}
