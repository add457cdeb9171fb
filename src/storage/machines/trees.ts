// Merkle trees over audit chains: their tiles and checkpoints.

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
    await rows(on, 'update machine set checkpoint_size = greatest(checkpoint_size, ?) where id = ?', [size, machineId]);
    return true;
  }

  /** Machines with rows that no checkpoint covers, longest waiting first. */
  async listUncheckpointed(limit: number, on: Executor = this.#knex): Promise<string[]> {
    const found = await rows<{ id: string }>(
      on,
      `select id from machine where head_seq + 1 > checkpoint_size
       order by checkpoint_size = 0 desc, head_svcond limit ?`,
      [limit],
    );
    return found.map(({ id }) => id);
  }
}
