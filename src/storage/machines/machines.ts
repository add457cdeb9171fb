// Machines: name, status, settings and visibility of each, and the head of its chain.

import type { Head } from '../../chain/row.ts';
import { DomainError } from '../../core/errors.ts';
import { moveTimers } from '../contracts/timers.ts';
import { Batcher } from '../database/batcher.ts';
import { decodeCursor, type Page, pageOf } from '../database/cursor.ts';
import { type Binding, type Executor, rows, stamp } from '../database/sql.ts';
import type { Role } from './access/members.ts';

export type MachineStatus = 'active' | 'paused' | 'archived';

/** Whose machines may anchor in a machine; each choice includes those before it. */
export type AcceptAnchors = 'nobody' | 'members' | 'listed' | 'anyone';

export const DEFAULT_ACCEPT_ANCHORS: AcceptAnchors = 'members';

export interface MachineSettings {
  /** Hosts that oracles of this machine may call. */
  readonly http_allow?: readonly string[];
  /** Machines whose contracts may send events to this one. */
  readonly events_from?: readonly string[];
  readonly accept_anchors?: AcceptAnchors;
  /** With `listed`: identities whose machines may anchor. */
  readonly anchor_zids?: readonly string[];
  /** The newest rows that stay in the database, if the node has an archive; 0 sets no number. */
  readonly keep_rows?: number;
  /** Rows of this many days stay as well; 0 sets no time. Without both, all rows stay. */
  readonly keep_days?: number;
}

export interface Machine {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly status: MachineStatus;
  readonly isPublic: boolean;
  readonly settings: MachineSettings;
  /** Number of the chain's rows of type `settings`. */
  readonly settingsVersion: number;
  /** Number of the row that states the present settings; undefined for a machine from before such rows. */
  readonly settingsSeq?: number | undefined;
  readonly genesisTick: number;
  /** Hex. */
  readonly genesisHash: string;
  readonly head: Head;
  /** Number of changes so far, including those that wrote no row. */
  readonly changes: number;
  /** Number of rows that the newest checkpoint covers. */
  readonly checkpointSize: number;
  readonly erased: number;
  /**
   * Public key, 64 hex digits, that payloads of a private machine are sealed to; set when an owner provides an
   * equation.
   */
  readonly sealingKey?: string | undefined;
  readonly createdMs: number;
}

/** Fields that a change may set; a row of the chain records when. */
export type MachinePatch = Partial<
  Pick<
    Machine,
    | 'name'
    | 'description'
    | 'status'
    | 'isPublic'
    | 'settings'
    | 'settingsVersion'
    | 'settingsSeq'
    | 'erased'
    | 'sealingKey'
  >
>;

interface MachineRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly status: MachineStatus;
  readonly is_public: boolean;
  readonly settings: string;
  readonly settings_version: number;
  readonly settings_seq: number | null;
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

const COLUMNS = `id, slug, name, description, status, is_public, settings, settings_version, settings_seq, genesis_tick,
  encode(genesis_hash, 'hex') as genesis_hash, head_seq, encode(head_hash, 'hex') as head_hash, head_svcond, changes,
  checkpoint_size, erased, encode(sealing_key, 'hex') as sealing_key, created_at`;

/** A machine, and the role that an identity has in it. */
export interface MachineWithRole {
  readonly machine: Machine;
  readonly role: Role | undefined;
}

interface MachineChange {
  readonly before: Pick<Machine, 'changes'>;
  readonly after: Machine;
  /** Whether its status may be another one. */
  readonly hasStatus?: boolean | undefined;
  /** Tick of the first row that was added; undefined if none was. */
  readonly since?: number | undefined;
}

interface RoleRequest {
  readonly slug: string;
  readonly zid: string | undefined;
}

export class MachineRepository {
  readonly #knex: Executor;
  readonly #withRole: Batcher<RoleRequest, MachineWithRole | undefined>;

  constructor(knex: Executor) {
    this.#knex = knex;
    this.#withRole = new Batcher((requests) => this.#findAllWithRole(requests));
  }

  /** @returns false if the slug is taken */
  async insert(machine: Machine, on: Executor = this.#knex): Promise<boolean> {
    const { head } = machine;
    const inserted = await rows(
      on,
      `insert into machine (id, slug, name, description, status, is_public, settings, settings_seq, genesis_tick, genesis_hash,
         head_seq, head_hash, head_svcond, checkpoint_size, pending_since, erased, sealing_key, created_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, decode(?, 'hex'), ?, decode(?, 'hex'), ?, ?, ?, ?, decode(?, 'hex'), ?)
       on conflict (slug) do nothing returning 1`,
      [
        machine.id,
        head.slug,
        machine.name,
        machine.description,
        machine.status,
        machine.isPublic,
        JSON.stringify(machine.settings),
        machine.settingsSeq ?? null,
        machine.genesisTick,
        machine.genesisHash,
        head.seq,
        head.row_hash,
        head.svcond,
        machine.checkpointSize,
        machine.genesisTick,
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

  /**
   * The machine and the role of this identity in it, which nearly every request begins with. Concurrent calls share a
   * statement, so it cannot be used in a transaction.
   */
  findWithRole(slug: string, zid: string | undefined): Promise<MachineWithRole | undefined> {
    return this.#withRole.load({ slug, zid });
  }

  async #findAllWithRole(requests: readonly RoleRequest[]): Promise<(MachineWithRole | undefined)[]> {
    const found = await rows<MachineRow & { readonly role: Role | null; readonly n: number }>(
      this.#knex,
      `select ${COLUMNS}, role, n
       from unnest(?::text[], ?::text[]) with ordinality as request (of_slug, of_zid, n)
       join machine on slug = of_slug
       left join member on machine_id = id and zid = of_zid`,
      [requests.map(({ slug }) => slug), requests.map(({ zid }) => zid ?? null)],
    );
    const byRequest = new Map(
      found.map((row) => [row.n - 1, { machine: fromRow(row), role: row.role ?? undefined }] as const),
    );
    return requests.map((_, i) => byRequest.get(i));
  }

  /**
   * Those of the machines that exist, ordered by id. With `isLocked`, their rows are locked until the transaction ends.
   */
  async byIds(ids: readonly string[], isLocked: boolean, on: Executor = this.#knex): Promise<Machine[]> {
    const lock = isLocked ? 'for update' : '';
    const found = await rows<MachineRow>(
      on,
      `select ${COLUMNS} from machine where id = any(?::uuid[]) order by id ${lock}`,
      [ids],
    );
    return found.map(fromRow);
  }

  /** Number of changes of each machine that exists. */
  async changesOf(ids: readonly string[], on: Executor = this.#knex): Promise<ReadonlyMap<string, number>> {
    const found = await rows<{ id: string; changes: number }>(
      on,
      'select id, changes from machine where id = any(?::uuid[])',
      [ids],
    );
    return new Map(found.map(({ id, changes }) => [id, changes]));
  }

  /** Number of the newest row of each machine that exists. */
  async headSeqs(ids: readonly string[], on: Executor = this.#knex): Promise<ReadonlyMap<string, number>> {
    const found = await rows<{ id: string; seq: number }>(
      on,
      'select id, head_seq as seq from machine where id = any(?::uuid[])',
      [ids],
    );
    return new Map(found.map(({ id, seq }) => [id, seq]));
  }

  /** Public machines that are not archived, newest first. */
  async listPublic(
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
    on: Executor = this.#knex,
  ): Promise<Page<Machine>> {
    const after: Binding[] = cursor === undefined ? [] : [decodeCursor(cursor)];
    const found = await rows<MachineRow>(
      on,
      `select ${COLUMNS} from machine
       where is_public and status <> 'archived' ${after.length === 0 ? '' : 'and id < ?'} order by id desc limit ?`,
      [...after, limit + 1],
    );
    return pageOf(found.map(fromRow), limit);
  }

  /** Public machines that are not archived, and all that an identity is a member of, newest first. */
  async listVisible(
    zid: string | undefined,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
    on: Executor = this.#knex,
  ): Promise<Page<Machine & { readonly role: Role | undefined }>> {
    const after: Binding[] = cursor === undefined ? [] : [decodeCursor(cursor)];
    const before = after.length === 0 ? '' : 'and id < ?';
    // The newest of each kind by an index: a machine that is both comes once.
    const found = await rows<MachineRow & { readonly role: Role | null }>(
      on,
      `select ${COLUMNS}, (select role from member where machine_id = id and zid = ?) as role from machine where id in (
         (select id from machine where is_public and status <> 'archived' ${before} order by id desc limit ?)
         union
         (select machine_id as id from member where zid = ? ${before.replace('id', 'machine_id')}
          order by machine_id desc limit ?)
       ) order by id desc limit ?`,
      [zid ?? '', ...after, limit + 1, zid ?? '', ...after, limit + 1, limit + 1],
    );
    return pageOf(
      found.map((row) => ({ ...fromRow(row), role: row.role ?? undefined })),
      limit,
    );
  }

  /** Machines without a row that states their settings, ordered by id. */
  async unstated(after: string | undefined, limit: number, on: Executor = this.#knex): Promise<string[]> {
    const found = await rows<{ id: string }>(
      on,
      'select id from machine where settings_seq is null and (id > ?::uuid or ?::uuid is null) order by id limit ?',
      [after ?? null, after ?? null, limit],
    );
    return found.map(({ id }) => id);
  }

  /** Machines with a setting of how many rows stay in the database, ordered by id, after the given one. */
  async keeping(after: string | undefined, limit: number, on: Executor = this.#knex): Promise<Machine[]> {
    const found = await rows<MachineRow>(
      on,
      `select ${COLUMNS} from machine where strpos(settings, '"keep_') > 0 and (id > ?::uuid or ?::uuid is null)
       order by id limit ?`,
      [after ?? null, after ?? null, limit],
    );
    return found.map(fromRow);
  }

  /**
   * Writes heads and patches, each only if the machine has not changed since it was read. Its timers follow its status.
   *
   * @returns number of machines that were updated
   */
  async update(changed: readonly MachineChange[], on: Executor): Promise<number> {
    const column = <T>(read: (machine: Machine) => T) => changed.map(({ after }) => read(after));
    const done = await rows(
      on,
      `update machine set head_seq = new.seq, head_hash = decode(new.hash, 'hex'), head_svcond = new.svcond,
         pending_since = coalesce(machine.pending_since, new.since),
         changes = new.changes, name = new.name, description = new.description, status = new.status,
         is_public = new.is_public, settings = new.settings,
         settings_version = new.settings_version, settings_seq = new.settings_seq, erased = new.erased,
         sealing_key = decode(new.sealing_key, 'hex')
       from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::text[], ?::text[],
         ?::text[], ?::boolean[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[])
         as new (id, expected, changes, seq, hash, svcond, name, description, status, is_public, settings,
           settings_version, settings_seq, erased, sealing_key, since)
       where machine.id = new.id and machine.changes = new.expected returning 1`,
      [
        column(({ id }) => id),
        changed.map(({ before }) => String(before.changes)),
        column(({ changes }) => String(changes)),
        column(({ head }) => String(head.seq)),
        column(({ head }) => head.row_hash),
        column(({ head }) => String(head.svcond)),
        column(({ name }) => name),
        column(({ description }) => description),
        column(({ status }) => status),
        column(({ isPublic }) => String(isPublic)),
        column(({ settings }) => JSON.stringify(settings)),
        column(({ settingsVersion }) => String(settingsVersion)),
        column(({ settingsSeq }) => (settingsSeq === undefined ? null : String(settingsSeq))),
        column(({ erased }) => String(erased)),
        column(({ sealingKey }) => sealingKey ?? null),
        changed.map(({ since }) => (since === undefined ? null : String(since))),
      ],
    );
    for (const isActive of [true, false]) {
      const turned = changed.filter(({ hasStatus, after }) => hasStatus && (after.status === 'active') === isActive);
      await moveTimers(
        turned.map(({ after: { id } }) => id),
        isActive,
        on,
      );
    }
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
    settingsVersion: row.settings_version,
    settingsSeq: row.settings_seq ?? undefined,
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

/** @throws DomainError MACHINE_ARCHIVED */
export function assertNotArchived({ status, head }: Machine): void {
  if (status === 'archived') {
    throw new DomainError('MACHINE_ARCHIVED', `The machine ${head.slug} is archived: it can be read, not written.`);
  }
}
