// Instances of contracts by key: the state of each, found by its key, and by when it is due (docs/decisions/0043).
//
// Fires of instances name theirs; those of other contracts keep their key.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table contract_instance (
      machine_id uuid not null,
      contract_id uuid not null,
      key text collate "C" not null check (length(key) between 1 and 128),
      status text not null check (status in ('active', 'completed', 'failed')),
      version_no int not null,
      state text not null,
      current_state text not null,
      next_fire bigint,
      created_svcond bigint not null,
      updated_svcond bigint not null,
      primary key (machine_id, contract_id, key)
    ) with (fillfactor = 80);
    create index contract_instance_due on contract_instance (machine_id, contract_id, next_fire)
      where next_fire is not null;

    alter table fire add column instance text collate "C";
    drop index fire_once;
    create unique index fire_once on fire (machine_id, contract_id, transition, entry, occurrence)
      where engine > 1 and instance is null;
    create unique index fire_once_an_instance on fire (machine_id, contract_id, instance, transition, entry, occurrence)
      where instance is not null;
    create index fire_of_instance on fire (machine_id, contract_id, instance, seq desc) where instance is not null;
  `);
}
