import { beforeAll, expect, test } from 'vitest';
import { LIMITS } from '../../../src/core/limits.ts';
import { assemble } from '../../../src/expressions/bytecode.ts';
import { emitModule } from '../../../src/expressions/compiled/emit-module.ts';
import { cachedModules, moduleOf } from '../../../src/expressions/compiled/module-cache.ts';
import { type Shape, shapeOfRows } from '../../../src/expressions/compiled/shape.ts';
import {
  accelerateRows,
  compileExpression,
  EXPRESSION_KERNEL,
  evaluateRows,
  rowsRun,
} from '../../../src/expressions/evaluate.ts';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { compileKernel, instantiate, type KernelInstance, type KernelModule } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { LocalRunner } from '../../../src/kernels/local-runner.ts';
import { createPool } from '../../../src/kernels/pool.ts';
import { bitsOf, compareProgram, moduleOfShape, runToEnd } from './compare.ts';

/** With SVC_SLOW=1 (npm run test:slow) the full number. */
const PROGRAMS = process.env.SVC_SLOW === '1' ? 10_000 : 600;
const ROWS = 100;

const SHORT = 4;
const LONG = 50_000;
const ENOUGH = LIMITS.expression.compiled.words;

let kernel: KernelModule;
let instance: KernelInstance;
beforeAll(async () => {
  kernel = await compileKernel(await loadKernel(EXPRESSION_KERNEL));
  instance = instantiate(kernel);
});

test('a compiled expression has the bits of the machine, failures and values that are not numbers included', () => {
  const comparisons = Array.from({ length: PROGRAMS }, (_, seed) => compareProgram(instance, seed, ROWS));
  expect(comparisons.filter(({ isSame }) => !isSame).map(({ seed }) => seed)).toEqual([]);
  // The comparison means something: nearly all are compiled, most run to the end, some fail on the way.
  const share = (count: number) => count / PROGRAMS;
  expect(share(comparisons.filter(({ isCompiled }) => isCompiled).length)).toBeGreaterThan(0.99);
  expect(share(comparisons.filter(({ rows }) => rows === ROWS).length)).toBeGreaterThan(0.7);
  expect(share(comparisons.filter(({ rows }) => rows < ROWS).length)).toBeGreaterThan(0.02);
}, 600_000);

function shapeOf(text: string, symbols: readonly string[] = ['x', 'y']): Shape {
  const { code, pool, slots } = compileExpression(text, symbols);
  return shapeOfRows(code, pool, slots.length);
}

test('equal shapes give equal bytes, and constants do not belong to the shape', () => {
  const bytes = (text: string) => Buffer.from(emitModule(shapeOf(text)) ?? []).toString('hex');
  expect(bytes('2.5*x + sin(y)')).toBe(bytes('0.125*x + sin(y)'));
  expect(bytes('2.5*x + sin(y)')).not.toBe(bytes('x*x + sin(y)'));
});

test('one module serves runs with other constants, in the same bits', () => {
  const module = moduleOfShape(shapeOf('2.5*x + sin(y)'));
  const run = rowsRun(compileExpression('7e-9*x + sin(y)', ['x', 'y']), Float64Array.of(1, 2, 3, 4), 2);
  expect(module).toBeDefined();
  expect(bitsOf(runToEnd(instance, run, module))).toBe(bitsOf(runToEnd(instance, run)));
});

test('a module of another expression stops the run', () => {
  const module = moduleOfShape(shapeOf('x - y'));
  const run = rowsRun(compileExpression('x + y', ['x', 'y']), Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8), 4);
  expect(() => runToEnd(instantiate(kernel), run, module)).toThrow(/trapped in advance/);
});

test('rows that fail are reported by the machine, after the rows before them', () => {
  const program = compileExpression('sum(k, 1, x, 1/k)', ['x']);
  const module = moduleOfShape(shapeOfRows(program.code, program.pool, 1));
  const run = rowsRun(program, Float64Array.of(3, 5, 0, 2.5, 4), 5);
  const output = runToEnd(instance, run, module);
  expect([output.info, output.steps, output.statistics.failure]).toEqual([4, 3, 2]);
  expect(bitsOf(output)).toBe(bitsOf(runToEnd(instance, run)));
});

test('deep sums and byte code that no expression has are left to the machine', () => {
  const nest = (depth: number): string => (depth === 0 ? 'x' : `sum(k, 1, 1, ${nest(depth - 1)})`);
  const { sumDepth } = LIMITS.expression.compiled;
  expect(emitModule(shapeOf(nest(sumDepth)))).toBeDefined();
  expect(emitModule(shapeOf(nest(sumDepth + 1)))).toBeUndefined();
  const { code, pool } = compileExpression('x < 1 ? x : y', ['x', 'y']);
  const random = (seed: number) => Math.floor(Math.abs(Math.sin(seed) * 1e6));
  for (let seed = 1; seed < 2_000; seed++) {
    const wrong = code.slice();
    wrong[random(seed) % code.length] = random(seed + 0.5) % 40_000;
    const bytes = emitModule(shapeOfRows(wrong, pool, 2));
    if (bytes !== undefined) expect(WebAssembly.validate(bytes)).toBe(true);
  }
});

test('a module has a maximum size, and emission time stays in proportion to the code', () => {
  const symbols = Array.from({ length: 14 }, (_, i) => `x${i}`);
  const where = Array.from({ length: 12 }, (_, i) => {
    const before = i === 0 ? 'x0' : `d${i - 1}`;
    const text = `(${before} < x1 ? ${before} : -${before})^2 < (${before} > x2 ? ${before} : ${before}^2)`;
    return { name: `d${i}`, expression: parseExpression(text) };
  });
  const program = assemble(parseExpression('d11 + d10'), symbols, where);
  const bytes = emitModule(shapeOfRows(program.code, program.pool, symbols.length));
  expect(bytes?.length).toBeLessThan(20 * program.code.length);
  const words = Int32Array.from({ length: LIMITS.expression.compiled.bytes / 4 + 1 });
  expect(emitModule(shapeOfRows(words, program.pool, 1))).toBeUndefined();
});

test('the cache keeps the most recent modules, up to its maximum', () => {
  const { modules } = LIMITS.expression.compiled;
  const text = (i: number) => `x + ${'y*'.repeat(i % 100)}x - ${'x*'.repeat(Math.floor(i / 100))}y`;
  for (let i = 0; i < modules + 20; i++) expect(moduleOf(shapeOf(text(i)), ENOUGH)).toBeDefined();
  expect(cachedModules()).toBe(modules);
  // Cached modules serve shorter runs; forgotten ones do not.
  expect(moduleOf(shapeOf(text(modules)), ENOUGH / 2)).toBeDefined();
  expect(moduleOf(shapeOf(text(0)), ENOUGH / 2)).toBeUndefined();
});

test('long runs are compiled in every runner, with the bits of the machine', async () => {
  const program = compileExpression('x^2*exp(-x) + (x < 1 ? x : sqrt(x))', ['x']);
  const slots = Float64Array.from({ length: LONG }, (_, i) => i / 7_000);
  const run = rowsRun(program, slots, LONG);
  expect(accelerateRows({ slug: EXPRESSION_KERNEL }, run)).toBeDefined();
  expect(accelerateRows({ slug: 'heat' }, run)).toBeUndefined();
  expect(accelerateRows({ slug: EXPRESSION_KERNEL }, rowsRun(program, slots.slice(0, SHORT), SHORT))).toBeUndefined();
  const machine = bitsOf(runToEnd(instance, run));
  const image = await loadKernel(EXPRESSION_KERNEL);
  const pool = createPool({ size: 1 });
  try {
    const controls = { accelerate: accelerateRows };
    expect(bitsOf(await new LocalRunner().run(image, run, controls))).toBe(machine);
    expect(bitsOf(await pool.run(image, run, controls))).toBe(machine);
  } finally {
    await pool.close();
  }
  const values = runToEnd(instance, run).views.values ?? new Float64Array();
  expect(evaluateRows(instance, program, slots, LONG)).toEqual(values);
});
