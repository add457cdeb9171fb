// What is stored, read without trusting it: for whoever looks for damage. Whole numbers of 64 bits come as text, since a
// damaged one may not fit, and texts are not parsed here.

import { type Binding, type Executor, rows } from './sql.ts';

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

/** A row that belongs to nothing. */
export interface Stray {
  readonly table: string;
  readonly machineId: string;
  readonly key: Readonly<Record<string, string>>;
}

/** What identifies a row of each table within its machine. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  audit: ['seq'],
  tile: ['level', 'idx'],
  checkpoint: ['size'],
  event_key: ['key'],
  member: ['zid'],
  contract: ['id'],
  contract_version: ['contract_id', 'no'],
  fire: ['contract_id', 'transition', 'occurrence'],
  timer: ['contract_id'],
  token_balance: ['token', 'holder'],
  outbox: ['id'],
};
const OF_CONTRACTS = ['contract_version', 'fire', 'timer', 'outbox'];

const HASH_OF_DEFINITION = `encode(sha256(convert_to(definition, 'UTF8')), 'hex') as actual_hash`;
/** Beyond it a number is not exact. */
const LARGEST = Number.MAX_SAFE_INTEGER;
const MOST_STRAYS = 1_000;

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

  /** Rows whose machine, contract or identity is not there. */
  async strays(): Promise<(Stray & { readonly missing: 'machine' | 'contract' | 'identity' })[]> {
    const found: (Stray & { readonly missing: 'machine' | 'contract' | 'identity' })[] = [];
    for (const table of Object.keys(KEYS)) {
      const there = `select 1 from machine where machine.id = ${table}.machine_id`;
      found.push(...(await this.#strays(table, there)).map((one) => ({ ...one, missing: 'machine' as const })));
    }
    for (const table of OF_CONTRACTS) {
      const there = `select 1 from contract where contract.machine_id = ${table}.machine_id and contract.id = ${table}.contract_id`;
      found.push(...(await this.#strays(table, there)).map((one) => ({ ...one, missing: 'contract' as const })));
    }
    const there = 'select 1 from identity where identity.zid = member.zid';
    found.push(...(await this.#strays('member', there)).map((one) => ({ ...one, missing: 'identity' as const })));
    return found;
  }

  async #strays(table: string, there: string): Promise<Stray[]> {
    const names = KEYS[table] ?? [];
    const found = await rows<{ machine_id: string } & Record<string, string>>(
      this.#on,
      `select machine_id, ${names.map((name) => `${name}::text`).join(', ')} from ${table}
       where not exists (${there}) limit ?`,
      [MOST_STRAYS],
    );
    return found.map(({ machine_id: machineId, ...key }) => ({ table, machineId, key }));
  }
}
