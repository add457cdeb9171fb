// Tokens that a machine issues at a rate, and their avatar.
//
// The chain contains the same data, but its rows may be erased, or sealed to the owner of a private machine; the supply
// must be readable without them. The avatar is sealed under the master key.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table tally (
      machine_id uuid primary key references machine (id),
      name text not null,
      symbol text not null,
      max_supply bigint not null check (max_supply > 0)
    );

    create table tally_segment (
      machine_id uuid not null references tally (machine_id),
      seq bigint not null,
      svcond bigint not null,
      unit text not null check (unit in ('row', 'tick')),
      every bigint not null check (every > 0),
      amount bigint not null check (amount >= 0),
      primary key (machine_id, seq)
    );

    create table tally_avatar (
      machine_id uuid primary key references tally (machine_id),
      media_type text not null,
      sha256 bytea not null check (octet_length(sha256) = 32),
      width int not null,
      height int not null,
      sealed bytea not null,
      svcond bigint not null
    );
  `);
}
