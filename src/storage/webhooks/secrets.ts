// Secrets that sign the webhooks of machines. Only ciphertext is stored; the service that holds the master key decrypts
// it.

import { type Executor, rows, stamp } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface SealedWebhookSecret {
  readonly machineId: string;
  /** Counts from 1. */
  readonly epoch: number;
  readonly sealed: Uint8Array;
  readonly createdMs: number;
  /** When the next secret replaced it. */
  readonly retiredMs: number | undefined;
}

type NewSecret = Omit<SealedWebhookSecret, 'retiredMs'>;

interface SecretRow {
  readonly machine_id: string;
  readonly epoch: number;
  readonly sealed: Uint8Array;
  readonly created_at: number;
  readonly retired_at: number | null;
}

/** New secrets, each of which retires those before it. */
export const webhookSecretRows: Writer<NewSecret> = {
  async write(added, on) {
    for (const secret of added) {
      await rows(
        on,
        'update webhook_secret set retired_at = ? where machine_id = ? and epoch < ? and retired_at is null',
        [stamp(secret.createdMs), secret.machineId, secret.epoch],
      );
      await rows(on, 'insert into webhook_secret (machine_id, epoch, sealed, created_at) values (?, ?, ?, ?)', [
        secret.machineId,
        secret.epoch,
        secret.sealed,
        stamp(secret.createdMs),
      ]);
    }
  },
};

export class WebhookSecretRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Inserts the first secret of a machine, unless another caller has. */
  async insertFirst(secret: Omit<NewSecret, 'epoch'>, on: Executor = this.#knex): Promise<void> {
    await rows(
      on,
      'insert into webhook_secret (machine_id, epoch, sealed, created_at) values (?, 1, ?, ?) on conflict do nothing',
      [secret.machineId, secret.sealed, stamp(secret.createdMs)],
    );
  }

  /** Secrets that are in use or were retired after `sinceMs`, newest first. */
  async list(machineId: string, sinceMs: number, on: Executor = this.#knex): Promise<SealedWebhookSecret[]> {
    const found = await rows<SecretRow>(
      on,
      `select machine_id, epoch, sealed, created_at, retired_at from webhook_secret
       where machine_id = ? and (retired_at is null or retired_at > ?) order by epoch desc`,
      [machineId, stamp(sinceMs)],
    );
    return found.map((row) => ({
      machineId: row.machine_id,
      epoch: row.epoch,
      sealed: row.sealed,
      createdMs: row.created_at,
      retiredMs: row.retired_at ?? undefined,
    }));
  }
}
