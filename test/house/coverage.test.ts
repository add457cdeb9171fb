import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/compile-kernel.ts';
import { coverage } from '../../scripts/coverage.ts';
import { withSolverTable } from '../../scripts/solver-table.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

test('docs/coverage.md is what `node scripts/coverage.ts` writes', () => {
  expect(readFileSync(`${ROOT}/docs/coverage.md`, 'utf8')).toBe(coverage());
});

test('the table of solvers in README.md is what `node scripts/solver-table.ts` writes', () => {
  const readme = readFileSync(`${ROOT}/README.md`, 'utf8');
  expect(readme).toBe(withSolverTable(readme));
  for (const { id } of SOLVERS) expect(readme).toContain(`\n| ${id} | `);
});
