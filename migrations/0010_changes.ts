// Counts the changes of a machine, including those without a row. A timer that wakes without firing does not advance
// the head, yet another node must not continue from its cached state.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw('alter table machine add column changes bigint not null default 0');
}
