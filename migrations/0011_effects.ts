// Records whether a call with an Idempotency-Key has made a change; if so, it is never repeated, even if its response
// is lost.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw('alter table idempotency add column has_effect boolean not null default false');
}
