// Lines of solvers stay within the bar where they can; what the scaffold writes is counted too.

import { expect, test } from 'vitest';
import { allSolverLines, newSolverLines, solverLines } from '../../scripts/solver-lines.ts';
import { SOLVERS } from '../../src/solvers/index.ts';

const MAX_LINES = 1_200;
/** Of the solver that new-solver.ts writes. */
const MAX_FRAME = 400;

test('the frame of a solver, its tests included, is a third of the lines that a small one may have', () => {
  expect(newSolverLines()).toBeGreaterThan(200);
  expect(newSolverLines()).toBeLessThanOrEqual(MAX_FRAME);
});

test.each(['shift', 'protect'])('%s, whose mathematics is short, keeps to the bar with its tests', (slug) => {
  const { parts, sum } = solverLines(slug);
  for (const [part, lines] of Object.entries(parts)) expect(lines, part).toBeGreaterThan(20);
  expect(sum).toBeLessThanOrEqual(MAX_LINES);
});

test('every solver is counted, in all its parts', () => {
  const counted = allSolverLines();
  expect(counted.map(({ slug }) => slug).sort()).toEqual(SOLVERS.map(({ id }) => id).sort());
  for (const { slug, parts } of counted)
    for (const [part, lines] of Object.entries(parts)) expect(lines, `${slug} ${part}`).toBeGreaterThan(0);
});
