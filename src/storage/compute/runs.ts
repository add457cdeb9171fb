// Runs that callers saved: the sealed envelope, byte for byte, and the columns that lists show.

import { decodeCursor, isUuid, type Page, pageOf } from '../database/cursor.ts';
import { type Binding, type Executor, rows, stamp } from '../database/sql.ts';

export interface RunSummary {
  readonly id: string;
  readonly folder: string | undefined;
  readonly solver: string;
  /** Id and title of the law, of several in a row one after the other; undefined for a solver, and for old runs. */
  readonly lawId?: string | undefined;
  readonly lawTitle?: string | undefined;
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

/** A word that lists are searched for. */
export interface SoughtWord {
  readonly text: string;
  /** Solvers that the word finds by their titles, which no row has. */
  readonly solvers: readonly string[];
}

export interface RunFilter {
  readonly folder?: string | undefined;
  readonly solver?: string | undefined;
  /** All of them must be found. */
  readonly words?: readonly SoughtWord[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface SummaryRow {
  readonly id: string;
  readonly folder: string | null;
  readonly solver: string;
  readonly law_id: string | null;
  readonly law_title: string | null;
  readonly value_text: string | null;
  readonly unit: string;
  readonly svcond: number;
  readonly created_at: number;
}

const SUMMARY = 'id, folder, solver, law_id, law_title, value_text, unit, svcond, created_at';

/**
 * What a run is searched by, made once for all words of a search (`offset 0`). Letter case as in ASCII, of which these
 * texts are: a locale of the database changes nothing.
 */
const SEARCHED = `cross join lateral (
  select lower(concat_ws(' ', solver, law_id, law_title, folder) collate "C") as text offset 0) as searched`;
const FINDS_WORD = '(strpos(searched.text, lower(?::text collate "C")) > 0 or solver = any(?::text[]))';

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
      `insert into run (account_id, id, folder, solver, law_id, law_title, envelope, value_text, unit, svcond, created_at, no, mac)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        accountId,
        run.id,
        run.folder ?? null,
        run.solver,
        run.lawId ?? null,
        run.lawTitle ?? null,
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
    const { words = [] } = filter;
    for (const { text, solvers } of words) {
      conditions.push(FINDS_WORD);
      bindings.push(text, solvers);
    }
    where('folder = ?', filter.folder);
    where('solver = ?', filter.solver);
    where('id < ?', filter.cursor === undefined ? undefined : decodeCursor(filter.cursor));
    const found = await rows<SummaryRow>(
      on,
      `select ${SUMMARY} from run ${words.length === 0 ? '' : SEARCHED} where ${conditions.join(' and ')} order by id desc limit ?`,
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
    lawId: row.law_id ?? undefined,
    lawTitle: row.law_title ?? undefined,
    valueText: row.value_text ?? undefined,
    unit: row.unit,
    svcond: row.svcond,
    createdMs: row.created_at,
  };
}
