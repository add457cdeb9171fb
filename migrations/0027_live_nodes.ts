// Nodes that run on this database: where each takes calls for its machines, and until when it counts as alive.
// Which machines are whose is in shard_lease (services/node/owners/machine-owners.ts).

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table live_node (
      id text primary key,
      url text,
      format smallint not null,
      is_leaving boolean not null default false,
      expires_at timestamptz not null
    );
  `);
}
