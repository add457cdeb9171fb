// The laws of a filed run by id and title, for lists and their search; null for runs of solvers.
//
// Runs from before stay without: their MACs were computed over what they say, and the title would change it.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(String.raw`
    alter table run
      add column law_id text check (law_id !~ '[\u0001-\u001f\u007f-\u009f]'),
      add column law_title text check (law_title !~ '[\u0001-\u001f\u007f-\u009f]'),
      add constraint run_law check ((law_id is null) = (law_title is null));
  `);
}
