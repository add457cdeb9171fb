// Runs `svc fsck`: opens the configured database and the node's secrets, and checks a snapshot.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Configuration } from './configuration.ts';
import { systemClock } from './core/clock.ts';
import { DomainError } from './core/errors.ts';
import { KERNEL_FOLDER } from './kernels/load-node.ts';
import { ReceiptKeys } from './protocol/receipt.ts';
import { type FsckOptions, type FsckSummary, fsck } from './services/fsck/fsck.ts';
import { type HeldSeal, isHeldSealSigned, parseHeldSeal } from './services/fsck/held-seal.ts';
import type { SharedDatabase } from './services/fsck/machine-workers.ts';
import { CLEAN_RUN, cleanRunText, type MachineMark, type MachineMarks, parseCleanRun } from './services/fsck/since.ts';
import { ed25519Signer } from './services/node/key-ring.ts';
import { loadMasterKey } from './services/node/master-key.ts';
import { SealedBox } from './services/node/sealed-box.ts';
import { type Secret, unseal } from './services/node/secret-ring.ts';
import type { RowMac } from './storage/access/account-macs.ts';
import { type Database, openDatabase, PATIENT } from './storage/database/database.ts';
import { assertMigrated } from './storage/database/migrate.ts';
import type { Executor } from './storage/database/sql.ts';
import { MachineInspection } from './storage/fsck/machines.ts';
import { migratedSchema } from './storage/fsck/schema.ts';
import { type SealedSecret, SecretRepository } from './storage/node/secrets.ts';

/**
 * Checks the database that `svc serve` would open. An embedded database must not be in use.
 *
 * @returns the summary; signatures and sealed columns are checked only if the master key is given
 * @throws DomainError NOT_FOUND if the database is missing, VALIDATION_FAILED if its schema differs or the given seal is
 *   not one of this node, STORAGE_LOCKED
 */
export async function runFsck(
  configuration: Configuration,
  {
    sealText,
    sinceFile,
    ...options
  }: Pick<FsckOptions, 'slug' | 'isReplayed' | 'onFault' | 'onProgress'> & {
    /** A seal or checkpoint that was kept outside the database, as text. */
    readonly sealText?: string | undefined;
    /** Path of the record of the last clean run. It is written anew if this run is clean; it may be missing. */
    readonly sinceFile?: string | undefined;
  },
): Promise<FsckSummary & { readonly hasCheckedSignatures: boolean; readonly isRecorded: boolean }> {
  if (sinceFile !== undefined && options.slug !== undefined)
    throw invalid('since', 'The record of a clean run is about all machines; omit --machine.');
  const { databaseUrl, dataFolder, isEmbeddedSynced, witnessLogs: logs, archiveFolder } = configuration;
  if (databaseUrl === undefined && !existsSync(join(dataFolder, 'database')))
    throw new DomainError('NOT_FOUND', `Database not found in ${dataFolder}; set SVC_DATA or DATABASE_URL.`);
  const database = await openDatabase({ databaseUrl, dataFolder, sync: isEmbeddedSynced, timeouts: PATIENT });
  try {
    await assertMigrated(database);
    const opened = await openSecrets(database, configuration);
    const mac = opened?.box.rowMac(CLEAN_RUN);
    const marks = new Map<string, MachineMark>();
    const audited = {
      ...options,
      since: sinceFile === undefined ? undefined : readCleanRun(sinceFile, mac),
      onMark: sinceFile === undefined ? undefined : (id: string, mark: MachineMark) => void marks.set(id, mark),
      logs,
      archiveFolder,
      held: sealText === undefined ? undefined : readHeldSeal(sealText, options.slug, opened?.keys),
      keys: opened?.keys,
      secrets: opened,
      schema: await migratedSchema(),
      kernelFolder: KERNEL_FOLDER,
      nowMs: Number(systemClock().now() / 1_000_000n),
    };
    const summary = await database.snapshot(async (on) =>
      fsck(on, { ...audited, shared: await sharedDatabase(on, databaseUrl) }),
    );
    const isRecorded = sinceFile !== undefined && summary.faults === 0;
    if (isRecorded) replaceFile(sinceFile, cleanRunText(marks, mac));
    return { ...summary, hasCheckedSignatures: opened !== undefined, isRecorded };
  } finally {
    await database.close();
  }
}

/** Each has a connection, of which a server has 100 by default. */
const MAX_WORKERS = 8;
/** A worker takes about a second to start; with fewer rows, that is most of what it saves. */
const MIN_ROWS = 200_000;

/** @returns undefined if worker threads gain nothing: an embedded database has one connection */
async function sharedDatabase(on: Executor, databaseUrl: string | undefined): Promise<SharedDatabase | undefined> {
  const workers = Math.min(availableParallelism(), MAX_WORKERS);
  if (databaseUrl === undefined || workers < 2) return undefined;
  return (await new MachineInspection(on).rowCount()) < MIN_ROWS ? undefined : { databaseUrl, workers };
}

/** A record of 100,000 machines has 21 MB. */
const MAX_RECORD_BYTES = 500_000_000;

/** @throws DomainError VALIDATION_FAILED */
function readCleanRun(path: string, mac: RowMac | undefined): MachineMarks | undefined {
  if (!existsSync(path)) return undefined;
  const { size } = statSync(path);
  if (size > MAX_RECORD_BYTES) throw invalid('since', `${path} exceeds ${MAX_RECORD_BYTES} bytes; it has ${size}.`);
  const marks = parseCleanRun(readFileSync(path, 'utf8'), mac);
  if (typeof marks === 'string') throw invalid('since', `${path} ${marks}`);
  return marks;
}

/** Writes a file beside it and renames that, so that an interrupted run leaves the old one. */
function replaceFile(path: string, text: string): void {
  const incomplete = `${path}.${process.pid}.new`;
  try {
    writeFileSync(incomplete, text, { mode: 0o600 });
    renameSync(incomplete, path);
  } finally {
    rmSync(incomplete, { force: true });
  }
}

/** @throws DomainError VALIDATION_FAILED */
function readHeldSeal(text: string, slug: string | undefined, keys: readonly Uint8Array[] | undefined): HeldSeal {
  const held = parseHeldSeal(text);
  if (held === undefined)
    throw invalidSeal('is neither a seal (GET /api/chain/seal) nor a checkpoint of a machine (GET …/checkpoint).');
  if (keys !== undefined && !isHeldSealSigned(held, keys)) throw invalidSeal('is not signed by a key of this node.');
  if (slug !== undefined && !(held.kind === 'checkpoint' && held.slug === slug))
    throw invalidSeal(`must be a checkpoint of ${slug}, the only machine that is checked.`);
  return held;
}

function invalidSeal(problem: string): DomainError {
  return invalid('seal', `The given seal ${problem}`);
}

function invalid(path: 'seal' | 'since', message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: path.toUpperCase(), message }] });
}

/**
 * What the master key opens. Secrets that it does not open are left out: fsck reports their rows.
 *
 * @returns undefined if the master key is not given or the node has no keys yet; neither is created here
 * @throws DomainError VALIDATION_FAILED if it opens no secret
 */
async function openSecrets(
  { knex }: Database,
  { masterKey, databaseUrl, dataFolder }: Configuration,
): Promise<{ readonly keys: Uint8Array[]; readonly receipts: ReceiptKeys; readonly box: SealedBox } | undefined> {
  const isGiven = masterKey !== undefined || (databaseUrl === undefined && existsSync(join(dataFolder, 'master.key')));
  const secrets = new SecretRepository(knex);
  const [seals, receipts] = [await secrets.list('seal'), await secrets.list('receipt')];
  if (!isGiven || seals.length === 0 || receipts.length === 0) return undefined;
  const box = new SealedBox(loadMasterKey({ masterKey, databaseUrl, dataFolder, randomBytes }), randomBytes);
  const opened = { seals: openable(box, seals), receipts: openable(box, receipts) };
  return {
    keys: opened.seals.map(({ secret }) => ed25519Signer(secret).publicKey),
    receipts: new ReceiptKeys(opened.receipts),
    box,
  };
}

/** @throws DomainError VALIDATION_FAILED if none opens */
function openable(box: SealedBox, sealed: readonly SealedSecret[]): readonly Secret[] {
  const results = sealed.map((one) => attempt(() => unseal(box, one)));
  const secrets = results.flatMap(({ value }) => value ?? []);
  if (secrets.length === 0) throw results[0]?.error;
  return secrets;
}

function attempt<Value>(make: () => Value): { readonly value?: Value; readonly error?: unknown } {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}
