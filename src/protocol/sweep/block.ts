// The runs of all points of a sweep of laws: one evaluation of a block of rows for each operator, then the samples of
// the points whose ± the first order does not cover.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { INFO, type KernelOutput, type KernelRun } from '../../kernels/abi.ts';
import { runAt, type StagedPlan } from '../../solvers/definition.ts';

/** The runs of every point as one plan, and the way back from its outputs to those of a point. */
export interface CombinedPlan extends StagedPlan {
  /** The outputs of the runs of one point, in the order of its own plan. */
  outputsOf(point: number, outputs: readonly KernelOutput[]): readonly KernelOutput[];
}

/** Of the samples, which are drawn after the first order has failed. */
const NS_PER_WORD = 12;

/** @param plans  of the same operators; each run of a point evaluates rows */
export function blockPlan(plans: readonly StagedPlan[]): CombinedPlan {
  const [first] = plans;
  if (first === undefined) throw new Error('A block has at least one point.');
  const stages = first.runs.length;
  /** First row of each point, in every run. */
  const offsets: number[] = [];
  /** Samples of each point, known after the first runs, and where they begin. */
  let drawn: { readonly runs: readonly (readonly KernelRun[])[]; readonly starts: readonly number[] } | undefined;
  const sliced = (point: number, outputs: readonly KernelOutput[]) =>
    outputs.map((output) => rowsBetween(output, offsets[point] ?? 0, offsets[point + 1] ?? 0));
  const block = (stage: number, before: readonly KernelOutput[]): KernelRun => {
    const runs = plans.map((plan, point) => {
      const run = runAt(plan, stage, stage === 0 ? [] : sliced(point, before.slice(0, stage)));
      if (run === undefined) throw new Error('Every point has the same operators.');
      return run;
    });
    if (stage === 0) {
      let row = 0;
      offsets.length = 0;
      for (const { steps } of runs) {
        offsets.push(row);
        row += steps;
      }
      offsets.push(row);
    }
    return joined(runs);
  };
  const samplesOf = (before: readonly KernelOutput[]) => {
    if (drawn !== undefined) return drawn;
    const own = plans.map((plan, point) => plan.further?.(sliced(point, before.slice(0, stages))) ?? []);
    const starts = [stages];
    for (const { length } of own) starts.push((starts.at(-1) ?? 0) + length);
    drawn = { runs: own, starts };
    return drawn;
  };
  return {
    runs: [
      block(0, []),
      ...Array.from({ length: stages - 1 }, (_, at) => (before: readonly KernelOutput[]) => block(at + 1, before)),
    ],
    further: (before) => {
      const all = samplesOf(before).runs.flat();
      assertFewSamples(all);
      return all;
    },
    estimateNs: plans.reduce((sum, { firstNs, estimateNs }) => sum + (firstNs ?? estimateNs), 0),
    estimateBytes: plans.reduce((sum, { estimateBytes }) => Math.max(sum, estimateBytes), 0),
    outputsOf: (point, outputs) => {
      const { starts } = samplesOf(outputs);
      return [...sliced(point, outputs.slice(0, stages)), ...outputs.slice(starts[point], starts[point + 1])];
    },
  };
}

/** Runs of the same program over the rows of all. */
export function joined(runs: readonly KernelRun[]): KernelRun {
  const [first] = runs;
  if (first === undefined) throw new Error('A block has at least one run.');
  const rows = runs.reduce((sum, { steps }) => sum + steps, 0);
  const slots = new Float64Array(rows * (first.parameters.slots ?? 0));
  let at = 0;
  for (const { inputs } of runs) {
    const own = inputs?.slots ?? new Float64Array();
    slots.set(own, at);
    at += own.length;
  }
  return { ...first, parameters: { ...first.parameters, rows }, inputs: { ...first.inputs, slots }, steps: rows };
}

/** The rows from one to before another. Behind the row at which the machine stopped, a point has none. */
export function rowsBetween(output: KernelOutput, from: number, to: number): KernelOutput {
  const { info, steps, views } = output;
  const values = views.values?.subarray(from, to);
  const own = values === undefined ? output : { ...output, views: { ...views, values } };
  return info === INFO.capacity
    ? { ...own, info: steps >= to ? INFO.ok : info, steps: Math.max(0, Math.min(steps, to) - from) }
    : { ...own, steps: to - from };
}

/** @throws DomainError BUDGET_EXCEEDED for more samples than a receipt or a node takes */
export function assertFewSamples(runs: readonly KernelRun[]): void {
  const { runs: max } = LIMITS.sweep;
  const ns = runs.reduce((sum, { steps, parameters }) => sum + steps * (parameters.codeWords ?? 0) * NS_PER_WORD, 0);
  if (runs.length < max && ns <= LIMITS.kernel.budgetNs) return;
  const message = `The first order does not cover ± at ${runs.length} points, which need ${runs.length} runs of samples and about ${(ns / 1e9).toPrecision(3)} s; at most ${max - 1} runs and ${LIMITS.kernel.budgetNs / 1e9} s are allowed. Sweep fewer points, or give smaller uncertainties.`;
  throw new DomainError('BUDGET_EXCEEDED', message, { facts: { sampled_points: runs.length } });
}
