// Open streams by caller and tenant, which all nodes count together (services/access/stream-counts.ts).
//
// Each node writes its own counts again before they end, so those of a node that died end by themselves. Nothing waits
// for the log of the database: after a crash the counts are written again.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create unlogged table stream_count (
      name text not null,
      node text not null,
      streams int not null check (streams >= 0),
      ends_at timestamptz not null,
      primary key (name, node)
    );
    create index stream_count_end on stream_count (ends_at);
  `);
}
