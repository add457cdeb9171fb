// What is stored, read without trusting it: for whoever looks for damage. Whole numbers of 64 bits come as text, since a
// damaged one may not fit, and texts are not parsed here.

import { type Binding, type Executor, rows } from '../database/sql.ts';

export interface InspectedMachine {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly status: string;
  readonly is_public: boolean;
  readonly settings: string;
  readonly genesis_tick: string;
  readonly genesis_hash: string;
  readonly head_seq: string;
  readonly head_hash: string;
  readonly head_svcond: string;
  readonly checkpoint_size: string;
  readonly erased: string;
}

export interface InspectedRow {
  readonly seq: number;
  readonly v: number;
  readonly svcond: string;
  readonly type: string;
  readonly source: string;
  readonly actor: string;
  readonly commitment: string;
  readonly prev_hash: string;
  readonly hash: string;
  readonly salt: string | null;
  readonly body: string | null;
  readonly is_sealed: boolean;
}

export interface InspectedCheckpoint {
  readonly size: number;
  readonly root: Uint8Array;
  readonly note: string;
}

export interface InspectedContract {
  readonly id: string;
  readonly name: string;
  readonly template_id: string | null;
  readonly status: string;
  readonly version_no: number;
  readonly definition: string;
  readonly definition_hash: string;
  readonly actual_hash: string;
  readonly parameters: string;
  readonly state: string;
  readonly current_state: string;
  readonly fire_count: string;
  readonly next_fire: string | null;
  readonly held_next_fire: string | null;
  readonly held_at: string | null;
  readonly created_svcond: string;
  /** Of its timer, where there is one. */
  readonly shard: number | null;
  readonly fire_tick: string | null;
}

export interface InspectedVersion {
  readonly contract_id: string;
  readonly no: number;
  readonly definition_hash: string;
  readonly actual_hash: string;
  readonly parameters: string;
  readonly svcond: string;
  readonly actor: string;
  readonly reason: string;
}

export interface InspectedFire {
  readonly contract_id: string;
  readonly version_no: number;
  readonly transition: string;
  readonly entry: string;
  readonly occurrence: string;
  readonly seq: string;
  readonly svcond: string;
  readonly from_state: string;
  readonly to_state: string;
}

export interface InspectedOutbox {
  readonly id: string;
  readonly contract_id: string;
  readonly body: string;
  readonly created_svcond: string;
}

export interface InspectedOracle {
  readonly contract_id: string;
  readonly version_no: number;
  readonly shard: number;
  readonly kind: string;
  readonly subject: string;
  readonly asked_by: string;
  readonly since_seq: string;
  readonly readings: string;
  readonly out_of_range: string;
  readonly stale: string;
  readonly newest_seq: string | null;
  readonly newest_ok_seq: string | null;
  readonly cursor_seq: string | null;
  readonly every_ticks: string | null;
  readonly due_tick: string | null;
}

/** A version as far as oracles are concerned. */
export interface InspectedSource {
  readonly contract_id: string;
  readonly no: number;
  /** Null where it does not have its hash: then nobody knows what it said. */
  readonly definition: string | null;
  readonly parameters: string;
}

export interface InspectedTally {
  readonly name: string;
  readonly symbol: string;
  readonly max_supply: string;
}

export interface InspectedSegment {
  readonly seq: string;
  readonly svcond: string;
  readonly unit: string;
  readonly every: string;
  readonly amount: string;
}

export interface InspectedAvatar {
  readonly media_type: string;
  /** Hex. */
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly svcond: string;
  /** Bytes of the picture as it is sealed. */
  readonly sealed_length: number;
}

const HASH_OF_DEFINITION = `encode(sha256(convert_to(definition, 'UTF8')), 'hex') as actual_hash`;
const OF_FEW: readonly (readonly [name: string, rows: string])[] = [
  ...['anchor', 'anchor_continuity'].map((table) => [table, `select 1 from ${table} where mother_id = ?`] as const),
  ...[
    'anchored',
    'anchor_key',
    'anchor_config',
    'anchor_mother',
    'anchor_witness',
    'tally',
    'tally_segment',
    'tally_avatar',
    'oracle',
    'developer_account',
    'share',
  ].map((table) => [table, `select 1 from ${table} where machine_id = ?`] as const),
  ['oracle', `select 1 from contract_version where machine_id = ? and strpos(definition, '"oracle"') > 0`],
];
/** Beyond it a number is not exact. */
const LARGEST = Number.MAX_SAFE_INTEGER;

export class InspectionRepository {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  /** In the order of their ids, after the one that is given. */
  machines(after: string | undefined, slug: string | undefined, limit: number): Promise<InspectedMachine[]> {
    const asked: [string, string | undefined][] = [
      ['id > ?', after],
      ['slug = ?', slug],
    ];
    const given = asked.filter((one): one is [string, string] => one[1] !== undefined);
    return rows(
      this.#on,
      `select id, slug, name, description, status, is_public, settings, genesis_tick::text,
         encode(genesis_hash, 'hex') as genesis_hash, head_seq::text, encode(head_hash, 'hex') as head_hash, head_svcond::text,
         checkpoint_size::text, erased::text
       from machine where ${['true', ...given.map(([text]) => text)].join(' and ')} order by id limit ?`,
      [...given.map(([, value]) => value), limit],
    );
  }

  rows(machineId: string, from: number, limit: number): Promise<InspectedRow[]> {
    return rows(
      this.#on,
      `select seq, v, svcond::text, type, source, actor, encode(commitment, 'hex') as commitment,
         encode(prev_hash, 'hex') as prev_hash, encode(hash, 'hex') as hash, encode(salt, 'hex') as salt, body,
         sealed is not null as is_sealed
       from audit where machine_id = ? and seq between ? and ? order by seq limit ?`,
      [machineId, from, LARGEST, limit],
    );
  }

  /** Numbers that no row can have. */
  impossibleRows(machineId: string): Promise<{ readonly seq: string }[]> {
    return rows(this.#on, 'select seq::text from audit where machine_id = ? and seq not between 0 and ?', [
      machineId,
      LARGEST,
    ]);
  }

  typesOf(machineId: string, seqs: readonly number[]): Promise<{ readonly seq: number; readonly type: string }[]> {
    return rows(this.#on, 'select seq, type from audit where machine_id = ? and seq = any(?::bigint[])', [
      machineId,
      seqs.map(String),
    ]);
  }

  checkpoints(machineId: string, from: number, to: number): Promise<InspectedCheckpoint[]> {
    return rows(
      this.#on,
      'select size, root, note from checkpoint where machine_id = ? and size between ? and ? order by size',
      [machineId, from, to],
    );
  }

  /** Sizes that a chain of so many rows cannot have, and the largest one that it can. */
  async checkpointSizes(machineId: string, count: number): Promise<{ impossible: string[]; largest: string }> {
    const found = await rows<{ size: string }>(
      this.#on,
      'select size::text from checkpoint where machine_id = ? and size not between 1 and ?',
      [machineId, count],
    );
    const [last] = await rows<{ size: string | null }>(
      this.#on,
      'select max(size)::text as size from checkpoint where machine_id = ?',
      [machineId],
    );
    return { impossible: found.map(({ size }) => size), largest: last?.size ?? '0' };
  }

  /** Tiles that a chain does not have whose levels have so many. */
  strayTiles(
    machineId: string,
    counts: readonly number[],
  ): Promise<{ readonly level: number; readonly idx: string }[]> {
    return rows(
      this.#on,
      `select level, idx::text from tile where machine_id = ? and not exists (
         select 1 from unnest(?::int[], ?::bigint[]) as known (level, count)
         where known.level = tile.level and tile.idx between 0 and known.count - 1
       )`,
      [machineId, counts.map((_, level) => String(level)), counts.map(String)],
    );
  }

  contracts(machineId: string): Promise<InspectedContract[]> {
    return rows(
      this.#on,
      `select id, name, template_id, status, version_no, definition, encode(definition_hash, 'hex') as definition_hash,
         ${HASH_OF_DEFINITION}, parameters, state, current_state, fire_count::text, next_fire::text, held_next_fire::text,
         held_at::text, created_svcond::text, timer.shard, timer.fire_tick::text
       from contract left join timer on timer.machine_id = contract.machine_id and timer.contract_id = contract.id
       where contract.machine_id = ? order by id`,
      [machineId],
    );
  }

  versions(machineId: string): Promise<InspectedVersion[]> {
    return rows(
      this.#on,
      `select contract_id, no, encode(definition_hash, 'hex') as definition_hash, ${HASH_OF_DEFINITION}, parameters,
         svcond::text, actor, reason
       from contract_version where machine_id = ? order by contract_id, no`,
      [machineId],
    );
  }

  fires(machineId: string, from: number, to: number): Promise<InspectedFire[]> {
    return this.#fires(machineId, 'seq between ? and ?', [from, to]);
  }

  /** Those whose row a chain of so many rows does not have. */
  impossibleFires(machineId: string, count: number): Promise<InspectedFire[]> {
    return this.#fires(machineId, 'seq not between 0 and ?', [count - 1]);
  }

  #fires(machineId: string, condition: string, bindings: readonly Binding[]): Promise<InspectedFire[]> {
    return rows(
      this.#on,
      `select contract_id, version_no, transition, entry::text, occurrence, seq::text, svcond::text, from_state, to_state
       from fire where machine_id = ? and ${condition}`,
      [machineId, ...bindings],
    );
  }

  /** In order of their rows; those of no row of a chain of so many last. */
  eventKeys(machineId: string, from: number, to: number): Promise<{ readonly key: string; readonly seq: number }[]> {
    return rows(
      this.#on,
      'select key, seq from event_key where machine_id = ? and seq between ? and ? order by seq, key',
      [machineId, from, to],
    );
  }

  impossibleEventKeys(machineId: string, count: number): Promise<{ readonly key: string; readonly seq: string }[]> {
    return rows(this.#on, 'select key, seq::text from event_key where machine_id = ? and seq not between 0 and ?', [
      machineId,
      count - 1,
    ]);
  }

  balances(machineId: string): Promise<{ readonly token: string; readonly holder: string; readonly amount: string }[]> {
    return rows(this.#on, 'select token, holder, amount::text from token_balance where machine_id = ?', [machineId]);
  }

  outbox(machineId: string, after: string | undefined, limit: number): Promise<InspectedOutbox[]> {
    return rows(
      this.#on,
      `select id, contract_id, body, created_svcond::text from outbox
       where machine_id = ? and (id > ?::uuid or ?::uuid is null) order by id limit ?`,
      [machineId, after ?? null, after ?? null, limit],
    );
  }

  /** Which of the tables that few machines have rows in have some of this one; `oracle` as well where a version declares one. */
  async tablesOf(machineId: string): Promise<ReadonlySet<string>> {
    const found = await rows<{ name: string }>(
      this.#on,
      OF_FEW.map(([name, condition]) => `select '${name}' as name where exists (${condition})`).join(' union all '),
      OF_FEW.map(() => machineId),
    );
    return new Set(found.map(({ name }) => name));
  }

  oracles(machineId: string): Promise<InspectedOracle[]> {
    return rows(
      this.#on,
      `select contract_id, version_no, shard, kind, subject, asked_by, since_seq::text, readings::text, out_of_range::text,
         stale::text, newest_seq::text, newest_ok_seq::text, cursor_seq::text, every_ticks::text, due_tick::text
       from oracle where machine_id = ?`,
      [machineId],
    );
  }

  /** All versions of the contracts that have an oracle, or one of whose versions may have had one. */
  sources(machineId: string): Promise<InspectedSource[]> {
    return rows(
      this.#on,
      `select contract_id, no, parameters,
         case when definition_hash = sha256(convert_to(definition, 'UTF8')) then definition end as definition
       from contract_version where machine_id = ? and contract_id in (
         select contract_id from oracle where machine_id = ?
         union select contract_id from contract_version where machine_id = ? and strpos(definition, '"oracle"') > 0
       ) order by contract_id, no`,
      [machineId, machineId, machineId],
    );
  }

  async tally(machineId: string): Promise<InspectedTally | undefined> {
    const [found] = await rows<InspectedTally>(
      this.#on,
      'select name, symbol, max_supply::text from tally where machine_id = ?',
      [machineId],
    );
    return found;
  }

  segments(machineId: string): Promise<InspectedSegment[]> {
    return rows(
      this.#on,
      `select seq::text, svcond::text, unit, every::text, amount::text from tally_segment
       where machine_id = ? order by tally_segment.seq`,
      [machineId],
    );
  }

  async avatar(machineId: string): Promise<InspectedAvatar | undefined> {
    const [found] = await rows<InspectedAvatar>(
      this.#on,
      `select media_type, encode(sha256, 'hex') as sha256, width, height, svcond::text,
         octet_length(sealed) as sealed_length from tally_avatar where machine_id = ?`,
      [machineId],
    );
    return found;
  }
}
