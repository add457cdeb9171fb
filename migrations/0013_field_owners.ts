// Names the tenant that stored a field, an account or an address, so that its bytes can be limited. Fields of before
// belong to nobody and expire.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw('alter table field add column owner text');
  await knex.raw('create index field_owner on field (owner) where owner is not null');
}
