// Small requests whose answers link long arrays: what they leave behind is bounded, and they are answered all the same.
//
// A request of 120 bytes left 1.5 MB for 30 days.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { FieldStore } from '../../src/services/compute/field-store.ts';
import { advanceClock } from '../http/machine-fixture.ts';
import { type Caller, type Json, startService } from '../http/service-fixture.ts';
import { RpcClient } from '../mcp/rpc-client.ts';

const fieldLimits = { addressBytes: 900_000, accountBytes: 1_400_000, nodeBytes: 3_000_000, minFreeBytes: 0 };
const service = await startService({ fieldLimits });
const { fields } = service.running.storage;
const MINUTE_NS = 60_000_000_000n;

/** Computes a plate, another one each time, whose linked array has 384 kB. */
let plates = 0;
async function plate(as: Caller, more: Json = {}): Promise<Json> {
  const json = { dim: 2, nx: 72, ny: 72, steps: 8, dt: 1e-5 * (1 + ++plates * 1e-3), ...more };
  const answer = await service.call('POST /api/svc/heat', { as, json });
  expect(answer.status, answer.text.slice(0, 300)).toBe(200);
  return answer.json();
}

const linksOf = ({ series, fields: arrays }: Json) =>
  [...(series as Json[]), ...(arrays as Json[])].flatMap(({ href }) => (href === undefined ? [] : [String(href)]));
const notStored = ({ notes }: Json) => (notes as string[]).filter((note) => note.includes('not stored'));

describe('arrays of answers', () => {
  test('are stored for an hour, and of a filed run for a month', async () => {
    const [link = ''] = linksOf(await plate('other'));
    const [filed = ''] = linksOf(await plate('other', { folder: 'kept' }));
    expect((await service.call(`GET ${link}`)).status).toBe(200);
    advanceClock(service, 61n * MINUTE_NS);
    expect((await service.call(`GET ${link}`)).status).toBe(404);
    expect((await service.call(`GET ${filed}`)).status).toBe(200);
  });

  test.each([
    ['demo', fieldLimits.addressBytes],
    ['write', fieldLimits.accountBytes],
  ] as const)('of %s keys are stored up to a limit; then the answer has their hashes and says so', async (as, max) => {
    const before = await fields.totalBytes();
    let refused: Json | undefined;
    let stored = 0;
    for (let i = 0; i < 20 && refused === undefined; i++) {
      const answer = await plate(as);
      if (notStored(answer).length > 0) refused = answer;
      else stored += linksOf(answer).length;
    }
    expect(await fields.totalBytes()).toBeLessThanOrEqual(before + max);
    if (refused === undefined) throw new Error('20 answers were stored.');
    expect(stored).toBeGreaterThan(1);
    expect(linksOf(refused)).toEqual([]);
    expect(notStored(refused)[0]).toContain('self_contained');
    const verified = await service.call('POST /api/svc/verify', { as: 'write', json: { receipt: refused } });
    expect(verified.json()).toMatchObject({ valid: true });
    const replayed = await service.call('POST /api/svc/replay', { json: refused });
    expect(replayed.json(), replayed.text.slice(0, 300)).toMatchObject({ equal: true });
  });

  test('of all together are stored up to a limit', async () => {
    for (let i = 0; i < 12; i++) await plate('other');
    expect(await fields.totalBytes()).toBeLessThanOrEqual(fieldLimits.nodeBytes);
    expect(notStored(await plate('other'))[0]).toMatch(/this node|your account/);
  });

  test('that were not stored for one request are stored for the next, once there is room', async () => {
    advanceClock(service, 61n * MINUTE_NS);
    await fields.removeExpired(Number(service.running.clock.now() / 1_000_000n), 1_000);
    const answer = await plate('demo');
    expect([notStored(answer), linksOf(answer).length]).toEqual([[], 1]);
  });
});

test('nothing is stored on a disk that is almost full', async () => {
  const { storage, clock } = service.running;
  const nowMs = () => Number(clock.now() / 1_000_000n);
  let free = LIMITS.storedFields.minFreeBytes;
  const store = new FieldStore({ ...storage, nowMs, freeBytes: async () => free });
  const before = await fields.totalBytes();
  const bytes = Buffer.alloc(8, free % 251);
  expect(await store.keep([{ bytes }], '192.0.2.1', 'unfiled')).toContain('disk');
  expect(await fields.totalBytes()).toBe(before);
  free += bytes.length;
  expect(await store.keep([{ bytes }], '192.0.2.1', 'unfiled')).toBeUndefined();
  expect(await fields.totalBytes()).toBe(before + bytes.length);
});

test('a tool answers whole where its receipt cannot be stored', async () => {
  const small = await startService({ fieldLimits: { ...fieldLimits, addressBytes: 1_000 } });
  const mcp = new RpcClient(small.running.url);
  const plates = [{ nx: 8, ny: 8 }, { detail: 'full' }] as const;
  for (const given of plates) {
    const { structuredContent } = await mcp.call('svc_heat', { ...given, steps: 8 }, { key: small.keys.demo });
    expect(Object.keys(structuredContent)).toEqual(expect.arrayContaining(['value', 'runs', 'seal']));
    expect(structuredContent).not.toHaveProperty('complete');
  }
});
