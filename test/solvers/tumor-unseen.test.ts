// A radius of 0 where no grid reaches the threshold of an image: what a finer grid shows lies within its ±.

import { expect, test } from 'vitest';
import { findSolver } from '../../src/solvers/index.ts';
import { runSolver } from '../suites/run-solver.ts';

async function endOf(nx: number, t1: number) {
  const solver = findSolver('tumor');
  if (solver === undefined) throw new Error('There is no solver tumor.');
  const { quantities = [], series } = await runSolver(solver, { nx, L: 6, t_end: 400, t1 });
  const radius = (name: string) => quantities.find((one) => one.name === name);
  return { inner: radius('radius_t1gd_end'), level: radius('radius_end'), peak: series.find((s) => s.name === 'peak') };
}

test('far above the peak of every grid nothing is seen, without a ±', async () => {
  const { inner } = await endOf(64, 0.72);
  expect(inner).toMatchObject({ value: 0, uncertainty: 0 });
  expect((await endOf(256, 0.72)).inner?.value).toBe(0);
});

test('just above the peak of every grid ± reaches as far as the next lower threshold', async () => {
  const { peak } = await endOf(64, 0.72);
  const last = Number(peak?.data.at(-1));
  const { inner, level } = await endOf(64, last * (1 + 1e-9));
  expect(inner?.value).toBe(0);
  expect(inner?.uncertainty).toBe((level?.value ?? 0) + (level?.uncertainty ?? 0));
  const finer = (await endOf(256, last * (1 + 1e-9))).inner?.value ?? Number.NaN;
  expect(finer).toBeLessThanOrEqual(inner?.uncertainty ?? 0);
});
