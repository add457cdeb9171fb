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
export function commonOf(count: number, pointAt: (index: number) => Point): Computation {
  let first: DomainError | undefined;
  for (let index = 0; index < count; index++) {
    const point = pointAt(index);
    if ('computation' in point) return point.computation;
    first ??= point.refusal;
  }
  throw allRefused(first, count);
}

/**
 * @param pointsOf  called once, with the plan; a point is read when the one before is planned
 * @param combine  the plans of the points that have one
 * @param assertRoom  called with each plan; it throws where those so far need too much
 */
export function pointwise(
  pointsOf: () => Iterable<Point>,
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
  points: Iterable<Point>,
  combine: (plans: readonly StagedPlan[]) => CombinedPlan,
  assertRoom: (plan: StagedPlan) => void,
): PlannedPoints {
  const plans: StagedPlan[] = [];
  const planned: Planned[] = [];
  // One at a time: what is refused holds no input.
  for (const point of points) planned.push(planPoint(point, plans, assertRoom));
  if (plans.length === 0) throw allRefused(planned.find((point) => 'refusal' in point)?.refusal, planned.length);
  return { points: planned, plan: combine(plans) };
}

function planPoint(point: Point, plans: StagedPlan[], assertRoom: (plan: StagedPlan) => void): Planned {
  if ('refusal' in point) return { refusal: withoutFrames(point.refusal) };
  const { computation } = point;
  const plan = orRefusal(() => computation.plan());
  if (plan instanceof DomainError) return { refusal: withoutFrames(plan) };
  assertRoom(plan);
  return { computation, at: plans.push(plan) - 1 };
}

/** The frames of an error hold what threw it, for example all lines of a mesh, until its stack is read. */
function withoutFrames({ code, message, details, facts }: DomainError): DomainError {
  return new DomainError(code, message, { details, ...(facts === undefined ? {} : { facts }) });
}
