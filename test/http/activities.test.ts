// Activities over HTTP: a law is computed in the pool, its result comes back once as an event that its receipt confirms.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256Hex } from '../../src/core/sha256.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { ENERGY, meter } from '../contracts/calls/meter.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService, type TestService } from './service-fixture.ts';

let service: TestService;
let own: OwnMachines;

beforeAll(async () => {
  service = await startService();
  own = ownMachines(service, 'activities');
});
afterAll(() => service.running.close());

const deploy = async (slug: string, definition: object, status = 201) =>
  String(
    (
      (await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, status)).contract as
        | Json
        | undefined
    )?.id,
  );
const contractOf = async (slug: string, id: string) =>
  (await own.request(`GET /api/chain/${slug}/contracts/${id}`, 'admin')).contract as Json;
const contextOf = async (slug: string, id: string) => (await contractOf(slug, id)).context as Json;
const rowsOf = async (slug: string, type: string) => (await own.rows(slug)).filter((row) => row.type === type);
const payloadsOf = async (slug: string, type: string) => (await rowsOf(slug, type)).map((row) => row.payload as Json);
const told = async (slug: string) => (await payloadsOf(slug, 'event')).filter(({ call }) => call !== undefined);

test('a law is computed, and its result comes back once, as its receipt says', async () => {
  const slug = await own.machine();
  const id = await deploy(slug, meter());
  const { seq } = await own.event(slug, 'body', { payload: { m: 2, v: 3 } });
  await expect.poll(() => contextOf(slug, id)).toEqual({ energy: 9, results: 1, failures: 0, why: '' });
  const [row, ...others] = await told(slug);
  expect(others).toEqual([]);
  const { payload, call, to, name } = row as { payload: Json; call: Json; to: string; name: string };
  const receipt = call.receipt as Json;
  expect([name, to, call.seq, call.no, call.tries]).toEqual(['measured', id, Number(seq) + 1, 0, 1]);
  expect(payload).toEqual({
    value: 9,
    unit: 'J',
    uncertainty: receipt.uncertainty,
    receipt: sha256Hex(canonicalJson(receipt)),
  });
  expect(receipt).toMatchObject({ operator_id: 'CM9', inputs: { m: 2, v: 3 }, value: 9 });
  const [started] = (await payloadsOf(slug, 'transition')).flatMap(({ calls = [] }) => calls as Json[]);
  expect(started).toEqual({
    operator: 'CM9',
    inputs: { m: 2, v: 3 },
    unit: 'J',
    into: 'measured',
    on_error: 'not_measured',
    tries: 3,
    backoff: 8,
    hops: 1,
  });
  // Anybody can run it again.
  const replay = await own.request('POST /api/svc/replay', undefined, receipt);
  expect(replay).toMatchObject({ equal: true });
  const whatIf = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', { from_svcond: 0 });
  expect(whatIf.replay).toMatchObject({ exact: true });
  const verified = await own.request(`POST /api/chain/${slug}/contracts/${id}/verify`, 'admin', {});
  expect(verified).toMatchObject({ valid: true });
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

test('inputs that the law refuses come back as a failure, at once; callers cannot tell either', async () => {
  const slug = await own.machine();
  const id = await deploy(slug, meter());
  await own.event(slug, 'body', { payload: { m: -2, v: 3 } });
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ results: 0, failures: 1, why: 'VALIDATION_FAILED' });
  const [row] = await told(slug);
  expect(row).toMatchObject({ name: 'not_measured', payload: { code: 'VALIDATION_FAILED', tries: 1 } });
  expect(String((row?.call as Json).reason)).toContain('CM9.m');
  await own.event(slug, 'measured', { payload: { value: 7, unit: 'J', uncertainty: 0, receipt: '' } });
  await own.event(slug, 'not_measured', { payload: { code: 'MINE', tries: 1 } });
  expect(await contextOf(slug, id)).toEqual({ energy: 0, results: 0, failures: 1, why: 'VALIDATION_FAILED' });
  expect(ENERGY.into).toBe('measured');
});
