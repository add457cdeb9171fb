// Balances of the tokens that contracts issue, by machine, token and holder.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

export interface TokenBalance {
  readonly token: string;
  readonly holder: string;
  readonly amount: number;
}

/** `amount` is added to the balance. */
export interface TokenChange extends TokenBalance {
  readonly machineId: string;
}

export const tokenRows: Writer<TokenChange> = {
  async write(changes, on) {
    const sums = new Map<string, TokenChange>();
    for (const change of changes) {
      const key = `${change.machineId}\0${change.token}\0${change.holder}`;
      sums.set(key, { ...change, amount: change.amount + (sums.get(key)?.amount ?? 0) });
    }
    // One statement for each balance, so that the error of one below zero names it.
    for (const { machineId, token, holder, amount } of sums.values()) {
      await rows(
        on,
        `insert into token_balance (machine_id, token, holder, amount) values (?, ?, ?, ?)
         on conflict (machine_id, token, holder) do update set amount = token_balance.amount + ?`,
        [machineId, token, holder, Math.max(0, amount), amount],
      );
    }
  },
};

export class TokenBalanceRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** A page of the balances of these tokens, or of all, by token and holder. @param after  the last one seen */
  async page(
    machineId: string,
    {
      tokens,
      limit,
      after,
    }: {
      readonly tokens?: readonly string[] | undefined;
      readonly limit: number;
      readonly after?: readonly [token: string, holder: string] | undefined;
    },
    on: Executor = this.#knex,
  ): Promise<TokenBalance[]> {
    return rows(
      on,
      `select token, holder, amount from token_balance
       where machine_id = ?${tokens === undefined ? '' : ' and token = any(?::text[])'}
         ${after === undefined ? '' : 'and (token, holder) > (?, ?)'} order by token, holder limit ?`,
      [machineId, ...(tokens === undefined ? [] : [tokens]), ...(after ?? []), limit],
    );
  }

  /** The first balances of machines, by machine, token and holder. */
  async firstOf(
    machineIds: readonly string[],
    limit: number,
    on: Executor = this.#knex,
  ): Promise<(TokenBalance & { readonly machineId: string })[]> {
    return rows(
      on,
      `select machine_id as "machineId", token, holder, amount from token_balance
       where machine_id = any(?::uuid[]) order by machine_id, token, holder limit ?`,
      [machineIds, limit],
    );
  }

  async list(machineId: string, on: Executor = this.#knex): Promise<TokenBalance[]> {
    return rows(on, 'select token, holder, amount from token_balance where machine_id = ?', [machineId]);
  }
}
