import { describe, expect, test } from 'vitest';
import { describeSolver } from '../../scripts/portal/describe-solver.ts';
import { defaultDraft } from '../../src/portal/solve/fields.ts';
import { answerOf, inUnitWords, unitMeanings, unitWordsOf, withUnitWords } from '../../src/portal/solve/unit-words.ts';
import { evolve } from '../../src/solvers/evolve/solver.ts';
import { heat } from '../../src/solvers/heat/solver.ts';
import { SOLVERS } from '../../src/solvers/index.ts';
import { schrodinger } from '../../src/solvers/schrodinger/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

describe('words for units that are scales of the problem', () => {
  test('temperatures are parts of the initial peak, or in the unit of those that were given', () => {
    const solver = describeSolver(heat);
    const wordsFor = (draft: object) => inUnitWords('T', unitWordsOf(solver, { ...defaultDraft(solver), ...draft }));
    expect(wordsFor({})).toBe('of the initial peak');
    expect(wordsFor({ initial: '300 + 50*x' })).toBe('in your unit');
    expect(inUnitWords('s', unitWordsOf(solver, {}))).toBe('s');
  });

  test('arrays and quantities have the words, and all numbers stay', async () => {
    const solution = await runSolver(heat, { dim: 1, nx: 16 });
    const solver = describeSolver(heat);
    const worded = withUnitWords(solution, unitWordsOf(solver, defaultDraft(solver)));
    const units = new Set([...worded.series, ...worded.fields].map(({ unit }) => unit));
    expect([units.has('of the initial peak'), units.has('T'), units.has('m')]).toEqual([true, false, true]);
    expect(worded.series.map(({ data }) => data)).toEqual(solution.series.map(({ data }) => data));
    expect(worded.value).toBe(solution.value);
  });

  test('a unit is explained where it stands in another one, and not where it does not occur', () => {
    const words = unitWordsOf(describeSolver(evolve), {});
    expect(unitMeanings(['epsilon/sigma^3'], words)).toEqual([
      'ε is the depth of the well between two atoms.',
      'σ is the diameter of an atom.',
    ]);
    expect(unitMeanings(['1', 's'], words)).toEqual([]);
  });

  test('the energy of a level has the unit of the inputs, not the name of a dimension', () => {
    const solver = describeSolver(schrodinger);
    const unitOf = (units: string) => answerOf(solver, { ...defaultDraft(solver), units })?.unit;
    expect([unitOf('atomic'), unitOf('eV-nm')]).toEqual(['E_h', 'eV']);
  });

  test('every unit with words is one that its solver seals', async () => {
    const declared = SOLVERS.filter(({ form }) => form?.units !== undefined);
    expect(declared.map(({ id }) => id).toSorted()).toEqual([
      'action',
      'evolve',
      'heat',
      'lotka',
      'schrodinger',
      'wave',
    ]);
    for (const solver of declared.filter(({ id }) => id !== 'evolve')) {
      const { series, fields } = await runSolver(solver, {});
      const sealed = [solver.unit, ...[...series, ...fields].map(({ unit }) => unit)];
      for (const { unit } of solver.form?.units ?? [])
        expect([solver.id, sealed.includes(unit)]).toEqual([solver.id, true]);
    }
  });
});
