// Bundles of the service verify offline, for every row range.

import { describe, expect, test } from 'vitest';
import { TICK_NS } from '../../src/core/clock.ts';
import { readBundle, verifyChainBundle } from '../../src/protocol/bundle.ts';
import { advanceClock, ECHO, ownMachines } from './machine-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const own = ownMachines(service, 'bundle');
const slug = await own.machine();
await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
for (let i = 0; i < 4; i++) await own.event(slug, 'ping', { payload: { n: i } });
await service.call(`GET /api/chain/${slug}/checkpoint`);

const jwks = () => service.running.services.keyRing.jwks().keys;
const fetched = async (query = '', as: 'admin' | 'anonymous' = 'anonymous') => {
  const answer = await service.call(`GET /api/chain/${slug}/bundle${query}`, { as });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json();
};
const claimsOf = (json: Json) => {
  const bundle = readBundle(json);
  if (bundle.kind !== 'machine') throw new Error('not a machine');
  return Object.fromEntries(verifyChainBundle(bundle, jwks()).map(({ claim, ok }) => [claim, ok]));
};
const ALL = {
  identity: true,
  rows: true,
  checkpoint: true,
  'key pinned': true,
  tree: true,
  payloads: true,
  definitions: true,
  transitions: true,
};

describe('a bundle of a machine', () => {
  test('verifies completely with the key of the node', async () => {
    const bundle = await fetched();
    expect(claimsOf(bundle)).toEqual(ALL);
    expect(bundle).toMatchObject({ from: 0, to: 13, next_from: null, before: null });
    expect(bundle.versions).toHaveLength(1);
  });

  test('of any range verifies, and has a cursor to the next one', async () => {
    for (const [from, to] of [
      [0, 0],
      [3, 7],
      [13, 13],
    ]) {
      const bundle = await fetched(`?from=${from}&to=${to}`);
      expect(bundle).toMatchObject({ from, to, next_from: to === 13 ? null : Number(to) + 1 });
      // Row 1 put the contract into force.
      expect(claimsOf(bundle)).toEqual({ ...ALL, definitions: null });
    }
  });

  test('is rejected for missing rows', async () => {
    const answer = await service.call(`GET /api/chain/${slug}/bundle?from=99`);
    expect([answer.status, answer.json().details]).toMatchObject([422, [{ path: 'from' }]]);
    expect((await service.call('GET /api/chain/missing-machine/bundle')).status).toBe(404);
  });

  test('answers 304 to its own ETag until a row is added and covered', async () => {
    const route = `GET /api/chain/${slug}/bundle`;
    const first = await service.call(route);
    expect(first.headers.get('content-type')).toBe('application/json');
    const etag = first.headers.get('etag') ?? '';
    expect((await service.call(route, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await own.event(slug, 'ping', { payload: { n: 9 } });
    const grown = await service.call(route, { headers: { 'if-none-match': etag } });
    expect([grown.status, claimsOf(grown.json()).tree]).toEqual([200, null]);
    advanceClock(service, 100n * TICK_NS);
    expect(claimsOf(await fetched())).toEqual(ALL);
  });

  test('omits erased payloads and still verifies', async () => {
    await own.request(`POST /api/chain/${slug}/erase`, 'admin', { seq: 2, reason: 'requested' }, 201);
    const bundle = await fetched('?from=2&to=3');
    expect((bundle.rows as Json[])[0]).not.toHaveProperty('payload_text');
    expect(claimsOf(bundle)).toEqual({ ...ALL, payloads: null, definitions: null });
  });

  test('verifies if rows are added and signed during its creation', async () => {
    const busy = await own.machine();
    const { machines } = service.running.storage;
    const before = await machines.bySlug(busy);
    if (before === undefined) throw new Error('The machine was made and is not there.');
    await own.event(busy, 'ping');
    await service.call(`GET /api/chain/${busy}/checkpoint`);
    let text = '';
    for await (const chunk of (await service.running.services.bundles.stream(before, {})).chunks) text += chunk;
    const bundle: Json = JSON.parse(text);
    expect(bundle).toMatchObject({ to: 0, next_from: 1 });
    expect(claimsOf({ ...bundle })).toEqual(ALL);
  });

  test('of a private machine is visible to its members only', async () => {
    const hidden = await own.machine({ is_public: false });
    expect((await service.call(`GET /api/chain/${hidden}/bundle`)).status).toBe(404);
    expect((await service.call(`GET /api/chain/${hidden}/bundle.html`, { as: 'other' })).status).toBe(404);
    expect((await service.call(`GET /api/chain/${hidden}/bundle`, { as: 'admin' })).status).toBe(200);
  });

  test('with long payloads has fewer rows, and the next one continues', async () => {
    const wide = await own.machine();
    const text = 'x'.repeat(60_000);
    for (let i = 0; i < 6; i++)
      await Promise.all(Array.from({ length: 50 }, () => own.event(wide, 'wide', { payload: { text } })));
    const answer = await service.call(`GET /api/chain/${wide}/bundle?from=0`);
    const { to, next_from, rows } = answer.json() as { to: number; next_from: number; rows: Json[] };
    expect([rows.length, next_from]).toEqual([to + 1, to + 1]);
    expect(to).toBeLessThan(300);
    expect(to).toBeGreaterThan(200);
    expect(claimsOf(answer.json())).toMatchObject({ rows: true, tree: true });
    const rest = await service.call(`GET /api/chain/${wide}/bundle?from=${next_from}`);
    expect(claimsOf(rest.json())).toMatchObject({ identity: true, rows: true, tree: true });
    expect(rest.json().next_from).toBeNull();
  });
});
