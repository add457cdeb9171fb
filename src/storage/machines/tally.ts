// Tallies: the token of each machine, the rates at which it is issued, and its picture.

import type { MintSegment } from '../../chain/tally.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface Tally {
  readonly name: string;
  readonly symbol: string;
  readonly maxSupply: number;
  /** Oldest first. */
  readonly segments: readonly MintSegment[];
}

export interface Avatar {
  readonly mediaType: string;
  /** Hash of the picture as it is published; hex. */
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly svcond: number;
}

export const tallyRows: Writer<{ readonly machineId: string } & Omit<Tally, 'segments'>> = {
  async write(added, on) {
    for (const { machineId, name, symbol, maxSupply } of added) {
      await rows(on, 'insert into tally (machine_id, name, symbol, max_supply) values (?, ?, ?, ?)', [
        machineId,
        name,
        symbol,
        maxSupply,
      ]);
    }
  },
};

export const segmentRows: Writer<{ readonly machineId: string } & MintSegment> = {
  async write(added, on) {
    for (const { machineId, seq, svcond, unit, every, amount } of added) {
      await rows(
        on,
        'insert into tally_segment (machine_id, seq, svcond, unit, every, amount) values (?, ?, ?, ?, ?, ?)',
        [machineId, seq, svcond, unit, every, amount],
      );
    }
  },
};

/** The current picture of each machine. */
export const avatarRows: Writer<{ readonly machineId: string; readonly sealed: Uint8Array } & Avatar> = {
  async write(changed, on) {
    for (const { machineId, mediaType, sha256, width, height, sealed, svcond } of changed) {
      await rows(
        on,
        `insert into tally_avatar (machine_id, media_type, sha256, width, height, sealed, svcond)
         values (?, ?, decode(?, 'hex'), ?, ?, ?, ?)
         on conflict (machine_id) do update set media_type = excluded.media_type, sha256 = excluded.sha256,
           width = excluded.width, height = excluded.height, sealed = excluded.sealed, svcond = excluded.svcond`,
        [machineId, mediaType, sha256, width, height, sealed, svcond],
      );
    }
  },
};

export class TallyRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async of(machineId: string, on: Executor = this.#knex): Promise<Tally | undefined> {
    const [tally] = await rows<Omit<Tally, 'segments'>>(
      on,
      'select name, symbol, max_supply as "maxSupply" from tally where machine_id = ?',
      [machineId],
    );
    if (tally === undefined) return undefined;
    const segments = await rows<MintSegment>(
      on,
      'select seq, svcond, unit, every, amount from tally_segment where machine_id = ? order by seq',
      [machineId],
    );
    return { ...tally, segments };
  }

  async avatar(machineId: string, on: Executor = this.#knex): Promise<Avatar | undefined> {
    const [avatar] = await rows<Avatar>(
      on,
      `select media_type as "mediaType", encode(sha256, 'hex') as sha256, width, height, svcond from tally_avatar
       where machine_id = ?`,
      [machineId],
    );
    return avatar;
  }

  async picture(
    machineId: string,
    on: Executor = this.#knex,
  ): Promise<{ readonly mediaType: string; readonly sealed: Uint8Array } | undefined> {
    const [picture] = await rows<{ mediaType: string; sealed: Uint8Array }>(
      on,
      'select media_type as "mediaType", sealed from tally_avatar where machine_id = ?',
      [machineId],
    );
    return picture;
  }
}
