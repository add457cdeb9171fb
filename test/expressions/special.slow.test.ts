// The special functions at thousands of random points against mpmath. Needs python3 with mpmath on the PATH.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compileExpression, EXPRESSION_KERNEL, evaluateRows } from '../../src/expressions/evaluate.ts';
import { FUNCTIONS } from '../../src/expressions/functions.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { boundOf, SPECIAL_NAMES } from './special-points.ts';

const SEED = 20_260_101;
const COUNT = 2_000;

const python = (...args: string[]) =>
  spawnSync('python3', args, { encoding: 'utf8', maxBuffer: 2 ** 26, timeout: 500_000 });

const hasMpmath = python('-c', 'import mpmath').status === 0;
if (!hasMpmath) console.warn('special functions are not compared: python3 has no mpmath');

test.skipIf(!hasMpmath)('every special function keeps its promised error at random points', async () => {
  const script = fileURLToPath(new URL('special-values.py', import.meta.url));
  const { status, stdout, stderr } = python(script, String(SEED), String(COUNT));
  expect(status, stderr).toBe(0);
  const values = JSON.parse(stdout) as Record<string, number[][]>;
  expect(Object.keys(values).sort()).toEqual([...SPECIAL_NAMES].sort());

  const instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
  const beyond: string[] = [];
  for (const [name, points] of Object.entries(values)) {
    expect(points.length, name).toBeGreaterThan(0.9 * COUNT);
    const symbols = FUNCTIONS.get(name)?.arity === 2 ? ['n', 'x'] : ['x'];
    const program = compileExpression(`${name}(${symbols.join(', ')})`, symbols);
    const rows = Float64Array.from(points.flatMap((point) => point.slice(0, symbols.length)));
    const got = evaluateRows(instance, program, rows, points.length);
    for (const [i, point] of points.entries()) {
      const [expected = Number.NaN, scale = 0] = point.slice(symbols.length);
      const error = Math.abs((got[i] ?? Number.NaN) - expected) / Math.max(Math.abs(expected), scale);
      const place = `${name}(${point.slice(0, symbols.length).join(', ')}) = ${got[i]}, mpmath ${expected}`;
      if (!(error <= boundOf(name, point[0] ?? 0))) beyond.push(`${place}: ${error.toExponential(1)}`);
    }
  }
  expect(beyond).toEqual([]);
});
