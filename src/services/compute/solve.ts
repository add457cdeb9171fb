// A solver's route: what the body means, before the seven steps take it.

import type { SealedDefinition } from '../../operators/definition.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { type Bound, solverComputation } from '../../protocol/computation.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import { bindSolverBody, type SolverBody } from '../../solvers/request.ts';
import type { SolverDefinition } from '../../solvers/solver.ts';
import type { Principal } from '../access/access.ts';
import type { SevenSteps } from './seven-steps.ts';

export interface SolveCall {
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** File the run even without a folder: an Idempotency-Key came with it. */
  readonly isFiled: boolean;
}

/** A solver's call costs one token. */
const TOKENS = 1;

export class SolveService {
  readonly #steps: SevenSteps;
  readonly #definition: (id: string) => SealedDefinition;

  /** @param definition  throws for an operator that the registry does not hold */
  constructor(steps: SevenSteps, definition: (id: string) => SealedDefinition) {
    this.#steps = steps;
    this.#definition = definition;
  }

  /**
   * @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED, PRECISION_REFUSED (strict), and whatever the solver's plan or
   *   the pool refuses
   */
  run(solver: SolverDefinition, body: SolverBody, call: SolveCall): Promise<Envelope | GateAnswer> {
    const { principal, signal, onProgress, isFiled } = call;
    const { folder } = body;
    const { keyPrefix, keyId: owner, accountId } = principal;
    const file = folder !== undefined || isFiled ? { accountId, folder } : undefined;
    return this.#steps.run(
      { kernel: solver.id, select: () => () => this.#bind(solver, body), isStrict: body.strict === true },
      { keyPrefix, owner, signal, onProgress, tokens: TOKENS, file },
    );
  }

  #bind(solver: SolverDefinition, body: SolverBody): Bound {
    const named = solver.open ? (body.operators ?? []).filter((id) => id !== PULSE_OPERATOR) : [];
    const laws = [...new Set(named)].map(this.#definition);
    const bound = bindSolverBody(solver, body, laws);
    if (bound.kind === 'gate') {
      const { unrecognised, accepted } = bound;
      const reason = `${solver.id} takes no ${unrecognised.join(', ')}`;
      return { kind: 'gate', gated: solver, gate: { reason, unrecognised, accepted } };
    }
    const { input, consts, notes } = bound;
    const definitions = [...solver.operatorChain.map(this.#definition), ...laws];
    return { kind: 'bound', computation: solverComputation(solver, { input, consts, definitions }), notes };
  }
}
