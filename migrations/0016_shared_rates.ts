// Rates that all nodes count together (ADR 18), and whose rate a key uses.
//
// A window is lost if the server crashes: then the limit starts again, and no write waits for the log. `tenant` is null
// for keys that use the rate of their own account. Developer keys of before use that of the first owner of their machine.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create unlogged table rate_window (
      name text not null,
      tenant text not null,
      ends_at timestamptz not null,
      used double precision not null check (used >= 0),
      primary key (name, tenant)
    );
    create index rate_window_end on rate_window (ends_at);

    alter table api_key add column tenant text;

    update api_key set tenant = (
      select identity.account_id::text from developer_account
      join member on member.machine_id = developer_account.machine_id and member.role = 'owner'
      join identity on identity.zid = member.zid
      where developer_account.account_id = api_key.account_id order by member.since_svcond, member.zid limit 1
    ) where account_id in (select account_id from developer_account);
  `);
}
