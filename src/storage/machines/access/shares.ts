// Share tokens, each of which gives read access to one machine. Only their SHA-256 is stored.

import { type Executor, optionalStamp, rows, stamp } from '../../database/sql.ts';
import type { Writer } from '../../database/writer.ts';

export interface Share {
  readonly machineId: string;
  readonly id: string;
  readonly label: string;
  readonly createdMs: number;
  readonly expiresMs: number | undefined;
  readonly revokedMs: number | undefined;
}

interface ShareRow {
  readonly machine_id: string;
  readonly id: string;
  readonly label: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

const COLUMNS = 'machine_id, id, label, created_at, expires_at, revoked_at';

export const shareRows: Writer<{ readonly share: Omit<Share, 'revokedMs'>; readonly tokenHash: Uint8Array }> = {
  async write(added, on) {
    for (const { share, tokenHash } of added) {
      await rows(
        on,
        'insert into share (machine_id, id, token_hash, label, created_at, expires_at) values (?, ?, ?, ?, ?, ?)',
        [share.machineId, share.id, tokenHash, share.label, stamp(share.createdMs), optionalStamp(share.expiresMs)],
      );
    }
  },
};

/** Revokes all tokens of a machine. */
export const shareRevocations: Writer<{ readonly machineId: string; readonly nowMs: number }> = {
  async write(all, on) {
    for (const { machineId, nowMs } of all) {
      await rows(on, 'update share set revoked_at = ? where machine_id = ? and revoked_at is null', [
        stamp(nowMs),
        machineId,
      ]);
    }
  },
};

export class ShareRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async byHash(tokenHash: Uint8Array, on: Executor = this.#knex): Promise<Share | undefined> {
    const [row] = await rows<ShareRow>(on, `select ${COLUMNS} from share where token_hash = ?`, [tokenHash]);
    return row && fromRow(row);
  }

  async byId(machineId: string, id: string, on: Executor = this.#knex): Promise<Share | undefined> {
    const [row] = await rows<ShareRow>(on, `select ${COLUMNS} from share where machine_id = ? and id = ?`, [
      machineId,
      id,
    ]);
    return row && fromRow(row);
  }

  /** Counts the tokens of a machine that are not revoked. */
  async count(machineId: string, on: Executor = this.#knex): Promise<number> {
    const [row] = await rows<{ count: number }>(
      on,
      'select count(*) as count from share where machine_id = ? and revoked_at is null',
      [machineId],
    );
    return row?.count ?? 0;
  }
}

function fromRow(row: ShareRow): Share {
  return {
    machineId: row.machine_id,
    id: row.id,
    label: row.label,
    createdMs: row.created_at,
    expiresMs: row.expires_at ?? undefined,
    revokedMs: row.revoked_at ?? undefined,
  };
}
