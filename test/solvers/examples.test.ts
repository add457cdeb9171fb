// Problems that forms offer to start from: each one is what it says, fits into a link, and has a result to look at.

import { describe, expect, test } from 'vitest';
import { describeSolver } from '../../scripts/portal/describe-solver.ts';
import { parseDraft } from '../../src/portal/solve/fields.ts';
import { draftFromSearch, draftOf, urlOf } from '../../src/portal/solve/url.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { plotFault } from '../../src/solvers/plot-fault.ts';
import { runSolver } from '../suites/run-solver.ts';

describe.each(SOLVERS.map((solver) => ({ id: solver.id, solver })))('examples of $id', ({ solver }) => {
  const description = describeSolver(solver);
  const examples = solver.form?.examples ?? [];

  test('are several, with titles of their own', () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
    expect(new Set(examples.map(({ title }) => title)).size).toBe(examples.length);
  });

  test.each(examples.map(({ title, input }) => [title, input] as const))('%s', async (_, input) => {
    const link = urlOf(description, draftOf(description, input));
    const draft = draftFromSearch(description, new URL(link, 'http://localhost').search);
    const { input: read, faults } = parseDraft(description, draft);
    expect(faults).toEqual({});
    expect(solver.inputs.parse(read)).toEqual(solver.inputs.parse(input));
    const solution = await runSolver(solver, read);
    expect(solution.converged).toBe(true);
    const arrays = [...solution.series, ...solution.fields];
    expect(solution.plots.length).toBeGreaterThan(0);
    expect(solution.plots.map((plot) => plotFault(plot, arrays))).toEqual(solution.plots.map(() => undefined));
  });
});
