// Every function in double-double at thousands of random points against mpmath. Needs python3 with mpmath on the PATH.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { exactly, subtract, ZERO } from '../../../src/expressions/precise/double-double.ts';
import { FUNCTIONS_IN_DOUBLE_DOUBLE } from '../../../src/expressions/precise/functions.ts';

const SEED = 20_260_302;
const COUNT = 1_500;

const python = (...args: string[]) =>
  spawnSync('python3', args, { encoding: 'utf8', maxBuffer: 2 ** 27, timeout: 500_000 });

const hasMpmath = python('-c', 'import mpmath').status === 0;
if (!hasMpmath) console.warn('functions in double-double are not compared: python3 has no mpmath');

test.skipIf(!hasMpmath)('elementary functions keep 28 digits and special ones 20', () => {
  const script = fileURLToPath(new URL('../special-values.py', import.meta.url));
  const { status, stdout, stderr } = python(script, String(SEED), String(COUNT), 'precise');
  expect(status, stderr).toBe(0);
  const values = JSON.parse(stdout) as Record<string, number[][]>;
  expect(Object.keys(values).sort()).toEqual([...FUNCTIONS_IN_DOUBLE_DOUBLE.keys()].sort());

  const beyond: string[] = [];
  for (const [name, points] of Object.entries(values)) {
    expect(points.length, name).toBeGreaterThan(0.8 * COUNT);
    const known = FUNCTIONS_IN_DOUBLE_DOUBLE.get(name);
    for (const point of points) {
      const [high = Number.NaN, low = Number.NaN, scale = 0] = point.slice(-3);
      const [x, y = ZERO] = point.slice(0, -3).map(exactly);
      if (known === undefined || x === undefined) throw new Error(`${name} has no argument`);
      const found = known.apply(x, y);
      const error = Math.abs(subtract(found, { high, low }).high) / Math.max(Math.abs(high), scale);
      const place = `${name}(${point.slice(0, -3).join(', ')}) = ${found.high} + ${found.low}, mpmath ${high} + ${low}`;
      if (!(error <= (known.isSpecial ? 1e-20 : 1e-28))) beyond.push(`${place}: ${error.toExponential(1)}`);
    }
  }
  expect(beyond).toEqual([]);
});
