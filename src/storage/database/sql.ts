// SQL statements: run one, read its columns exactly, translate its errors, and retry its conflicts.

import type { Knex } from 'knex';
import pg from 'pg';
import { DomainError } from '../../core/errors.ts';

/**
 * The pool, or the open transaction. It is the last parameter of every repository method, and must be given inside a
 * transaction: the embedded database has one connection, so that a query on the pool would wait for ever.
 */
export type Executor = Pick<Knex, 'raw'>;

export type Binding = string | number | boolean | null | Uint8Array | readonly (string | null)[];

/** Runs one statement with `?` for each binding. The caller vouches that `Row` is what the statement returns. */
export async function rows<Row>(on: Executor, statement: string, bindings: readonly Binding[] = []): Promise<Row[]> {
  try {
    const result: { rows: Row[] } = await on.raw(statement, bindings as Knex.RawBinding[]);
    return result.rows;
  } catch (error) {
    throw asDomainError(error);
  }
}

/** Unix milliseconds as a `timestamptz` binding; reading the column gives the same number. */
export function stamp(ms: number): string {
  return new Date(ms).toISOString();
}

export function optionalStamp(ms: number | undefined): string | null {
  return ms === undefined ? null : stamp(ms);
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** Parses every column: int8 as a safe integer, timestamptz as Unix milliseconds, and the rest as pg does. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8 && format !== 'binary') return safeInteger;
    if (oid === TIMESTAMPTZ && format !== 'binary') return milliseconds;
    return pg.types.getTypeParser(oid, format ?? 'text');
  }) as typeof pg.types.getTypeParser,
};

/** @throws RangeError beyond ±(2^53 − 1), where a number would be rounded */
export function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} does not fit in 53 bits.`);
  return value;
}

const parseTimestamp = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date;

function milliseconds(text: string): number {
  return parseTimestamp(text).getTime();
}

/** SQLSTATE of a failed statement, or the operating system's code of a failed connection. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

// Classes 08 (connection), 53 (disk, memory or connections exhausted) and 57P (shut down) of PostgreSQL's appendix A
// "Error Codes", a transaction that was idle or open too long (25P03, 25P04: its connection is closed), a cancelled
// statement, and the operating system's codes of broken connections.
const UNAVAILABLE = /^(08|53|57P|57014|25P03|25P04|ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)/;
const UNAVAILABLE_MESSAGE =
  /Connection terminated|timeout expired|Unable to acquire a connection|Client has encountered a connection error/;
const DISK_FULL = '53100';
const CANCELLED = '57014';

const MESSAGES: Readonly<Record<string, string>> = {
  [DISK_FULL]: 'The disk of the database is full.',
  [CANCELLED]: 'The database took too long and cancelled the statement.',
};

export function unavailable(message: string, cause?: unknown): DomainError {
  return new DomainError('STORAGE_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 });
}

/** Turns a failure of the database into an error that callers may retry; returns any other error as it is. */
export function asDomainError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DomainError) return error;
  const code = codeOf(error) ?? '';
  const isLost = UNAVAILABLE.test(code) || error.name === 'KnexTimeoutError' || UNAVAILABLE_MESSAGE.test(error.message);
  if (!isLost) return error;
  return unavailable(MESSAGES[code] ?? 'The database does not answer.', error);
}

/** serialization_failure, deadlock_detected */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);
/**
 * unique_violation of a catalog, duplicate_table, _schema, _object: concurrent `create … if not exists` can still fail.
 */
export const CREATION_CONFLICTS: ReadonlySet<string> = new Set(['23505', '42P07', '42P06', '42710']);
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 4;

/** Retries `work` after a conflict, with a pause that doubles each time. */
export async function retrying<T>(
  work: () => Promise<T>,
  conflicts: ReadonlySet<string> = CONFLICTS,
  maxAttempts = MAX_ATTEMPTS,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!conflicts.has(codeOf(error) ?? '') || attempt === maxAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
    }
  }
}
