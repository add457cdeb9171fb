// Every gate passes a valid project and detects a planted fault of each kind.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { compiledExpressions } from '../../scripts/gates/compiled-expressions.ts';
import { globals } from '../../scripts/gates/globals.ts';
import { kernelSizes } from '../../scripts/gates/kernel-sizes.ts';
import { assemblyRoom, builtKernels, hasZerosBeforePi, innerLoops } from '../../scripts/gates/kernels.ts';
import { lockFiles } from '../../scripts/gates/lock-files.ts';
import { directions, lint, types, unused } from '../../scripts/gates/tools.ts';
import { typeImports } from '../../scripts/gates/type-imports.ts';
import { wording } from '../../scripts/gates/wording.ts';
import { compileHarness } from '../numerics/compile.ts';
import { makeProject } from './project-fixture.ts';

const valid = {
  'src/core/one.ts': "import { two } from './two.ts';\n\nexport const one = two - 1;\n",
  'src/core/two.ts': 'export const two = 2;\n',
};

test('the types gate detects a type error, and globals that a folder or Node 20 does not have', async () => {
  const typed = { ...valid, 'src/services/four.ts': "export { one as four } from '../core/one.ts';\n" };
  const good = await types.run(makeProject(typed));
  expect(good).toEqual({ counted: 8, unit: 'files of 3 configurations (3, 2, 3)', faults: [] });
  const root = makeProject({
    ...typed,
    'src/core/three.ts': "export const three: number = '3';\n",
    'src/chain/one.ts': 'export const one = process.pid;\n',
    'src/portal/one.ts': "export const one = Buffer.from('1');\n",
    'src/services/one.ts': 'export const one = document.title;\n',
    'src/services/two.ts': "export { globSync } from 'node:fs';\n",
    'src/chain/two.ts': 'export const two = Map.groupBy([1], String);\n',
  });
  const { faults } = await types.run(root);
  expect(faults.toSorted()).toEqual([
    expect.stringMatching(/chain\/one\.ts.*'process'/),
    expect.stringMatching(/chain\/two\.ts.*'groupBy'/),
    expect.stringMatching(/core\/three\.ts.*TS2322/),
    expect.stringMatching(/portal\/one\.ts.*'Buffer'/),
    expect.stringMatching(/services\/one\.ts.*'document'/),
    expect.stringMatching(/services\/two\.ts.*'globSync'/),
  ]);
});

test('the types gate reports a configuration without files', async () => {
  expect(await types.run(makeProject(valid))).toMatchObject({
    counted: 0,
    faults: [expect.stringContaining('TS18003')],
  });
});

test('the lint gate detects a non-null assertion, an any, and an unformatted line', async () => {
  const good = await lint.run(makeProject(valid));
  expect(good.faults).toEqual([]);
  expect(good.counted).toBeGreaterThan(2);
  const faulty = 'export const first = (list: number[]) => list[0]!;\nexport const loose = (x: any) => x\n';
  const { faults } = await lint.run(makeProject({ ...valid, 'src/core/three.ts': faulty }));
  expect(faults.join('\n')).toMatch(/noNonNullAssertion[\s\S]*noExplicitAny[\s\S]*format/);
});

const violations: readonly (readonly [rule: string, files: Record<string, string>])[] = [
  [
    'direction-core',
    { 'src/core/up.ts': "export * from '../services/x.ts';\n", 'src/services/x.ts': 'export const x = 1;\n' },
  ],
  [
    'service-direction-engine',
    {
      'src/services/engine/up.ts': "export type { y } from '../machines/y.ts';\n",
      'src/services/machines/y.ts': 'export type y = 1;\n',
    },
  ],
  [
    'solvers-independent',
    {
      'src/solvers/heat/a.ts': "export * from '../wave/b.ts';\n",
      'src/solvers/wave/b.ts': 'export const b = 1;\n',
      'src/solvers/parts/c.ts': "export * from '../wave/b.ts';\n",
      'src/solvers/wave/d.ts': "export * from '../parts/c.ts';\n",
    },
  ],
  ['package-knex', { 'src/services/sql.ts': "export { default } from 'knex';\n" }],
  ['package-koa', { 'src/operations/web.ts': "export { default } from 'koa';\n" }],
  ['package-@hpke/core', { 'src/services/x.ts': "export { CipherSuite } from '@hpke/core';\n" }],
  ['package-@jsquash/[^/]+', { 'src/services/y.ts': "export { default } from '@jsquash/png/decode.js';\n" }],
  ['package-@assemblyscript/loader', { 'src/solvers/x.ts': "export { instantiate } from '@assemblyscript/loader';\n" }],
  ['outbound-only', { 'src/services/call.ts': "export { get } from 'node:https';\n" }],
  ['browser-safe', { 'src/chain/x.ts': "export { readFile } from 'node:fs/promises';\n" }],
  [
    'no-registry-in-browser',
    {
      'src/portal/far.ts': "export * from '../protocol/near.ts';\n",
      'src/protocol/near.ts': "export * from '../operators/load.ts';\n",
      'src/operators/load.ts': 'export const all = 1;\n',
      'src/portal/shelf.ts': "export * from '../templates/load.ts';\n",
      'src/templates/load.ts': 'export const all = 1;\n',
    },
  ],
  [
    'composition-root',
    { 'src/http/x.ts': "export * from '../server.ts';\n", 'src/server.ts': 'export const s = 1;\n' },
  ],
  [
    'no-cycles',
    {
      'src/core/a.ts': "export { b } from './b.ts';\nexport const a = 1;\n",
      'src/core/b.ts': "import { a } from './a.ts';\n\nexport const b = a;\n",
    },
  ],
  ['resolved', { 'src/core/x.ts': "export * from './nowhere.ts';\n" }],
];

test('the directions gate detects every kind of forbidden import, and passes a valid project', async () => {
  expect(await directions.run(makeProject(valid))).toMatchObject({ counted: 2, faults: [] });
  const root = makeProject({ ...valid, ...Object.assign({}, ...violations.map(([, files]) => files)) });
  const { faults } = await directions.run(root);
  for (const [rule] of violations) expect(faults.join('\n')).toContain(`${rule}: `);
  const amongSolvers = faults.join('\n').matchAll(/^solvers-independent: (\S+) → (\S+)/gm);
  expect(Array.from(amongSolvers, ([, from, to]) => `${from} ${to}`).sort()).toEqual([
    'src/solvers/heat/a.ts src/solvers/wave/b.ts',
    'src/solvers/parts/c.ts src/solvers/wave/b.ts',
  ]);
  for (const load of ['operators/load', 'templates/load']) {
    expect(faults.join('\n')).toMatch(new RegExp(`^no-registry-in-browser: src/portal/.* → src/${load}`, 'm'));
  }
});

test.each([
  ['of types', "import type { A } from './a.ts';\n\nexport type B = A | undefined;\n"],
  [
    'closed by a dynamic import',
    "export type B = () => Promise<typeof import('./a.ts')>;\nexport const b: B = () => import('./a.ts');\n",
  ],
])('the directions gate detects a cycle %s', async (_, code) => {
  const root = makeProject({
    'src/core/a.ts': "import type { B } from './b.ts';\n\nexport type A = readonly B[];\n",
    'src/core/b.ts': code,
  });
  const { faults } = await directions.run(root);
  expect(faults).toContain('no-cycles: src/core/a.ts → src/core/b.ts');
});

test('the unused gate detects an unused file, export and dependency', async () => {
  const project = {
    'package.json': JSON.stringify({ type: 'module', dependencies: { koa: '*' } }),
    'src/index.ts': "import { used } from './core/used.ts';\n\nconsole.log(used);\n",
    'src/core/used.ts': 'export const used = 1;\nexport const idle = 2;\n',
    'src/core/alone.ts': 'export const alone = 1;\n',
  };
  const { counted, faults } = await unused.run(makeProject(project));
  expect(counted).toBe(3);
  const found = faults.join('\n');
  for (const name of ['src/core/alone.ts', 'idle', 'koa']) expect(found).toContain(name);
  expect(found).not.toContain('used.ts: used');
});

test.each([
  ['src/core/a.ts', 'export const a = Math.sin(1);', 'uses Math.sin'],
  ['src/core/a.ts', "export const a = Math['tanh'](1);", 'uses Math.tanh'],
  ['src/core/a.ts', 'export const { exp } = Math;', 'uses Math of'],
  ['src/protocol/a.ts', 'export const a = (x: number) => x ** 0.5;', 'uses **'],
  ['src/protocol/a.ts', 'export const a = () => Math.random();', 'uses Math.random'],
  ['src/solvers/heat/a.ts', 'export const a = () => Date.now();', 'uses Date.now'],
  ['src/expressions/a.ts', 'export const a = () => performance.now();', 'uses performance.now'],
  ['src/operators/a.ts', 'export const a = (x: string, y: string) => x.localeCompare(y);', 'locale'],
  ['src/operators/a.ts', 'export const a = (x: number[]) => x.map((y) => y.toFixed(2).toLocaleUpperCase());', 'locale'],
  ['src/services/a.ts', 'export const a = () => new Date();', 'uses the clock'],
  ['src/services/a.ts', 'export const a = process.env.HOME;', 'uses the environment'],
  ['src/solvers/heat/a.ts', 'export const a = (x: BufferSource) => new WebAssembly.Module(x);', 'uses WebAssembly'],
])('the globals gate detects in %s: %s', async (file, code, fault) => {
  const root = makeProject({ [file]: `// π first: the parser counts bytes.\n${code}\n` });
  const finding = await globals.run(root);
  expect(finding.counted).toBe(1);
  expect(finding.faults.join('\n')).toContain(`${file}:2 `);
  expect(finding.faults.join('\n')).toContain(fault);
});

test('the type imports gate detects every import of a service that is not type-only', async () => {
  const typed = "import type { A } from '../services/a.ts';\n\nexport type { A } from '../services/a.ts';\n";
  const valid = { 'src/operations/typed.ts': typed, 'src/cli/a.ts': "export * from '../services/a.ts';\n" };
  expect(await typeImports.run(makeProject(valid))).toMatchObject({ counted: 1, faults: [] });
  const root = makeProject({
    ...valid,
    'src/http/named.ts': "export const x = 1;\n\nimport { type A, a } from '../services/a.ts';\n",
    'src/mcp/mixed.ts': "import { type A } from '../services/a.ts';\n",
    'src/operations/deep/all.ts': "export * from '../../services/a.ts';\n",
    'src/streams/lazy.ts': "export const a = () => import('../services/a.ts');\n",
  });
  expect((await typeImports.run(root)).faults).toEqual([
    'src/http/named.ts:3 imports src/services/a.ts; write import type',
    'src/mcp/mixed.ts:1 imports src/services/a.ts; write import type',
    'src/operations/deep/all.ts:1 imports src/services/a.ts; write import type',
    'src/streams/lazy.ts:1 imports src/services/a.ts; write import type',
  ]);
});

test('the globals gate allows exact functions, types, property names and the designated files', async () => {
  const root = makeProject({
    'src/core/a.ts': [
      'export const a = (x: number) => Math.sqrt(Math.abs(x)) * Math.PI * 2 ** 53 + Number(3n ** 40n);',
      'export const b = (memory: WebAssembly.Memory, at: Date) => ({ Date: memory, performance: at });',
    ].join('\n'),
    'src/core/clock.ts': 'export const now = () => Date.now() + performance.now();',
    'src/kernels/a.ts': 'export const a = (x: BufferSource) => WebAssembly.compile(x);',
    'src/cli/main.ts': 'export const a = process.env.PORT;',
    'src/services/a.ts': 'export const a = (x: number) => new Date(x).toISOString();',
  });
  expect(await globals.run(root)).toMatchObject({ counted: 5, faults: [] });
});

test('the assembly gate detects imports from outside and host mathematics', async () => {
  const root = makeProject({
    'assembly/solvers/valid.ts': "import { get } from '../numerics/vector';\n\nexport const a = get;\n",
    'assembly/solvers/far.ts': "import { x } from '../../src/core/x';\n",
    'assembly/solvers/foreign.ts': "export * from 'somewhere';\n",
    'assembly/solvers/loose.ts': 'export const a = f32x4.relaxed_madd;\n',
  });
  const { counted, faults } = await assemblyRoom.run(root);
  expect(counted).toBe(4);
  expect(faults).toHaveLength(3);
  for (const name of ['far', 'foreign', 'loose']) expect(faults.join('\n')).toContain(`solvers/${name}.ts`);
});

test('the kernel gate detects an import, an unexplained call in an inner loop, and a kernel that is not built', async () => {
  const calls = await compileHarness('test/harness/calls.ts');
  const imports = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 101, 1, 102, 0, 0]);
  const root = makeProject({
    'build/kernels/calls.wasm': calls,
    'build/kernels/excused.wasm': calls,
    'build/kernels/imports.wasm': imports,
    'assembly/solvers/calls.ts': '',
    'assembly/solvers/excused.ts': '// Calls in inner loops: a test wants it so.\n',
    'assembly/solvers/absent.ts': '',
  });
  const { counted, faults } = await builtKernels.run(root);
  expect(counted).toBe(3);
  expect(faults).toEqual([
    'absent is not built',
    expect.stringMatching(/calls\.wasm: 1 of 2 inner loops call/),
    'build/kernels/imports.wasm imports e.f',
  ]);
});

test('the gate of sizes detects a kernel over its limit, one that states none, and limits that notice no growth', async () => {
  // Random bytes do not compress.
  const ofBytes = (count: number) => randomBytes(count);
  const limit = (kilobytes: number) => `// Compressed size: at most ${kilobytes} kB, because a test wants it so.\n`;
  const root = makeProject({
    'build/kernels/small.wasm': ofBytes(15_000),
    'build/kernels/large.wasm': ofBytes(17_000),
    'build/kernels/stated.wasm': ofBytes(20_000),
    'assembly/solvers/stated.ts': limit(22),
    'build/kernels/expression.wasm': ofBytes(30_000),
    'assembly/expression.ts': limit(29),
    'build/kernels/loose.wasm': ofBytes(20_000),
    'assembly/solvers/loose.ts': limit(90),
    'build/kernels/needless.wasm': ofBytes(100),
    'assembly/solvers/needless.ts': limit(20),
    'build/kernels/unexplained.wasm': ofBytes(20_000),
    'assembly/solvers/unexplained.ts': '// Compressed size: at most 22 kB.\n',
  });
  const { counted, unit, faults } = await kernelSizes.run(root);
  expect(counted).toBe(7);
  expect(unit).toContain('stated 20.0');
  expect(faults).toEqual([
    expect.stringMatching(/^expression has 30\d\d\d .* more than the 29000 that its source states$/),
    expect.stringMatching(/^large has 17\d\d\d .* more than the 16000 without a limit of its own$/),
    expect.stringMatching(/^loose has 20\d\d\d .* a limit of 90000 notices no growth$/),
    expect.stringMatching(/^needless has \d+ .* needs no limit of its own$/),
    expect.stringMatching(/^unexplained has 20\d\d\d .* without a limit of its own$/),
  ]);
});

test('the gate of compiled expressions detects another import, an expression that is not compiled, a missing export', async () => {
  const imports = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 101, 1, 102, 0, 0];
  // Exports one function, named link.
  const links = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 8, 1, 4, 108, 105, 110, 107, 0, 0];
  const root = makeProject({
    'src/expressions/compiled/emit-module.ts': `let calls = 0;\nexport const emitModule = () => (calls++ === 0 ? undefined : Uint8Array.from(${JSON.stringify(imports)}));\n`,
    'build/kernels/plain.wasm': Uint8Array.from(imports),
    'build/kernels/links.wasm': Uint8Array.from([...links, 10, 4, 1, 2, 0, 11]),
  });
  const { counted, faults } = await compiledExpressions.run(root);
  expect(counted).toBeGreaterThan(48);
  expect(faults[0]).toMatch(/is not compiled$/);
  expect(faults).toContainEqual(expect.stringMatching(/^exp\(x\) imports e\.f, which is not on the list/));
  expect(faults).toContain('build/kernels/links.wasm does not export kernel.exp');
  expect(faults.filter((fault) => fault.includes('plain.wasm'))).toEqual([]);
});

test('the wording gate detects a header like a question, a bound not named MAX or MIN, a long line and a dead link', async () => {
  const good = {
    'src/core/one.ts': '// Limits of requests.\n\nexport const MAX_BYTES = 1;\n',
    'README.md': `# One\n\n[here](docs/two.md)\n\n| ${'wide '.repeat(40)}|\n`,
    'docs/two.md': '# Two\n',
  };
  expect(await wording.run(makeProject(good))).toEqual({ counted: 3, unit: 'sources and pages', faults: [] });
  const { faults } = await wording.run(
    makeProject({
      'src/core/one.ts': `// What a request may be.\n\nexport const ${'MOST'}_BYTES = 1;\n`,
      'README.md': `# One\n\n${'word '.repeat(25)}\n\n[gone](docs/gone.md)\n`,
    }),
  );
  expect(faults).toEqual([
    'src/core/one.ts has a header that starts like a question; start with a noun or a verb',
    `src/core/one.ts names a bound ${'MOST'}_BYTES; use MAX_ or MIN_`,
    'README.md:3 is longer than 120 columns',
    'README.md links to docs/gone.md, which does not exist',
  ]);
});

test('inner loops are loops that contain no other loop', () => {
  const text = [
    '(loop $a',
    ' (call $f)',
    ' (loop $b',
    '  (f64.load',
    '   (i32.const 0)',
    '  )',
    ' )',
    ')',
    '(loop $c)',
  ];
  expect(innerLoops(text.join('\n'))).toMatchObject([
    { isInner: true, touchesMemory: true, calls: 0 },
    { isInner: true, touchesMemory: false, calls: 0 },
  ]);
});

test('every gate reports zero items in an empty project', async () => {
  const root = makeProject({});
  for (const gate of [directions, typeImports, globals, assemblyRoom, builtKernels, kernelSizes, compiledExpressions]) {
    expect(await gate.run(root), gate.name).toMatchObject({ counted: 0 });
  }
});

test('the check detects a kernel whose table of 2/pi follows another constant', () => {
  const table = [0x6e, 0x83, 0xf9, 0xa2, 0, 0, 0, 0, 0xd1];
  const guarded = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, ...table]);
  expect(hasZerosBeforePi(guarded)).toBe(true);
  expect(hasZerosBeforePi(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 1, ...table]))).toBe(false);
});

test('the lock file gate detects packages without a hash, and allows links and bundled ones', async () => {
  const integrity = `sha512-${'A'.repeat(86)}==`;
  const tool = { version: '1.0.0', dev: true, optional: true, os: ['darwin'], cpu: ['arm64'] };
  const lock = (packages: object) => JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...packages } });
  const good = {
    'node_modules/one': { version: '1.0.0', integrity },
    'node_modules/one/node_modules/two': { version: '1.0.0', inBundle: true },
    'node_modules/here': { link: true, resolved: 'packages/here' },
    'packages/here': { version: '1.0.0' },
    'node_modules/@biomejs/cli-darwin-arm64': tool,
  };
  expect(await lockFiles.run(makeProject({ 'package-lock.json': lock(good) }))).toMatchObject({
    counted: 2,
    faults: [],
  });
  const nested = {
    'node_modules/none': { version: '2.0.0' },
    'node_modules/weak': { version: '2.0.0', integrity: 'sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
    'node_modules/@swc/core-win32-x64': { ...tool, dev: undefined },
    'node_modules/other-darwin-arm64': tool,
  };
  const files = { 'package-lock.json': lock(good), 'bench/peers/package-lock.json': lock(nested) };
  const { faults } = await lockFiles.run(makeProject(files));
  expect(faults.map((fault) => /^bench\S+ \S+/.exec(fault)?.[0])).toEqual(
    Object.keys(nested).map((path) => `bench/peers/package-lock.json: ${path}`),
  );
});
