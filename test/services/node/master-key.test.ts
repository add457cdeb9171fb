import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMasterKey, type MasterKeyOptions } from '../../../src/services/node/master-key.ts';

let dataFolder = '';
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'svc-master-'));
});
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

function load(options: Partial<MasterKeyOptions>): Uint8Array {
  return loadMasterKey({
    masterKey: undefined,
    databaseUrl: undefined,
    dataFolder: undefined,
    randomBytes,
    ...options,
  });
}

function messageOf(options: Partial<MasterKeyOptions>): string {
  try {
    load(options);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'VALIDATION_FAILED') return error.message;
    throw error;
  }
  throw new Error('The key was accepted.');
}

test('a given key is read from hex in either case and from base64url', () => {
  fc.assert(
    fc.property(fc.constantFrom('hex', 'base64url', 'HEX'), (form) => {
      const key = randomBytes(32);
      const text = form === 'HEX' ? key.toString('hex').toUpperCase() : key.toString(form as 'hex' | 'base64url');
      return Buffer.from(load({ masterKey: text, databaseUrl: 'postgres://x' })).equals(key);
    }),
  );
});

test('weak keys are rejected with the reason, without echoing the key', () => {
  const weak = {
    'repeats itself': ['00'.repeat(32), 'ab'.repeat(32), 'deadbeefcafebabe'.repeat(4)],
    'plain text': [Buffer.from('correct horse battery staple 123').toString('hex')],
    'count up': [Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('hex')],
    'not 32 bytes': ['', 'changeme', randomBytes(31).toString('hex'), randomBytes(33).toString('base64url')],
  };
  for (const [reason, keys] of Object.entries(weak)) {
    for (const masterKey of keys) {
      const message = messageOf({ masterKey });
      expect(message).toContain(reason);
      expect(message).toContain('SVC_MASTER_KEY');
      if (masterKey !== '') expect(message).not.toContain(masterKey);
    }
  }
});

test('with PostgreSQL a missing key is an error', () => {
  expect(messageOf({ databaseUrl: 'postgres://x', dataFolder })).toContain('SVC_MASTER_KEY is missing');
  expect(readdirSync(dataFolder)).toEqual([]);
});

test('the first embedded start creates a key file that only its owner can read; later starts read it', () => {
  writeFileSync(join(dataFolder, 'master.key.new'), 'half');
  const created = load({ dataFolder });
  expect(created).toHaveLength(32);
  expect(readdirSync(dataFolder)).toEqual(['master.key']);
  expect(statSync(join(dataFolder, 'master.key')).mode & 0o777).toBe(0o600);
  expect(Buffer.from(load({ dataFolder }))).toEqual(Buffer.from(created));
});

test('a key file that is readable by others or damaged is rejected', () => {
  load({ dataFolder });
  const file = join(dataFolder, 'master.key');
  chmodSync(file, 0o640);
  expect(messageOf({ dataFolder })).toContain('chmod 600');
  chmodSync(file, 0o600);
  writeFileSync(file, '');
  expect(messageOf({ dataFolder })).toContain('not 32 bytes');
});
