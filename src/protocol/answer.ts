// The answer of a computation from the outputs of its runs, and the plain data from which another thread makes the same.

import type { KernelImage, KernelOutput, KernelRunner } from '../kernels/abi.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { Selection } from '../operators/selection.ts';
import type { Solution, SolverDefinition } from '../solvers/definition.ts';
import { assertBudget, runPlan } from '../solvers/run.ts';
import type { LinkedBytes } from './array-results.ts';
import { COMPUTE } from './chain-computation.ts';
import { bindComputation, type ChainRequest } from './chain-request.ts';
import { type Computation, solverComputation } from './computation.ts';
import { type Executed, type PureFields, pureFields } from './pure-fields.ts';
import { bindLawSweep } from './sweep/law-sweep.ts';
import { type PointFields, pointFieldsOf, pointsOf } from './sweep/points.ts';
import { solverSweep } from './sweep/solver-sweep.ts';

export interface Answer {
  readonly pure: PureFields;
  readonly linked: readonly LinkedBytes[];
  /** What the envelope needs besides: notes, and the first two series. */
  readonly solution: Pick<Solution, 'series' | 'notes'>;
}

/**
 * @param isComplete  hold the bytes of every array instead of hashes and links
 * @throws DomainError  as `collect` and `pureFields`
 */
export function answerOf(computation: Computation, executed: Executed, isComplete: boolean): Answer {
  const solution = computation.collect(executed.outputs);
  const { pure, linked } = pureFields(computation, executed, solution, isComplete);
  return { pure, linked, solution: { series: solution.series.slice(0, 2), notes: solution.notes } };
}

/**
 * Plan, runs and answer of a computation in one thread.
 *
 * @throws DomainError BUDGET_EXCEEDED, and as the plan, the runner and `answerOf`
 */
export async function computeWhole(
  computation: Computation,
  image: KernelImage,
  runner: KernelRunner,
  isComplete: boolean,
): Promise<Answer> {
  const plan = computation.plan();
  assertBudget(plan);
  const executed = { kernelSha256: image.sha256, ...(await runPlan(plan, image, runner)) };
  return answerOf(computation, executed, isComplete);
}

/** A computation that was bound, as plain data. */
export type ComputationRequest = (
  | { readonly kind: 'chain'; readonly chain: ChainRequest; readonly isUnbound?: boolean }
  | {
      readonly kind: 'solver';
      readonly id: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly consts: Readonly<Record<string, number>>;
      readonly definitions: readonly SealedDefinition[];
    }
) &
  PointFields;

export function requestOf(computation: Computation): ComputationRequest {
  const { id, domain, definitions, selection, input, consts, options = {} } = computation;
  const points = pointFieldsOf(computation);
  if (id !== COMPUTE) return { kind: 'solver', id, input, consts, definitions, ...points };
  if (selection === undefined) throw new Error('A chain of operators has no selection.');
  const { units = {}, uncertainties = {}, detail, as, solve_for: solveFor } = options;
  // Inputs of a chain are numbers.
  const given = { inputs: input as Readonly<Record<string, number>>, consts, units, uncertainties };
  return {
    kind: 'chain',
    chain: { domain, definitions, selection: selection as Selection, given, detail, as, solveFor },
    ...(computation.isUnbound === true ? { isUnbound: true } : {}),
    ...points,
  };
}

/**
 * The computation of a request.
 *
 * @param findSolver  the solvers of this program
 */
export function computationOf(
  request: ComputationRequest,
  findSolver: (id: string) => SolverDefinition | undefined,
): Computation {
  const points = pointsOf(request);
  if (request.kind === 'chain') {
    const bound = points === undefined ? bindComputation(request.chain) : bindLawSweep({ ...request.chain, points });
    // It was bound before its kernel ran, so it binds again.
    if (bound.kind === 'gate') throw new Error(bound.gate.reason);
    return request.isUnbound === true ? withNotes(bound.computation, bound.notes) : bound.computation;
  }
  const { id, input, consts, definitions } = request;
  const solver = findSolver(id);
  if (solver === undefined) throw new Error(`There is no solver ${id}.`);
  const solved = { input, consts, definitions };
  return points === undefined ? solverComputation(solver, solved) : solverSweep(solver, solved, points);
}

const withNotes = (computation: Computation, notes: readonly string[]): Computation => ({
  ...computation,
  collect: (outputs) => {
    const solution = computation.collect(outputs);
    return { ...solution, notes: [...notes, ...solution.notes] };
  },
});

/** The buffers of outputs that nothing else uses, so that posting them need not copy. */
export function buffersOf(outputs: readonly KernelOutput[]): ArrayBuffer[] {
  const views = outputs.flatMap(({ views: byName }) => Object.values(byName).flatMap((view) => view ?? []));
  const whole = views.filter(({ byteLength, buffer }) => byteLength === buffer.byteLength);
  return [...new Set(whole.map(({ buffer }) => buffer as ArrayBuffer))];
}
