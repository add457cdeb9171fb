// Keys of events have the tick of their row, and are removed some time after it (LIMITS.eventKeyDays).

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table event_key add column svcond bigint;
    update event_key set svcond = coalesce(
      (select svcond from audit where audit.machine_id = event_key.machine_id and audit.seq = event_key.seq), 0);
    alter table event_key alter column svcond set not null;
    create index event_key_age on event_key (svcond);
  `);
}
