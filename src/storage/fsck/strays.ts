// Strays: rows that refer to a missing machine, mother, contract, identity, account or token.

import { type Executor, rows } from '../database/sql.ts';

type Missing = 'machine' | 'mother' | 'contract' | 'identity' | 'account' | 'tally';

export interface Stray {
  readonly table: string;
  /** Primary key, or the machine and the columns that identify the row within it. */
  readonly key: Readonly<Record<string, string>>;
  readonly missing: Missing;
}

/** Columns that identify a row of each table within its machine. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  audit: ['seq'],
  audit_archive: ['first_seq'],
  tile: ['level', 'idx'],
  checkpoint: ['size'],
  event_key: ['key'],
  member: ['zid'],
  developer_account: [],
  share: ['id'],
  contract: ['id'],
  contract_version: ['contract_id', 'no'],
  contract_instance: ['contract_id', 'key'],
  contract_seat: ['contract_id', 'instance', 'zid', 'key_id'],
  fire: ['contract_id', 'transition', 'occurrence'],
  timer: ['contract_id'],
  token_balance: ['token', 'holder'],
  outbox: ['id'],
  sent_event: ['seq', 'no'],
  activity: ['seq', 'no'],
  anchor_key: ['epoch'],
  anchor_config: [],
  anchor_mother: ['mother_id'],
  anchored: ['mother_id', 'pseudonym', 'size'],
  anchor_witness: ['url'],
  oracle: ['contract_id'],
  tally: [],
  tally_segment: ['seq'],
  tally_avatar: [],
  sealing_key: ['zid'],
  kept_sample: ['seq'],
  window_segment: ['to_seq'],
  webhook_secret: ['epoch'],
};
const OF_CONTRACTS = [
  'contract_version',
  'contract_instance',
  'contract_seat',
  'fire',
  'timer',
  'outbox',
  'sent_event',
  'activity',
  'oracle',
];
/** Columns that identify a row of each table within its mother. */
const OF_MOTHERS: Readonly<Record<string, readonly string[]>> = {
  anchor: ['pseudonym', 'size'],
  anchor_continuity: ['pseudonym'],
  anchor_mother: ['machine_id'],
  anchored: ['machine_id', 'pseudonym', 'size'],
};
/** Columns that identify a row of each table of accounts. */
const OF_ACCOUNTS: Readonly<Record<string, readonly string[]>> = {
  api_key: ['id'],
  identity: ['account_id', 'zid'],
  run: ['account_id', 'id'],
  developer_account: ['account_id'],
};
const OF_TALLIES = ['tally_segment', 'tally_avatar'];
const MAX_STRAYS = 1_000;

export class StrayInspection {
  readonly #on: Executor;

  constructor(on: Executor) {
    this.#on = on;
  }

  async all(): Promise<Stray[]> {
    const found: Stray[] = [];
    for (const [table, names] of Object.entries(KEYS))
      found.push(...(await this.#strays(table, ['machine_id', ...names], 'machine', 'machine.id = machine_id')));
    for (const [table, names] of Object.entries(OF_MOTHERS))
      found.push(
        ...(await this.#strays(table, ['mother_id', ...names], 'mother', 'machine.id = mother_id', 'machine')),
      );
    for (const table of OF_CONTRACTS) {
      const isOf = `contract.machine_id = ${table}.machine_id and contract.id = ${table}.contract_id`;
      found.push(...(await this.#strays(table, ['machine_id', ...(KEYS[table] ?? [])], 'contract', isOf)));
    }
    for (const [table, names] of Object.entries(OF_ACCOUNTS))
      found.push(...(await this.#strays(table, names, 'account', 'account.id = account_id')));
    for (const table of OF_TALLIES) {
      const isOf = `tally.machine_id = ${table}.machine_id`;
      found.push(...(await this.#strays(table, ['machine_id'], 'tally', isOf)));
    }
    found.push(...(await this.#strays('member', ['machine_id', 'zid'], 'identity', 'identity.zid = member.zid')));
    return found;
  }

  /** @param isOf  SQL condition: a row of `others` is the one that a row of `table` refers to */
  async #strays(
    table: string,
    names: readonly string[],
    missing: Missing,
    isOf: string,
    others: string = missing,
  ): Promise<Stray[]> {
    const found = await rows<Record<string, string>>(
      this.#on,
      `select ${names.map((name) => `${name}::text`).join(', ')} from ${table}
       where not exists (select 1 from ${others} where ${isOf}) limit ?`,
      [MAX_STRAYS],
    );
    return found.map((key) => ({ table, key, missing }));
  }
}
