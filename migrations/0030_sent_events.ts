// Events that contracts send to other machines, from the change that sent them until one row says what became of them
// (docs/decisions/0052).
//
// `turn_id` is the machine that has to write that row: the receiver, or after a refusal the sender. A lane holds the
// events of one sender for one of them, in their order.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table sent_event (
      machine_id uuid not null,
      seq bigint not null,
      no smallint not null,
      contract_id uuid not null,
      instance text collate "C",
      transition text not null,
      event text not null,
      to_slug text not null,
      payload text not null,
      on_refused text,
      hops smallint not null,
      created_svcond bigint not null,
      turn_id uuid not null,
      next_tick bigint,
      attempts int not null default 0,
      code text,
      settled_seq bigint,
      primary key (machine_id, seq, no),
      check ((next_tick is null) = (settled_seq is not null))
    ) with (fillfactor = 80);
    create index sent_event_lane on sent_event (turn_id, machine_id, seq, no) where next_tick is not null;
    create index sent_event_settled on sent_event (created_svcond) where next_tick is null;
  `);
}
