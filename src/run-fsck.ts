// Runs `svc fsck`: opens the configured database, loads the node's public keys and checks a snapshot.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from './configuration.ts';
import { fromBase64Url } from './core/bits.ts';
import { systemClock } from './core/clock.ts';
import { DomainError } from './core/errors.ts';
import { type FsckOptions, type FsckSummary, fsck } from './services/fsck/fsck.ts';
import { type HeldSeal, isHeldSealSigned, parseHeldSeal } from './services/fsck/held-seal.ts';
import { openKeyRing } from './services/node/key-ring.ts';
import { loadMasterKey } from './services/node/master-key.ts';
import { SealedBox } from './services/node/sealed-box.ts';
import { SecretRing } from './services/node/secret-ring.ts';
import { type Database, openDatabase, PATIENT } from './storage/database/database.ts';
import { assertMigrated } from './storage/database/migrate.ts';
import { SecretRepository } from './storage/node/secrets.ts';

/**
 * Checks the database that `svc serve` would open. An embedded database must not be in use.
 *
 * @returns the summary; signatures are checked only if the master key is given, which the node's public keys require
 * @throws DomainError NOT_FOUND if the database is missing, VALIDATION_FAILED if its schema differs or the given seal is
 *   not one of this node, STORAGE_LOCKED
 */
export async function runFsck(
  configuration: Configuration,
  {
    sealText,
    ...options
  }: Omit<FsckOptions, 'keys' | 'logs' | 'held'> & {
    /** A seal or checkpoint that was kept outside the database, as text. */
    readonly sealText?: string | undefined;
  },
): Promise<FsckSummary & { readonly hasCheckedSignatures: boolean }> {
  const { databaseUrl, dataFolder, isEmbeddedSynced, witnessLogs: logs } = configuration;
  if (databaseUrl === undefined && !existsSync(join(dataFolder, 'database')))
    throw new DomainError('NOT_FOUND', `Database not found in ${dataFolder}; set SVC_DATA or DATABASE_URL.`);
  const database = await openDatabase({ databaseUrl, dataFolder, sync: isEmbeddedSynced, timeouts: PATIENT });
  try {
    await assertMigrated(database);
    const keys = await loadPublicKeys(database, configuration);
    const held = sealText === undefined ? undefined : readHeldSeal(sealText, options.slug, keys);
    const summary = await database.snapshot((on) => fsck(on, { ...options, keys, logs, held }));
    return { ...summary, hasCheckedSignatures: keys !== undefined };
  } finally {
    await database.close();
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
  const message = `The given seal ${problem}`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'seal', code: 'SEAL', message }] });
}

/** Undefined if the master key is not given or the node has no keys yet; neither is created here. */
async function loadPublicKeys(
  { knex, transaction }: Database,
  { masterKey, databaseUrl, dataFolder }: Configuration,
): Promise<Uint8Array[] | undefined> {
  const isGiven = masterKey !== undefined || (databaseUrl === undefined && existsSync(join(dataFolder, 'master.key')));
  const secrets = new SecretRepository(knex);
  const hasKeys = (await secrets.list('seal')).length > 0 && (await secrets.list('receipt')).length > 0;
  if (!isGiven || !hasKeys) return undefined;
  const box = new SealedBox(loadMasterKey({ masterKey, databaseUrl, dataFolder, randomBytes }), randomBytes);
  const ring = await openKeyRing(new SecretRing({ secrets, transaction, box, clock: systemClock(), randomBytes }));
  return ring.jwks().keys.flatMap(({ x }) => fromBase64Url(x) ?? []);
}
