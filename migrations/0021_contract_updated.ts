// The tick of the last change of a contract, by which lists select.
//
// A contract from before this migration has that of its newest fire or version: pauses and failures are not counted.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table contract add column updated_svcond bigint;
    update contract set updated_svcond = greatest(
      created_svcond,
      (select max(svcond) from fire where fire.machine_id = contract.machine_id and fire.contract_id = contract.id),
      (select max(svcond) from contract_version
         where contract_version.machine_id = contract.machine_id and contract_version.contract_id = contract.id)
    );
    alter table contract alter column updated_svcond set not null;
  `);
}
