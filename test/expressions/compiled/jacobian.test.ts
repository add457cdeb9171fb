import { beforeAll, expect, test } from 'vitest';
import { emitJacobian } from '../../../src/expressions/compiled/jacobian.ts';
import { shapeOfRows } from '../../../src/expressions/compiled/shape.ts';
import { compileExpression, EXPRESSION_KERNEL, rowsRun } from '../../../src/expressions/evaluate.ts';
import { FUNCTIONS } from '../../../src/expressions/functions.ts';
import { parseExpression } from '../../../src/expressions/parse.ts';
import { evaluatePrecisely } from '../../../src/expressions/precise/evaluate.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { runToEnd } from './compare.ts';

let instance: KernelInstance;
beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
});

const NAMES = ['x', 'y'];

/** ∂/∂x and ∂/∂y by the compiled module, run in the memory of the kernel. */
function compiledGradient(text: string, point: readonly number[]): number[] | undefined {
  const program = compileExpression(text, NAMES);
  const bytes = emitJacobian(shapeOfRows(program.code, program.pool, 2), [0, 1]);
  if (bytes === undefined) return undefined;
  runToEnd(instance, rowsRun(program, Float64Array.of(...point, ...point), 2));
  const { exports } = instance;
  const original = (name: string) => (exports[name] as { readonly original?: unknown }).original ?? exports[name];
  const kernel: Record<string, WebAssembly.ImportValue> = { memory: exports.memory };
  const module = new WebAssembly.Module(bytes);
  for (const { name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === 'function') kernel[name] = original(name) as WebAssembly.ImportValue;
  }
  const { rows } = new WebAssembly.Instance(module, { kernel }).exports as { rows(...a: number[]): number };
  expect(rows(exports.view(1), exports.view(2), exports.view(3), 1)).toBe(1);
  return [...new Float64Array(exports.memory.buffer, exports.view(3), 2)];
}

/** Central differences in double-double: with a step of 2^-30 their error is below 1e-17 of the third derivative. */
function preciseGradient(text: string, point: readonly number[]): number[] {
  const formula = { expression: parseExpression(text), where: [] };
  const step = 2 ** -30;
  return NAMES.map((_, i) => {
    const at = (offset: number) => {
      const values = new Map(NAMES.map((name, j) => [name, (point[j] ?? 0) + (i === j ? offset : 0)]));
      return evaluatePrecisely(formula, values);
    };
    const [above, below] = [at(step), at(-step)];
    return (above.value - below.value + (above.low - below.low)) / (2 * step);
  });
}

/** Without a rule. */
const WITHOUT = ['gamma', 'lgamma', 'factorial', 'ellipk', 'ellipe', 'zeta', 'langevin', 'choose', 'sinc'];
const BESSEL = ['besselj', 'besseli', 'besselk'];

const TEXTS = [
  ...[...FUNCTIONS.keys()]
    .filter((name) => ![...WITHOUT, ...BESSEL, 'lambertw'].includes(name))
    .map((name) => {
      const shift = name === 'acosh' ? '1.5 + ' : '';
      return FUNCTIONS.get(name)?.arity === 1 ? `${name}(${shift}x*y)` : `${name}(x, y^2)`;
    }),
  'lambertw(x*y)',
  '-x/y + x*y - (x + 2)*(y - 3)',
  'x^y + y^1.7 + (x*y)^2 + 2^x',
  'x < y ? x^3 : y^3',
  'x > y and x < 1 or y == 0 ? sin(x) : cos(y*x)',
  'sum(k, 1, 9, sin(k*x)/(k + y)) + sum(k, 1, 3, sum(j, 1, k, x^j*y))',
  'exp(-x^2/(2*y^2))/sqrt(2*pi*y^2)',
  'not (x < 1) + floor(3*x)*y',
  '3*pi + 0*7',
];
const POINTS = [
  [0.3, 0.8],
  [0.6, 0.45],
  [0.12, 0.99],
];

test.each(TEXTS)('the compiled derivatives of %s agree with differences in double-double', (text) => {
  for (const point of POINTS) {
    const gradient = compiledGradient(text, point);
    if (gradient === undefined) throw new Error(`${text} has no derivative`);
    for (const [i, expected] of preciseGradient(text, point).entries()) {
      const error = Math.abs((gradient[i] ?? Number.NaN) - expected);
      expect(error, `${text} at ${point}, ${NAMES[i]}`).toBeLessThan(2e-14 * Math.max(1, Math.abs(expected)));
    }
  }
});

test('functions without a rule have no compiled derivative, and constants of them do not matter', () => {
  for (const name of WITHOUT) {
    expect(compiledGradient(FUNCTIONS.get(name)?.arity === 1 ? `${name}(x)` : `${name}(x, y)`, [1, 2])).toBeUndefined();
  }
  for (const name of BESSEL) expect(compiledGradient(`${name}(2, x)`, [1, 2])).toBeUndefined();
  expect(compiledGradient('x*gamma(5)', [1, 2])).toEqual([24, 0]);
});
