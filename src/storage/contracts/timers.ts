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

/** The shard of a timer, by whether its machine is active: those of others are below zero, where nobody looks. */
export const timerShard = (machineId: string, isActive: boolean): number =>
  isActive ? shardOf(machineId) : -1 - shardOf(machineId);

export async function setTimers(timers: readonly Timer[], on: Executor): Promise<void> {
  if (timers.length === 0) return;
  await rows(
    on,
    `insert into timer (machine_id, contract_id, shard, fire_tick)
     select machine_id, contract_id, case when status = 'active' then shard else -1 - shard end, fire_tick
     from unnest(?::uuid[], ?::uuid[], ?::smallint[], ?::bigint[]) as new (machine_id, contract_id, shard, fire_tick)
     join machine on machine.id = machine_id
     on conflict (machine_id, contract_id) do update set fire_tick = excluded.fire_tick`,
    [
      timers.map(({ machineId }) => machineId),
      timers.map(({ contractId }) => contractId),
      timers.map(({ machineId }) => String(shardOf(machineId))),
      timers.map(({ fireTick }) => String(fireTick)),
    ],
  );
}

/** Moves the timers of machines whose status has changed. */
export async function moveTimers(machineIds: readonly string[], isActive: boolean, on: Executor): Promise<void> {
  if (machineIds.length === 0) return;
  await rows(on, 'update timer set shard = -1 - shard where machine_id = any(?::uuid[]) and (shard < 0) = ?', [
    machineIds,
    isActive,
  ]);
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

  /**
   * Active machines of these shards with timers due by `now`, longest overdue first: those of the `limit` oldest timers.
   *
   * @returns with `isCut`, further timers may be due
   */
  async due(
    shards: readonly number[],
    now: number,
    limit: number,
    except: readonly string[] = [],
    on: Executor = this.#knex,
  ): Promise<{ readonly machines: readonly DueMachine[]; readonly isCut: boolean }> {
    const found = await rows<DueMachine & { readonly timers: number }>(
      on,
      `select machine_id as "machineId", min(fire_tick) as "fireTick", count(*) as timers from (
         select machine_id, fire_tick from timer
         where shard >= 0 and shard = any(?::smallint[]) and fire_tick <= ? and machine_id <> all(?::uuid[])
         order by fire_tick limit ?
       ) as due group by machine_id order by 2`,
      [shards.map(String), now, except, limit],
    );
    const machines = found.map(({ machineId, fireTick }) => ({ machineId, fireTick }));
    return { machines, isCut: found.reduce((sum, { timers }) => sum + timers, 0) === limit };
  }
}
