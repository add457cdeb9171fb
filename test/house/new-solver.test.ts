// docs/adding-a-solver.md, followed word by word in a copy of the project: its commands in their order, the files that it
// says a person touches, and the records that it says are written.

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { register } from '../../scripts/new-solver.ts';

const GUIDE = readFileSync(join(ROOT, 'docs/adding-a-solver.md'), 'utf8');
const SLUG = 'decay';
const INDEX = 'src/solvers/index.ts';
const named = (path: string) => path.replaceAll('<slug>', SLUG);

/** Commands of the guide by block, in order. */
const BLOCKS = [...GUIDE.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = '']) => block.trim().split('\n'));
/** Files that a person writes: the bold paths of the numbered steps. */
const TOUCHED = [...GUIDE.matchAll(/^\d+\. \*\*`([^`]+)`\*\*/gm)].map(([, path = '']) => named(path)).sort();
/** Files that scripts write: the paths that open the items of the list of records. */
const RECORDS = [...GUIDE.matchAll(/^- (`[^:]+`):/gm)]
  .flatMap(([, paths = '']) => [...paths.matchAll(/`([^`]+)`/g)])
  .map(([, path = '']) => named(path))
  .sort();

/** A record that small changes leave as it is. */
const IF_MUCH = 'test/mcp/transcripts.json';

const run = promisify(execFile);
const copy = mkdtempSync(join(tmpdir(), 'svc-solver-'));
afterAll(() => rmSync(copy, { recursive: true }));

/** Not sources of the project, or made by its build; its kernels and thumbnails save their making. */
const isLeftOut = (path: string) =>
  /^(node_modules|\.git|dist|coverage|\.svc|test\/judges\/node_modules|bench\/peers\/node_modules)(\/|$)/.test(path) ||
  /^build\/(?!kernels|gallery)/.test(path);

const vitest = (...args: readonly string[]) => `node node_modules/vitest/vitest.mjs run ${args.join(' ')}`;

/** What the whole suite and all gates would say of the solver, in a fraction of their time. */
const IN_PART: Readonly<Record<string, readonly string[]>> = {
  // The commands of the copy run its sources.
  'npm run build': ['node scripts/build-kernels.ts'],
  'npm test': [
    vitest(
      `test/solvers/${SLUG}.test.ts`,
      'test/pins',
      'test/house/coverage.test.ts',
      'test/house/solver-names.test.ts',
    ),
    vitest(
      'test/kernels/face.test.ts',
      'test/receipts/museum.test.ts',
      '-t',
      `"kernel ${SLUG}|room holds|museum holds"`,
    ),
  ],
  'npm run check': [
    `node_modules/.bin/biome check ${[...TOUCHED, INDEX].join(' ')}`,
    'node_modules/.bin/tsc --noEmit -p tsconfig.solver.json',
    'node scripts/check.ts "assembly room" "built kernels"',
  ],
};

/** Runs a command of the guide as it stands, or the part of it. @returns what it printed */
async function follow(command: string): Promise<string> {
  const printed: string[] = [];
  for (const line of IN_PART[command] ?? [command]) {
    const { stdout } = await run('sh', ['-c', line], { cwd: copy, env: environment });
    printed.push(stdout.replaceAll(ESCAPES, ''));
  }
  return printed.join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal
const ESCAPES = /\x1b\[[0-9;]*m/g;
/** The Node and the tools of the project, and no marks of the run that this test is in. */
const environment = Object.fromEntries(
  Object.entries({ ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}` }).filter(
    ([name]) => !/^(VITEST|CI$|SVC_)/.test(name),
  ),
);

function filesOf(root: string): string[] {
  const found = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .filter((name) => !isLeftOut(name) && !name.startsWith('build/'));
}

const read = (path: string) => readFileSync(join(copy, path), 'utf8');
const contents = () => new Map(filesOf(copy).map((path) => [path, read(path)]));

/** Paths whose content differs, or which only one of the two has. */
function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}

let before: ReadonlyMap<string, string>;
/** What each command of the first block printed. */
let printed: readonly string[];

beforeAll(async () => {
  cpSync(ROOT, copy, { recursive: true, filter: (path) => !isLeftOut(path.slice(ROOT.length)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  before = contents();
  const all: string[] = [];
  for (const command of BLOCKS[0] ?? []) all.push(await follow(command));
  printed = all;
}, 600_000);

test('the guide has its commands, files and records in the form that this test reads', () => {
  expect(BLOCKS.map((block) => block.length)).toEqual([5, 3]);
  expect(BLOCKS[0]?.[0]).toContain(`new-solver.ts ${SLUG} `);
  expect(TOUCHED).toHaveLength(10);
  expect(RECORDS).toHaveLength(7);
});

test('a person touches kernel, solver, reference, test and bench; one line and the records are written', () => {
  const kinds: readonly (readonly [kind: string, path: RegExp])[] = [
    ['kernel', /^assembly\/solvers\/decay\.ts$/],
    ['reference', /^src\/solvers\/decay\/reference\.ts$/],
    ['solver', /^src\/solvers\/decay\/(face|problem|form|plan|solution|solver)\.ts$/],
    ['test', /^test\/solvers\/decay\.test\.ts$/],
    ['bench', /^bench\/decay\.ts$/],
  ];
  const kindOf = (path: string) => kinds.find(([, pattern]) => pattern.test(path))?.[0] ?? path;
  expect([...new Set(TOUCHED.map(kindOf))].sort()).toEqual(['bench', 'kernel', 'reference', 'solver', 'test']);

  // The commands leave the files that the guide names, and nothing else.
  const after = contents();
  const changed = differences(before, after);
  const expected = [...TOUCHED, ...RECORDS, INDEX].filter((path) => path !== IF_MUCH || changed.includes(IF_MUCH));
  expect(changed).toEqual(expected.sort());
  const lines = (text = '') => new Set(text.split('\n'));
  const added = [...lines(after.get(INDEX))].filter((line) => !lines(before.get(INDEX)).has(line));
  expect(added).toEqual([`import { ${SLUG} } from './${SLUG}/solver.ts';`, `  ${SLUG},`]);
  for (const path of expected) expect(printed[0]).toContain(path);
});

test('built, tested, solved and compared, as the guide says', () => {
  const [, , tested = '', solved = '', compared = ''] = printed;
  expect(tested).toMatch(/Tests +\d+ passed \(\d+\)/);
  expect(solved).toMatch(/^0\.606\d+/m);
  expect(compared).toContain('the peer is the plain TypeScript of reference.ts');
  expect(compared.match(/^\| \d+ \|/gm)).toHaveLength(2);
});

test('its route is in the list of operations, and the library solves', async () => {
  const code = `
    const { OPERATIONS } = await import('./src/operations/index.ts');
    const { decay } = await import('./src/solvers/decay/solver.ts');
    const operation = OPERATIONS.find(({ route }) => route === 'POST /api/svc/decay');
    const { value, witness } = await decay.solve({ u0: 2, k: 0.5, dt: 0.001, steps: 1000 });
    console.log(JSON.stringify({ name: operation.name, tool: operation.mcp.tool, value, reference: witness.reference }));
  `;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: copy });
  const { name, tool: mcpTool, value, reference } = JSON.parse(stdout) as Record<string, number>;
  expect([name, mcpTool]).toEqual(['decay.solve', 'svc_decay']);
  expect(reference).toBeCloseTo(2 * Math.exp(-0.5), 12);
  expect(value).toBeCloseTo(2 * Math.exp(-0.5), 7);
});

test('an existing or invalid name writes nothing', async () => {
  const files = contents();
  const again = (...args: string[]) => run(process.execPath, ['scripts/new-solver.ts', ...args], { cwd: copy });
  await expect(again(SLUG, 'Exponential decay')).rejects.toMatchObject({ code: 1 });
  await expect(again('Decay', 'Exponential decay')).rejects.toMatchObject({ code: 2 });
  await expect(again('growth', '"); process.exit(); ("')).rejects.toMatchObject({ code: 2 });
  expect(differences(files, contents())).toEqual([]);
});

test('after a change of numbers its test is red, and green again after the commands of the guide', async () => {
  const problem = 'src/solvers/decay/problem.ts';
  expect(read(problem)).toContain('default: 100 }');
  writeFileSync(join(copy, problem), read(problem).replace('default: 100 }', 'default: 120 }'));
  await expect(follow(vitest(`test/solvers/${SLUG}.test.ts`))).rejects.toMatchObject({
    stdout: expect.stringMatching(/golden bits of defaults/),
  });
  const checked = { extends: './tsconfig.json', include: [INDEX, `bench/${SLUG}.ts`, `test/solvers/${SLUG}.test.ts`] };
  writeFileSync(join(copy, 'tsconfig.solver.json'), JSON.stringify(checked));
  for (const command of BLOCKS[1] ?? []) await follow(command);
  expect(JSON.parse(read('test/golden/decay.json'))).toMatchObject({ reason: '120 steps by default' });
}, 600_000);

describe('the registry', () => {
  const index = `import { beta } from './beta/solver.ts';
import { delta } from './delta/solver.ts';
import type { SolverDefinition } from './solver.ts';

export const SOLVERS: readonly SolverDefinition[] = [
  beta,
  delta,
];
`;

  test.each([
    ['alpha', 0, ['alpha', 'beta', 'delta']],
    ['chi', 1, ['beta', 'chi', 'delta']],
    ['eta', 2, ['beta', 'delta', 'eta']],
  ])('inserts %s in alphabetical order', (slug, line, list) => {
    const lines = register(index, slug).split('\n');
    expect(lines[line]).toBe(`import { ${slug} } from './${slug}/solver.ts';`);
    expect(lines.filter((one) => /^ {2}\w+,$/.test(one))).toEqual(list.map((one) => `  ${one},`));
    // One import, one entry.
    expect(lines.length).toBe(index.split('\n').length + 2);
  });
});
