// Compute: operators of a domain, chosen and bound, before the seven steps take them.

import { EXPRESSION_KERNEL } from '../../expressions/evaluate.ts';
import { type ComputeRequest, selectComputation } from '../../protocol/compute-request.ts';
import type { Envelope } from '../../protocol/envelope.ts';
import type { GateAnswer } from '../../protocol/gate.ts';
import type { Principal } from '../access/access.ts';
import type { RateLimiter } from '../access/rate-limit.ts';
import type { Call, SevenSteps } from './seven-steps.ts';

export interface ComputeBody extends ComputeRequest {
  /** Refuse what has not converged. */
  readonly strict?: boolean | undefined;
}

/** Who asks, and how long they wait. */
export interface ComputeCall {
  readonly signal: AbortSignal;
  /** The key's id, or the address when there is none. */
  readonly caller: string;
}

const TOKENS = 1;
/** In whose name the receipts of calls without a key are signed. */
const PLAYGROUND = 'playground';

export class ComputeService {
  readonly #steps: SevenSteps;
  readonly #rateLimit: RateLimiter;

  constructor(steps: SevenSteps, rateLimit: RateLimiter) {
    this.#steps = steps;
    this.#rateLimit = rateLimit;
  }

  /**
   * @param file  in which folder of the key's library the run is filed, if it is
   * @throws DomainError DOMAIN_UNKNOWN, OPERATOR_UNKNOWN, VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH,
   *   DIVISION_BY_ZERO, NUMERIC_OVERFLOW, VALUE_UNDEFINED, PRECISION_REFUSED, and whatever the pool refuses
   */
  run(
    request: ComputeBody,
    principal: Principal,
    call: ComputeCall,
    file: { readonly folder: string | undefined } | undefined,
  ): Promise<Envelope | GateAnswer> {
    const { keyPrefix, accountId } = principal;
    const filed = file === undefined ? undefined : { accountId, folder: file.folder };
    return this.#run(request, { ...callOf(call), keyPrefix, tokens: TOKENS, file: filed });
  }

  /** For anyone, rarely, and never filed. @throws DomainError RATE_LIMITED, and as `run` */
  async play(request: ComputeBody, call: ComputeCall): Promise<Envelope | GateAnswer> {
    await this.#rateLimit.admit('playground', call.caller);
    return this.#run(request, { ...callOf(call), keyPrefix: PLAYGROUND, tokens: 0, file: undefined });
  }

  #run(request: ComputeBody, call: Call): Promise<Envelope | GateAnswer> {
    const select = () => selectComputation(request);
    return this.#steps.run({ kernel: EXPRESSION_KERNEL, select, isStrict: request.strict === true }, call);
  }
}

const callOf = ({ signal, caller }: ComputeCall) => ({ signal, owner: caller, onProgress: undefined });
