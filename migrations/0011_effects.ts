// Whether a call with an Idempotency-Key has changed something: then nobody does it a second time, though its answer be lost.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw('alter table idempotency add column has_effect boolean not null default false');
}
