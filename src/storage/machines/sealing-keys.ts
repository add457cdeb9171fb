// Sealing keys: the public keys that payloads of private machines are sealed to, and the salts of the equations that
// gave them.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface SealingKey {
  /** 64 hex digits. */
  readonly publicKey: string;
  /** Owner of the equation. */
  readonly zid: string;
  readonly salt: Uint8Array;
}

/** A key that exists already is not written again. */
export const sealingKeyRows: Writer<SealingKey & { readonly machineId: string }> = {
  async write(added, on) {
    await rows(
      on,
      `insert into sealing_key (machine_id, public_key, zid, salt)
       select id, decode(public_key, 'hex'), zid, decode(salt, 'hex')
       from unnest(?::uuid[], ?::text[], ?::text[], ?::text[]) as new (id, public_key, zid, salt)
       on conflict do nothing`,
      [
        added.map(({ machineId }) => machineId),
        added.map(({ publicKey }) => publicKey),
        added.map(({ zid }) => zid),
        added.map(({ salt }) => Buffer.from(salt).toString('hex')),
      ],
    );
  },
};

export class SealingKeyRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async of(machineId: string, on: Executor = this.#knex): Promise<SealingKey[]> {
    return rows(
      on,
      `select encode(public_key, 'hex') as "publicKey", zid, salt from sealing_key where machine_id = ?
       order by public_key`,
      [machineId],
    );
  }
}
