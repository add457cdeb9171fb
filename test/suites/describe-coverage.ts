// The gate of ±: the interval of an answer holds what others say is true (coverage.ts).

import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { type CoverageCase, measureCoverage, readCoverageCases } from './coverage.ts';
import { runSolver } from './run-solver.ts';

/** Minimum number of cases of a solver. */
const MIN_CASES = 100;
/** Estimated kernel time of the cases beyond the minimum, in the short suite. */
const SHORT_NS = 4e9;
/** Share of the answers whose interval holds the truth. */
const MIN_COVERED = { deterministic: 0.99, stochastic: 0.9 } as const;
/** Share of cases that are refused or not converged although the problem is well posed. */
const MAX_REFUSED = 0.02;
/** Median of ± over the error. */
const RATIO = { min: 1, max: 20 } as const;

/**
 * Declares the tests of a solver. Cases marked as slow, and the longest beyond the minimum, run in the slow suite only.
 *
 * @param set         the name of the cases in test/coverage, where a solver has more than one set
 * @param maxRefused  where a set aims at what is hard to answer
 */
export function describeCoverage<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  kind: keyof typeof MIN_COVERED,
  solve = (input: CoverageCase['input']) => runSolver(solver, input as z.input<Shape>),
  { set = solver.id, maxRefused = MAX_REFUSED }: { readonly set?: string; readonly maxRefused?: number } = {},
): void {
  describe(`coverage of ${set}`, () => {
    const cases = readCoverageCases(set);

    test(`has ${MIN_CASES} cases with a source each`, () => {
      expect(cases.length).toBeGreaterThanOrEqual(MIN_CASES);
      expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
      expect(cases.filter(({ source }) => source.length < 10)).toEqual([]);
    });

    test('the interval holds the truth', async () => {
      const chosen = process.env.SVC_SLOW === '1' ? cases : shortest(solver, cases);
      const { results, answered, covered, refused, medianRatio } = await measureCoverage(chosen, solve);
      const missed = results.filter(({ isCovered, isRefused }) => !isCovered && !isRefused);
      const refusals = results.filter(({ isRefused }) => isRefused);
      expect(covered / answered, `missed: ${JSON.stringify(missed)}`).toBeGreaterThanOrEqual(MIN_COVERED[kind]);
      expect(refused / chosen.length, `refused: ${JSON.stringify(refusals)}`).toBeLessThanOrEqual(maxRefused);
      if (Number.isNaN(medianRatio)) return;
      expect(medianRatio, 'median of ± over the error').toBeGreaterThanOrEqual(RATIO.min);
      expect(medianRatio, 'median of ± over the error').toBeLessThanOrEqual(RATIO.max);
    });
  });
}

/** The minimum of cases, those that take least, and more as long as all together are short. */
function shortest<Shape extends z.ZodObject>(
  solver: SolverDefinition<Shape>,
  cases: readonly CoverageCase[],
): readonly CoverageCase[] {
  let together = 0;
  return cases
    .filter(({ isSlow = false }) => !isSlow)
    .map((one) => ({ one, ns: estimateOf(solver, one) }))
    .sort((a, b) => a.ns - b.ns)
    .filter(({ ns }, index) => {
      together += ns;
      return index < MIN_CASES || together <= SHORT_NS;
    })
    .map(({ one }) => one);
}

/** 0 if the plan refuses, as the run will. */
function estimateOf<Shape extends z.ZodObject>(solver: SolverDefinition<Shape>, { input }: CoverageCase): number {
  const parsed = solver.inputs.safeParse(input);
  try {
    return parsed.success ? solver.plan(parsed.data).estimateNs : 0;
  } catch {
    return 0;
  }
}
