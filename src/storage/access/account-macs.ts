// MACs of accounts: of each key, of the account with all its keys, of each filed run, and of their number. Nobody without
// the key of the node can change, delete, add or restore one of these rows so that the MACs still hold.
//
// What does not hold is never computed anew: a row that somebody changed stays wrong until it is restored.

import { isSameBytes } from '../../chain/merkle.ts';
import { toHex } from '../../core/bits.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { groupBy } from '../../core/group-by.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { type Run, RunRepository } from '../compute/runs.ts';
import { type Executor, rows } from '../database/sql.ts';

/** The MAC of a text under the key of the node, 32 bytes. */
export type RowMac = (text: string) => Uint8Array;

/** An account or a key, as text, with its MAC. */
export interface MacedRow {
  readonly id: string;
  readonly text: string;
  readonly mac: Uint8Array | null;
}

export interface MacedAccount extends MacedRow {
  readonly keys: readonly MacedRow[];
  /** A damaged number may be any of 64 bits. */
  readonly runs: string;
  readonly runs_mac: Uint8Array | null;
}

const MICROSECONDS = (column: string) => `(extract(epoch from ${column}) * 1000000)::bigint::text`;
// Arrays of texts: a time is written in microseconds, whatever the time zone of the session.
const ACCOUNT_TEXT = `jsonb_build_array('account', id::text, kind, created_svcond::text, ${MICROSECONDS('created_at')})::text`;
const KEY_TEXT = `jsonb_build_array('api_key', id::text, account_id::text, encode(key_hash, 'hex'), key_prefix, name, scope,
  tier, tenant, ${['created_at', 'expires_at', 'revoked_at'].map(MICROSECONDS).join(', ')})::text`;

/** The text of an account with all its keys, ordered by id. */
export const accountText = ({ text, keys }: MacedAccount): string =>
  canonicalJson([text, ...keys.map(({ id, mac }) => [id, mac === null ? null : toHex(mac)])]);

/** The text of the number of an account's runs. */
export const runsText = ({ id, runs }: Pick<MacedAccount, 'id' | 'runs'>): string => canonicalJson(['runs', id, runs]);

/**
 * The text of a filed run; `no` counts those of its account from 1. The laws stand in it if there are any, so that runs
 * from before migration 0024 keep their MACs.
 */
export function runText(accountId: string, no: string | null, run: Run): string {
  const { id, folder = null, solver, lawId, lawTitle, envelope, valueText = null, unit, svcond, createdMs } = run;
  const hasLaws = lawId !== undefined || lawTitle !== undefined;
  return canonicalJson([
    'run',
    ...[accountId, no, id, folder, solver, sha256Hex(envelope), valueText, unit, svcond],
    Math.round(createdMs * 1_000),
    ...(hasLaws ? [lawId ?? null, lawTitle ?? null] : []),
  ]);
}

export const holds = (mac: RowMac, text: string, stored: Uint8Array | null): boolean =>
  stored !== null && isSameBytes(mac(text), stored);

/** Accounts with their keys, ordered by id. */
export async function macedAccounts(
  on: Executor,
  condition: string,
  bindings: readonly (string | number | null)[],
  limit: number,
): Promise<MacedAccount[]> {
  const accounts = await rows<Omit<MacedAccount, 'keys'>>(
    on,
    `select id, ${ACCOUNT_TEXT} as text, mac, runs::text, runs_mac from account where ${condition} order by account.id limit ?`,
    [...bindings, limit],
  );
  const keys = await rows<MacedRow & { readonly account_id: string }>(
    on,
    `select id, account_id, ${KEY_TEXT} as text, mac from api_key where account_id = any(?::uuid[]) order by api_key.id`,
    [accounts.map(({ id }) => id)],
  );
  const byAccount = groupBy(keys, ({ account_id }) => account_id);
  return accounts.map((account) => ({ ...account, keys: byAccount.get(account.id) ?? [] }));
}

const BATCH_SIZE = 500;

export class AccountMacs {
  readonly #mac: RowMac;

  constructor(mac: RowMac) {
    this.#mac = mac;
  }

  /** Makes a change of an account or its keys, in a transaction, and computes the MACs of what it changed. */
  async change<Answer>(accountId: string, on: Executor, work: () => Promise<Answer>): Promise<Answer> {
    await rows(on, 'select 1 from account where id = ? for update', [accountId]);
    const before = await this.#find(accountId, on);
    const answer = await work();
    const after = await this.#find(accountId, on);
    if (after === undefined) return answer;
    const keysBefore = new Map(before?.keys.map((key) => [key.id, key]));
    const keys: MacedRow[] = [];
    for (const key of after.keys) {
      const earlier = keysBefore.get(key.id);
      const isChanged = earlier?.text !== key.text;
      const isTrusted = earlier === undefined || holds(this.#mac, earlier.text, earlier.mac);
      keys.push(isChanged && isTrusted ? await this.#putKey(key, on) : key);
    }
    if (before === undefined || holds(this.#mac, accountText(before), before.mac))
      await rows(on, 'update account set mac = ? where id = ?', [
        this.#mac(accountText({ ...after, keys })),
        accountId,
      ]);
    if (before === undefined)
      await rows(on, 'update account set runs_mac = ? where id = ?', [this.#mac(runsText(after)), accountId]);
    return answer;
  }

  /** Files a run: numbers it, and counts it. */
  async file(accountId: string, run: Run, on: Executor): Promise<void> {
    const [account] = await rows<Pick<MacedAccount, 'id' | 'runs' | 'runs_mac'>>(
      on,
      'select id, runs::text, runs_mac from account where id = ? for no key update',
      [accountId],
    );
    const no = String(BigInt(account?.runs ?? 0) + 1n);
    await new RunRepository(on).insert(accountId, run, on, { no, mac: this.#mac(runText(accountId, no, run)) });
    if (account === undefined) return;
    const isTrusted = holds(this.#mac, runsText(account), account.runs_mac);
    const mac = isTrusted ? this.#mac(runsText({ ...account, runs: no })) : account.runs_mac;
    await rows(on, 'update account set runs = ?, runs_mac = ? where id = ?', [no, mac, accountId]);
  }

  /**
   * Computes the MACs of all rows, in a transaction.
   *
   * @returns the number of rows; undefined, and nothing is done, if an account has one
   */
  async begin(on: Executor): Promise<{ accounts: number; keys: number; runs: number } | undefined> {
    await rows(on, 'lock table account, api_key, run in share row exclusive mode');
    const count = { accounts: 0, keys: 0, runs: 0 };
    const [maced] = await rows(on, 'select 1 from account where mac is not null limit 1');
    if (maced !== undefined) return undefined;
    let after: string | undefined;
    for (;;) {
      const found = await macedAccounts(
        on,
        'id > ?::uuid or ?::uuid is null',
        [after ?? null, after ?? null],
        BATCH_SIZE,
      );
      for (const account of found) {
        const keys: MacedRow[] = [];
        for (const key of account.keys) keys.push(await this.#putKey(key, on));
        const runs = await this.#beginRuns(account.id, on);
        await rows(on, 'update account set mac = ?, runs = ?, runs_mac = ? where id = ?', [
          this.#mac(accountText({ ...account, keys })),
          runs,
          this.#mac(runsText({ ...account, runs: String(runs) })),
          account.id,
        ]);
        count.accounts++;
        count.keys += keys.length;
        count.runs += runs;
      }
      after = found.at(-1)?.id;
      if (found.length < BATCH_SIZE) return count;
    }
  }

  async #beginRuns(accountId: string, on: Executor): Promise<number> {
    const repository = new RunRepository(on);
    const ids = await rows<{ id: string }>(on, 'select id from run where account_id = ? order by created_at, id', [
      accountId,
    ]);
    for (const [i, { id }] of ids.entries()) {
      const run = await repository.get(accountId, id);
      if (run === undefined) continue;
      await rows(on, 'update run set no = ?, mac = ? where account_id = ? and id = ?', [
        i + 1,
        this.#mac(runText(accountId, String(i + 1), run)),
        accountId,
        id,
      ]);
    }
    return ids.length;
  }

  async #putKey(key: MacedRow, on: Executor): Promise<MacedRow> {
    const mac = this.#mac(key.text);
    await rows(on, 'update api_key set mac = ? where id = ?', [mac, key.id]);
    return { ...key, mac };
  }

  async #find(accountId: string, on: Executor): Promise<MacedAccount | undefined> {
    const [account] = await macedAccounts(on, 'id = ?', [accountId], 1);
    return account;
  }
}
