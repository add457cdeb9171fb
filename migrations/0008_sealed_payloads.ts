// Sealed payloads of private machines: the owners' public keys, and the samples that contracts still need.
//
// `sealing_key` holds public keys, and the salts from which owners derive the private keys. A machine with several
// owners over time has several. `kept_sample` is sealed under the master key, and emptied when the sample leaves the
// longest window.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    alter table machine add column sealing_key bytea check (octet_length(sealing_key) = 32);

    create table sealing_key (
      machine_id uuid not null references machine (id),
      public_key bytea not null check (octet_length(public_key) = 32),
      zid text not null,
      salt bytea not null,
      primary key (machine_id, public_key)
    );

    create table kept_sample (
      machine_id uuid not null,
      seq bigint not null,
      svcond bigint not null,
      until_svcond bigint not null,
      sealed bytea not null,
      primary key (machine_id, seq)
    );
    create index kept_sample_end on kept_sample (until_svcond);
  `);
}
