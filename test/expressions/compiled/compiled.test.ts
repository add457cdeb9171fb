import { beforeAll, expect, test } from 'vitest';
import { EXPRESSION_KERNEL } from '../../../src/expressions/evaluate.ts';
import { compileKernel, instantiate, type KernelInstance } from '../../../src/kernels/instance.ts';
import { loadKernel } from '../../../src/kernels/load-node.ts';
import { compareProgram } from './compare.ts';

/** With SVC_SLOW=1 (npm run test:slow) the full number. */
const PROGRAMS = process.env.SVC_SLOW === '1' ? 10_000 : 600;
const ROWS = 100;

let instance: KernelInstance;
beforeAll(async () => {
  instance = instantiate(await compileKernel(await loadKernel(EXPRESSION_KERNEL)));
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
