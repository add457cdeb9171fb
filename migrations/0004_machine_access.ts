// Access to machines: developer keys and share tokens; and seals over all machines.
//
// The developer keys of a machine belong to a separate account, which is a member of the machine. So they end with that
// membership, independent of their creator, and grant no access to the creator's account. Tokens are stored as SHA-256
// only.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table developer_account (
      machine_id uuid primary key references machine (id),
      account_id uuid not null unique references account (id)
    );

    create table share (
      machine_id uuid not null references machine (id),
      id uuid not null,
      token_hash bytea not null unique check (octet_length(token_hash) = 32),
      label text not null,
      created_at timestamptz not null,
      expires_at timestamptz,
      revoked_at timestamptz,
      primary key (machine_id, id)
    );

    create table node_seal (
      no bigint primary key check (no > 0),
      svcond bigint not null,
      machines bigint not null,
      root bytea not null check (octet_length(root) = 32),
      envelope text not null
    );
  `);
}
