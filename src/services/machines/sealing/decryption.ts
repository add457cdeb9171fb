// Decrypts sealed rows for the owner, with the equation given for one call, and checks them against their commitments.

import { timingSafeEqual } from 'node:crypto';
import { isCommittedPayload, type Row } from '../../../chain/row.ts';
import { fromHex } from '../../../core/bits.ts';
import { DomainError } from '../../../core/errors.ts';
import { LIMITS } from '../../../core/limits.ts';
import type { AuditRepository } from '../../../storage/machines/audit.ts';
import type { Machine } from '../../../storage/machines/machines.ts';
import type { SealingKeyRepository } from '../../../storage/machines/sealing-keys.ts';
import { zidOf } from '../../access/identity.ts';
import type { RateLimiter } from '../../access/rate-limit.ts';
import { rowRecord } from '../log.ts';
import type { EquationKeys, KeyPair } from './equation-keys.ts';
import { openPayload } from './sealed-payload.ts';

export interface DecryptionOptions {
  readonly audit: AuditRepository;
  readonly sealingKeys: SealingKeyRepository;
  readonly equationKeys: EquationKeys;
  readonly rateLimit: RateLimiter;
}

/** Makes a wrong equation take as long as the right one. */
const DECOY_KEY = { publicKey: '0'.repeat(64), salt: new Uint8Array(16) };
/** Rows decrypted concurrently. */
const BATCH_SIZE = 50;

export class DecryptionService {
  readonly #options: DecryptionOptions;

  constructor(options: DecryptionOptions) {
    this.#options = options;
  }

  /**
   * Decrypts rows from `from` on, until `to`, `limit` or the maximum response size.
   *
   * @param tenant  who has a limited number of attempts on this machine
   * @throws DomainError FORBIDDEN for a wrong equation; RATE_LIMITED after five wrong ones in ten minutes; CONFLICT if
   *   the machine has no sealed payloads; VALIDATION_FAILED, QUEUE_FULL
   */
  async decrypt(
    machine: Machine,
    tenant: string,
    {
      equation,
      from = 0,
      to,
      limit,
    }: { equation: string; from?: number | undefined; to?: number | undefined; limit: number },
  ) {
    const last = Math.min(to ?? machine.head.seq, machine.head.seq);
    if (from > last) {
      const message = `from must be at most ${last}, not ${from}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'from', code: 'OUT_OF_RANGE', message }],
      });
    }
    const keys = await this.#keysOf(machine, tenant, equation);
    try {
      return await this.#decryptRows(machine, keys, from, Math.min(last, from + limit - 1), last);
    } finally {
      keys.privateKey.fill(0);
    }
  }

  async #keysOf({ id, head }: Machine, tenant: string, equation: string): Promise<KeyPair> {
    const { sealingKeys, equationKeys, rateLimit } = this.#options;
    const known = await sealingKeys.of(id);
    if (known.length === 0) throw new DomainError('CONFLICT', `Machine ${head.slug} has no sealed payloads.`);
    // Only failed attempts count. Only members of the machine come here, so those of one machine say nothing of another:
    // owners behind one address do not use up each other's attempts.
    const attempts = `${tenant} ${id}`;
    await rateLimit.admit('unlock', attempts);
    const zid = zidOf(equation);
    const key = known.find((key) => key.zid === zid) ?? DECOY_KEY;
    const keys = await equationKeys.deriveKeyPair(equation, key.salt, head.slug).catch(async (error: unknown) => {
      // The queue was full: not an attempt.
      await rateLimit.refund('unlock', attempts);
      throw error;
    });
    if (!timingSafeEqual(keys.publicKey, fromHex(key.publicKey) ?? new Uint8Array())) {
      keys.privateKey.fill(0);
      throw new DomainError('FORBIDDEN', `The equation does not decrypt payloads of ${head.slug}.`);
    }
    await rateLimit.refund('unlock', attempts);
    return keys;
  }

  async #decryptRows(machine: Machine, keys: KeyPair, from: number, end: number, last: number) {
    const rows: OpenedRecord[] = [];
    let opened = 0;
    let bytes = 0;
    let next = from;
    while (next <= end && bytes < LIMITS.chain.decryptedRows.bytes) {
      const to = Math.min(next + BATCH_SIZE - 1, end);
      const found = await this.#options.audit.sealedRange(machine.id, machine.head.slug, next, to);
      for (const { record, size } of await Promise.all(found.map((stored) => openedRow(stored, keys)))) {
        rows.push(record);
        bytes += size;
        if (record.sealed && record.unopened === undefined) opened++;
      }
      next = to + 1;
    }
    return { from, to: next - 1, opened, rows, next_from: next <= last ? next : null };
  }
}

type OpenedRecord = Awaited<ReturnType<typeof openedRow>>['record'];

/** The row with salt and payload, unless these were erased or could not be decrypted. */
async function openedRow(
  { row, sealed }: { readonly row: Row; readonly sealed: Uint8Array | undefined },
  keys: KeyPair,
) {
  const content = sealed === undefined ? row : await openPayload(row, sealed, keys);
  const open: Row = typeof content === 'string' ? row : { ...row, ...content };
  const unopened = typeof content === 'string' ? { unopened: content } : {};
  const record = { ...rowRecord(open), ...unopened, commit_ok: isCommittedPayload(open) ?? null };
  return { record, size: open.payload_text?.length ?? 0 };
}
