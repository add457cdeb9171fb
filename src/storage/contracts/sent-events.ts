// Events to other machines: written with the transition that sent them, and settled by one row of the receiver, or of the
// sender if the receiver did not take them.
//
// An event is settled in the transaction that writes this row. What ends before it leaves the event pending, what ends
// after it finds the event settled: none is lost, and none arrives twice.

import { LIMITS } from '../../core/limits.ts';
import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';
import { removeSettled, type StartedKey, settling, startedByStranger } from './settled-rows.ts';
import { SHARDS } from './timers.ts';

interface NewSentEvent extends StartedKey {
  readonly contractId: string;
  readonly instance: string | undefined;
  readonly transition: string;
  readonly event: string;
  readonly to: string;
  /** Canonical JSON. */
  readonly payload: string;
  readonly onRefused: string | undefined;
  readonly hops: number;
  readonly svcond: number;
}

/** Why a machine did not take an event. */
export type SendRefusal =
  | 'NOT_LISTED'
  | 'OWN_MACHINE'
  | 'MACHINE_ARCHIVED'
  | 'HOP_LIMIT'
  | 'EXPIRED'
  | 'FORBIDDEN_PARTY'
  | 'BUDGET_EXCEEDED'
  | 'CONFLICT';

export interface PendingEvent extends StartedKey {
  readonly contractId: string;
  readonly instance: string | null;
  readonly transition: string;
  readonly event: string;
  readonly to: string;
  readonly payload: string;
  readonly onRefused: string | null;
  readonly hops: number;
  readonly svcond: number;
  /** The machine that has to write a row. */
  readonly turnId: string;
  readonly nextTick: number;
  readonly attempts: number;
  /** Null while the receiver has the turn. */
  readonly code: SendRefusal | null;
  /** Whether its transition is that of a stranger, or follows from such. */
  readonly isOfStranger: boolean;
}

export interface EventLane {
  readonly turnId: string;
  readonly machineId: string;
}

const COLUMNS = `machine_id as "machineId", seq, no, contract_id as "contractId", instance, transition, event,
  to_slug as "to", payload, on_refused as "onRefused", hops, created_svcond as svcond, turn_id as "turnId",
  next_tick as "nextTick", attempts, code, ${startedByStranger('sent_event')} as "isOfStranger"`;

/** Of a machine that does not exist, nothing else is told than of one that does not list the sender. */
export const sentEventRows: Writer<NewSentEvent> = {
  async write(all, on) {
    const column = <T>(read: (one: NewSentEvent) => T) => all.map(read);
    await rows(
      on,
      `insert into sent_event (machine_id, seq, no, contract_id, instance, transition, event, to_slug, payload,
         on_refused, hops, created_svcond, turn_id, next_tick, code)
       select sent.*, case when code is null then receiver.id else sent.machine_id end, sent.svcond, code
       from unnest(?::uuid[], ?::bigint[], ?::smallint[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[],
         ?::text[], ?::text[], ?::smallint[], ?::bigint[]) as sent (machine_id, seq, no, contract_id, instance,
         transition, event, to_slug, payload, on_refused, hops, svcond)
       left join machine as receiver on receiver.slug = sent.to_slug
       cross join lateral (select case when sent.hops > ? then 'HOP_LIMIT' when receiver.id is null then 'NOT_LISTED'
         when receiver.id = sent.machine_id then 'OWN_MACHINE' end as code) as refusal`,
      [
        column(({ machineId }) => machineId),
        column(({ seq }) => String(seq)),
        column(({ no }) => String(no)),
        column(({ contractId }) => contractId),
        column(({ instance }) => instance ?? null),
        column(({ transition }) => transition),
        column(({ event }) => event),
        column(({ to }) => to),
        column(({ payload }) => payload),
        column(({ onRefused }) => onRefused ?? null),
        column(({ hops }) => String(hops)),
        column(({ svcond }) => String(svcond)),
        LIMITS.contracts.sends.hops,
      ],
    );
  },
};

/** Settles events whose row is written in the same transaction. */
export const settledEvents = settling('sent_event', 'Event');

const FIRST_LANE: EventLane = {
  turnId: '00000000-0000-0000-0000-000000000000',
  machineId: '00000000-0000-0000-0000-000000000000',
};

export class SentEventRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** Steps from lane to lane along the index, however long each is. The shard is that of the machine with the turn. */
  async lanes(shards: readonly number[], after: EventLane = FIRST_LANE, limit = 100): Promise<EventLane[]> {
    return rows(
      this.#knex,
      `with recursive lane (turn_id, machine_id) as (
         (select turn_id, machine_id from sent_event
          where next_tick is not null and (turn_id, machine_id) > (?::uuid, ?::uuid)
          order by turn_id, machine_id limit 1)
         union all
         select further.turn_id, further.machine_id from lane cross join lateral (
           select turn_id, machine_id from sent_event
           where next_tick is not null and (turn_id, machine_id) > (lane.turn_id, lane.machine_id)
           order by turn_id, machine_id limit 1) as further
       )
       select turn_id as "turnId", machine_id as "machineId" from lane
       where ('x' || right(turn_id::text, 2))::bit(8)::int % ${SHARDS} = any(?::int[])
         and (turn_id <> machine_id or (select status from machine where id = turn_id) <> 'archived')
       limit ?`,
      [after.turnId, after.machineId, shards.map(String), limit],
    );
  }

  /** The oldest pending events of a lane, in their order. */
  async pendingOf({ turnId, machineId }: EventLane, limit: number): Promise<PendingEvent[]> {
    return rows(
      this.#knex,
      `select ${COLUMNS} from sent_event where turn_id = ? and machine_id = ? and next_tick is not null
       order by seq, no limit ?`,
      [turnId, machineId, limit],
    );
  }

  /** Whether the same machine still has the turn. */
  async isPending({ machineId, seq, no, turnId, code }: PendingEvent, on: Executor): Promise<boolean> {
    const found = await rows(
      on,
      `select 1 from sent_event where machine_id = ? and seq = ? and no = ? and turn_id = ? and next_tick is not null
         and code is not distinct from ?`,
      [machineId, seq, no, turnId, code],
    );
    return found.length === 1;
  }

  /** Gives the turn back to the sender, unless the event has been settled or refused meanwhile. */
  async refuse({ machineId, seq, no }: StartedKey, code: SendRefusal, now: number): Promise<void> {
    await rows(
      this.#knex,
      `update sent_event set code = ?, turn_id = machine_id, next_tick = ?, attempts = 0
       where machine_id = ? and seq = ? and no = ? and next_tick is not null and code is null`,
      [code, now, machineId, seq, no],
    );
  }

  async defer({ machineId, seq, no, turnId }: PendingEvent, next: number): Promise<void> {
    await rows(
      this.#knex,
      `update sent_event set next_tick = ?, attempts = attempts + 1
       where machine_id = ? and seq = ? and no = ? and turn_id = ? and next_tick is not null`,
      [next, machineId, seq, no, turnId],
    );
  }

  /**
   * Removes settled events of before a tick.
   *
   * @returns number of removed events; call again while it is `limit`
   */
  removeBefore(tick: number, limit: number, on: Executor = this.#knex): Promise<number> {
    return removeSettled('sent_event', tick, limit, on);
  }
}
