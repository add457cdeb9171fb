// Creates stamps without a key, and verifies stamps and receipts.

import { type Clock, readPulse } from '../../core/clock.ts';
import type { ReceiptCheck, ReceiptClaim, ReceiptKeys, ReceiptVersion } from '../../protocol/receipt.ts';
import { sealedListOf } from '../../protocol/seal.ts';
import { coveredFields, uncoveredFields } from '../../protocol/sealed-fields.ts';
import { keyidOf } from '../../protocol/signing.ts';
import type { Untrusted } from '../../protocol/untrusted.ts';
import type { ReceiptWords } from '../../protocol/words/describe.ts';
import { describeHmac, hmacVerdict } from '../../protocol/words/hmac.ts';
import { registryKnowledge } from '../../protocol/words/registry-knowledge.ts';
import { REASONS, type ReceiptVerdict, receiptVerdict } from '../../protocol/words/verdict.ts';
import type { Principal } from '../access/access.ts';
import type { ReplayService } from './replay.ts';
import type { VerdictControls } from './verdict-pool.ts';

/** Key prefix of stamps without a key. */
const PUBLIC_PREFIX = 'public';

export interface StampInput {
  readonly operatorIds: readonly string[];
  readonly value?: number | undefined;
  readonly unit?: string | undefined;
}

export interface VerifyInput {
  readonly proof: string;
  readonly operatorIds: readonly string[];
  readonly R_t: number;
  readonly svcond: number;
  readonly keyPrefix?: string | undefined;
  readonly value?: number | undefined;
  readonly unit?: string | undefined;
  readonly epoch?: number | undefined;
}

export type VerifyAnswer = { readonly ok: true } & (
  | ReceiptCheck
  | {
      readonly valid: false;
      /** The HMAC is valid, but the seal is not: a field that only the seal covers was changed. */
      readonly reason: 'SEAL_BROKEN';
    }
) & {
    /** Fields of a whole envelope that its seal covers, and those that anybody can have written. */
    readonly covered?: readonly string[];
    readonly uncovered?: readonly string[];
    readonly verdict: ReceiptVerdict;
    /** What was checked, in words. */
    readonly receipt: ReceiptWords;
  };

export class ProofService {
  readonly #clock: Clock;
  readonly #receipts: ReceiptKeys;
  readonly #replay: Pick<ReplayService, 'verifyWithoutKernel' | 'describe'>;

  constructor(clock: Clock, receipts: ReceiptKeys, replay: Pick<ReplayService, 'verifyWithoutKernel' | 'describe'>) {
    this.#clock = clock;
    this.#receipts = receipts;
    this.#replay = replay;
  }

  async stamp({ operatorIds, value, unit }: StampInput) {
    const { R_t, svcond, phase } = readPulse(this.#clock.now());
    const keyPrefix = PUBLIC_PREFIX;
    const { svcProof, version } = this.#receipts.sign('stamp', { operatorIds, R_t, svcond, keyPrefix, value, unit });
    return {
      ok: true as const,
      svcProof,
      version: version satisfies ReceiptVersion,
      operatorIds,
      R_t,
      svcond,
      phase,
      keyPrefix,
      ...(value === undefined ? {} : { value }),
      ...(unit === undefined ? {} : { unit }),
    };
  }

  /** Without a prefix, uses that of the caller. */
  async verify(input: VerifyInput, principal: Principal | undefined): Promise<VerifyAnswer> {
    const { proof, operatorIds, R_t, svcond, value, unit, epoch } = input;
    const keyPrefix = input.keyPrefix ?? principal?.keyPrefix ?? PUBLIC_PREFIX;
    const claim = { operatorIds, R_t, svcond, keyPrefix, value, unit };
    const check = this.#receipts.verify(proof, claim, epoch);
    const words = describeHmac(
      claim,
      registryKnowledge(undefined, () => undefined),
    );
    return { ok: true, ...check, verdict: hmacVerdict(check), receipt: words };
  }

  /** Checks HMAC, seal and laws of a whole envelope. @throws DomainError VALIDATION_FAILED unless it is an envelope */
  async verifyReceipt(envelope: Untrusted, controls: VerdictControls): Promise<VerifyAnswer> {
    const checks = await this.#replay.verifyWithoutKernel(envelope, controls);
    const claim = claimOf(envelope);
    const malformed = { valid: false, reason: 'MALFORMED' } as const;
    const check = claim ? this.#receipts.verify(envelope.svcProof, claim, epochOf(envelope)) : malformed;
    const hmac = check.valid
      ? { claim: 'hmac', ok: true }
      : { claim: 'hmac', ok: false, reason: REASONS[check.reason] };
    const claims = [...checks, hmac];
    const verdict = receiptVerdict(claims, { kernel: 'send the receipt to POST /api/svc/replay' }, keyidOf(envelope));
    const receipt = await this.#replay.describe(envelope, claims);
    // Laws that nobody registered break no seal; the verdict names them.
    const broken = checks.find(({ claim, ok }) => ok === false && claim !== 'laws');
    const outcome = check.valid && broken ? ({ valid: false, reason: 'SEAL_BROKEN' } as const) : check;
    const list = sealedListOf(envelope);
    const coverage = { covered: coveredFields(envelope, list), uncovered: uncoveredFields(envelope, list) };
    return { ok: true, ...outcome, ...coverage, verdict, receipt };
  }
}

/** The fields that the HMAC signs; undefined if their types or lengths are not those of any claim. */
export function claimOf({ operatorChain, R_t, svcond, keyPrefix, value, unit }: Untrusted): ReceiptClaim | undefined {
  const isClaim =
    Array.isArray(operatorChain) &&
    operatorChain.every((id) => typeof id === 'string') &&
    [R_t, svcond, value].every((number) => typeof number === 'number') &&
    typeof unit === 'string' &&
    typeof keyPrefix === 'string' &&
    keyPrefix.length <= MAX_PREFIX_CHARACTERS;
  return isClaim ? ({ operatorIds: operatorChain, R_t, svcond, keyPrefix, value, unit } as ReceiptClaim) : undefined;
}

/** Derived keys are cached by prefix. */
const MAX_PREFIX_CHARACTERS = 64;

export function epochOf({ epoch }: Untrusted): number | undefined {
  return typeof epoch === 'number' ? epoch : undefined;
}
