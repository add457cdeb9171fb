// The runs of a sweep whose points are computations of their own, combined into one plan.

import { DomainError } from '../../core/errors.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution, StagedPlan } from '../../solvers/definition.ts';
import type { Computation } from '../computation.ts';
import { isConverged } from '../convergence.ts';
import type { CombinedPlan } from './block.ts';
import { allRefused, orRefusal, type PointRuns } from './sweep-computation.ts';

/** The computation of a point, or why it is refused. */
export type Point = { readonly computation: Computation } | { readonly refusal: DomainError };

/** A point with the place of its runs in the combined plan. */
type Planned = { readonly computation: Computation; readonly at: number } | { readonly refusal: DomainError };

interface PlannedPoints {
  readonly points: readonly Planned[];
  readonly plan: CombinedPlan;
}

/** @throws DomainError  the refusal of the first point, if all are refused */
export function commonOf(points: readonly Point[]): Computation {
  const first = points.find((point) => 'computation' in point);
  if (first !== undefined) return first.computation;
  throw allRefused(points.find((point) => 'refusal' in point)?.refusal, points.length);
}

/**
 * @param pointsOf  called once, with the plan
 * @param combine  the plans of the points that have one
 * @param assertRoom  called with each plan; it throws where those so far need too much
 */
export function pointwise(
  pointsOf: () => readonly Point[],
  combine: (plans: readonly StagedPlan[]) => CombinedPlan,
  assertRoom: (plan: StagedPlan) => void = () => {},
): PointRuns {
  let planned: PlannedPoints | undefined;
  const plannedOnce = () => {
    planned ??= planPoints(pointsOf(), combine, assertRoom);
    return planned;
  };
  /** The last one that was asked for, so that the last row is not found twice. */
  let last:
    | { readonly index: number; readonly outputs: readonly KernelOutput[]; readonly solution: Solution }
    | undefined;
  const solutionAt = (index: number, outputs: readonly KernelOutput[]): Solution => {
    if (last?.index === index && last.outputs === outputs) return last.solution;
    const { points: all, plan } = plannedOnce();
    const point = all[index];
    if (point === undefined || 'refusal' in point) throw point?.refusal ?? new Error(`There is no point ${index}.`);
    const solution = point.computation.collect(plan.outputsOf(point.at, outputs));
    last = { index, outputs, solution };
    return solution;
  };
  return {
    plan: () => plannedOnce().plan,
    solutionAt,
    rowAt: (index, outputs) => {
      const point = plannedOnce().points[index];
      if (point !== undefined && 'refusal' in point) return point.refusal;
      const solution = solutionAt(index, outputs);
      const { value, uncertainty } = solution;
      return { value, uncertainty, isConverged: isConverged(solution) };
    },
  };
}

function planPoints(
  points: readonly Point[],
  combine: (plans: readonly StagedPlan[]) => CombinedPlan,
  assertRoom: (plan: StagedPlan) => void,
): PlannedPoints {
  const plans: StagedPlan[] = [];
  const planned = points.map((point): Planned => {
    if ('refusal' in point) return point;
    const { computation } = point;
    const plan = orRefusal(() => computation.plan());
    if (plan instanceof DomainError) return { refusal: plan };
    assertRoom(plan);
    return { computation, at: plans.push(plan) - 1 };
  });
  if (plans.length === 0) throw allRefused(planned.find((point) => 'refusal' in point)?.refusal, points.length);
  return { points: planned, plan: combine(plans) };
}
