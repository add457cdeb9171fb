// Sums in sums, 12 characters each, whose cost took time that doubled with each level to count: an equation of 640
// characters stopped a node for ever. Work is counted in visits of the innermost term.

import { expect, test } from 'vitest';
import { operationCount } from '../../src/expressions/operation-count.ts';
import type { Expression } from '../../src/expressions/tree.ts';
import { unified } from '../../src/solvers/unified/solver.ts';

const at = { start: 0, end: 0 };
const literal = (value: number): Expression => ({ kind: 'number', value, ...at });

test('the operations of sums in sums are counted with one visit of each node', () => {
  let visits = 0;
  const leaf = {
    ...at,
    name: 'x',
    get kind() {
      visits++;
      return 'symbol' as const;
    },
  };
  let nested: Expression = leaf;
  for (let level = 0; level < 12; level++)
    nested = { kind: 'sum', index: 'i', from: literal(1), to: literal(2), term: nested, ...at };
  // Each level counts itself, its two bounds and its term twice: c(n) = 3 + 2 c(n - 1), c(0) = 1.
  expect(operationCount(nested)).toBe(4 * 2 ** 12 - 3);
  expect(visits).toBeLessThan(10);
});

test('an equation of fifty sums in sums is refused for its time', async () => {
  const nested = `${'sum(i,1,2,'.repeat(50)}x${')'.repeat(50)}`;
  await expect(
    unified.solve({ mode: 'ode', equations: [`x' = ${nested}`], initial: { x: 1 }, t_end: 0.1 }),
  ).rejects.toThrow('Time limit');
});
