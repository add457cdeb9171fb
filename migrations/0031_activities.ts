// Activities that contracts have started, from the change that started them until one row says what became of them
// (docs/decisions/0053).

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table activity (
      machine_id uuid not null,
      seq bigint not null,
      no smallint not null,
      contract_id uuid not null,
      instance text collate "C",
      transition text not null,
      call text not null,
      hops smallint not null,
      created_svcond bigint not null,
      next_tick bigint,
      attempts int not null default 0,
      outcome text,
      settled_seq bigint,
      primary key (machine_id, seq, no),
      check ((next_tick is null) = (settled_seq is not null))
    ) with (fillfactor = 80);
    create index activity_due on activity (machine_id, next_tick) where next_tick is not null;
    create index activity_settled on activity (created_svcond) where next_tick is null;
  `);
}
