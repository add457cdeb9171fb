// The lattices of american options, node by node in plain TypeScript: the same price, not only one within ±.

import { expect, test } from 'vitest';
import type { z } from 'zod';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { inputs } from '../../src/solvers/quant/inputs.ts';
import { planOf } from '../../src/solvers/quant/plan.ts';
import { runPlan } from '../../src/solvers/run.ts';

/** Normal distribution by Simpson's rule. */
function normal(x: number): number {
  const n = 4_000;
  const h = x / n;
  let sum = 0;
  for (let k = 0; k <= n; k++)
    sum += (k === 0 || k === n ? 1 : k % 2 === 1 ? 4 : 2) * Math.exp(-0.5 * (k * h) * (k * h));
  return 0.5 + (sum * h) / 3 / Math.sqrt(2 * Math.PI);
}

interface Tree {
  readonly phi: number;
  readonly strike: number;
  readonly levels: number;
  readonly step: number;
  /** Of each level: the forward, the dividends to come, and the discount factor to today. */
  readonly table: ArrayLike<number>;
}

function plainPrice({ phi, strike, levels, step, table }: Tree): number {
  const at = (level: number, column: number) => table[3 * level + column] ?? Number.NaN;
  const root = Math.sqrt(step);
  const x = (level: number, j: number) => at(level, 0) * Math.exp((2 * j - level) * root);
  const exercise = (level: number, j: number) => phi * (x(level, j) + at(level, 1) - strike);
  const rise = (1 - Math.exp(-root)) / (Math.exp(root) - Math.exp(-root));
  const last = levels - 1;
  let values = Array.from({ length: last + 1 }, (_, j) => {
    const forward = (x(last, j) * at(levels, 0)) / at(last, 0);
    const target = strike - at(levels, 1);
    const d = Math.log(forward / target) / root + 0.5 * root;
    const end = phi * (forward * normal(phi * d) - target * normal(phi * (d - root)));
    return Math.max((end * at(levels, 2)) / at(last, 2), exercise(last, j));
  });
  for (let level = last - 1; level >= 0; level--)
    values = Array.from({ length: level + 1 }, (_, j) => {
      const held = (1 - rise) * (values[j] ?? 0) + rise * (values[j + 1] ?? 0);
      return Math.max((held * at(level + 1, 2)) / at(level, 2), exercise(level, j));
    });
  return values[0] ?? Number.NaN;
}

test.each<[string, z.input<typeof inputs>]>([
  ['a put', { type: 'put' }],
  ['a call with dividends', { dividends: [[0.4, 3]], K: 95, sigma: 0.3 }],
  ['a put with a falling rate', { type: 'put', r: -0.02, q: 0.03, T: 2, K: 110 }],
])('%s: the price of each lattice is that of a plain loop', async (_, given) => {
  const plan = planOf(inputs.parse({ style: 'american', ...given }));
  const { outputs } = await runPlan(plan, await loadKernel('quant'), new LocalRunner());
  expect(outputs.length).toBe(3);
  for (const [k, output] of outputs.entries()) {
    const { parameters, inputs: views = {} } = plan.runs[k] ?? { parameters: {} };
    const { phi, strike, levels, levelVariance } = parameters as Readonly<Record<string, number>>;
    if (levels === undefined || levels > 1_024) continue;
    const table = (views as { levels?: Float64Array }).levels ?? new Float64Array();
    const price = plainPrice({ phi: phi ?? 0, strike: strike ?? 0, levels, step: levelVariance ?? 0, table });
    expect(Math.abs((output.statistics.price ?? Number.NaN) - price)).toBeLessThan(1e-10);
  }
});
