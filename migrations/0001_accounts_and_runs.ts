// Accounts and keys, filed runs with their fields and kernels, idempotency, sealed secrets, node settings.
//
// Ids are version 7 UUIDs made by the application, so that they sort by time and no sequence is a hot spot. Hashes are
// 32 bytes. What is hashed or signed is kept as text or bytea, never jsonb, which reorders keys. `account_id` leads the
// key of `run`, so that one account's rows stay together when the table is distributed.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table node (
      key text primary key,
      value text not null
    );

    create table account (
      id uuid primary key,
      kind text not null check (kind in ('demo', 'full')),
      created_svcond bigint not null,
      created_at timestamptz not null
    );

    create table api_key (
      id uuid primary key,
      account_id uuid not null references account (id) on delete cascade,
      key_hash bytea not null unique check (octet_length(key_hash) = 32),
      key_prefix text not null,
      name text not null,
      scope text not null check (scope in ('read', 'write', 'admin')),
      tier text not null check (tier in ('demo', 'free', 'standard', 'high')),
      created_at timestamptz not null,
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz
    );
    create index api_key_account on api_key (account_id, id);
    create index api_key_demo_expiry on api_key (expires_at) where tier = 'demo';

    create table run (
      account_id uuid not null references account (id) on delete cascade,
      id uuid not null,
      folder text,
      solver text not null,
      envelope text not null,
      value_text text,
      unit text not null,
      svcond bigint not null,
      created_at timestamptz not null,
      primary key (account_id, id)
    );
    create index run_folder on run (account_id, folder, id);
    create index run_solver on run (account_id, solver, id);

    create table field (
      sha256 bytea primary key check (octet_length(sha256) = 32),
      bytes bytea not null,
      expires_at timestamptz not null
    );
    create index field_expiry on field (expires_at);
    -- Doubles hardly compress: do not spend time on trying.
    alter table field alter column bytes set storage external;

    create table kernel (
      sha256 bytea primary key check (octet_length(sha256) = 32),
      slug text not null,
      bytes bytea not null,
      first_seen_at timestamptz not null default now()
    );

    create table idempotency (
      principal text not null,
      key text not null,
      route text not null,
      body_sha256 bytea not null check (octet_length(body_sha256) = 32),
      state text not null check (state in ('in_flight', 'done')),
      owner uuid not null,
      lease_until timestamptz not null,
      status int,
      headers text,
      body bytea,
      expires_at timestamptz not null,
      primary key (principal, key),
      check (state = 'in_flight' or (status is not null and headers is not null and body is not null))
    );
    create index idempotency_expiry on idempotency (expires_at);

    create table secret_epoch (
      purpose text not null check (purpose in ('receipt', 'seal')),
      epoch int not null check (epoch > 0),
      ciphertext bytea not null,
      created_at timestamptz not null,
      retired_at timestamptz,
      primary key (purpose, epoch)
    );
  `);
}
