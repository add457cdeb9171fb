// Indexes for what is asked all the time, so that no statement reads more pages with more rows (docs/decisions/0051).
//
// Rows of chains are found by the name of their event and by their contract, which only their payload has. A machine
// has the tick since which it waits for a checkpoint. Timers of machines that are not active are in shards of their
// own, below zero, so that nobody reads them to find out what is due. Instances have an order for each filter.

import type { Knex } from 'knex';

export async function up(knex: Pick<Knex, 'raw'>): Promise<void> {
  await knex.raw(String.raw`
    -- PostgreSQL rejects JSON that contains the escape of NUL anywhere, as any payload may. So it is removed, after the
    -- escaped backslashes, since one followed by u0000 would look the same. No name and no id contains either. An
    -- append never fails because of a payload: what cannot be read has no field. The block for exceptions is a
    -- subtransaction, which no parallel worker may begin.
    create function payload_field(body text, field text) returns text
      language plpgsql immutable strict as $$
    begin
      return left((case when strpos(body, '\u0000') = 0 then body
        else replace(replace(body, '\\', ''), '\u0000', '') end)::json ->> field, 64);
    exception when data_exception or program_limit_exceeded then
      return null;
    end $$;
    create index audit_name on audit (machine_id, payload_field(body, 'name'), seq) where type in ('event', 'emit');
    create index audit_contract on audit (machine_id, payload_field(body, 'contract'), seq) where type <> 'event';

    alter table machine add column pending_since bigint;
    update machine set pending_since =
      (select svcond from audit where audit.machine_id = machine.id and audit.seq = machine.checkpoint_size);
    create index machine_pending on machine (pending_since) where pending_since is not null;

    update timer set shard = -1 - shard where machine_id in (select id from machine where status <> 'active');
    drop index timer_due;
    create index timer_due on timer (fire_tick, shard, machine_id) where shard >= 0;
    -- Every fire moves a timer: what it leaves behind is read again by each poll until it is removed.
    alter table timer set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

    drop index contract_instance_due;
    create index contract_instance_due on contract_instance (machine_id, contract_id, next_fire, key)
      where next_fire is not null;
    create index contract_instance_state on contract_instance (machine_id, contract_id, current_state, key);
    create index contract_instance_status on contract_instance (machine_id, contract_id, status, key);
  `);
}
