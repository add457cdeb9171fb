// Creates stamps without a key, and verifies stamps and receipts.

import { type Clock, readPulse } from '../../core/clock.ts';
import type { ReceiptCheck, ReceiptKeys, ReceiptVersion } from '../../protocol/receipt.ts';
import type { Principal } from '../access/access.ts';

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

export class ProofService {
  readonly #clock: Clock;
  readonly #receipts: ReceiptKeys;

  constructor(clock: Clock, receipts: ReceiptKeys) {
    this.#clock = clock;
    this.#receipts = receipts;
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
  async verify(input: VerifyInput, principal: Principal | undefined): Promise<{ ok: true } & ReceiptCheck> {
    const { proof, operatorIds, R_t, svcond, value, unit, epoch } = input;
    const keyPrefix = input.keyPrefix ?? principal?.keyPrefix ?? PUBLIC_PREFIX;
    return {
      ok: true,
      ...this.#receipts.verify(proof, { operatorIds, R_t, svcond, keyPrefix, value, unit }, epoch),
    };
  }
}
