// Problems that forms offer to start from: each one is what it says, fits into a link, and has a result to look at.

import { describe, expect, test } from 'vitest';
import { describeSolver } from '../../scripts/portal/describe-solver.ts';
import { parseDraft } from '../../src/portal/solve/fields.ts';
import { draftFromSearch, draftOf, urlOf } from '../../src/portal/solve/url.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { arrayNames, type Plot } from '../../src/solvers/plot.ts';
import { plotFault } from '../../src/solvers/plot-fault.ts';
import { inWords } from '../../src/solvers/plot-words.ts';
import { runSolver } from '../suites/run-solver.ts';

/** Solvers whose arrays have the names that their users gave. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['unified']);

/** The names that a picture writes beside axes, curves and columns; those of frames it shortens itself. */
function readNames(plot: Plot): string[] {
  switch (plot.kind) {
    case 'line':
      return [plot.x, ...plot.y].filter(isNoFrame);
    case 'field':
      return [plot.x, plot.y ?? '', plot.values].filter(isNoFrame);
    case 'phase':
      return [plot.x, plot.y];
    case 'histogram':
      return [plot.edges, plot.counts];
    case 'bars':
      return [plot.x ?? '', ...plot.y];
    case 'network':
      return [plot.values ?? '', plot.flows ?? '', plot.loads ?? ''];
    case 'table':
      return [...plot.columns];
    default:
      return [];
  }
}

/** `E_c` or `log10_slope`; pictures write `first_start` as two words. */
const isCode = (name: string) =>
  name.includes('_') && name.split('_').some((part) => /^(.|dc|[a-z]+\d.*)$/.test(part) && !/^\d+$/.test(part));

const isNoFrame = (name: string) => !/^frame_[xyt]$/.test(name);

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
    // What a reader sees: as drawn in words, each array has a name of its own, and none that only a program would use.
    for (const plot of solution.plots) {
      const shown = inWords(plot, arrays);
      expect(plotFault(shown.plot, shown.arrays)).toBeUndefined();
      const [names, words] = [new Set(arrayNames(plot)), new Set(arrayNames(shown.plot))];
      expect(words.size, `${plot.title}: ${[...words].join(', ')}`).toBe(names.size);
      expect(
        readNames(shown.plot).filter((name) => isCode(name) && !OF_PEOPLE.has(solver.id)),
        plot.title,
      ).toEqual([]);
    }
  });
});
