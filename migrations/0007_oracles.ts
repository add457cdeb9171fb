// Oracles of contracts: how often they were read, which rows hold what still counts, and when the next question is due.
//
// The readings themselves are rows of the chain. `newest_ok_seq` names the one whose age conditions see, so that it is found
// however long ago it was; rows before `since_seq` told of something else. `cursor_seq` is how far another machine was read.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table oracle (
      machine_id uuid not null,
      contract_id uuid not null,
      version_no int not null,
      shard smallint not null,
      kind text not null,
      subject text not null,
      asked_by text not null,
      since_seq bigint not null,
      readings bigint not null,
      out_of_range bigint not null,
      stale bigint not null,
      newest_seq bigint,
      newest_ok_seq bigint,
      cursor_seq bigint,
      every_ticks bigint,
      due_tick bigint,
      polls bigint not null,
      failed bigint not null,
      last_error text,
      primary key (machine_id, contract_id)
    ) with (fillfactor = 50);
    create index oracle_due on oracle (shard, due_tick) where due_tick is not null;
  `);
}
