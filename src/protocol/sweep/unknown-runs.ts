// A sweep with an unknown: at every point a search, and one run of the law over the roots of all points. A point has a row
// where the search proved that there is exactly one root; which of several would be meant, no row can say.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { KernelOutput, KernelRun } from '../../kernels/abi.ts';
import type { Solution, StagedPlan } from '../../solvers/definition.ts';
import type { Computation } from '../computation.ts';
import { assertFewSamples, type CombinedPlan, joined, rowsBetween } from './block.ts';
import { type Point, pointwise } from './pointwise.ts';
import { orRefusal, type PointRuns } from './sweep-computation.ts';

/** Of ± of a root. */
const NS_PER_ROOT = 200_000;

/** @param pointAt  throws the refusal of a point. @throws DomainError BUDGET_EXCEEDED for too many points */
export function unknownRuns(count: number, pointAt: (index: number) => Computation): PointRuns {
  const { unknowns: max } = LIMITS.sweep;
  if (count > max) {
    const message = `Limit of ${max} points of a sweep with solve_for exceeded: ${count} are asked for, and each is searched by itself.`;
    throw new DomainError('BUDGET_EXCEEDED', message, { facts: { points: count } });
  }
  const pointOf = (index: number): Point => {
    const computation = orRefusal(() => pointAt(index));
    return computation instanceof DomainError
      ? { refusal: computation }
      : { computation: { ...computation, collect: (outputs) => onlyRoot(computation.collect(outputs)) } };
  };
  return pointwise(() => Array.from({ length: count }, (_, index) => pointOf(index)), joinedPlan);
}

/** @throws DomainError ROOT_NOT_UNIQUE */
function onlyRoot(solution: Solution): Solution {
  const { complete, quantities } = solution;
  if (complete === true && quantities.length === 1) return solution;
  const found = quantities.map(({ value, unit }) => `${value} ${unit === '1' ? '' : unit}`.trim()).join(', ');
  const message =
    quantities.length > 1
      ? `Several numbers of the range are roots: ${found}. A sweep lists points with exactly one; solve for one point to see all.`
      : `${found} is a root, but the search did not prove that it is the only one of the range.`;
  throw new DomainError('ROOT_NOT_UNIQUE', message, {
    details: [{ path: 'solve_for', code: 'ROOT_NOT_UNIQUE', message }],
  });
}

/** The runs of all roots, which are of one law, as one; then the samples that a root needs. */
function joinedPlan(plans: readonly StagedPlan[]): CombinedPlan {
  const own = plans.map(({ runs }) =>
    runs.map((run): KernelRun => {
      if (typeof run === 'function') throw new Error('A law alone is fed by no other.');
      return run;
    }),
  );
  const all = own.flat();
  /** First row of each run, and the end; first run of each point, and the end. */
  const rows = running(all.map(({ steps }) => steps));
  const starts = running(own.map(({ length }) => length));
  const sliced = (point: number, output: KernelOutput) =>
    (own[point] ?? []).map((_, at) => {
      const run = (starts[point] ?? 0) + at;
      return rowsBetween(output, rows[run] ?? 0, rows[run + 1] ?? 0);
    });
  let drawn: { readonly runs: readonly KernelRun[]; readonly starts: readonly number[] } | undefined;
  const samplesOf = (output: KernelOutput) => {
    if (drawn !== undefined) return drawn;
    const runs = plans.map((plan, point) => plan.further?.(sliced(point, output)) ?? []);
    drawn = { runs: runs.flat(), starts: running(runs.map(({ length }) => length)) };
    return drawn;
  };
  const outputOf = ([output]: readonly KernelOutput[]): KernelOutput => {
    if (output === undefined) throw new Error('The law was not run.');
    return output;
  };
  return {
    runs: [joined(all)],
    further: (before) => {
      const { runs } = samplesOf(outputOf(before));
      assertFewSamples(runs);
      return runs;
    },
    estimateNs: plans.reduce((sum, { firstNs, estimateNs }) => sum + (firstNs ?? estimateNs), 0),
    collectNs: all.length * NS_PER_ROOT,
    estimateBytes: plans.reduce((most, { estimateBytes }) => Math.max(most, estimateBytes), 0),
    outputsOf: (point, outputs) => {
      const own = outputOf(outputs);
      const samples = samplesOf(own).starts;
      return [...sliced(point, own), ...outputs.slice(1 + (samples[point] ?? 0), 1 + (samples[point + 1] ?? 0))];
    },
  };
}

/** The sums of all before each, and of all. */
function running(lengths: readonly number[]): readonly number[] {
  const sums = [0];
  for (const length of lengths) sums.push((sums.at(-1) ?? 0) + length);
  return sums;
}
