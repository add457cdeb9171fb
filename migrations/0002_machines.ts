// Machines and their audit chains, members, trees, checkpoints.
//
// `audit` holds every column that a row hash covers, and the payload as the exact text that was committed to (never
// jsonb, which reorders keys); on private machines the payload is sealed bytes instead. A trigger refuses to change or
// remove rows: erasure by law empties salt and payload only. The machine's id leads every key, so that one machine's
// rows stay together when the tables are distributed. Machines are never removed, so hot tables need no foreign keys.
// `machine` is updated at each append; a low fill factor keeps these updates on the same page (HOT).

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(`
    create table machine (
      id uuid primary key,
      slug text not null unique,
      name text not null,
      description text not null,
      status text not null check (status in ('active', 'paused', 'archived')),
      is_public boolean not null,
      settings text not null,
      genesis_tick bigint not null,
      genesis_hash bytea not null check (octet_length(genesis_hash) = 32),
      head_seq bigint not null,
      head_hash bytea not null check (octet_length(head_hash) = 32),
      head_svcond bigint not null,
      checkpoint_size bigint not null,
      erased bigint not null,
      created_at timestamptz not null
    ) with (fillfactor = 50);
    create index machine_newest on machine (id desc) where is_public and status <> 'archived';

    create table identity (
      account_id uuid primary key references account (id) on delete cascade,
      zid text not null unique check (zid ~ '^[0-9a-f]{32}$'),
      salt bytea,
      created_at timestamptz not null
    );

    create table member (
      machine_id uuid not null references machine (id),
      zid text not null,
      role text not null check (role in ('owner', 'admin', 'operator', 'viewer')),
      since_svcond bigint not null,
      primary key (machine_id, zid)
    );
    create index member_machines on member (zid, machine_id);

    create table audit (
      machine_id uuid not null,
      seq bigint not null,
      v smallint not null,
      svcond bigint not null,
      type text not null,
      source text not null,
      actor text not null,
      commitment bytea not null check (octet_length(commitment) = 32),
      prev_hash bytea not null check (octet_length(prev_hash) = 32),
      hash bytea not null check (octet_length(hash) = 32),
      salt bytea,
      body text,
      sealed bytea,
      primary key (machine_id, seq),
      check (body is null or sealed is null)
    );
    create index audit_tick on audit (machine_id, svcond);
    create index audit_type on audit (machine_id, type, seq);

    create function audit_is_append_only() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE'
        and new.salt is null and new.body is null and new.sealed is null
        and (new.machine_id, new.seq, new.v, new.svcond, new.type, new.source, new.actor, new.commitment, new.prev_hash, new.hash)
          = (old.machine_id, old.seq, old.v, old.svcond, old.type, old.source, old.actor, old.commitment, old.prev_hash, old.hash)
      then
        return new;
      end if;
      raise exception 'audit is append-only' using errcode = 'integrity_constraint_violation';
    end $$;
    create trigger audit_append_only before update or delete on audit
      for each row execute function audit_is_append_only();
    create trigger audit_not_truncated before truncate on audit
      for each statement execute function audit_is_append_only();

    create table event_key (
      machine_id uuid not null,
      key text not null,
      seq bigint not null,
      primary key (machine_id, key)
    );

    create table tile (
      machine_id uuid not null,
      level smallint not null,
      idx bigint not null,
      hashes bytea not null check (octet_length(hashes) between 32 and 8192 and octet_length(hashes) % 32 = 0),
      primary key (machine_id, level, idx)
    );
    alter table tile alter column hashes set storage external;

    create table checkpoint (
      machine_id uuid not null,
      size bigint not null,
      root bytea not null check (octet_length(root) = 32),
      note text not null,
      svcond bigint not null,
      primary key (machine_id, size)
    );
  `);
}
