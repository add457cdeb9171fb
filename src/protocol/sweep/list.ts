// The runs of all points of a sweep of a solver: one point after the other, independent of each other.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { StagedPlan } from '../../solvers/definition.ts';
import { assertBudget } from '../../solvers/run.ts';
import type { CombinedPlan } from './block.ts';

/** @throws DomainError BUDGET_EXCEEDED for more runs or bytes than a receipt or a node holds */
export function listPlan(plans: readonly StagedPlan[]): CombinedPlan {
  const starts: number[] = [0];
  for (const { runs } of plans) starts.push((starts.at(-1) ?? 0) + runs.length);
  const runs = plans.flatMap((plan) => plan.runs);
  if (runs.some((run) => typeof run === 'function') || plans.some(({ further }) => further !== undefined))
    throw new Error('The runs of a solver are known before the first.');
  assertCount(plans.length, runs.length);
  const sum = (of: (plan: StagedPlan) => number) => plans.reduce((total, plan) => total + of(plan), 0);
  return {
    runs,
    isParallel: true,
    estimateNs: sum(({ estimateNs }) => estimateNs),
    collectNs: sum(({ collectNs = 0 }) => collectNs),
    // All outputs are held until the last run is done.
    estimateBytes: sum(({ estimateBytes }) => estimateBytes),
    outputsOf: (point, outputs) => outputs.slice(starts[point], starts[point + 1]),
  };
}

/**
 * Adds up what the points need while they are planned, so that a sweep that is too long is not planned to its end.
 *
 * @returns throws DomainError BUDGET_EXCEEDED with an estimate for all points
 */
export function roomFor(count: number): (plan: StagedPlan) => void {
  let [points, estimateNs, estimateBytes] = [0, 0, 0];
  const { budgetNs, memoryBytes } = LIMITS.kernel;
  return (plan) => {
    points++;
    estimateNs += plan.estimateNs + (plan.collectNs ?? 0);
    estimateBytes += plan.estimateBytes;
    if (estimateNs <= budgetNs && estimateBytes <= memoryBytes) return;
    const all = count / points;
    const fits = Math.floor(points * Math.min(budgetNs / estimateNs, memoryBytes / estimateBytes));
    const advice = fits === 0 ? 'Not one point fits.' : `About ${fits} of the ${count} points fit.`;
    assertBudget({ estimateNs: all * estimateNs, estimateBytes: Math.round(all * estimateBytes) }, advice);
  };
}

function assertCount(points: number, runs: number): void {
  const { runs: max } = LIMITS.sweep;
  if (runs <= max) return;
  const message = `Limit of ${max} kernel runs in one receipt exceeded: ${points} points need ${runs} runs. Sweep fewer points.`;
  throw new DomainError('BUDGET_EXCEEDED', message, { facts: { runs } });
}
