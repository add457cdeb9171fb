// Counts the changes of a machine's settings, so that a request can name the version that it expects.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table machine add column settings_version bigint not null default 0;

    update machine set settings_version = (
      select count(*) from audit where audit.machine_id = machine.id and audit.type = 'settings'
    );
  `);
}
