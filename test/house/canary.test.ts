// Secrets never leak: neither in a response, nor in a log line, nor in the error of a failed start.
//
// Every test of test/http searches the output of its service in the same way; these tests make the service fail.

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { openLog } from '../../src/log.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import { methodOf, pathOf } from '../../src/operations/route.ts';
import { CALLERS, leaksOf, startService } from '../http/service-fixture.ts';
import { inMemory } from '../storage/migrated-database.ts';

const service = await startService();
const { keys, produced, secrets, running } = service;

/** Calls every operation as every caller, with a key in path, query and body. */
async function callEveryOperation(): Promise<number[]> {
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

test('the search detects a secret in any encoding', () => {
  expect(secrets.size).toBeGreaterThan(15);
  for (const [name, secret] of secrets)
    expect(leaksOf({ produced: [`{"a": "x${secret}y"}`], secrets })).toContain(name);
  expect(leaksOf({ produced: ['nothing'], secrets })).toEqual([]);
});

test('the OpenAPI document, the registry and the list of keys contain no secret', async () => {
  for (const route of ['GET /openapi.json', 'GET /api/endpoints', 'GET /api/keys', 'GET /api/.well-known/jwks.json'])
    expect((await service.call(route, { as: 'admin' })).status).toBe(200);
  expect(produced.join('').length).toBeGreaterThan(10_000);
  expect(leaksOf(service)).toEqual([]);
});

test('a lost database is logged without the keys that a caller put into a path or a field', async () => {
  await running.storage.close();
  const from = produced.length;
  const statuses = await callEveryOperation();
  // Responses go to the sender of the key, so they may contain it; log readers are other people.
  const lines = produced.splice(from).filter((text) => text.includes('"level":50'));
  expect(statuses.filter((status) => status >= 500).length).toBeGreaterThan(5);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.join('')).toContain(`${keys.admin.slice(0, 15)}…`);
  expect(leaksOf({ produced: lines, secrets })).toEqual([]);
});

test('a failed start reveals neither the database password nor the master key', async () => {
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
        ...('DATABASE_URL' in settings ? {} : await inMemory()),
      });
    const error: unknown = await start().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    const output = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error) + lines.join('');
    for (const secret of [password, masterKey, env.SVC_MASTER_KEY]) expect(output).not.toContain(secret);
  }
});
