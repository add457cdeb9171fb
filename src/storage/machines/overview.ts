// Overview: queries over many machines, for their newest rows, their totals, and the most active ones.

import type { Row } from '../../chain/row.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { CommitNotice } from '../node/event-bus.ts';
import type { MachineStatus } from './machines.ts';

export type RecentRow = Pick<Row, 'slug' | 'seq' | 'svcond' | 'type' | 'source' | 'actor' | 'row_hash'>;

export interface ActiveMachine {
  readonly slug: string;
  readonly name: string;
  readonly transitions: number;
}

/** Sums over several machines. */
export interface Totals {
  readonly machines: number;
  readonly rows: number;
  readonly by_status: Readonly<Record<string, number>>;
  readonly contracts: Readonly<Record<string, number>>;
}

/** Rows of a type are searched for in this many machines, those with the newest heads. */
const MAX_SEARCHED_MACHINES = 1_000;

export class OverviewRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Rows of public machines, newest first. Only the machines with the newest heads can have the newest rows. */
  async recent(type: string | undefined, limit: number, on: Executor = this.#knex): Promise<RecentRow[]> {
    const ofType = type === undefined ? '' : 'and type = ?';
    const machines = type === undefined ? limit : MAX_SEARCHED_MACHINES;
    return rows(
      on,
      `select slug, newest.* from (
         select id, slug from machine where is_public and status <> 'archived'
         order by head_svcond desc, id desc limit ?
       ) as machine cross join lateral (
         select seq, svcond, type, source, actor, encode(hash, 'hex') as row_hash from audit
         where machine_id = machine.id ${ofType} order by seq desc limit ?
       ) as newest order by svcond desc, slug, seq desc limit ?`,
      [machines, ...(type === undefined ? [] : [type]), limit, limit],
    );
  }

  /** The newest rows of public machines since a tick, oldest first: by tick, and within a machine by number. */
  async since(svcond: number, limit: number, on: Executor = this.#knex): Promise<RecentRow[]> {
    const newest = await rows<RecentRow>(
      on,
      `select slug, newest.* from (
         select id, slug from machine where is_public and status <> 'archived' and head_svcond >= ?
         order by head_svcond desc, id desc limit ?
       ) as machine cross join lateral (
         select seq, svcond, type, source, actor, encode(hash, 'hex') as row_hash from audit
         where machine_id = machine.id and svcond >= ? order by seq desc limit ?
       ) as newest order by svcond desc, slug desc, seq desc limit ?`,
      [svcond, limit, svcond, limit, limit],
    );
    return newest.reverse();
  }

  /** The newest of the rows that these notices name, for public machines only; ordered as by `since`. */
  async among(notices: readonly CommitNotice[], limit: number, on: Executor = this.#knex): Promise<RecentRow[]> {
    const newest = await rows<RecentRow>(
      on,
      `select slug, newest.* from unnest(?::uuid[], ?::bigint[], ?::bigint[]) as wanted (id, first, last)
       join machine on machine.id = wanted.id and is_public and status <> 'archived'
       cross join lateral (
         select seq, svcond, type, source, actor, encode(hash, 'hex') as row_hash from audit
         where machine_id = wanted.id and seq between first and last order by seq desc limit ?
       ) as newest order by svcond desc, slug desc, seq desc limit ?`,
      [
        notices.map(({ machineId }) => machineId),
        notices.map(({ first }) => String(first)),
        notices.map(({ last }) => String(last)),
        limit,
        limit,
      ],
    );
    return newest.reverse();
  }

  /** Rows of the machines that a ZID is a member of, newest first. */
  async recentOf(zid: string, limit: number, on: Executor = this.#knex): Promise<RecentRow[]> {
    return rows(
      on,
      `select slug, newest.* from (
         select id, slug from machine where id in (select machine_id from member where zid = ?)
         order by head_svcond desc, id desc limit ?
       ) as machine cross join lateral (
         select seq, svcond, type, source, actor, encode(hash, 'hex') as row_hash from audit
         where machine_id = machine.id order by seq desc limit ?
       ) as newest order by svcond desc, slug, seq desc limit ?`,
      [zid, limit, limit, limit],
    );
  }

  /** Public machines with the most transitions after tick `since`. */
  async active(since: number, limit: number, on: Executor = this.#knex): Promise<ActiveMachine[]> {
    return rows(
      on,
      `select slug, name, transitions from (
         select machine_id, count(*) as transitions from fire where svcond > ? group by machine_id
       ) as busy join machine on machine.id = machine_id and is_public and status <> 'archived'
       order by transitions desc, slug limit ?`,
      [since, limit],
    );
  }

  /** Totals of the public machines that are not archived or, with a ZID, of all machines that it is a member of. */
  async totals(zid: string | undefined, on: Executor = this.#knex): Promise<Totals> {
    const chosen =
      zid === undefined
        ? `machine.is_public and machine.status <> 'archived'`
        : 'machine.id in (select machine_id from member where zid = ?)';
    const bindings = zid === undefined ? [] : [zid];
    const machines = await rows<{ status: MachineStatus; machines: number; rows: number }>(
      on,
      `select status, count(*) as machines, sum(head_seq + 1)::bigint as rows from machine
       where ${chosen} group by status`,
      bindings,
    );
    const contracts = await rows<{ status: string; contracts: number }>(
      on,
      `select contract.status, count(*) as contracts from contract join machine on machine.id = machine_id
       where ${chosen} group by contract.status order by contract.status`,
      bindings,
    );
    return {
      machines: machines.reduce((sum, one) => sum + one.machines, 0),
      rows: machines.reduce((sum, one) => sum + one.rows, 0),
      by_status: Object.fromEntries(machines.map(({ status, machines: count }) => [status, count])),
      contracts: Object.fromEntries(contracts.map(({ status, contracts: count }) => [status, count])),
    };
  }
}
