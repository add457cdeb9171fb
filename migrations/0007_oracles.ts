// Oracles of contracts: number of readings, the rows with current readings, and the time of the next poll.
//
// The readings are rows of the chain. `newest_ok_seq` is the newest valid reading, whose age conditions test, however
// old it is. Rows before `since_seq` belong to an earlier source. `cursor_seq` is the last row read from another
// machine.

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
