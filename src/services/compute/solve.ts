// Solve service: binds the body of a solver request, then runs the seven steps.

import type { Clock } from '../../core/clock.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { type Bound, solverComputation } from '../../protocol/computation.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import { bindSolverSweep, hasPoints } from '../../protocol/sweep/solver-request.ts';
import { withClock } from '../../solvers/clock-input.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import { bindSolverBody, type SolverBody } from '../../solvers/request.ts';
import type { Principal } from '../access/access.ts';
import type { Billed, SevenSteps } from './seven-steps.ts';

export interface SolveCall {
  readonly principal: Principal;
  /** Whose share of the pools the call uses. */
  readonly tenant: string;
  readonly signal: AbortSignal;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** File the run even without a folder, because the request has an Idempotency-Key. */
  readonly isFiled: boolean;
}

/** One for each result: of a sweep, one for every point. */
const solverTokens = ({ points }: Billed) => points;

export class SolveService {
  readonly #steps: SevenSteps;
  readonly #definition: (id: string) => SealedDefinition;
  readonly #clock: Clock;

  /** @param definition  throws for an unknown operator */
  constructor(steps: SevenSteps, definition: (id: string) => SealedDefinition, clock: Clock) {
    this.#steps = steps;
    this.#definition = definition;
    this.#clock = clock;
  }

  /**
   * @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED, PRECISION_REFUSED (strict), and the errors of the solver's
   *   plan and the pool
   */
  run(solver: SolverDefinition, body: SolverBody, call: SolveCall): Promise<Envelope | GateAnswer> {
    const { principal, tenant, signal, onProgress, isFiled } = call;
    const { folder } = body;
    const { keyPrefix, accountId } = principal;
    const file = folder !== undefined || isFiled ? { accountId, folder } : undefined;
    return this.#steps.run(
      {
        kernel: solver.id,
        select: () => () => this.#bind(solver, body),
        isStrict: body.strict === true,
        isSelfContained: body.self_contained === true,
      },
      { keyPrefix, tenant, signal, onProgress, tokens: solverTokens, file },
    );
  }

  #bind(solver: SolverDefinition, request: SolverBody): Bound {
    const body = withClock(solver, request, () => this.#clock.now());
    const requested = solver.open ? (body.operators ?? []).filter((id) => id !== PULSE_OPERATOR) : [];
    const laws = [...new Set(requested)].map(this.#definition);
    const definitions = [...solver.operatorChain.map(this.#definition), ...laws];
    const bound = hasPoints(body)
      ? bindSolverSweep(solver, body, { laws, definitions })
      : bindSolverBody(solver, body, laws);
    if (bound.kind === 'gate') {
      const { unrecognised, accepted } = bound;
      const reason = `${solver.id} takes no ${unrecognised.join(', ')}`;
      return { kind: 'gate', gated: solver, gate: { reason, unrecognised, accepted } };
    }
    if ('computation' in bound) return bound;
    const { input, consts, notes } = bound;
    return { kind: 'bound', computation: solverComputation(solver, { input, consts, definitions }), notes };
  }
}
