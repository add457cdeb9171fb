// Merkle trees over audit chains: their tiles and checkpoints.

import { SHARDS } from '../contracts/timers.ts';
import { type Executor, rows } from '../database/sql.ts';

export interface StoredCheckpoint {
  readonly size: number;
  readonly root: Uint8Array;
  /** The signed note, as it is published. */
  readonly note: string;
  readonly svcond: number;
}

export interface Tile {
  readonly level: number;
  readonly index: number;
  /** Up to 256 hashes; only the last tile of a level, which grows, has fewer. */
  readonly hashes: Uint8Array;
}

interface PendingPage {
  readonly before: number;
  /** All, if they are not given. */
  readonly shards?: readonly number[] | undefined;
  readonly limit: number;
}

export class TreeRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Those of the given tiles that are stored. */
  async tiles(
    machineId: string,
    names: readonly { readonly level: number; readonly index: number }[],
    on: Executor = this.#knex,
  ): Promise<Tile[]> {
    if (names.length === 0) return [];
    return rows(
      on,
      `select level, idx as index, hashes from tile
       where machine_id = ? and (level, idx) in (select * from unnest(?::smallint[], ?::bigint[]))`,
      [machineId, names.map(({ level }) => String(level)), names.map(({ index }) => String(index))],
    );
  }

  /** Writes tiles. A tile only grows, so a shorter one never replaces a longer one. */
  async addTiles(machineId: string, tiles: readonly Tile[], on: Executor): Promise<void> {
    for (const { level, index, hashes } of tiles) {
      await rows(
        on,
        `insert into tile (machine_id, level, idx, hashes) values (?, ?, ?, ?)
         on conflict (machine_id, level, idx) do update set hashes = excluded.hashes
         where octet_length(excluded.hashes) > octet_length(tile.hashes)`,
        [machineId, level, index, hashes],
      );
    }
  }

  async newestCheckpoint(machineId: string, on: Executor = this.#knex): Promise<StoredCheckpoint | undefined> {
    const [row] = await rows<StoredCheckpoint>(
      on,
      'select size, root, note, svcond from checkpoint where machine_id = ? order by size desc limit 1',
      [machineId],
    );
    return row;
  }

  /** @returns false if a checkpoint of this size exists, which is kept */
  async addCheckpoint(
    machineId: string,
    { size, root, note, svcond }: StoredCheckpoint,
    on: Executor,
  ): Promise<boolean> {
    const added = await rows(
      on,
      `insert into checkpoint (machine_id, size, root, note, svcond) values (?, ?, ?, ?, ?)
       on conflict do nothing returning 1`,
      [machineId, size, root, note, svcond],
    );
    if (added.length === 0) return false;
    // A row that is written meanwhile waits since its tick, or if it cannot be seen yet, since that of the head.
    await rows(
      on,
      `update machine set checkpoint_size = greatest(checkpoint_size, new.size),
         pending_since = case when head_seq + 1 > greatest(checkpoint_size, new.size) then coalesce(
           (select svcond from audit where machine_id = machine.id and seq = greatest(checkpoint_size, new.size)),
           head_svcond) end
       from (select ?::bigint as size) as new where id = ?`,
      [size, machineId],
    );
    return true;
  }

  /** Machines of these shards with rows since before a tick that no checkpoint covers, longest waiting first. */
  async listPending({ before, shards, limit }: PendingPage, on: Executor = this.#knex): Promise<string[]> {
    const ofShards = shards === undefined ? '' : `and get_byte(uuid_send(id), 15) % ${SHARDS} = any(?::int[])`;
    const found = await rows<{ id: string }>(
      on,
      `select id from machine where pending_since is not null and pending_since < ? ${ofShards}
       order by pending_since limit ?`,
      [before, ...(shards === undefined ? [] : [shards.map(String)]), limit],
    );
    return found.map(({ id }) => id);
  }
}
