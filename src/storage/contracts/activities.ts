// Activities that contracts start: written with the transition, and settled by one row of the same machine.
//
// An activity is settled in the transaction that writes this row. What ends before it leaves the activity pending, what
// ends after it finds the activity settled: no result is lost, and none is recorded twice.

import { LIMITS } from '../../core/limits.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';
import { removeSettled, type StartedKey, settling, startedByStranger } from './settled-rows.ts';
import { SHARDS } from './timers.ts';

interface NewActivity extends StartedKey {
  readonly contractId: string;
  readonly instance: string | undefined;
  readonly transition: string;
  /** Canonical JSON of what is asked. */
  readonly call: string;
  readonly hops: number;
  readonly svcond: number;
}

export interface PendingActivity extends StartedKey {
  readonly contractId: string;
  readonly instance: string | null;
  readonly transition: string;
  readonly call: string;
  readonly hops: number;
  readonly svcond: number;
  /** Tries that have begun. */
  readonly attempts: number;
  /** What became of it, as JSON, if that waits for its contract. */
  readonly outcome: string | null;
  /** Whether its transition is that of a stranger, or follows from such. */
  readonly isOfStranger: boolean;
}

const COLUMNS = `machine_id as "machineId", seq, no, contract_id as "contractId", instance, transition, call, hops,
  created_svcond as svcond, attempts, outcome, ${startedByStranger('activity')} as "isOfStranger"`;

const failed = (code: string, reason: string) => JSON.stringify({ kind: 'failed', code, reason });
const { perMachine, perContract } = LIMITS.contracts.calls;
const { hops: maxHops } = LIMITS.contracts.sends;
const HOP_LIMIT = failed(
  'HOP_LIMIT',
  `Activities and machines have caused each other ${maxHops} times in a row, which is the limit.`,
);
const TOO_MANY = failed(
  'TOO_MANY',
  `Limit of ${perMachine} pending activities of a machine, ${perContract} of a contract, reached.`,
);

/** Beyond its limits an activity has failed before it begins. */
export const activityRows: Writer<NewActivity> = {
  async write(all, on) {
    const column = <T>(read: (one: NewActivity) => T) => all.map(read);
    await rows(
      on,
      `insert into activity (machine_id, seq, no, contract_id, instance, transition, call, hops, created_svcond,
         next_tick, outcome)
       select started.*, started.svcond, case when started.hops > ? then ? when pending.all >= ? or pending.own >= ? then ? end
       from unnest(?::uuid[], ?::bigint[], ?::smallint[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::smallint[],
         ?::bigint[]) as started (machine_id, seq, no, contract_id, instance, transition, call, hops, svcond)
       cross join lateral (select count(*) as all, count(*) filter (where other.contract_id = started.contract_id) as own
         from activity as other where other.machine_id = started.machine_id and other.next_tick is not null) as pending`,
      [
        maxHops,
        HOP_LIMIT,
        perMachine,
        perContract,
        TOO_MANY,
        column(({ machineId }) => machineId),
        column(({ seq }) => String(seq)),
        column(({ no }) => String(no)),
        column(({ contractId }) => contractId),
        column(({ instance }) => instance ?? null),
        column(({ transition }) => transition),
        column(({ call }) => call),
        column(({ hops }) => String(hops)),
        column(({ svcond }) => String(svcond)),
      ],
    );
  },
};

/** Settles activities whose row is written in the same transaction. */
export const settledActivities = settling('activity', 'Activity', 'outcome = null,');

const FIRST_MACHINE = '00000000-0000-0000-0000-000000000000';

export class ActivityRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Active machines with pending activities, step by step along the index, however many each has. */
  async machines(shards: readonly number[], after: string = FIRST_MACHINE, limit = 100): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.#knex,
      `with recursive busy (id) as (
         (select machine_id from activity where next_tick is not null and machine_id > ?::uuid order by machine_id limit 1)
         union all
         select further.machine_id from busy cross join lateral (
           select machine_id from activity where next_tick is not null and machine_id > busy.id
           order by machine_id limit 1) as further
       )
       select id from busy where ('x' || right(id::text, 2))::bit(8)::int % ${SHARDS} = any(?::int[])
         and (select status from machine where machine.id = busy.id) = 'active' limit ?`,
      [after, shards.map(String), limit],
    );
    return found.map(({ id }) => id);
  }

  /**
   * The due activities of a machine, except those of contracts that are paused or have failed: first those that only
   * have to be told, then the oldest.
   */
  async dueOf(machineId: string, now: number, limit: number): Promise<PendingActivity[]> {
    return rows(
      this.#knex,
      `select ${COLUMNS} from activity where machine_id = ? and next_tick <= ?
         and not exists (select 1 from contract where contract.machine_id = activity.machine_id and id = contract_id
           and status in ('paused', 'failed'))
       order by outcome is null, next_tick, seq, no limit ?`,
      [machineId, now, limit],
    );
  }

  /** All that wait, the next one first. */
  async pendingOf(machineId: string, limit: number): Promise<(PendingActivity & { readonly nextTick: number })[]> {
    return rows(
      this.#knex,
      `select ${COLUMNS}, next_tick as "nextTick" from activity where machine_id = ? and next_tick is not null
       order by next_tick, seq, no limit ?`,
      [machineId, limit],
    );
  }

  async isPending({ machineId, seq, no }: StartedKey, on: Executor = this.#knex): Promise<boolean> {
    const found = await rows(
      on,
      'select 1 from activity where machine_id = ? and seq = ? and no = ? and next_tick is not null',
      [machineId, seq, no],
    );
    return found.length === 1;
  }

  /** Counts a try before it begins, so that one that ends the node counts too. @returns false if another has begun it */
  async begin({ machineId, seq, no, attempts }: PendingActivity): Promise<boolean> {
    const begun = await rows(
      this.#knex,
      `update activity set attempts = attempts + 1
       where machine_id = ? and seq = ? and no = ? and attempts = ? and next_tick is not null returning 1`,
      [machineId, seq, no, attempts],
    );
    return begun.length === 1;
  }

  /** Takes back a try that this node has begun, and ends before it is made. */
  async giveBack({ machineId, seq, no, attempts }: PendingActivity): Promise<void> {
    await rows(
      this.#knex,
      `update activity set attempts = ? where machine_id = ? and seq = ? and no = ? and attempts = ?
         and next_tick is not null`,
      [attempts, machineId, seq, no, attempts + 1],
    );
  }

  /** @param outcome  JSON of what became of it, if it only waits for its contract */
  async defer({ machineId, seq, no }: StartedKey, next: number, outcome: string | null): Promise<void> {
    await rows(
      this.#knex,
      `update activity set next_tick = ?, outcome = ?
       where machine_id = ? and seq = ? and no = ? and next_tick is not null`,
      [next, outcome, machineId, seq, no],
    );
  }

  /**
   * Removes settled activities of before a tick.
   *
   * @returns number of removed activities; call again while it is `limit`
   */
  removeBefore(tick: number, limit: number, on: Executor = this.#knex): Promise<number> {
    return removeSettled('activity', tick, limit, on);
  }
}
