// Samples of windows by ranges of rows, so that windows are filled without reading their rows again
// (services/engine/window-segments.ts). Sealed under the master key; what is missing is read from the rows.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table window_segment (
      machine_id uuid not null,
      from_seq bigint not null check (from_seq >= -1),
      to_seq bigint not null,
      until_svcond bigint not null,
      sealed bytea not null,
      primary key (machine_id, to_seq),
      check (from_seq < to_seq)
    );
  `);
}
