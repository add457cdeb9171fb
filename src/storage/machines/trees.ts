// Merkle trees over audit chains: their tiles and checkpoints.

import { toHex } from '../../core/bits.ts';
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

export interface TileOfMachine extends Tile {
  readonly machineId: string;
}

export interface CheckpointOfMachine extends StoredCheckpoint {
  readonly machineId: string;
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

  /** Those of the given tiles of a machine that are stored. */
  tiles(
    machineId: string,
    names: readonly { readonly level: number; readonly index: number }[],
    on: Executor = this.#knex,
  ): Promise<TileOfMachine[]> {
    return this.tilesOf(
      names.map((name) => ({ ...name, machineId })),
      on,
    );
  }

  /** Those of the given tiles that are stored. */
  async tilesOf(
    names: readonly Pick<TileOfMachine, 'machineId' | 'level' | 'index'>[],
    on: Executor = this.#knex,
  ): Promise<TileOfMachine[]> {
    if (names.length === 0) return [];
    return rows(
      on,
      `select asked.id as "machineId", asked.level, asked.idx as index, stored.hashes
       from unnest(?::uuid[], ?::smallint[], ?::bigint[]) as asked (id, level, idx) cross join lateral
         (select hashes from tile where machine_id = asked.id and level = asked.level and idx = asked.idx
          limit 1) as stored`,
      [
        names.map(({ machineId }) => machineId),
        names.map(({ level }) => String(level)),
        names.map(({ index }) => String(index)),
      ],
    );
  }

  /** Writes tiles, each once. A tile only grows, so a shorter one never replaces a longer one. */
  async addTiles(tiles: readonly TileOfMachine[], on: Executor): Promise<void> {
    if (tiles.length === 0) return;
    await rows(
      on,
      `insert into tile (machine_id, level, idx, hashes)
       select machine_id, level, idx, decode(hashes, 'hex')
       from unnest(?::uuid[], ?::smallint[], ?::bigint[], ?::text[]) as new (machine_id, level, idx, hashes)
       order by machine_id, level, idx
       on conflict (machine_id, level, idx) do update set hashes = excluded.hashes
       where octet_length(excluded.hashes) > octet_length(tile.hashes)`,
      [
        tiles.map(({ machineId }) => machineId),
        tiles.map(({ level }) => String(level)),
        tiles.map(({ index }) => String(index)),
        tiles.map(({ hashes }) => toHex(hashes)),
      ],
    );
  }

  async newestCheckpoint(machineId: string, on: Executor = this.#knex): Promise<StoredCheckpoint | undefined> {
    const [row] = await rows<StoredCheckpoint>(
      on,
      'select size, root, note, svcond from checkpoint where machine_id = ? order by size desc limit 1',
      [machineId],
    );
    return row;
  }

  /** Rows that the newest checkpoint of each machine covers; nothing for those without one. */
  async coveredSizes(machineIds: readonly string[], on: Executor = this.#knex): Promise<ReadonlyMap<string, number>> {
    const found = await rows<{ id: string; size: number }>(
      on,
      `select asked.id, newest.size from unnest(?::uuid[]) as asked (id) cross join lateral
         (select size from checkpoint where machine_id = asked.id order by size desc limit 1) as newest`,
      [machineIds],
    );
    return new Map(found.map(({ id, size }) => [id, size]));
  }

  /** @returns the machines whose checkpoint was added; one of the same size that exists is kept */
  async addCheckpoints(added: readonly CheckpointOfMachine[], on: Executor): Promise<string[]> {
    const written = await rows<{ id: string }>(
      on,
      `insert into checkpoint (machine_id, size, root, note, svcond)
       select machine_id, size, decode(root, 'hex'), note, svcond
       from unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::bigint[])
         as new (machine_id, size, root, note, svcond)
       order by machine_id
       on conflict do nothing returning machine_id as id`,
      [
        added.map(({ machineId }) => machineId),
        added.map(({ size }) => String(size)),
        added.map(({ root }) => toHex(root)),
        added.map(({ note }) => note),
        added.map(({ svcond }) => String(svcond)),
      ],
    );
    const ids = written.map(({ id }) => id);
    if (ids.length === 0) return ids;
    const sizes = new Map(added.map(({ machineId, size }) => [machineId, String(size)]));
    // Machines are locked in the order of flushes. A row that is written meanwhile waits since its tick, or if it cannot
    // be seen yet, since that of the head.
    await rows(
      on,
      `with locked as materialized
         (select id from machine where id = any(?::uuid[]) order by id for no key update)
       update machine set checkpoint_size = greatest(checkpoint_size, new.size),
         pending_since = case when head_seq + 1 > greatest(checkpoint_size, new.size) then coalesce(
           (select svcond from audit where machine_id = machine.id and seq = greatest(checkpoint_size, new.size)),
           head_svcond) end
       from locked join unnest(?::uuid[], ?::bigint[]) as new (id, size) using (id) where machine.id = locked.id`,
      [ids, ids, ids.map((id) => sizes.get(id) ?? null)],
    );
    return ids;
  }

  /** Number of machines with rows that no checkpoint covers. */
  async countPending(on: Executor = this.#knex): Promise<number> {
    const [found] = await rows<{ machines: number }>(
      on,
      'select count(*) as machines from machine where pending_since is not null',
    );
    return found?.machines ?? 0;
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
