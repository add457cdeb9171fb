// An occurrence fires once per entry into a state, whichever version of the contract fires it.
//
// Under the first edition of the engine a new version could fire an occurrence again, so its fires keep the old key.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table fire add column engine smallint not null default 1;
    alter table fire drop constraint fire_pkey;
    create unique index fire_once_a_version on fire (machine_id, contract_id, version_no, transition, entry, occurrence)
      where engine = 1;
    create unique index fire_once on fire (machine_id, contract_id, transition, entry, occurrence) where engine > 1;
  `);
}
