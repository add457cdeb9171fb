// Delivery of webhooks: destination, attempts, and signing secrets.
//
// A lane is the queue of one machine for one host. The dispatcher visits the lanes in turn, so that a long queue delays
// no other. Secrets are stored only sealed under the master key.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(String.raw`
    alter table outbox add column host text not null default '', add column final_attempt int not null default 12;
    update outbox set host = lower(coalesce(substring(url from '^https?://([^/\?#]+)'), ''));
    alter table outbox alter column host drop default, alter column final_attempt drop default;

    create index outbox_lane on outbox (machine_id, host, next_attempt_tick) where next_attempt_tick is not null;
    create index outbox_of_machine on outbox (machine_id, id);
    create index outbox_settled on outbox (created_svcond) where next_attempt_tick is null;

    create table webhook_secret (
      machine_id uuid not null references machine (id),
      epoch int not null check (epoch > 0),
      sealed bytea not null,
      created_at timestamptz not null,
      retired_at timestamptz,
      primary key (machine_id, epoch)
    );
  `);
}
