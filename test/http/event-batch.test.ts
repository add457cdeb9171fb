// Batches of events: one change, an outcome for each, and nothing of all beyond the budget.

import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { close, ledger, on } from '../contracts/data/data-fixture.ts';
import { ownMachines } from './machine-fixture.ts';
import { SERVICE_DATABASES, startServiceOn } from './service-databases.ts';
import type { Json } from './service-fixture.ts';

/** Counts pushes, at most three names. */
const SHELF = ledger({
  name: 'shelf',
  collections: { names: { kind: 'set', of: 'string', max: 3 } },
  events: { push: { payload: { name: 'string' } }, close: {} },
  transitions: [on('push', [{ add: { to: 'names', value: 'event.name' } }]), close],
});

/** Takes events of its party only. */
const GUARDED = ledger({
  name: 'guarded',
  parties: { keeper: {} },
  events: { keep: { from: 'keeper' }, close: {} },
  transitions: [on('keep', []), close],
});

describe.each(SERVICE_DATABASES)('on $name', async ({ url }) => {
  const service = await startServiceOn(url);
  const own = ownMachines(service, `batch${url === undefined ? '' : '-pg'}`);

  const deploy = async (slug: string, definition: object, more: object = {}) => {
    const body = { definition, ...more };
    const { contract } = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', body, 201);
    return `/api/chain/${slug}/contracts/${String((contract as Json).id)}`;
  };
  const send = (slug: string, events: readonly object[], status = 201) =>
    own.request(`POST /api/chain/${slug}/events`, 'admin', { events }, status);
  const push = (name: unknown, id?: string) => ({
    name: 'push',
    payload: { name },
    ...(id === undefined ? {} : { id }),
  });
  const rowsOf = async (slug: string) => Number((await own.request(`GET /api/chain/${slug}/stats`, 'admin')).rows);

  test('each event has its own outcome, in one change and in their order', async () => {
    const slug = await own.machine();
    const path = await deploy(slug, SHELF);
    await deploy(slug, GUARDED, { bindings: { keeper: [{ ed25519: '1'.repeat(64) }] } });
    const events = [
      push('a', 'first'),
      push(7),
      { name: 'nothing' },
      { name: 'keep' },
      push('b'),
      push('a again', 'first'),
      { name: 'push', payload: { name: 'x', filler: 'y'.repeat(70_000) } },
      push('c'),
      push('d'),
    ];
    const { outcomes } = (await send(slug, events)) as { outcomes: Json[] };
    expect(outcomes).toMatchObject([
      { accepted: true, fired: [{ transition: 'push' }], refused: [] },
      { accepted: true, fired: [], refused: [{ code: 'PAYLOAD' }] },
      { accepted: true, fired: [], ignored: [{ code: 'NO_LISTENER' }] },
      { accepted: false, error: { code: 'FORBIDDEN_PARTY' } },
      { accepted: true, fired: [{ transition: 'push' }] },
      { accepted: true, duplicate: true, fired: [] },
      { accepted: false, error: { code: 'BODY_TOO_LARGE' } },
      { accepted: true, fired: [{ transition: 'push' }] },
      { accepted: true, fired: [], refused: [{ code: 'ACTION_FAILED', fault: 'COLLECTION_FULL' }] },
    ]);
    expect(outcomes[5]?.seq).toBe(outcomes[0]?.seq);
    const accepted = outcomes.filter(({ accepted: is, duplicate }) => is === true && duplicate !== true);
    expect(new Set(accepted.map(({ svcond }) => svcond)).size).toBe(1);
    const seqs = accepted.map(({ seq }) => Number(seq));
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    expect((await own.request(`GET ${path}`, 'admin')).contract).toMatchObject({
      collections: { names: ['a', 'b', 'c'] },
    });
    expect(await own.request(`GET /api/chain/${slug}/pohc/validate`, 'admin')).toMatchObject({ valid: true });
    // A repeat of the whole batch: what has an id is not written again.
    const { outcomes: again } = (await send(slug, [push('z', 'first')])) as { outcomes: Json[] };
    expect(again).toMatchObject([{ accepted: true, duplicate: true, seq: outcomes[0]?.seq }]);
  });

  test('a batch of nothing, or of too many, or with an unknown field, is refused whole', async () => {
    const slug = await own.machine();
    await deploy(slug, SHELF);
    const before = await rowsOf(slug);
    expect(JSON.stringify(await send(slug, [], 422))).toContain('events');
    const many = new Array(LIMITS.contracts.batch + 1).fill({ name: 'push' });
    expect(JSON.stringify(await send(slug, many, 422))).toContain('events');
    expect(JSON.stringify(await send(slug, [push('a'), { nme: 'push' }], 422))).toContain('events.1');
    // Refusals of members are rows themselves.
    const { rows } = (await own.request(`GET /api/chain/${slug}/explore`, 'admin')) as { rows: Json[] };
    expect(rows.slice(0, rows.length - before).every(({ type }) => type === 'rejection')).toBe(true);
  });

  test('every event counts as a request', async () => {
    const slug = await own.machine();
    await deploy(slug, SHELF);
    const { rateLimit } = service.running.services;
    const consumed: number[] = [];
    const original = rateLimit.consumeMore.bind(rateLimit);
    rateLimit.consumeMore = async (principal, tenant, requests) => {
      consumed.push(requests);
      await original(principal, tenant, requests);
    };
    await send(slug, [push('a')]);
    await send(slug, [push('a'), push('b'), push('c')]);
    rateLimit.consumeMore = original;
    expect(consumed).toEqual([2]);
  });
});
