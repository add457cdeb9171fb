// Share of answers whose interval holds what others say is true.
//
// test/coverage/<slug>.json holds at least 100 cases per solver against outside truth: closed forms, computations with
// 30 digits, published tables. They are drawn over the whole input space: places off the grid, hidden features and
// extreme scales among them. A case may ask for any number that has a ±.

import { readFileSync } from 'node:fs';
import { DomainError } from '../../src/core/errors.ts';
import type { Solution } from '../../src/solvers/definition.ts';
import { numbersOf } from './solution-parts.ts';

/** Errors below this fraction of the truth, or of its scale, do not count in the median. */
const NEGLIGIBLE = 1e-9;

export interface CoverageCase {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Name of a quantity, or `E[3]`: a number of the series E, whose ± is in `E_uncertainty`. The value if missing. */
  readonly of?: string;
  readonly truth: number;
  /** Size of the numbers that leave the truth, where that is 0; 0 if missing. */
  readonly scale?: number;
  /** Absolute error of the truth itself; 0 if missing. */
  readonly accuracy?: number;
  /** Who says so: a formula, a table, a computation. */
  readonly source: string;
  /** Only in the slow suite. */
  readonly isSlow?: boolean;
}

export interface CoverageResult {
  readonly name: string;
  /** Missing if the case was refused. */
  readonly value?: number;
  readonly uncertainty?: number;
  readonly truth: number;
  readonly isCovered: boolean;
  /** Refused, or answered with `converged: false`. */
  readonly isRefused: boolean;
  readonly reason?: string;
}

export interface Coverage {
  readonly results: readonly CoverageResult[];
  readonly answered: number;
  readonly covered: number;
  readonly refused: number;
  /** NaN if no error is above the negligible. */
  readonly medianRatio: number;
}

export function readCoverageCases(slug: string): readonly CoverageCase[] {
  const text = readFileSync(new URL(`../coverage/${slug}.json`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { readonly cases: readonly CoverageCase[] }).cases;
}

export async function measureCoverage(
  cases: readonly CoverageCase[],
  solve: (input: CoverageCase['input']) => Promise<Solution>,
): Promise<Coverage> {
  // Neighbouring cases often ask one solution for several numbers.
  let last: { readonly input: string; readonly solution: Promise<Solution> } | undefined;
  const solveOnce = (given: CoverageCase['input']) => {
    const input = JSON.stringify(given);
    if (last?.input !== input) last = { input, solution: solve(given) };
    return last.solution;
  };
  const results: CoverageResult[] = [];
  const ratios: number[] = [];
  for (const one of cases) {
    const result = await measureCase(one, solveOnce);
    results.push(result);
    const { value = Number.NaN, uncertainty = Number.NaN, truth, isRefused } = result;
    const error = Math.abs(value - truth);
    if (!isRefused && error > NEGLIGIBLE * Math.max(Math.abs(truth), one.scale ?? 0)) ratios.push(uncertainty / error);
  }
  ratios.sort((a, b) => a - b);
  const answered = results.filter(({ isRefused }) => !isRefused);
  return {
    results,
    answered: answered.length,
    covered: answered.filter(({ isCovered }) => isCovered).length,
    refused: results.length - answered.length,
    medianRatio: ratios[ratios.length >> 1] ?? Number.NaN,
  };
}

async function measureCase(
  { name, input, of, truth, accuracy = 0 }: CoverageCase,
  solve: (input: CoverageCase['input']) => Promise<Solution>,
): Promise<CoverageResult> {
  try {
    const solution = await solve(input);
    const { value, uncertainty = Number.NaN } = numberOf(solution, of);
    const isCovered = Math.abs(value - truth) <= uncertainty + accuracy;
    const isRefused = !solution.converged;
    return { name, value, uncertainty, truth, isCovered, isRefused, ...(isRefused ? { reason: 'not converged' } : {}) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { name, truth, isCovered: false, isRefused: true, reason: `${error.code}: ${error.message}` };
  }
}

/** NaN if the solution has no such number. */
function numberOf(
  solution: Solution,
  of: string | undefined,
): { readonly value: number; readonly uncertainty?: number } {
  if (of === undefined) return solution;
  const [, name = '', index] = /^(\w+)\[(\d+)\]$/.exec(of) ?? [];
  if (index === undefined) return solution.quantities.find((one) => one.name === of) ?? { value: Number.NaN };
  const at = (series: string) => numbersOf(solution, series)[Number(index)] ?? Number.NaN;
  return { value: at(name), uncertainty: at(`${name}_uncertainty`) };
}
