// Timers of contracts: at most one row for each. The machine decides the shard, by which nodes share the work.

import { type Executor, rows } from '../database/sql.ts';

/** Number of groups that the timers are divided into; nodes lease whole groups. */
export const SHARDS = 64;

export function shardOf(machineId: string): number {
  return Number.parseInt(machineId.slice(-2), 16) % SHARDS;
}

interface Timer {
  readonly machineId: string;
  readonly contractId: string;
  readonly fireTick: number;
}

export async function setTimers(timers: readonly Timer[], on: Executor): Promise<void> {
  if (timers.length === 0) return;
  await rows(
    on,
    `insert into timer (machine_id, contract_id, shard, fire_tick)
     select * from unnest(?::uuid[], ?::uuid[], ?::smallint[], ?::bigint[])
     on conflict (machine_id, contract_id) do update set fire_tick = excluded.fire_tick`,
    [
      timers.map(({ machineId }) => machineId),
      timers.map(({ contractId }) => contractId),
      timers.map(({ machineId }) => String(shardOf(machineId))),
      timers.map(({ fireTick }) => String(fireTick)),
    ],
  );
}

export async function deleteTimers(timers: readonly Omit<Timer, 'fireTick'>[], on: Executor): Promise<void> {
  if (timers.length === 0) return;
  await rows(
    on,
    `delete from timer using unnest(?::uuid[], ?::uuid[]) as gone (machine_id, contract_id)
     where timer.machine_id = gone.machine_id and timer.contract_id = gone.contract_id`,
    [timers.map(({ machineId }) => machineId), timers.map(({ contractId }) => contractId)],
  );
}

/** A machine with contracts whose timers are due. */
export interface DueMachine {
  readonly machineId: string;
  /** Of the oldest of those timers. */
  readonly fireTick: number;
}

export class TimerRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Active machines of these shards with timers due by `now`, longest overdue first. */
  async due(
    shards: readonly number[],
    now: number,
    limit: number,
    except: readonly string[] = [],
    on: Executor = this.#knex,
  ): Promise<DueMachine[]> {
    return rows(
      on,
      `select machine_id as "machineId", min(fire_tick) as "fireTick"
       from timer join machine on machine.id = machine_id and machine.status = 'active'
       where shard = any(?::smallint[]) and fire_tick <= ? and machine_id <> all(?::uuid[])
       group by machine_id order by 2 limit ?`,
      [shards.map(String), now, except, limit],
    );
  }
}
