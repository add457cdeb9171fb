// Questions in words over HTTP: the sealed result of the target with the dispatch beside it, and refusals.

import { expect, test, vi } from 'vitest';
import { AutoService } from '../../src/services/compute/auto.ts';
import { type Caller, type Json, startService } from './service-fixture.ts';

const prepare = vi.spyOn(AutoService.prototype, 'prepare');
const service = await startService();
const timesPrepared = prepare.mock.calls.length;
const ask = async (json: unknown, as: Caller = 'write') => {
  const answer = await service.call('POST /api/svc/auto', { as, json });
  return { status: answer.status, body: answer.json() as Json & { dispatch: Json; request: Json; result: Json } };
};
const CAR = 'kinetic energy of a car of 1200 kg at 108 km/h';

test('a law is computed and sealed as by its own route, for its price', async () => {
  const { status, body } = await ask({ query: CAR });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.dispatch).toMatchObject({ target: { kind: 'law', id: 'CM9' }, unused: [], missing: [] });
  expect(body.result).toMatchObject({ value: 540_000, unit: 'J', inputs: { m: 1200, v: 30 }, billing: { tokens: 1 } });
  const direct = await service.call(`POST ${String(body.request.route)}`, { as: 'write', json: body.request.body });
  const { value, uncertainty, equations } = direct.json() as Json;
  expect(body.result).toMatchObject({ value, uncertainty, equations: [expect.anything(), (equations as string[])[1]] });
  expect(JSON.stringify(body.result)).not.toContain('108 km/h');
});

test('a solver runs with the inputs of the question and the overrides', async () => {
  const query = 'SIR epidemic with R0 = 2.5 in a town of 10,000 people';
  const { status, body } = await ask({ query, overrides: { days: 60 } });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.result).toMatchObject({ solver: 'epi', inputs: { R0: 2.5, N: 10_000, days: 60 } });
});

test('run: false shows what would run, and the public route the same without a key', async () => {
  const { body } = await ask({ query: CAR, run: false });
  expect(body).not.toHaveProperty('result');
  const read = await service.call(`GET /api/svc/auto?query=${encodeURIComponent(CAR)}`);
  expect(read.json()).toEqual(body);
});

test.each([
  [{ query: 'what should I cook for dinner' }, 'QUERY_NOT_UNDERSTOOD'],
  [{ query: 'KE of 2 kg moving at 3 m/s' }, 'QUERY_AMBIGUOUS'],
  [{ query: 'buckling load of a column, length 100 kg' }, 'QUERY_AMBIGUOUS'],
  [{ query: 'kinetic energy of a car of 1200 kg' }, 'VALIDATION_FAILED'],
  [{ query: '' }, 'VALIDATION_FAILED'],
  [{ query: 'x'.repeat(1_001) }, 'VALIDATION_FAILED'],
  [{ query: 'heat\u0007equation' }, 'VALIDATION_FAILED'],
  [{ query: CAR, threshold: 2 }, 'VALIDATION_FAILED'],
  [{ query: CAR, constants: Object.fromEntries([...Array(65).keys()].map((i) => [`k${i}`, i])) }, 'VALIDATION_FAILED'],
  [{ query: 'heat equation', overrides: { bogus: 1 } }, 'VALIDATION_FAILED'],
])('%o is refused', async (json, code) => {
  const { status, body } = await ask(json);
  expect([status, body.code]).toEqual([422, code]);
});

test('a node has built what the first question needs before it listens', () => {
  expect(timesPrepared).toBe(1);
});

test('a key is needed to run', async () => {
  expect((await ask({ query: CAR }, 'anonymous')).status).toBe(401);
});
