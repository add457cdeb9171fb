// Solve service: binds the body of a solver request, then runs the seven steps.

import type { Clock } from '../../core/clock.ts';
import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import { findDomain } from '../../operators/find-domain.ts';
import { PULSE_OPERATOR } from '../../operators/operator.ts';
import { type Bound, solverComputation } from '../../protocol/computation.ts';
import { gateRefusal } from '../../protocol/compute-here.ts';
import { selectComputation } from '../../protocol/compute-request.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import { receiptSha256 } from '../../protocol/seal.ts';
import { bindSolverSweep, hasPoints } from '../../protocol/sweep/solver-request.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import { withClock } from '../../solvers/clock-input.ts';
import { type LawRequest, withComputedLaws } from '../../solvers/computed-laws.ts';
import type { SolverDefinition } from '../../solvers/definition.ts';
import { findSolver } from '../../solvers/index.ts';
import { bindSolverBody, type SolverBody } from '../../solvers/request.ts';
import { currentCall } from '../../storage/node/idempotency.ts';
import type { Principal } from '../access/access.ts';
import type { LongRunControls, LongRunRequest, LongRuns } from './long-runs.ts';
import type { Call, SevenSteps } from './seven-steps.ts';

export interface SolveCall {
  readonly principal: Principal;
  /** Whose share of the pools the call uses. */
  readonly tenant: string;
  readonly signal: AbortSignal;
  readonly onProgress: ((fraction: number) => void) | undefined;
  /** File the run even without a folder, because the request has an Idempotency-Key. */
  readonly isFiled: boolean;
  readonly watch?: Call['watch'];
  /** A name under which a long run is computed once, whoever asks; by default that of the call in progress. */
  readonly name?: string | undefined;
}

/** Solver and edition of its kernel that compute a run. */
export const editionOf = ({ id, revision }: SolverDefinition, kernelSha256: string): string =>
  `${id}/${revision} ${kernelSha256}`;

export class SolveService {
  readonly #steps: SevenSteps;
  readonly #definition: (id: string) => SealedDefinition;
  readonly #clock: Clock;
  readonly #longRuns: Pick<LongRuns, 'run'> | undefined;

  /**
   * @param definition  throws for an unknown operator
   * @param longRuns  undefined if there are no other nodes
   */
  constructor(
    steps: SevenSteps,
    definition: (id: string) => SealedDefinition,
    clock: Clock,
    longRuns?: Pick<LongRuns, 'run'>,
  ) {
    this.#steps = steps;
    this.#longRuns = longRuns;
    this.#definition = definition;
    this.#clock = clock;
  }

  /**
   * @throws DomainError VALIDATION_FAILED, BUDGET_EXCEEDED, PRECISION_REFUSED (strict), and the errors of the solver's
   *   plan and the pool
   */
  async run(solver: SolverDefinition, request: SolverBody, call: SolveCall): Promise<Envelope | GateAnswer> {
    const { principal, tenant, signal, onProgress, isFiled, watch } = call;
    const { folder } = request;
    const file = folder !== undefined || isFiled ? { principal, folder } : undefined;
    const { keyPrefix } = principal;
    const longRuns = watch === undefined ? this.#longRuns : undefined;
    const elsewhere =
      longRuns &&
      ((kernelSha256: string, runId: string | undefined) =>
        longRuns.run(
          { solver: solver.id, body: request, keyPrefix, runId },
          {
            ...{ tenant, signal, onProgress },
            edition: editionOf(solver, kernelSha256),
            name: call.name ?? nameOfCall(),
          },
        ));
    return this.#run(solver, request, { keyPrefix, tenant, signal, onProgress, watch, file, elsewhere });
  }

  /** Computes on this node what another one was asked, who files it. @throws DomainError  as `run` */
  async runHere({ solver: id, body, keyPrefix, runId }: LongRunRequest, controls: LongRunControls): Promise<Envelope> {
    const solver = findSolver(id);
    if (solver === undefined) throw new Error(`Solver ${id} of a long run not found.`);
    const answer = await this.#run(solver, body, { ...controls, keyPrefix, runId, file: undefined });
    // The node that was asked has bound the request before.
    if (answer.value === null) throw gateRefusal(answer.gate);
    return answer;
  }

  async #run(
    solver: SolverDefinition,
    request: SolverBody,
    call: Omit<Call, 'tokens' | 'receipts'>,
  ): Promise<Envelope | GateAnswer> {
    const { body, receipts } = await this.#computeLaws(solver, request, call);
    let tokensOfResult = 1;
    return this.#steps.run(
      {
        kernel: solver.id,
        select: () => () => {
          const bound = this.#bind(solver, body);
          if (bound.kind === 'bound') tokensOfResult = solver.tokens?.(bound.computation.input as never) ?? 1;
          return bound;
        },
        isStrict: body.strict === true || solver.isAlwaysStrict === true,
        isSelfContained: body.self_contained === true,
      },
      // One for each result: of a sweep, for every point.
      { ...call, tokens: ({ points }) => points * tokensOfResult, receipts },
    );
  }

  /** The request with the results of its laws, and their receipts in the order of the request. */
  async #computeLaws(
    solver: SolverDefinition,
    request: SolverBody,
    { keyPrefix, tenant, signal }: Pick<Call, 'keyPrefix' | 'tenant' | 'signal'>,
  ): Promise<{ readonly body: SolverBody; readonly receipts: readonly Untrusted[] }> {
    const receipts = new Map<LawRequest, Untrusted>();
    const order: LawRequest[] = [];
    const body = await withComputedLaws(solver, request, async (law) => {
      order.push(law);
      const { domain, inputs } = law;
      if (Object.keys(inputs).length === 0) {
        findDomain(domain);
        return undefined;
      }
      const answer = await this.#steps.run(
        {
          kernel: EXPRESSION_KERNEL,
          select: () => selectComputation({ domain, inputs }),
          isStrict: request.strict === true,
          isSelfContained: request.self_contained === true,
        },
        { keyPrefix, tenant, signal, onProgress: undefined, tokens: () => 0, file: undefined },
      );
      if (answer.value === null) throw gateRefusal(answer.gate);
      receipts.set(law, { ...answer });
      const { operator_id, value, unit, uncertainty, converged } = answer;
      return { operator_id, value, unit, uncertainty, converged, receipt: receiptSha256(answer) };
    });
    return { body, receipts: order.map((law) => receipts.get(law)).filter((one) => one !== undefined) };
  }

  #bind(solver: SolverDefinition, request: SolverBody): Bound {
    const body = withClock(solver, request, () => this.#clock.now());
    const requested = solver.open ? (body.operators ?? []).filter((id) => id !== PULSE_OPERATOR) : [];
    const laws = [...new Set(requested)].map(this.#definition);
    const definitions = [...solver.operatorChain.map(this.#definition), ...laws];
    const bound = hasPoints(solver, body)
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

/** The call in progress, if it has an Idempotency-Key: a repetition at another node asks for the same run. */
function nameOfCall(): string | undefined {
  const lease = currentCall()?.lease;
  return lease && `${lease.principal} ${lease.key}`;
}
