// How many changes a machine has had, with those that wrote no row: a timer that was looked at and fired nothing moves no head,
// and yet another node must not go on from what it knew before.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw('alter table machine add column changes bigint not null default 0');
}
