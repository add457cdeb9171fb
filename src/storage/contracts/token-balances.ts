// Balances of the tokens that contracts issue, by machine, token and holder.

import { type Executor, rows } from '../database/sql.ts';
import type { Writer } from '../database/writer.ts';

interface TokenBalance {
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

  async list(machineId: string, on: Executor = this.#knex): Promise<TokenBalance[]> {
    return rows(on, 'select token, holder, amount from token_balance where machine_id = ?', [machineId]);
  }
}
