// The database: PGlite in a data folder by default, PostgreSQL if an address is given; the same SQL on both.
//
// PGlite never calls fsync by default: a killed process loses nothing that was acknowledged, but a power failure may.
// `sync` writes its log synchronously instead. Depending on the disk, that costs from a tenth of the insert rate to
// most of it.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import knexFactory, { type Knex } from 'knex';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { lockFolder } from './lock.ts';
import { asDomainError, CREATION_CONFLICTS, columnTypes, type Executor, retrying, rows, unavailable } from './sql.ts';
import { inTransaction } from './transaction.ts';

export interface DatabaseOptions {
  /** `postgres://…`; without it, the database is embedded. */
  readonly databaseUrl?: string | undefined;
  /** Folder of the embedded database; locked while it is open. */
  readonly dataFolder?: string | undefined;
  /** Embedded, and lost when the process ends. */
  readonly inMemory?: boolean | undefined;
  /** Embedded only: a new database starts as a copy of this dump of PGlite instead of empty. */
  readonly template?: Blob | undefined;
  /** Embedded only: write the log synchronously, to survive a power failure. */
  readonly sync?: boolean | undefined;
  /** Schema of all tables, created when missing; default: the first of the search path. */
  readonly schema?: string | undefined;
  /** PostgreSQL only. */
  readonly poolSize?: number | undefined;
  /** PostgreSQL only, but for `readyMs`. */
  readonly timeouts?: Partial<DatabaseTimeouts> | undefined;
}

/** Milliseconds; see LIMITS.database. */
export type DatabaseTimeouts = Readonly<Record<keyof typeof LIMITS.database, number>>;

/** For migrations and audits, whose statements may read whole tables. */
export const PATIENT: Partial<DatabaseTimeouts> = { statementMs: 3_600_000, silenceMs: 3_660_000 };

export interface Database {
  readonly kind: 'embedded' | 'postgresql';
  readonly knex: Knex;
  /** One transaction, retried after a conflict (40001, 40P01): `work` must have no effects outside it. */
  transaction<T>(work: (transaction: Executor) => Promise<T>): Promise<T>;
  /** One read-only transaction that sees the state of a single moment. */
  snapshot<T>(work: (transaction: Executor) => Promise<T>): Promise<T>;
  /**
   * Asks the database for an answer. Concurrent calls share one statement.
   *
   * @throws DomainError STORAGE_UNAVAILABLE without an answer within `readyMs`
   */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const POOL_SIZE = 10;

/** Setting up PostgreSQL's default of 128 MB takes a third of the processor time of a start. */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];
/** Before the first probe of a silent connection; the system's default is two hours. */
const KEEP_ALIVE_DELAY_MS = 10_000;
/** Silences knex, which would print each error that its promise also rejects with. */
const SILENT: Knex.Logger = { debug: ignore, deprecate: ignore, error: ignore, warn: ignore };

const SCHEMA_FORMAT = /^[a-z_][a-z0-9_]{0,62}$/;

/** @throws DomainError VALIDATION_FAILED, STORAGE_LOCKED, STORAGE_UNAVAILABLE */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl, schema } = options;
  if (schema !== undefined && !SCHEMA_FORMAT.test(schema)) {
    throw new DomainError('VALIDATION_FAILED', `The schema ${schema} does not match ${SCHEMA_FORMAT.source}.`);
  }
  const database = databaseUrl === undefined ? await openEmbedded(options) : await openPostgresql(databaseUrl, options);
  try {
    const first = schema === undefined ? 'select 1' : `create schema if not exists ${schema}`;
    await retrying(async () => database.knex.raw(first), CREATION_CONFLICTS);
    return database;
  } catch (error) {
    await database.close();
    // Any failure ends the start: a wrong password or a missing database as well as a lost connection.
    const where = databaseUrl === undefined ? 'The embedded database' : `The database at ${hostOf(databaseUrl)}`;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError('STORAGE_UNAVAILABLE', `${where} cannot be opened: ${reason}`, { cause: error });
  }
}

async function openPostgresql(databaseUrl: string, options: DatabaseOptions): Promise<Database> {
  hostOf(databaseUrl); // throws unless it is an address of PostgreSQL
  const timeouts: DatabaseTimeouts = { ...LIMITS.database, ...options.timeouts };
  const knex = knexFactory({
    client: 'pg',
    connection: {
      connectionString: databaseUrl,
      types: columnTypes,
      application_name: 'svc',
      idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
      statement_timeout: timeouts.statementMs,
      connectionTimeoutMillis: timeouts.connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
      stream: () => droppedWhenSilent(timeouts.silenceMs),
    } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolSize ?? POOL_SIZE, idleTimeoutMillis: timeouts.idleMs },
    acquireConnectionTimeout: timeouts.acquireMs,
    log: SILENT,
    ...searchPath(options.schema),
  });
  return database('postgresql', knex, options, () => knex.destroy());
}

/**
 * A socket that fails after `silenceMs` without a byte in either direction. A connection whose other end has vanished
 * would otherwise keep its query, and its place in the pool, until the system gives up after many minutes.
 */
function droppedWhenSilent(silenceMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silenceMs, () => {
    socket.destroy(Object.assign(new Error(`The database said nothing for ${silenceMs} ms.`), { code: 'ETIMEDOUT' }));
  });
  return socket;
}

async function openEmbedded(options: DatabaseOptions): Promise<Database> {
  const { dataFolder, inMemory, template } = options;
  if (!inMemory && dataFolder === undefined) {
    throw new DomainError('VALIDATION_FAILED', 'Neither a database address nor a data folder is given.');
  }
  if (inMemory || dataFolder === undefined) {
    const pglite = await PGlite.create({ dataDir: 'memory://', startParams: START_PARAMS, ...copyOf(template) });
    return embedded(pglite, options);
  }
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataFolder);
  try {
    const pglite = await openFolder(dataFolder, options);
    return embedded(pglite, options, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Creates a new database beside its folder and renames it when complete, so that an interrupted start can be repeated.
 */
async function openFolder(dataFolder: string, { sync, template }: DatabaseOptions): Promise<PGlite> {
  const folder = join(dataFolder, 'database');
  const startParams = sync
    ? [...START_PARAMS.filter((one) => one !== '-F'), '-c', 'wal_sync_method=open_datasync']
    : START_PARAMS;
  if (!existsSync(folder)) {
    const incomplete = `${folder}.new`;
    rmSync(incomplete, { recursive: true, force: true });
    const pglite = await PGlite.create({ dataDir: incomplete, startParams: START_PARAMS, ...copyOf(template) });
    await pglite.close();
    renameSync(incomplete, folder);
  }
  return PGlite.create(folder, { startParams });
}

function copyOf(template: Blob | undefined): { loadDataDir?: Blob } {
  return template === undefined ? {} : { loadDataDir: template };
}

/** A closed one lets go of its 250 MB, though its owner may keep the object. */
function embedded(opened: PGlite, options: DatabaseOptions, onClosed: () => void = ignore): Database {
  let pglite: PGlite | undefined = opened;
  const knex = knexFactory({
    client: 'pg',
    connection: () => {
      if (pglite === undefined) throw unavailable('The database is closed.');
      return { ...createPgConfig(pglite), types: columnTypes } as unknown as Knex.PgConnectionConfig;
    },
    pool: { min: 1, max: 1 },
    log: SILENT,
    ...searchPath(options.schema),
  });
  return database('embedded', knex, options, async () => {
    await knex.destroy();
    // Knex keeps what `connection` returned.
    knex.client.connectionSettings = undefined;
    try {
      await pglite?.close();
    } finally {
      pglite = undefined;
      onClosed();
    }
  });
}

function database(
  kind: Database['kind'],
  knex: Knex,
  { timeouts }: DatabaseOptions,
  close: () => Promise<void>,
): Database {
  const readyMs = timeouts?.readyMs ?? LIMITS.database.readyMs;
  let closed: Promise<void> | undefined;
  let pinging: Promise<unknown> | undefined;
  return {
    kind,
    knex,
    transaction: (work) =>
      retrying(() => inTransaction(knex, 'begin', work)).catch((error: unknown) => {
        throw asDomainError(error);
      }),
    snapshot: (work) =>
      inTransaction(knex, 'begin isolation level repeatable read read only', work).catch((error: unknown) => {
        throw asDomainError(error);
      }),
    ping: async () => {
      pinging ??= rows(knex, 'select 1').finally(() => {
        pinging = undefined;
      });
      await within(readyMs, pinging);
    },
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

function ignore(): void {}

/** @throws DomainError STORAGE_UNAVAILABLE if `answer` takes longer; it may still arrive later */
async function within(ms: number, answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(`The database did not answer within ${ms} ms.`)), ms);
  });
  await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

function searchPath(schema: string | undefined): { searchPath?: string[] } {
  return schema === undefined ? {} : { searchPath: [schema] };
}

/** Returns host and port only, because the rest of the address holds a password. */
function hostOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
    throw new DomainError('VALIDATION_FAILED', 'The database address does not begin with postgres://.');
  }
  return url.host;
}
