// Anchors between machines, and the checkpoints of other logs that this node has witnessed.
//
// The tables of the parent (`anchor`, `anchor_continuity`) name a pseudonym, never a machine: only the child's rows
// contain both. Anchor keys are sealed under the master key. Roots, sizes and signatures are also in the chains;
// these tables serve lists and make an anchor unique.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table anchor (
      mother_id uuid not null,
      pseudonym text not null,
      size bigint not null,
      seq bigint not null,
      public_key bytea not null check (octet_length(public_key) = 32),
      root bytea not null check (octet_length(root) = 32),
      svcond bigint not null,
      sig bytea not null check (octet_length(sig) = 64),
      primary key (mother_id, pseudonym, size)
    );
    create unique index anchor_seq on anchor (mother_id, seq);

    create table anchor_continuity (
      mother_id uuid not null,
      pseudonym text not null,
      continues text not null,
      seq bigint not null,
      primary key (mother_id, pseudonym)
    );

    create table anchor_key (
      machine_id uuid not null references machine (id),
      epoch int not null check (epoch > 0),
      sealed bytea not null,
      created_svcond bigint not null,
      primary key (machine_id, epoch)
    );

    create table anchor_config (
      machine_id uuid primary key references machine (id),
      version int not null check (version > 0),
      mothers text not null,
      every_ticks bigint not null,
      witnesses text not null,
      set_by text not null,
      due_tick bigint
    );
    create index anchor_config_due on anchor_config (due_tick) where due_tick is not null;

    create table anchor_mother (
      machine_id uuid not null,
      mother_id uuid not null,
      epoch int,
      size bigint not null,
      tried_svcond bigint,
      code text,
      failures bigint not null,
      primary key (machine_id, mother_id)
    );

    create table anchored (
      machine_id uuid not null,
      mother_id uuid not null,
      pseudonym text not null,
      size bigint not null,
      seq bigint not null,
      primary key (machine_id, mother_id, pseudonym, size)
    );

    create table anchor_witness (
      machine_id uuid not null,
      url text not null,
      size bigint not null,
      cosignature text,
      tried_svcond bigint not null,
      code text,
      failures bigint not null,
      primary key (machine_id, url)
    );

    create table witnessed (
      origin text primary key,
      size bigint not null,
      root bytea not null check (octet_length(root) = 32),
      note text not null,
      svcond bigint not null
    );
  `);
}
