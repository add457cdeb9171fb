// Share tokens of a machine: created one by one, disabled together. The raw token is returned once, on creation.

import { type Clock, isoFromMs } from '../../../core/clock.ts';
import { DomainError } from '../../../core/errors.ts';
import { uuidV7 } from '../../../core/ids.ts';
import { LIMITS } from '../../../core/limits.ts';
import { into } from '../../../storage/database/writer.ts';
import { type ShareRepository, shareRevocations, shareRows } from '../../../storage/machines/access/shares.ts';
import { assertNotArchived, type Machine } from '../../../storage/machines/machines.ts';
import { hashKey, type Principal } from '../../access/access.ts';
import { formatKey, KEY_BYTES, SHARE_SCHEME } from '../../access/key-format.ts';
import { assertExpiresWithin, type KeyService, parseExpiry } from '../../access/keys.ts';
import type { MachineService } from '../machines.ts';

/** Payload of a row of type `share`. */
export type SharePayload =
  | {
      readonly act: 'set';
      readonly id: string;
      readonly label: string;
      readonly scope: 'read';
      readonly created_at: string;
      readonly expires_at: string | null;
    }
  /** All tokens were disabled; `disabled` counts them. */
  | { readonly act: 'disabled'; readonly disabled: number };

export interface ShareServiceOptions {
  readonly machines: MachineService;
  readonly shares: ShareRepository;
  readonly keys: KeyService;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
}

export class ShareService {
  readonly #options: ShareServiceOptions;

  constructor(options: ShareServiceOptions) {
    this.#options = options;
  }

  /**
   * @throws DomainError MACHINE_ARCHIVED, VALIDATION_FAILED for an expiry in the past, FORBIDDEN beyond that of the caller's
   *   key, RATE_LIMITED, CONFLICT at the token limit
   */
  async set(
    machine: Machine,
    by: Principal,
    { label, expires_at }: { readonly label: string; readonly expires_at?: string | undefined },
  ) {
    const { machines, shares, keys, clock, randomBytes } = this.#options;
    const createdMs = Number(clock.now() / 1_000_000n);
    const id = uuidV7(createdMs, randomBytes(10));
    const token = formatKey(SHARE_SCHEME, randomBytes(KEY_BYTES));
    const share = { machineId: machine.id, id, label, createdMs, expiresMs: parseExpiry(expires_at, createdMs) };
    const record = {
      id,
      label,
      scope: 'read' as const,
      created_at: isoFromMs(createdMs),
      expires_at: share.expiresMs === undefined ? null : isoFromMs(share.expiresMs),
    };
    assertExpiresWithin(by, share.expiresMs);
    // A refusal uses up no rate.
    assertNotArchived(machine);
    await keys.admit(by);
    await machines.commitExclusive(machine, async (_, on) => {
      const live = await shares.count(machine.id, on);
      if (live >= LIMITS.chain.shares) {
        throw new DomainError('CONFLICT', `Limit of ${LIMITS.chain.shares} share tokens reached; disable them first.`);
      }
      const payload: SharePayload = { act: 'set', ...record };
      const row = machines.row(by, 'share', 'api', payload);
      return { rows: [row], writes: [into(shareRows, { share, tokenHash: hashKey(token) })], answer: undefined };
    });
    return { token, share: record };
  }

  /** Disables all tokens and the read passes based on them, immediately. @returns the number of tokens */
  async disable(machine: Machine, by: Principal): Promise<number> {
    const { machines, shares, clock } = this.#options;
    const nowMs = Number(clock.now() / 1_000_000n);
    const { answer } = await machines.commitExclusive(machine, async (_, on) => {
      const live = await shares.count(machine.id, on);
      if (live === 0) return { rows: [], answer: 0 };
      const payload: SharePayload = { act: 'disabled', disabled: live };
      const row = machines.row(by, 'share', 'api', payload);
      return { rows: [row], writes: [into(shareRevocations, { machineId: machine.id, nowMs })], answer: live };
    });
    return answer;
  }
}
