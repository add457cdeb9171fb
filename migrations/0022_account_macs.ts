// MACs of accounts, their keys and their filed runs, under a key that only the node has (storage/access/account-macs.ts).
//
// A node that starts computes those of the rows that exist, once. Runs of an account are numbered from 1.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table account
      add column runs bigint not null default 0 check (runs >= 0), add column mac bytea, add column runs_mac bytea;
    alter table api_key add column mac bytea;
    alter table run add column no bigint, add column mac bytea;
  `);
}
