// Every machine names the row of its chain that states its settings, and the node keeps what its newest seal covers.
//
// `settings_seq` is null for a machine from before this migration, until the node has appended such a row.
// `sealed_head` has the last head of every machine that was ever sealed. It refers to no table, since it must outlive a
// machine that was deleted.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table machine add column settings_seq bigint;
    create index machine_unstated on machine (id) where settings_seq is null;

    create table sealed_head (
      machine_id uuid primary key,
      slug text not null,
      genesis_hash bytea not null check (octet_length(genesis_hash) = 32),
      seq bigint not null,
      head_hash bytea not null check (octet_length(head_hash) = 32)
    );
  `);
}
