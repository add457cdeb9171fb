// docs/adding-a-solver.md: one command adds a solver that builds, passes its checks, is served and solves.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { register } from '../../scripts/new-solver.ts';

const run = promisify(execFile);
const copy = mkdtempSync(join(tmpdir(), 'svc-solver-'));
afterAll(() => rmSync(copy, { recursive: true }));

const FOLDERS = ['assembly', 'src', 'scripts', 'migrations', 'test/suites', 'build/kernels'];
const FILES = [
  'package.json',
  'asconfig.json',
  'tsconfig.json',
  'biome.json',
  'vitest.config.ts',
  'test/cpu-time-setup.ts',
  'test/fast-check-setup.ts',
  'test/longest-first.ts',
  'test/kernels/face.test.ts',
  '.gitignore',
];

const tool = (name: string, args: readonly string[]) => run(join(ROOT, 'node_modules/.bin', name), args, { cwd: copy });
const script = (code: string) => run(process.execPath, ['--input-type=module', '--eval', code], { cwd: copy });

function filesOf(root: string): string[] {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .filter((name) => !/^(build|node_modules)\//.test(name));
}

/** The output of the command, and the files before it ran. */
let printed: string;
let before: string[];

beforeAll(async () => {
  for (const name of [...FOLDERS, ...FILES]) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  before = filesOf(copy);
  const { stdout } = await run(process.execPath, ['scripts/new-solver.ts', 'decay', "Newton's law of cooling"], {
    cwd: copy,
  });
  printed = stdout;
  await run(process.execPath, ['scripts/build-kernels.ts', 'decay'], { cwd: copy });
});

const NEW_FILES = [
  'assembly/solvers/decay.ts',
  'src/solvers/decay/face.ts',
  'src/solvers/decay/reference.ts',
  'src/solvers/decay/solver.ts',
  'test/solvers/decay.test.ts',
];

test('the command adds only the files of the solver, and changes only the registry', () => {
  expect(
    filesOf(copy)
      .filter((name) => !before.includes(name))
      .sort(),
  ).toEqual(NEW_FILES);
  const changed = before.filter((name) => !readFileSync(join(copy, name)).equals(readFileSync(join(ROOT, name))));
  expect(changed).toEqual(['src/solvers/index.ts']);
  for (const name of NEW_FILES) expect(printed).toContain(name);
});

test('the new files pass formatter, linter and type check unchanged', async () => {
  await tool('biome', ['check', ...NEW_FILES, 'src/solvers/index.ts']);
  const { stdout } = await tool('tsc', ['--noEmit', '-p', 'tsconfig.json']).catch((error: { stdout: string }) => error);
  expect(stdout.split('\n').filter((line) => /decay|solvers\/index/.test(line))).toEqual([]);
});

test('its test passes', async () => {
  await tool('vitest', ['run', 'test/solvers/decay.test.ts']);
});

test('its kernel shares all names with its face', async () => {
  const { stdout } = await tool('vitest', ['run', 'test/kernels/face.test.ts', '-t', 'kernel decay']);
  expect(stdout).toContain('2 passed');
});

test('its route is in the list of operations, and it solves', async () => {
  const { stdout } = await script(`
    const { OPERATIONS } = await import('./src/operations/index.ts');
    const { decay } = await import('./src/solvers/decay/solver.ts');
    const operation = OPERATIONS.find(({ route }) => route === 'POST /api/svc/decay');
    const { value, witness } = await decay.solve({ u0: 2, k: 0.5, dt: 0.001, steps: 1000 });
    console.log(JSON.stringify({ name: operation.name, tool: operation.mcp.tool, value, reference: witness.reference }));
  `);
  const { name, tool: mcpTool, value, reference } = JSON.parse(stdout) as Record<string, number>;
  expect([name, mcpTool]).toEqual(['decay.solve', 'svc_decay']);
  expect(reference).toBeCloseTo(2 * Math.exp(-0.5), 12);
  expect(value).toBeCloseTo(2 * Math.exp(-0.5), 7);
});

test('an existing or invalid name writes nothing', async () => {
  const again = (...args: string[]) => run(process.execPath, ['scripts/new-solver.ts', ...args], { cwd: copy });
  await expect(again('decay', 'Exponential decay')).rejects.toMatchObject({ code: 1 });
  await expect(again('Decay', 'Exponential decay')).rejects.toMatchObject({ code: 2 });
  await expect(again('growth', '"); process.exit(); ("')).rejects.toMatchObject({ code: 2 });
  expect(filesOf(copy).length).toBe(before.length + NEW_FILES.length);
});

describe('the registry', () => {
  const index = `import { beta } from './beta/solver.ts';
import { delta } from './delta/solver.ts';
import type { SolverDefinition } from './solver.ts';

export const SOLVERS: readonly SolverDefinition[] = [beta, delta];
`;

  test.each([
    ['alpha', 0, '[alpha, beta, delta]'],
    ['chi', 1, '[beta, chi, delta]'],
    ['eta', 2, '[beta, delta, eta]'],
  ])('inserts %s in alphabetical order', (slug, line, list) => {
    const lines = register(index, slug).split('\n');
    expect(lines[line]).toBe(`import { ${slug} } from './${slug}/solver.ts';`);
    expect(lines).toContain(`export const SOLVERS: readonly SolverDefinition[] = ${list};`);
    expect(lines.length).toBe(index.split('\n').length + 1);
  });
});
