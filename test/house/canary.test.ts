// Secrets never leave: not in an answer, not in a log line, not in the error of a start that failed.
//
// Every test of test/http searches what its service produced in the same way; here the service is made to fail.

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { openLog } from '../../src/log.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { methodOf, pathOf } from '../../src/operations/operation.ts';
import { CALLERS, leaksOf, startService } from '../http/service.ts';

const service = await startService();
const { keys, produced, secrets, running } = service;

/** Every operation for every caller, with a key in every place where a request has room for one. */
async function walk(): Promise<number[]> {
  const statuses: number[] = [];
  for (const operation of OPERATIONS) {
    const method = methodOf(operation);
    const path = pathOf(operation).replaceAll(/\{[^}]+\}/g, keys.admin);
    for (const as of CALLERS) {
      const body = method === 'GET' ? {} : { json: { ...operation.example, folder: keys.admin, query: keys.admin } };
      statuses.push((await service.call(`${method} ${path}?folder=${keys.admin}`, { as, ...body })).status);
    }
  }
  return statuses;
}

test('the search finds a secret in any encoding, so its silence means something', () => {
  expect(secrets.size).toBeGreaterThan(15);
  for (const [name, secret] of secrets)
    expect(leaksOf({ produced: [`{"a": "x${secret}y"}`], secrets })).toContain(name);
  expect(leaksOf({ produced: ['nothing'], secrets })).toEqual([]);
});

test('the OpenAPI document, the registry and the list of keys hold none', async () => {
  for (const route of ['GET /openapi.json', 'GET /api/endpoints', 'GET /api/keys', 'GET /api/.well-known/jwks.json'])
    expect((await service.call(route, { as: 'admin' })).status).toBe(200);
  expect(produced.join('').length).toBeGreaterThan(10_000);
  expect(leaksOf(service)).toEqual([]);
});

test('a database that is gone shows in the log, but not with a key that a caller put into a path or a field', async () => {
  await running.storage.close();
  const from = produced.length;
  const statuses = await walk();
  // What is answered goes to the one who sent the key, so it may name it; the log goes to others.
  const lines = produced.splice(from).filter((text) => text.includes('"level":50'));
  expect(statuses.filter((status) => status >= 500).length).toBeGreaterThan(5);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.join('')).toContain(`${keys.admin.slice(0, 15)}…`);
  expect(leaksOf({ produced: lines, secrets })).toEqual([]);
});

test('a start that fails keeps the password of its database and the master key to itself', async () => {
  const lines: string[] = [];
  const password = 'canary-password-7f3a';
  const masterKey = 'canary-master-key-that-is-no-key';
  const env = { SVC_MASTER_KEY: '5b'.repeat(16) + '0123456789abcdef'.repeat(2), PORT: '0' };
  const starts = [
    { ...env, DATABASE_URL: `postgres://svc:${password}@127.0.0.1:1/svc` },
    { ...env, DATABASE_URL: `mysql://svc:${password}@127.0.0.1/svc` },
    { ...env, DATABASE_URL: `postgres://svc:${password}@127.0.0.1:port/svc` },
    { SVC_MASTER_KEY: masterKey },
  ];
  for (const settings of starts) {
    const start = async () =>
      compose({
        configuration: readConfiguration(settings),
        log: openLog('debug', { write: (line: string) => lines.push(line) }),
        inMemory: !('DATABASE_URL' in settings),
      });
    const error: unknown = await start().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    const shown = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error) + lines.join('');
    for (const secret of [password, masterKey, env.SVC_MASTER_KEY]) expect(shown).not.toContain(secret);
  }
});
