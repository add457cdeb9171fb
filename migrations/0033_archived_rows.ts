// Archived rows: whole ranges of chains that are in files, and one record for each (docs/decisions/0055).
//
// A row may be removed from `audit` only while a record covers it, so the record comes first, in one transaction. A
// record is never removed. The erasure of a payload replaces its file, and with it the hash, the bytes and the summary.
//
// A node of before migration 0029 stores keys of events without their tick. While such nodes are replaced one after the
// other, a trigger adds the tick of the row, which is written before the key.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table audit_archive (
      machine_id uuid not null,
      first_seq bigint not null,
      last_seq bigint not null,
      first_svcond bigint not null,
      last_svcond bigint not null,
      last_hash bytea not null check (octet_length(last_hash) = 32),
      sha256 bytea not null check (octet_length(sha256) = 32),
      bytes bigint not null,
      summary text not null,
      totals text not null,
      primary key (machine_id, first_seq),
      check (first_seq >= 0 and last_seq >= first_seq and last_seq < first_seq + 4096),
      check (last_seq <= 9007199254740991 and bytes between 1 and 9007199254740991),
      check (first_svcond >= 0 and last_svcond >= first_svcond and last_svcond <= 9007199254740991)
    );

    create function audit_archive_is_append_only() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE'
        and (new.machine_id, new.first_seq, new.last_seq, new.first_svcond, new.last_svcond, new.last_hash, new.totals)
          = (old.machine_id, old.first_seq, old.last_seq, old.first_svcond, old.last_svcond, old.last_hash, old.totals)
      then
        return new;
      end if;
      raise exception 'audit_archive is append-only' using errcode = 'integrity_constraint_violation';
    end $$;
    create trigger audit_archive_append_only before update or delete on audit_archive
      for each row execute function audit_archive_is_append_only();
    create trigger audit_archive_not_truncated before truncate on audit_archive
      for each statement execute function audit_archive_is_append_only();

    create or replace function audit_is_append_only() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE'
        and new.salt is null and new.body is null and new.sealed is null
        and (new.machine_id, new.seq, new.v, new.svcond, new.type, new.source, new.actor, new.commitment, new.prev_hash, new.hash)
          = (old.machine_id, old.seq, old.v, old.svcond, old.type, old.source, old.actor, old.commitment, old.prev_hash, old.hash)
      then
        return new;
      end if;
      if tg_op = 'DELETE' and exists (
        select 1 from audit_archive where machine_id = old.machine_id
          and first_seq between old.seq - 4095 and old.seq and last_seq >= old.seq)
      then
        return old;
      end if;
      raise exception 'audit is append-only' using errcode = 'integrity_constraint_violation';
    end $$;

    create function event_key_tick() returns trigger language plpgsql as $$
    begin
      select svcond into new.svcond from audit where machine_id = new.machine_id and seq = new.seq;
      return new;
    end $$;
    create trigger event_key_has_tick before insert on event_key
      for each row when (new.svcond is null) execute function event_key_tick();

    create index machine_keeps on machine (id) where strpos(settings, '"keep_') > 0;
  `);
}
