// Records what each effect of a call with an Idempotency-Key returned, so that a repetition continues where the first
// attempt ended, and the node that runs the call, so that a dead one holds no key.
//
// `outcomes` is null if an effect returned something that cannot be restored, as for every call before this migration.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table idempotency add column holder text;
    alter table idempotency add column outcomes bytea default '';

    update idempotency set outcomes = null where has_effect;
  `);
}
