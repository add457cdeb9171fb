// Auto service: chooses the solver or law that a question means and runs it as its own route does. The dispatch stands
// beside the envelope and outside of its seal; the inputs that were read are sealed as inputs.

import { type Dispatch, Dispatcher, type DispatchOptions } from '../../dispatch/dispatch.ts';
import { assertAllUsed, chosenOrThrow } from '../../dispatch/refusal.ts';
import { requestOf, type TargetRequest } from '../../dispatch/request.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import { findSolver, SOLVERS } from '../../solvers/index.ts';
import type { ComputeBody, ComputeService } from './compute.ts';
import type { SolveCall, SolveService } from './solve.ts';

export interface AutoBody extends Partial<DispatchOptions> {
  readonly query: string;
  /** Inputs that win over those of the question. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** Answers although numbers of the question have no place. */
  readonly ignoreUnused: boolean;
  readonly folder: string | undefined;
  readonly strict: boolean | undefined;
  readonly isSelfContained: boolean | undefined;
}

export interface Understood {
  readonly dispatch: Dispatch;
  readonly request: TargetRequest;
}

const FIRST = 'kinetic energy of a car of 1200 kg at 30 m/s';
/** One for a process: its vocabulary depends on nothing else. */
let dispatcher: Dispatcher | undefined;

export class AutoService {
  readonly #solve: Pick<SolveService, 'run'>;
  readonly #compute: Pick<ComputeService, 'run'>;

  constructor(solve: Pick<SolveService, 'run'>, compute: Pick<ComputeService, 'run'>) {
    this.#solve = solve;
    this.#compute = compute;
  }

  /** Builds the vocabulary of the solvers and the index of the laws, for which the first question would wait. */
  prepare(): void {
    dispatcher ??= new Dispatcher(SOLVERS);
    dispatcher.dispatch(FIRST);
  }

  /** @throws DomainError QUERY_NOT_UNDERSTOOD, QUERY_AMBIGUOUS, VALIDATION_FAILED */
  understand(body: Pick<AutoBody, 'query' | 'overrides'> & Partial<DispatchOptions>): Understood {
    dispatcher ??= new Dispatcher(SOLVERS);
    const dispatch = chosenOrThrow(dispatcher.dispatch(body.query, body));
    return { dispatch, request: requestOf(dispatch, body.overrides) };
  }

  /** @throws DomainError as `understand`, and the errors of the target */
  async run(body: AutoBody, call: SolveCall): Promise<Understood & { readonly result: Envelope | GateAnswer }> {
    const understood = this.understand(body);
    if (!body.ignoreUnused) assertAllUsed(understood.dispatch);
    return { ...understood, result: await this.#runTarget(understood, body, call) };
  }

  #runTarget(
    { dispatch: { target }, request }: Understood,
    { folder, strict, isSelfContained }: AutoBody,
    call: SolveCall,
  ): Promise<Envelope | GateAnswer> {
    const common = {
      ...(strict === undefined ? {} : { strict }),
      ...(isSelfContained === undefined ? {} : { self_contained: isSelfContained }),
    };
    const solver = target.kind === 'solver' ? findSolver(target.id) : undefined;
    if (solver !== undefined)
      return this.#solve.run(solver, { ...request.body, ...common, ...(folder === undefined ? {} : { folder }) }, call);
    const { principal, tenant, signal, isFiled } = call;
    const file = folder !== undefined || isFiled ? { folder } : undefined;
    const body = { ...request.body, ...common } as unknown as ComputeBody;
    return this.#compute.run(body, principal, { tenant, signal }, file);
  }
}
