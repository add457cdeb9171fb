// The solver and the laws of epidemiology in the registry say the same.

import { expect, test } from 'vitest';
import { epi } from '../../src/solvers/epi/solver.ts';
import { compute } from '../protocol/sealed-case.ts';
import { runSolver } from '../suites/run-solver.ts';
import { quantityOf } from '../suites/solution-parts.ts';

const [beta, gamma, N, I0] = [0.45, 0.18, 50_000, 20];

async function law(id: string, inputs: Readonly<Record<string, number>>): Promise<number> {
  const { solution } = await compute({ domain: 'Epidemiology', operators: [id], inputs });
  return solution.value;
}

const near = (found: number | undefined, expected: number, tolerance = 1e-9) =>
  expect(Math.abs((found ?? Number.NaN) / expected - 1)).toBeLessThan(tolerance);

test('R0, herd immunity, final size and peak of SIR', async () => {
  const solution = await runSolver(epi, { model: 'sir', beta, gamma, N, I0, mu: 0.002, days: 400 });
  near(solution.value, await law('EPI1', { beta, gam: gamma, mu: 0.002 }));
  const plain = await runSolver(epi, { model: 'sir', beta, gamma, N, I0, days: 400 });
  const R0 = beta / gamma;
  near(quantityOf(plain, 'herd_immunity'), await law('EPI3', { R0 }));
  // The law counts those who are infected in the course of the epidemic.
  near((quantityOf(plain, 'final_size') ?? 0) / N - I0 / N, await law('EPI5', { R0, s0: 1 - I0 / N, i0: I0 / N }));
  near((quantityOf(plain, 'peak_infectious') ?? 0) / N, await law('EPI9', { R0, i0: I0 / N, p: 0 }));
});

test('doubling time of SEIR at the start', async () => {
  const sigma = 0.3;
  const solution = await runSolver(epi, { model: 'seir', beta, gamma, sigma, N, I0: 0, days: 10 });
  near(quantityOf(solution, 'doubling_time'), await law('EPI6', { R: beta / gamma, TE: 1 / sigma, TI: 1 / gamma }));
});
