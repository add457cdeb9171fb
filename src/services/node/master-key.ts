// Master key that encrypts the node's secrets: from the environment, or generated on the first embedded start.

import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../../core/errors.ts';

export interface MasterKeyOptions {
  /** SVC_MASTER_KEY: 32 bytes as 64 hex digits or 43 base64url characters. */
  readonly masterKey: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Folder of the generated key file; its lock must be held. Undefined for an in-memory database. */
  readonly dataFolder: string | undefined;
  readonly randomBytes: (count: number) => Uint8Array;
}

const MASTER_KEY_BYTES = 32;
const HINT = 'create one with `openssl rand -hex 32`';

export type MasterKeySource = 'environment' | 'file' | 'memory';

/** The source that `loadMasterKey` uses. */
export function masterKeySource({
  masterKey,
  dataFolder,
}: Pick<MasterKeyOptions, 'masterKey' | 'dataFolder'>): MasterKeySource {
  if (masterKey !== undefined) return 'environment';
  return dataFolder === undefined ? 'memory' : 'file';
}

/** @throws DomainError VALIDATION_FAILED; the message never contains the key */
export function loadMasterKey({ masterKey, databaseUrl, dataFolder, randomBytes }: MasterKeyOptions): Uint8Array {
  if (masterKey !== undefined) return parse(masterKey, 'SVC_MASTER_KEY');
  if (databaseUrl !== undefined) {
    throw refusal('SVC_MASTER_KEY', `is missing: all nodes on a DATABASE_URL share one; ${HINT}.`);
  }
  if (dataFolder === undefined) return randomBytes(MASTER_KEY_BYTES);
  const file = join(dataFolder, 'master.key');
  return readFile(file) ?? create(file, randomBytes(MASTER_KEY_BYTES));
}

function readFile(file: string): Uint8Array | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const mode = statSync(file).mode & 0o777;
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw refusal(file, `is readable by others (mode ${mode.toString(8)}); run \`chmod 600\` on it.`);
  }
  return parse(text.trim(), file);
}

/** Writes atomically: a crash must not leave a truncated key. */
function create(file: string, key: Uint8Array): Uint8Array {
  const temporary = `${file}.new`;
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(handle, `${Buffer.from(key).toString('hex')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  return key;
}

function parse(text: string, name: string): Uint8Array {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const isBase64Url = /^[A-Za-z0-9_-]{43}=?$/.test(text);
  if (!isHex && !isBase64Url) {
    throw refusal(name, `is not 32 bytes in hex (64 digits) or base64url (43 characters); ${HINT}.`);
  }
  const key = new Uint8Array(Buffer.from(text, isHex ? 'hex' : 'base64url'));
  const weakness = weaknessOf(key);
  if (weakness !== undefined) throw refusal(name, `is not a random key: ${weakness}; ${HINT}.`);
  return key;
}

/** Detects sample keys, text and counters. A random key matches each test with a probability of at most 2^-32. */
function weaknessOf(key: Uint8Array): string | undefined {
  if (new Set(key).size < 12) return 'it repeats itself';
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'it is plain text';
  const steps = new Set(Array.from(key.subarray(1), (byte, i) => (byte - (key[i] ?? 0)) & 0xff));
  if (steps.size === 1) return 'its bytes count up or down';
  return undefined;
}

function refusal(name: string, message: string): DomainError {
  return new DomainError('VALIDATION_FAILED', `${name} ${message}`, {
    details: [{ path: name, code: 'MASTER_KEY', message: `${name} ${message}` }],
  });
}
