// A database as it is after years: machines with rows, contracts, instances, timers, runs and keys, made by SQL.
//
// One machine has half of the rows and all instances. Hashes are of the right length and of nothing: no chain is valid.

import { type Executor, rows } from '../../../src/storage/database/sql.ts';

export interface Grown {
  readonly machines: number;
  /** Rows of chains; half of them belong to the first machine. */
  readonly rows: number;
  /** Instances of the contract of the first machine. */
  readonly instances: number;
  /** Runs of the account. */
  readonly runs: number;
  /** Calls with a kept answer, arrays, rates, keys of events. */
  readonly keys: number;
}

/** Tick at which the database is asked; rows were written in the ticks before it. */
export const NOW = 50_000_000;
export const NOW_MS = Date.UTC(2026, 5, 1);
export const ACCOUNT = '00000000-0000-7000-8000-aaaaaaaaaaaa';
export const ZID = 'a'.repeat(32);

/** The n-th machine, from 1. */
export const machineId = (n: number): string => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
/** The contract of the n-th machine. */
export const contractId = (n: number): string => `00000000-0000-7000-9000-${n.toString(16).padStart(12, '0')}`;

const ID = (prefix: string, n: string) => `('00000000-0000-7000-${prefix}-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
const HASH = (n: string) => `sha256(int8send(${n}))`;
const AT = `'2026-06-01'::timestamptz`;

export async function grow(on: Executor, grown: Grown): Promise<void> {
  const { machines, rows: all, instances, runs, keys } = grown;
  const long = Math.floor(all / 2);
  const each = Math.max(1, Math.floor(long / machines));
  const heads = `(case when n = 1 then ${long} else ${each} end)`;
  const statements = [
    `insert into account (id, kind, created_svcond, created_at) values ('${ACCOUNT}', 'full', 1, ${AT})`,
    // Half of them are public. All but one in 200 are covered by a checkpoint.
    `insert into machine (id, slug, name, description, status, is_public, settings, settings_seq, genesis_tick,
       genesis_hash, head_seq, head_hash, head_svcond, checkpoint_size, pending_since, erased, created_at)
     select ${ID('8000', 'n')}, 'machine-' || n, 'Machine ' || n, '', case when n % 50 = 49 then 'paused' else 'active' end,
       n % 2 = 0, '{}', 0, ${NOW} - 1000000, ${HASH('n')}, ${heads} - 1, ${HASH('n')}, ${NOW} - n % 1000,
       ${heads} - case when n % 200 = 7 then 1 else 0 end, case when n % 200 = 7 then ${NOW} - n % 1000 end, 0, ${AT}
     from generate_series(1::bigint, ${machines}) as n`,
    `insert into identity (account_id, zid, created_at) values ('${ACCOUNT}', '${ZID}', ${AT})`,
    `insert into member (machine_id, zid, role, since_svcond)
     select ${ID('8000', 'n')}, case when n % 1000 = 1 then '${ZID}' else md5(n::text) end, 'owner', 1
     from generate_series(1::bigint, ${machines}) as n`,
    // One event in a hundred thousand has a rare name, and as many transitions are of another contract.
    `insert into audit (machine_id, seq, v, svcond, type, source, actor, commitment, prev_hash, hash, salt, body)
     select ${ID('8000', '1')}, n - 1, 1, ${NOW} - ${long} + n, case when n % 4 = 0 then 'transition' else 'event' end, 'api',
       '${ZID}', ${HASH('n')}, ${HASH('n')}, ${HASH('n')}, ${HASH('n')},
       case when n % 4 = 0
         then '{"contract":"' || case when n % 100000 = 500 then '${contractId(2)}' else '${contractId(1)}' end || '","to":"open"}'
         else '{"name":"' || case when n % 100000 = 501 then 'rare' else 'reading' end || '","payload":{"value":' || n || '}}' end
     from generate_series(1::bigint, ${long}) as n`,
    `insert into audit (machine_id, seq, v, svcond, type, source, actor, commitment, prev_hash, hash, salt, body)
     select ${ID('8000', 'n')}, s - 1, 1, ${NOW} - n % 1000 - ${each} + s, 'event', 'api', '${ZID}', ${HASH('n')},
       ${HASH('n')}, ${HASH('n')}, ${HASH('n')}, '{"name":"reading","payload":{"value":1}}'
     from generate_series(2::bigint, ${machines}) as n, generate_series(1::bigint, ${each}) as s`,
    `insert into contract (machine_id, id, name, status, version_no, definition, definition_hash, parameters, state,
       current_state, fire_count, next_fire, created_svcond, updated_svcond)
     select ${ID('8000', 'n')}, ${ID('9000', 'n')}, 'Contract', 'active', 1, '{}', ${HASH('n')}, '{}', '{}', 'open', 0,
       ${NOW} + n, 1, ${NOW} - n % 1000 from generate_series(1::bigint, ${machines}) as n`,
    `insert into contract_version (machine_id, contract_id, no, definition, definition_hash, parameters, svcond, actor, reason)
     select ${ID('8000', 'n')}, ${ID('9000', 'n')}, 1, '{}', ${HASH('n')}, '{}', 1, '${ZID}', ''
     from generate_series(1::bigint, ${machines}) as n`,
    // Ten timers are due on active machines; all of paused ones are overdue.
    `insert into timer (machine_id, contract_id, shard, fire_tick)
     select ${ID('8000', 'n')}, ${ID('9000', 'n')}, case when n % 50 = 49 then -1 - n % 64 else n % 64 end,
       case when n % 50 = 49 then ${NOW} - 5000 when n <= 10 then ${NOW} - n else ${NOW} + n end
     from generate_series(1::bigint, ${machines}) as n`,
    // Of 10,000 instances one has failed, another is in a rare state, another is overdue.
    `insert into contract_instance (machine_id, contract_id, key, status, version_no, state, current_state, next_fire,
       created_svcond, updated_svcond)
     select ${ID('8000', '1')}, ${ID('9000', '1')}, 'order-' || lpad(n::text, 9, '0'),
       case when n % 10000 = 77 then 'failed' when n % 10 = 0 then 'active' else 'completed' end, 1,
       '{"state":"open","context":{"amount":' || n || '}}',
       case when n % 10000 = 78 then 'disputed' when n % 10 = 0 then 'open' else 'closed' end,
       case when n % 10000 = 80 then ${NOW} - 10 when n % 10 = 0 then ${NOW} + n end, 1, ${NOW} - ${instances} + n
     from generate_series(1::bigint, ${instances}) as n`,
    // One account borrows a third of them; everybody else has one.
    `insert into contract_seat (machine_id, contract_id, instance, zid, key_id, party, status)
     select machine_id, contract_id, key, case when substr(key, 7)::bigint % 3 = 0 then '${ZID}' else md5(key) end, '', 'borrower', status
     from contract_instance`,
    `insert into fire (machine_id, contract_id, version_no, transition, entry, occurrence, seq, svcond, from_state, to_state,
       engine) select ${ID('8000', '1')}, ${ID('9000', '1')}, 1, 'go', n, 's' || n, 4 * n - 1, ${NOW} - ${long} + 4 * n, 'open',
       'open', 2 from generate_series(1::bigint, ${Math.floor(long / 4)}) as n`,
    `insert into checkpoint (machine_id, size, root, note, svcond)
     select ${ID('8000', 'n')}, ${heads}, ${HASH('n')}, 'note', ${NOW} - n % 1000
     from generate_series(1::bigint, ${machines}) as n`,
    `insert into tile (machine_id, level, idx, hashes)
     select ${ID('8000', 'n')}, 0, 0, ${HASH('n')} from generate_series(2::bigint, ${machines}) as n`,
    `insert into run (account_id, id, folder, solver, envelope, value_text, unit, svcond, created_at)
     select '${ACCOUNT}', ${ID('a000', 'n')}, case when n % 10000 = 5 then 'rare' when n % 3 = 0 then 'rods' end,
       case when n % 10000 = 6 then 'zeta' else 'heat' end, '{}', '1', 'K', 1, ${AT}
     from generate_series(1::bigint, ${runs}) as n`,
    `insert into event_key select ${ID('8000', '1')}, 'key-' || n, n, ${NOW} - ${keys} + n from generate_series(1::bigint, ${keys}) as n`,
    `insert into idempotency (principal, key, route, body_sha256, state, owner, lease_until, status, headers, body, expires_at)
     select 'p' || n % 1000, 'key-' || n, 'POST /', ${HASH('n')}, 'done', ${ID('b000', 'n')}, ${AT}, 200, '{}', '\\x', ${AT}
       + interval '1 hour' from generate_series(1::bigint, ${keys}) as n`,
    `insert into rate_window (name, tenant, ends_at, used)
     select 'calls', 'tenant-' || n, ${AT} + interval '1 hour', 0.5 from generate_series(1::bigint, ${keys}) as n`,
    `insert into api_key (id, account_id, key_hash, key_prefix, name, scope, tier, created_at)
     select ${ID('c000', 'n')}, '${ACCOUNT}', ${HASH('n')}, 'svc', 'k', 'write', 'free', ${AT}
     from generate_series(1::bigint, ${Math.min(keys, 20_000)}) as n`,
  ];
  for (const statement of statements) await rows(on, statement);
}
