// Runs that callers saved: the sealed envelope, byte for byte, and the columns that lists show.

import { decodeCursor, isUuid, type Page, pageOf } from '../database/cursor.ts';
import { type Binding, type Executor, rows, stamp } from '../database/sql.ts';

export interface RunSummary {
  readonly id: string;
  readonly folder: string | undefined;
  readonly solver: string;
  /** The value as printed in the envelope; undefined for an answer of the dimensional gate. */
  readonly valueText: string | undefined;
  readonly unit: string;
  readonly svcond: number;
  readonly createdMs: number;
}

export interface Run extends RunSummary {
  /** The exact text of the answer. It is signed, so it is never parsed and printed again. */
  readonly envelope: string;
}

export interface RunFilter {
  readonly folder?: string | undefined;
  readonly solver?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface SummaryRow {
  readonly id: string;
  readonly folder: string | null;
  readonly solver: string;
  readonly value_text: string | null;
  readonly unit: string;
  readonly svcond: number;
  readonly created_at: number;
}

const SUMMARY = 'id, folder, solver, value_text, unit, svcond, created_at';

export class RunRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** @param confirmed  number among the runs of the account, and MAC; see access/account-macs.ts */
  async insert(
    accountId: string,
    run: Run,
    on: Executor = this.#knex,
    confirmed?: { readonly no: string; readonly mac: Uint8Array },
  ): Promise<void> {
    await rows(
      on,
      `insert into run (account_id, id, folder, solver, envelope, value_text, unit, svcond, created_at, no, mac)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        accountId,
        run.id,
        run.folder ?? null,
        run.solver,
        run.envelope,
        run.valueText ?? null,
        run.unit,
        run.svcond,
        stamp(run.createdMs),
        confirmed?.no ?? null,
        confirmed?.mac ?? null,
      ],
    );
  }

  /** Undefined for a run of another account too, so that its existence stays secret. */
  async get(accountId: string, id: string, on: Executor = this.#knex): Promise<Run | undefined> {
    if (!isUuid(id)) return undefined;
    const [row] = await rows<SummaryRow & { envelope: string }>(
      on,
      `select ${SUMMARY}, envelope from run where account_id = ? and id = ?`,
      [accountId, id],
    );
    return row && { ...fromRow(row), envelope: row.envelope };
  }

  /** Newest first. @throws DomainError VALIDATION_FAILED for a malformed cursor */
  async list(accountId: string, filter: RunFilter, on: Executor = this.#knex): Promise<Page<RunSummary>> {
    const conditions = ['account_id = ?'];
    const bindings: Binding[] = [accountId];
    const where = (condition: string, value: string | undefined) => {
      if (value === undefined) return;
      conditions.push(condition);
      bindings.push(value);
    };
    where('folder = ?', filter.folder);
    where('solver = ?', filter.solver);
    where('id < ?', filter.cursor === undefined ? undefined : decodeCursor(filter.cursor));
    const found = await rows<SummaryRow>(
      on,
      `select ${SUMMARY} from run where ${conditions.join(' and ')} order by id desc limit ?`,
      [...bindings, filter.limit + 1],
    );
    return pageOf(found.map(fromRow), filter.limit);
  }

  /** Folders by name, with the number of runs in each. */
  async folders(
    accountId: string,
    limit: number,
    on: Executor = this.#knex,
  ): Promise<readonly { readonly folder: string; readonly runs: number }[]> {
    return rows(
      on,
      `select folder, count(*) as runs from run where account_id = ? and folder is not null
       group by folder order by folder collate "C" limit ?`,
      [accountId, limit],
    );
  }
}

function fromRow(row: SummaryRow): RunSummary {
  return {
    id: row.id,
    folder: row.folder ?? undefined,
    solver: row.solver,
    valueText: row.value_text ?? undefined,
    unit: row.unit,
    svcond: row.svcond,
    createdMs: row.created_at,
  };
}
