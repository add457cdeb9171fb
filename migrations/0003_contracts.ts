// State contracts: the live row, its versions, fires, timers, tokens, pending webhooks, and the shards of the timers.
//
// `state` is the transition function's own record (src/contracts/contract-state.ts); the columns beside it serve lists
// and the scheduler. A contract has one timer row: the tick at which it must be woken next. The key of `fire` makes an
// occurrence unique, on whichever node it fires.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table contract (
      machine_id uuid not null references machine (id),
      id uuid not null,
      name text not null,
      template_id text,
      status text not null check (status in ('active', 'paused', 'frozen', 'completed', 'failed')),
      version_no int not null,
      definition text not null,
      definition_hash bytea not null check (octet_length(definition_hash) = 32),
      parameters text not null,
      state text not null,
      current_state text not null,
      fire_count bigint not null,
      next_fire bigint,
      held_next_fire bigint,
      held_at bigint,
      created_svcond bigint not null,
      primary key (machine_id, id)
    ) with (fillfactor = 50);

    create table contract_version (
      machine_id uuid not null,
      contract_id uuid not null,
      no int not null,
      definition text not null,
      definition_hash bytea not null,
      parameters text not null,
      svcond bigint not null,
      actor text not null,
      reason text not null,
      primary key (machine_id, contract_id, no)
    );

    create table fire (
      machine_id uuid not null,
      contract_id uuid not null,
      version_no int not null,
      transition text not null,
      entry bigint not null,
      occurrence text not null,
      seq bigint not null,
      svcond bigint not null,
      from_state text not null,
      to_state text not null,
      primary key (machine_id, contract_id, version_no, transition, entry, occurrence)
    );
    create index fire_newest on fire (machine_id, contract_id, seq desc);
    create index fire_tick on fire (svcond);

    create table timer (
      machine_id uuid not null,
      contract_id uuid not null,
      shard smallint not null,
      fire_tick bigint not null,
      primary key (machine_id, contract_id)
    ) with (fillfactor = 50);
    create index timer_due on timer (shard, fire_tick);

    create table shard_lease (
      shard smallint primary key,
      owner text not null,
      fence bigint not null,
      expires_at timestamptz not null
    );

    create table token_balance (
      machine_id uuid not null,
      token text not null,
      holder text not null,
      amount bigint not null check (amount >= 0),
      primary key (machine_id, token, holder)
    );

    create table outbox (
      id uuid primary key,
      machine_id uuid not null,
      contract_id uuid not null,
      url text not null,
      body text not null,
      attempts int not null,
      next_attempt_tick bigint,
      last_error text,
      delivered_svcond bigint,
      created_svcond bigint not null
    );
    create index outbox_due on outbox (next_attempt_tick) where next_attempt_tick is not null;
  `);
}
