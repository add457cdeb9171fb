// Records which rows a mint rate counts: all, as every rate before this migration, or those of members (ADR 19).

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table tally_segment add column counts text not null default 'all' check (counts in ('all', 'members'));
  `);
}
