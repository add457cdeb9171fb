// Compute service: selects and binds operators of a domain, then runs the seven steps.

import { LIMITS } from '../../core/limits.ts';
import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import { type ComputeRequest, selectComputation } from '../../protocol/compute-request.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import type { Principal } from '../access/access.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import type { Billed, Call, SevenSteps } from './seven-steps.ts';

export interface ComputeBody extends ComputeRequest {
  /** Reject unconverged results. */
  readonly strict?: boolean | undefined;
  /** Hold the bytes of all arrays in the envelope. */
  readonly self_contained?: boolean | undefined;
}

/** Caller and cancellation of a computation. */
export interface ComputeCall {
  readonly signal: AbortSignal;
  /** Whose share of the pools and of the playground the call uses. */
  readonly tenant: string;
}

/** Points of a sweep that the request thread tries until one is allowed; a worker tries more. */
const EAGER_POINTS = 16;

/** One a call; of a sweep, one for every started thousand points. */
const lawTokens = ({ points }: Billed) => Math.ceil(points / LIMITS.sweep.pointsPerToken);

/** Key prefix in receipts of calls without a key. */
const PLAYGROUND_PREFIX = 'playground';

export class ComputeService {
  readonly #steps: SevenSteps;
  readonly #rateLimit: RateLimiter;

  constructor(steps: SevenSteps, rateLimit: RateLimiter) {
    this.#steps = steps;
    this.#rateLimit = rateLimit;
  }

  /**
   * @param file  folder of the caller's library to file the run in; undefined does not file it
   * @throws DomainError DOMAIN_UNKNOWN, OPERATOR_UNKNOWN, OPERATOR_AMBIGUOUS, VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH,
   *   DIVISION_BY_ZERO, NUMERIC_OVERFLOW, VALUE_UNDEFINED, PRECISION_REFUSED, and the errors of the pool
   */
  run(
    request: ComputeBody,
    principal: Principal,
    call: ComputeCall,
    file: { readonly folder: string | undefined } | undefined,
  ): Promise<Envelope | GateAnswer> {
    const { keyPrefix } = principal;
    const filed = file === undefined ? undefined : { principal, folder: file.folder };
    return this.#run(request, { ...callOf(call), keyPrefix, tokens: lawTokens, file: filed });
  }

  /** Without a key, rate limited, and never filed. @throws DomainError RATE_LIMITED, and as `run` */
  async runPlayground(request: ComputeBody, call: ComputeCall): Promise<Envelope | GateAnswer> {
    await this.#rateLimit.admit('playground', call.tenant);
    return this.#run(request, { ...callOf(call), keyPrefix: PLAYGROUND_PREFIX, tokens: () => 0, file: undefined });
  }

  #run(request: ComputeBody, call: Call): Promise<Envelope | GateAnswer> {
    const select = () => selectComputation(request, EAGER_POINTS);
    const [isStrict, isSelfContained] = [request.strict === true, request.self_contained === true];
    return this.#steps.run({ kernel: EXPRESSION_KERNEL, select, isStrict, isSelfContained }, call);
  }
}

const callOf = ({ signal, tenant }: ComputeCall) => ({ signal, tenant, onProgress: undefined });
