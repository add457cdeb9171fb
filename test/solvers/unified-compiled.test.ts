import { beforeAll, expect, test } from 'vitest';
import { emitModule } from '../../src/expressions/compiled/emit-module.ts';
import { printExpression } from '../../src/expressions/print.ts';
import type { KernelRun } from '../../src/kernels/abi.ts';
import { compileKernel, instantiate, type KernelInstance, type KernelModule } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { accelerateUnified, shapeOf } from '../../src/solvers/unified/accelerate.ts';
import { unified } from '../../src/solvers/unified/solver.ts';
import { bitsOf, moduleOfShape, runToEnd } from '../expressions/compiled/compare.ts';
import { randomTree } from '../expressions/compiled/random-programs.ts';
import { GOLDEN_CASES } from '../suites/golden-cases.ts';

const SYSTEMS = process.env.SVC_SLOW === '1' ? 500 : 100;

let kernel: KernelModule;
let instance: KernelInstance;
beforeAll(async () => {
  kernel = await compileKernel(await loadKernel('unified'));
  instance = instantiate(kernel);
});

const runsOf = (input: object) =>
  unified
    .plan(unified.inputs.parse(input))
    .runs.flatMap((run): KernelRun[] => (typeof run === 'function' ? [] : [run]));

/** Whether the compiled run leaves the bits of the machine's; undefined if it has no module. */
function isSame(run: KernelRun): boolean | undefined {
  const shape = shapeOf(run);
  const module = shape && moduleOfShape(shape);
  if (module === undefined) return undefined;
  return bitsOf(runToEnd(instance, run)) === bitsOf(runToEnd(instance, run, module));
}

const golden = GOLDEN_CASES.filter(({ solver }) => solver === 'unified');

test.each(golden)('the golden case $name has the same outputs compiled', ({ input }) => {
  expect(runsOf(input).map(isSame)).not.toContain(false);
  expect(runsOf(input).map(isSame)).not.toContain(undefined);
});

test('random systems and tables have the same outputs compiled, failures included', () => {
  const methods = ['dopri5', 'rodas4', 'rk4', 'auto'] as const;
  let [compiled, failed] = [0, 0];
  for (let seed = 0; seed < SYSTEMS; seed++) {
    const text = (names: readonly string[]) => printExpression(randomTree(seed, names));
    const isTable = seed % 5 === 0;
    const equations = isTable
      ? [`a = ${text(['t', 'p'])}`, `b = a + (${text(['t', 'a'])})`, `c = ${text(['a', 'b'])}`]
      : [`a = ${text(['x', 't'])}`, `x' = -x + 0.1*(${text(['x', 'y', 'a'])})`, `y' = x - y*(${text(['t', 'x'])})`];
    const initial = isTable
      ? {}
      : { initial: { x: 1, y: 0.5 }, method: methods[seed % 4], steps: seed % 4 === 2 ? 60 : undefined };
    const input = {
      equations,
      vars: equations.some((line) => /\bp\b/.test(line)) ? { p: 1.5 } : {},
      t_end: 2,
      ...initial,
    };
    const [run] = runsOf({ ...input, ...(isTable ? {} : { max_steps: 300 }), points: 33 });
    if (run === undefined) throw new Error('the plan has no run');
    const same = isSame(run);
    expect(same, equations.join('; ')).not.toBe(false);
    if (same !== undefined) compiled++;
    if (runToEnd(instance, run).info !== 0) failed++;
  }
  expect(compiled).toBeGreaterThan(0.95 * SYSTEMS);
  expect(failed).toBeGreaterThan(0.02 * SYSTEMS);
}, 600_000);

test('a run is compiled where it is long, and left to the machine where it is short', () => {
  const [short] = runsOf({ equations: ['y = x + 1'], vars: { x: 2 } });
  const long = runsOf({ equations: ["x' = -x*sin(t) + cos(3*t)^2 - x^3", 'x(0) = 1'], t_end: 10 }).at(-1);
  if (short === undefined || long === undefined) throw new Error('a plan has no run');
  expect(accelerateUnified({ slug: 'unified' }, short)).toBeUndefined();
  expect(accelerateUnified({ slug: 'unified' }, long)).toBeDefined();
  expect(accelerateUnified({ slug: 'heat' }, long)).toBeUndefined();
});

test('a system has whole steps compiled, except where they exceed the maximum size', () => {
  const exportsOf = (input: object) => {
    const shape = runsOf(input).map(shapeOf)[0];
    const bytes = shape && emitModule(shape);
    return bytes && WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name);
  };
  expect(exportsOf({ equations: ["x' = -x", 'x(0) = 1'] })).toEqual(['rows', 'step']);
  expect(exportsOf({ equations: ['y = t^2'], t_end: 1 })).toEqual(['rows']);
  const terms = Array.from({ length: 40 }, (_, i) => `sin(${i + 2}*x)`).join(' + ');
  const large = Array.from({ length: 32 }, (_, i) => `x${i}' = ${terms.replaceAll('x', `x${i}`)}`);
  const start = large.map((_, i) => `x${i}(0) = 1`);
  expect(exportsOf({ equations: [...large, ...start] })).toEqual(['rows']);
});

test('a step of other equations stops the run', () => {
  const [run, other] = ["x' = -x", "x' = x*x"].map((line) => runsOf({ equations: [line, 'x(0) = 1'], t_end: 0.5 })[0]);
  const shape = other && shapeOf(other);
  if (run === undefined || shape === undefined) throw new Error('a plan has no run');
  expect(() => runToEnd(instantiate(kernel), run, moduleOfShape(shape))).toThrow(/trapped in/);
});
