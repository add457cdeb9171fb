// Machines: what they are called, who may see them, and the head of their chain.

import type { Head } from '../../chain/row.ts';
import type { Role } from '../access/identities.ts';
import { Gathered } from '../database/batcher.ts';
import { decodeCursor, type Page, pageOf } from '../database/cursor.ts';
import { type Binding, type Executor, rows, stamp } from '../database/sql.ts';

export type MachineStatus = 'active' | 'paused' | 'archived';

export interface MachineSettings {
  /** Hosts that oracles of this machine may ask. */
  readonly http_allow?: readonly string[];
  /** Ticks after which payloads of samples may be erased. */
  readonly retention?: number;
}

export interface Machine {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: MachineStatus;
  readonly isPublic: boolean;
  readonly settings: MachineSettings;
  readonly genesisTick: number;
  /** Hex. */
  readonly genesisHash: string;
  readonly head: Head;
  /** Changes so far, with those that wrote no row. */
  readonly changes: number;
  /** Rows that the newest checkpoint covers. */
  readonly checkpointSize: number;
  readonly erased: number;
  /** What payloads are sealed to while the machine is private: 64 hex digits. None until an owner lends an equation. */
  readonly sealingKey?: string | undefined;
  readonly createdMs: number;
}

/** What a change may change beside the head; the chain says when. */
export type MachinePatch = Partial<
  Pick<Machine, 'name' | 'description' | 'status' | 'isPublic' | 'settings' | 'erased' | 'sealingKey'>
>;

interface MachineRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly status: MachineStatus;
  readonly is_public: boolean;
  readonly settings: string;
  readonly genesis_tick: number;
  readonly genesis_hash: string;
  readonly head_seq: number;
  readonly head_hash: string;
  readonly head_svcond: number;
  readonly changes: number;
  readonly checkpoint_size: number;
  readonly erased: number;
  readonly sealing_key: string | null;
  readonly created_at: number;
}

const COLUMNS = `id, slug, name, description, status, is_public, settings, genesis_tick,
  encode(genesis_hash, 'hex') as genesis_hash, head_seq, encode(head_hash, 'hex') as head_hash, head_svcond, changes,
  checkpoint_size, erased, encode(sealing_key, 'hex') as sealing_key, created_at`;

/** A machine as somebody meets it. */
export interface MetMachine {
  readonly machine: Machine;
  readonly role: Role | undefined;
}

interface Meeting {
  readonly slug: string;
  readonly zid: string | undefined;
}

export class MachineRepository {
  readonly #knex: Executor;
  readonly #meetings: Gathered<Meeting, MetMachine | undefined>;

  constructor(knex: Executor) {
    this.#knex = knex;
    this.#meetings = new Gathered((meetings) => this.#meetAll(meetings));
  }

  /** @returns false if the slug is taken */
  async insert(machine: Machine, on: Executor = this.#knex): Promise<boolean> {
    const { head } = machine;
    const inserted = await rows(
      on,
      `insert into machine (id, slug, name, description, status, is_public, settings, genesis_tick, genesis_hash, head_seq,
         head_hash, head_svcond, checkpoint_size, erased, sealing_key, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, decode(?, 'hex'), ?, decode(?, 'hex'), ?, ?, ?, decode(?, 'hex'), ?)
       on conflict (slug) do nothing returning 1`,
      [
        machine.id,
        head.slug,
        machine.name,
        machine.description,
        machine.status,
        machine.isPublic,
        JSON.stringify(machine.settings),
        machine.genesisTick,
        machine.genesisHash,
        head.seq,
        head.row_hash,
        head.svcond,
        machine.checkpointSize,
        machine.erased,
        machine.sealingKey ?? null,
        stamp(machine.createdMs),
      ],
    );
    return inserted.length === 1;
  }

  async bySlug(slug: string, on: Executor = this.#knex): Promise<Machine | undefined> {
    const [row] = await rows<MachineRow>(on, `select ${COLUMNS} from machine where slug = ?`, [slug]);
    return row && fromRow(row);
  }

  /** The machine, and the role of this identity in it: what nearly every request begins with. Not for use in a transaction. */
  meet(slug: string, zid: string | undefined): Promise<MetMachine | undefined> {
    return this.#meetings.ask({ slug, zid });
  }

  async #meetAll(meetings: readonly Meeting[]): Promise<(MetMachine | undefined)[]> {
    const found = await rows<MachineRow & { readonly role: Role | null; readonly n: number }>(
      this.#knex,
      `select ${COLUMNS}, role, n
       from unnest(?::text[], ?::text[]) with ordinality as meeting (of_slug, of_zid, n)
       join machine on slug = of_slug
       left join member on machine_id = id and zid = of_zid`,
      [meetings.map(({ slug }) => slug), meetings.map(({ zid }) => zid ?? null)],
    );
    const met = new Map(found.map((row) => [row.n - 1, { machine: fromRow(row), role: row.role ?? undefined }]));
    return meetings.map((_, i) => met.get(i));
  }

  /** Those that exist, in the order of their ids; with `isLocked` nobody else moves their heads until the transaction ends. */
  async byIds(ids: readonly string[], isLocked: boolean, on: Executor = this.#knex): Promise<Machine[]> {
    const lock = isLocked ? 'for update' : '';
    const found = await rows<MachineRow>(
      on,
      `select ${COLUMNS} from machine where id = any(?::uuid[]) order by id ${lock}`,
      [ids],
    );
    return found.map(fromRow);
  }

  /** How many changes each machine that is there has had. */
  async changesOf(ids: readonly string[], on: Executor = this.#knex): Promise<ReadonlyMap<string, number>> {
    const found = await rows<{ id: string; changes: number }>(
      on,
      'select id, changes from machine where id = any(?::uuid[])',
      [ids],
    );
    return new Map(found.map(({ id, changes }) => [id, changes]));
  }

  /** Number of the newest row of each machine that is there. */
  async headSeqs(ids: readonly string[], on: Executor = this.#knex): Promise<ReadonlyMap<string, number>> {
    const found = await rows<{ id: string; seq: number }>(
      on,
      'select id, head_seq as seq from machine where id = any(?::uuid[])',
      [ids],
    );
    return new Map(found.map(({ id, seq }) => [id, seq]));
  }

  /** Public and not archived, newest first. */
  async newest(
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
    on: Executor = this.#knex,
  ): Promise<Page<Machine>> {
    const after: Binding[] = cursor === undefined ? [] : [decodeCursor(cursor)];
    const found = await rows<MachineRow>(
      on,
      `select ${COLUMNS} from machine where is_public and status <> 'archived' ${after.length === 0 ? '' : 'and id < ?'}
       order by id desc limit ?`,
      [...after, limit + 1],
    );
    return pageOf(found.map(fromRow), limit);
  }

  /** The public ones that are not archived and all that an identity is a member of, newest first. */
  async visible(
    zid: string | undefined,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
    on: Executor = this.#knex,
  ): Promise<Page<Machine & { readonly role: Role | undefined }>> {
    const after: Binding[] = cursor === undefined ? [] : [decodeCursor(cursor)];
    const found = await rows<MachineRow & { readonly role: Role | null }>(
      on,
      `select ${COLUMNS}, role from machine left join member on machine_id = id and zid = ?
       where ((is_public and status <> 'archived') or role is not null) ${after.length === 0 ? '' : 'and id < ?'}
       order by id desc limit ?`,
      [zid ?? '', ...after, limit + 1],
    );
    return pageOf(
      found.map((row) => ({ ...fromRow(row), role: row.role ?? undefined })),
      limit,
    );
  }

  /**
   * Moves heads and writes patches, each only where nothing has changed since it was read.
   *
   * @returns how many machines were moved
   */
  async move(moved: readonly { readonly before: Machine; readonly after: Machine }[], on: Executor): Promise<number> {
    const column = <T>(read: (machine: Machine) => T) => moved.map(({ after }) => read(after));
    const done = await rows(
      on,
      `update machine set head_seq = new.seq, head_hash = decode(new.hash, 'hex'), head_svcond = new.svcond, changes = new.changes, name = new.name,
         description = new.description, status = new.status, is_public = new.is_public, settings = new.settings,
         erased = new.erased, sealing_key = decode(new.sealing_key, 'hex')
       from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::boolean[],
         ?::text[], ?::bigint[], ?::text[])
         as new (id, expected, changes, seq, hash, svcond, name, description, status, is_public, settings, erased, sealing_key)
       where machine.id = new.id and machine.changes = new.expected returning 1`,
      [
        column(({ id }) => id),
        moved.map(({ before }) => String(before.changes)),
        column(({ changes }) => String(changes)),
        column(({ head }) => String(head.seq)),
        column(({ head }) => head.row_hash),
        column(({ head }) => String(head.svcond)),
        column(({ name }) => name),
        column(({ description }) => description),
        column(({ status }) => status),
        column(({ isPublic }) => String(isPublic)),
        column(({ settings }) => JSON.stringify(settings)),
        column(({ erased }) => String(erased)),
        column(({ sealingKey }) => sealingKey ?? null),
      ],
    );
    return done.length;
  }
}

function fromRow(row: MachineRow): Machine {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    isPublic: row.is_public,
    settings: JSON.parse(row.settings) as MachineSettings,
    genesisTick: row.genesis_tick,
    genesisHash: row.genesis_hash,
    head: { slug: row.slug, seq: row.head_seq, svcond: row.head_svcond, row_hash: row.head_hash },
    changes: row.changes,
    checkpointSize: row.checkpoint_size,
    erased: row.erased,
    sealingKey: row.sealing_key ?? undefined,
    createdMs: row.created_at,
  };
}
