// Every gate is shown a sound project and a fault of each kind that it exists for.

import { expect, test } from 'vitest';
import { globals } from '../../scripts/gates/globals.ts';
import { assemblyRoom, builtKernels, hasZerosBeforePi, innerLoops } from '../../scripts/gates/kernels.ts';
import { directions, lint, types, unused } from '../../scripts/gates/tools.ts';
import { compileHarness } from '../numerics/compile.ts';
import { makeProject } from './project.ts';

const sound = {
  'src/core/one.ts': "import { two } from './two.ts';\n\nexport const one = two - 1;\n",
  'src/core/two.ts': 'export const two = 2;\n',
};

test('the types gate sees an error of types', async () => {
  expect(await types.look(makeProject(sound))).toMatchObject({ counted: 2, faults: [] });
  const root = makeProject({ ...sound, 'src/core/three.ts': "export const three: number = '3';\n" });
  expect((await types.look(root)).faults).toEqual([expect.stringMatching(/three\.ts.*TS2322/)]);
});

test('the lint gate sees a non-null assertion, an any, and a line that is not formatted', async () => {
  const good = await lint.look(makeProject(sound));
  expect(good.faults).toEqual([]);
  expect(good.counted).toBeGreaterThan(2);
  const faulty = 'export const first = (list: number[]) => list[0]!;\nexport const loose = (x: any) => x\n';
  const { faults } = await lint.look(makeProject({ ...sound, 'src/core/three.ts': faulty }));
  expect(faults.join('\n')).toMatch(/noNonNullAssertion[\s\S]*noExplicitAny[\s\S]*format/);
});

const direction: readonly (readonly [rule: string, files: Record<string, string>])[] = [
  [
    'direction-core',
    { 'src/core/up.ts': "export * from '../services/x.ts';\n", 'src/services/x.ts': 'export const x = 1;\n' },
  ],
  [
    'types-only-operations',
    { 'src/operations/up.ts': "export * from '../services/x.ts';\n", 'src/services/x.ts': 'export const x = 1;\n' },
  ],
  [
    'solver-rooms-apart',
    { 'src/solvers/heat/a.ts': "export * from '../wave/b.ts';\n", 'src/solvers/wave/b.ts': 'export const b = 1;\n' },
  ],
  ['door-knex', { 'src/services/sql.ts': "export { default } from 'knex';\n" }],
  ['door-koa', { 'src/operations/web.ts': "export { default } from 'koa';\n" }],
  ['door-@hpke/core', { 'src/services/x.ts': "export { CipherSuite } from '@hpke/core';\n" }],
  ['door-@jsquash/[^/]+', { 'src/services/y.ts': "export { default } from '@jsquash/png/decode.js';\n" }],
  ['door-@assemblyscript/loader', { 'src/solvers/x.ts': "export { instantiate } from '@assemblyscript/loader';\n" }],
  ['one-way-out', { 'src/services/call.ts': "export { get } from 'node:https';\n" }],
  ['browser-safe', { 'src/chain/x.ts': "export { readFile } from 'node:fs/promises';\n" }],
  [
    'registry-stays-home',
    {
      'src/portal/far.ts': "export * from '../protocol/near.ts';\n",
      'src/protocol/near.ts': "export * from '../operators/load.ts';\n",
      'src/operators/load.ts': 'export const all = 1;\n',
    },
  ],
  ['top-is-the-top', { 'src/http/x.ts': "export * from '../server.ts';\n", 'src/server.ts': 'export const s = 1;\n' }],
  [
    'no-circles',
    {
      'src/core/a.ts': "export { b } from './b.ts';\nexport const a = 1;\n",
      'src/core/b.ts': "import { a } from './a.ts';\n\nexport const b = a;\n",
    },
  ],
  ['resolved', { 'src/core/x.ts': "export * from './nowhere.ts';\n" }],
];

test('the directions gate sees every kind of wrong import, and nothing in a sound project', async () => {
  expect(await directions.look(makeProject(sound))).toMatchObject({ counted: 2, faults: [] });
  const root = makeProject({ ...sound, ...Object.assign({}, ...direction.map(([, files]) => files)) });
  const { faults } = await directions.look(root);
  for (const [rule] of direction) expect(faults.join('\n')).toContain(`${rule}: `);
});

test('the unused gate sees a file, an export and a dependency that nobody uses', async () => {
  const project = {
    'package.json': JSON.stringify({ type: 'module', dependencies: { koa: '*' } }),
    'src/index.ts': "import { used } from './core/used.ts';\n\nconsole.log(used);\n",
    'src/core/used.ts': 'export const used = 1;\nexport const idle = 2;\n',
    'src/core/alone.ts': 'export const alone = 1;\n',
  };
  const { counted, faults } = await unused.look(makeProject(project));
  expect(counted).toBe(3);
  const found = faults.join('\n');
  for (const name of ['src/core/alone.ts', 'idle', 'koa']) expect(found).toContain(name);
  expect(found).not.toContain('used.ts: used');
});

test.each([
  ['src/core/a.ts', 'export const a = Math.sin(1);', 'takes Math.sin'],
  ['src/core/a.ts', "export const a = Math['tanh'](1);", 'takes Math.tanh'],
  ['src/core/a.ts', 'export const { exp } = Math;', 'takes Math from'],
  ['src/protocol/a.ts', 'export const a = (x: number) => x ** 0.5;', 'with **'],
  ['src/protocol/a.ts', 'export const a = () => Math.random();', 'takes Math.random'],
  ['src/solvers/heat/a.ts', 'export const a = () => Date.now();', 'takes Date.now'],
  ['src/expressions/a.ts', 'export const a = () => performance.now();', 'takes performance.now'],
  ['src/operators/a.ts', 'export const a = (x: string, y: string) => x.localeCompare(y);', 'locale'],
  ['src/operators/a.ts', 'export const a = (x: number[]) => x.map((y) => y.toFixed(2).toLocaleUpperCase());', 'locale'],
  ['src/services/a.ts', 'export const a = () => new Date();', 'reaches the clock'],
  ['src/services/a.ts', 'export const a = process.env.HOME;', 'reaches the environment'],
  ['src/solvers/heat/a.ts', 'export const a = (x: BufferSource) => new WebAssembly.Module(x);', 'reaches WebAssembly'],
])('the globals gate sees in %s: %s', async (file, code, fault) => {
  const root = makeProject({ [file]: `// π first: the parser counts bytes.\n${code}\n` });
  const finding = await globals.look(root);
  expect(finding.counted).toBe(1);
  expect(finding.faults.join('\n')).toContain(`${file}:2 `);
  expect(finding.faults.join('\n')).toContain(fault);
});

test('the globals gate lets exact functions, types, names of properties and the proper doors pass', async () => {
  const root = makeProject({
    'src/core/a.ts': [
      'export const a = (x: number) => Math.sqrt(Math.abs(x)) * Math.PI * 2 ** 53 + Number(3n ** 40n);',
      'export const b = (memory: WebAssembly.Memory, at: Date) => ({ Date: memory, performance: at });',
    ].join('\n'),
    'src/core/clock.ts': 'export const now = () => Date.now() + performance.now();',
    'src/kernels/a.ts': 'export const a = (x: BufferSource) => WebAssembly.compile(x);',
    'src/server.ts': 'export const a = process.env.PORT;',
    'src/services/a.ts': 'export const a = (x: number) => new Date(x).toISOString();',
  });
  expect(await globals.look(root)).toMatchObject({ counted: 5, faults: [] });
});

test('the assembly gate sees imports from outside and host mathematics', async () => {
  const root = makeProject({
    'assembly/solvers/sound.ts': "import { get } from '../numerics/vector';\n\nexport const a = get;\n",
    'assembly/solvers/far.ts': "import { x } from '../../src/core/x';\n",
    'assembly/solvers/foreign.ts': "export * from 'somewhere';\n",
    'assembly/solvers/loose.ts': 'export const a = f32x4.relaxed_madd;\n',
  });
  const { counted, faults } = await assemblyRoom.look(root);
  expect(counted).toBe(4);
  expect(faults).toHaveLength(3);
  for (const name of ['far', 'foreign', 'loose']) expect(faults.join('\n')).toContain(`solvers/${name}.ts`);
});

test('the kernel gate sees an import, a call in an inner loop without a reason, and a kernel that is not built', async () => {
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
  const { counted, faults } = await builtKernels.look(root);
  expect(counted).toBe(3);
  expect(faults).toEqual([
    'absent is not built',
    expect.stringMatching(/calls\.wasm: 1 of 2 inner loops call/),
    'build/kernels/imports.wasm imports e.f',
  ]);
});

test('inner loops are those without a loop inside', () => {
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

test('every gate that sees nothing says so', async () => {
  const root = makeProject({});
  for (const gate of [directions, globals, assemblyRoom, builtKernels]) {
    expect(await gate.look(root), gate.name).toMatchObject({ counted: 0 });
  }
});

test('a kernel whose table of 2/pi follows another constant is seen', () => {
  const table = [0x6e, 0x83, 0xf9, 0xa2, 0, 0, 0, 0, 0xd1];
  const guarded = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0, ...table]);
  expect(hasZerosBeforePi(guarded)).toBe(true);
  expect(hasZerosBeforePi(Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 1, ...table]))).toBe(false);
});
