// Recognizes solver requests that compute for longer than a fuzzer has time.

import { LIMITS } from '../../src/core/limits.ts';
import { findSolver } from '../../src/solvers/index.ts';
import { bindSolverBody, type SolverBody } from '../../src/solvers/request.ts';

const MS = 1e6;

/** The solver that an operation runs. */
export const solverOf = (operation: string) => findSolver(operation.replace(/\.solve$/, ''));

/** Names of the operation and the tool that run any solver. */
const STREAMS: ReadonlySet<string> = new Set(['solve.stream', 'stream']);

/** Whether the operation runs a solver, so that its body can be long. */
export const runsSolver = (operation: string) => STREAMS.has(operation) || solverOf(operation) !== undefined;

/**
 * Whether the body would compute for longer. Refused bodies, those beyond the budget among them, do not.
 *
 * @param maxMs  of kernel time; the rest of what the budget allows is the suites' concern
 */
export function isLong(operation: string, body: unknown, maxMs: number): boolean {
  if (STREAMS.has(operation)) return isLongStream(body, maxMs);
  const solver = solverOf(operation);
  if (!solver || typeof body !== 'object' || body === null) return false;
  try {
    const bound = bindSolverBody(solver, body as SolverBody);
    const estimate = bound.kind === 'gate' ? 0 : solver.plan(bound.input as never).estimateNs;
    return estimate > maxMs * MS && estimate <= LIMITS.kernel.budgetNs;
  } catch {
    return false;
  }
}

/** The body of a solver stands beside its name, or in `input`. */
function isLongStream(body: unknown, maxMs: number): boolean {
  if (typeof body !== 'object' || body === null) return false;
  const { solver, input, since: _, ...beside } = body as Record<string, unknown>;
  return isLong(String(solver), { ...beside, ...(typeof input === 'object' ? input : {}) }, maxMs);
}
