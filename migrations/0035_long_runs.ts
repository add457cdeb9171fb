// Long runs of solvers that wait for a node or are computed by one, and for a while their answers
// (docs/decisions/0057).

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table long_run (
      id uuid primary key,
      tenant text not null,
      edition text not null,
      request bytea not null,
      created_at timestamptz not null,
      attempts smallint not null default 0,
      holder text,
      lease_until timestamptz,
      fraction real not null default 0,
      answer bytea,
      expires_at timestamptz not null
    ) with (fillfactor = 80);
    create index long_run_open on long_run (created_at) where answer is null;
    create index long_run_expires on long_run (expires_at);
  `);
}
