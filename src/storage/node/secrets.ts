// Secrets of the node by purpose and epoch. Only ciphertext is stored; the service that holds the master key decrypts
// it.

import { type Executor, rows, stamp } from '../database/sql.ts';

/** `receipt`: the HMAC secret of receipts. `seal`: the Ed25519 seed of seals. */
export type SecretPurpose = 'receipt' | 'seal';

export interface SealedSecret {
  readonly purpose: SecretPurpose;
  /** Counts from 1. */
  readonly epoch: number;
  readonly ciphertext: Uint8Array;
  readonly createdMs: number;
  /** From this time on it only verifies and no longer signs. */
  readonly retiredMs: number | undefined;
}

interface SecretRow {
  readonly purpose: SecretPurpose;
  readonly epoch: number;
  readonly ciphertext: Uint8Array;
  readonly created_at: number;
  readonly retired_at: number | null;
}

export class SecretRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Adds an epoch unless another node has. @returns whether it was added */
  async insert(secret: Omit<SealedSecret, 'retiredMs'>, on: Executor = this.#knex): Promise<boolean> {
    const added = await rows(
      on,
      `insert into secret_epoch (purpose, epoch, ciphertext, created_at) values (?, ?, ?, ?)
       on conflict (purpose, epoch) do nothing returning 1`,
      [secret.purpose, secret.epoch, secret.ciphertext, stamp(secret.createdMs)],
    );
    return added.length === 1;
  }

  /** Retires every epoch before this one. */
  async retireBefore(purpose: SecretPurpose, epoch: number, nowMs: number, on: Executor = this.#knex): Promise<void> {
    await rows(on, 'update secret_epoch set retired_at = ? where purpose = ? and epoch < ? and retired_at is null', [
      stamp(nowMs),
      purpose,
      epoch,
    ]);
  }

  /** Newest first. */
  async list(purpose: SecretPurpose, on: Executor = this.#knex): Promise<SealedSecret[]> {
    const found = await rows<SecretRow>(
      on,
      `select purpose, epoch, ciphertext, created_at, retired_at from secret_epoch where purpose = ?
       order by epoch desc`,
      [purpose],
    );
    return found.map(({ created_at, retired_at, ...secret }) => ({
      ...secret,
      createdMs: created_at,
      retiredMs: retired_at ?? undefined,
    }));
  }
}
