// Rows of parties who are not members, which issue no tokens (docs/decisions/0058).

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`create index audit_party on audit (machine_id, seq) where source = 'party'`);
}
