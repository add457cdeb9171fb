// Calendar time over HTTP: deployment and its faults, what an event sets, next fires, dry runs, replays, fsck, parties.

import { describe, expect, test } from 'vitest';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { advanceClock, ownMachines } from './machine-fixture.ts';
import { createPeople } from './party-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService({ logsRefusals: true });
const own = ownMachines(service, 'time');
const { openPerson, openMachine, deploy } = createPeople(service);

const common = { operator: 'KO42', proof: false };
/** A delivery that is due by a date in its order, then a warranty of months. */
const ORDER = {
  name: 'order',
  version: '1.0',
  edition: 2,
  zones: '2026f',
  operators: ['KO42'],
  initial: 'open',
  context: { by: { type: 'string', initial: '' }, worked: { type: 'number', initial: 0 } },
  clocks: { work: { runs_in: ['ordered'] } },
  events: { order: { payload: { by: 'string' } }, deliver: {} },
  states: {
    open: { role: 'initial' },
    ordered: { role: 'intermediate' },
    delivered: { role: 'intermediate' },
    late: { role: 'terminal', outcome: 'expired' },
    done: { role: 'terminal', outcome: 'success' },
  },
  transitions: [
    {
      ...common,
      id: 'order',
      from: 'open',
      to: 'ordered',
      trigger: { kind: 'event', event: 'order' },
      post: [{ set: { by: 'event.by' } }],
    },
    {
      ...common,
      id: 'miss',
      from: 'ordered',
      to: 'late',
      trigger: { kind: 'deadline', at: 'by', tz: 'Europe/Berlin', time: '24:00' },
    },
    {
      ...common,
      id: 'deliver',
      from: 'ordered',
      to: 'delivered',
      trigger: { kind: 'event', event: 'deliver' },
      post: [{ set: { worked: 'clock.work' } }],
    },
    {
      ...common,
      id: 'end',
      from: 'delivered',
      to: 'done',
      trigger: { kind: 'deadline', after: 'P2Y', tz: 'Europe/Berlin' },
    },
  ],
};

const dayFromNow = (days: number) => {
  const ms = Number(service.running.clock.now() / 1_000_000n) + days * 86_400_000;
  return new Date(ms).toISOString().slice(0, 10);
};
const deployed = async (definition: object = ORDER) => {
  const slug = await own.machine();
  const { contract } = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, 201);
  return { slug, path: `/api/chain/${slug}/contracts/${(contract as Json).id}` };
};
const read = async (path: string) => (await own.request(`GET ${path}`, 'admin')).contract as Json;

describe('a deadline over HTTP', () => {
  test('is set by an event, listed, fired, replayed, verified and found sound by fsck', async () => {
    const { slug, path } = await deployed();
    const by = dayFromNow(3);
    await own.event(slug, 'order', { payload: { by } });
    const { next_fire: due, currentState } = await read(path);
    expect(currentState).toBe('ordered');
    // The end of that day in Berlin is 22:00 or 23:00 UTC.
    const dueMs = Number(due) * 777.000777;
    expect(new Date(dueMs + 2_000).toISOString().slice(0, 10)).toBe(by);
    expect([22, 23]).toContain(new Date(dueMs + 2_000).getUTCHours());
    const preview = await own.request(`GET ${path}/preview`, 'admin');
    expect(JSON.stringify(preview)).toContain(String(due));
    const trial = await own.request(`POST ${path}/dry-run`, 'admin', { until_svcond: Number(due) });
    expect(trial).toMatchObject({ transitions: [{ transition: 'miss', due }] });
    advanceClock(service, BigInt(Math.ceil(Number(due) * 777_000_777)) - service.running.clock.now() + 2_000_000_000n);
    await expect.poll(async () => (await read(path)).currentState, { timeout: 10_000 }).toBe('late');
    const replay = await own.request(`POST ${path}/dry-run`, 'admin', { from_svcond: 0 });
    expect(replay).toMatchObject({ replay: { exact: true } });
    expect(await own.request(`POST ${path}/verify`, 'admin', {})).toMatchObject({ valid: true });
    expect(await faultsAfter(service, async () => {})).toEqual([]);
  });

  test('that has passed, or is no date, refuses the event and says why; nothing is written but that', async () => {
    const { slug, path } = await deployed();
    for (const [by, text] of [
      ['2020-01-01', 'which has passed'],
      ['2026-02-30', 'is "2026-02-30"; a date such as'],
      ['soon', 'is "soon"; a date such as'],
    ] as const) {
      const answer = await own.event(slug, 'order', { payload: { by } });
      expect(answer).toMatchObject({ fired: [], refused: [{ transition: 'order', code: 'ACTION_FAILED' }] });
      expect(JSON.stringify(answer.refused)).toContain(text.replaceAll('"', '\\"'));
    }
    // The payload is to blame, so that the contract does not fail however often it happens.
    for (let i = 0; i < 6; i++) await own.event(slug, 'order', { payload: { by: 'never' } });
    expect(await read(path)).toMatchObject({ status: 'active', currentState: 'open', context: { by: '' } });
    await own.event(slug, 'order', { payload: { by: dayFromNow(2) } });
    expect(await read(path)).toMatchObject({ currentState: 'ordered' });
  });

  test('with faults is refused at deployment, each with its path', async () => {
    const slug = await own.machine();
    const transitions = ORDER.transitions.map((one) =>
      one.id === 'end' ? { ...one, trigger: { kind: 'deadline', after: 'P2Y', tz: 'Europe/Berln' } } : one,
    );
    const definition = { ...ORDER, transitions };
    const refused = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, 422);
    expect(refused).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ path: 'transitions.end.trigger.tz', code: 'UNKNOWN_ZONE' }],
    });
    const { edition: _, ...first } = ORDER;
    const old = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: first }, 422);
    expect(JSON.stringify(old.details)).toContain('EDITION');
  });

  test('keeps its tick through a new version, and starts again where its trigger changes', async () => {
    const { slug, path } = await deployed();
    await own.event(slug, 'order', { payload: { by: dayFromNow(5) } });
    const { next_fire: before } = await read(path);
    await own.request(`PATCH ${path}`, 'admin', { name: 'renamed' });
    expect((await read(path)).next_fire).toBe(before);
    const earlier = ORDER.transitions.map((one) =>
      one.id === 'miss' ? { ...one, trigger: { ...one.trigger, time: '12:00' } } : one,
    );
    await own.request(`PATCH ${path}`, 'admin', { definition: { ...ORDER, transitions: earlier } });
    expect(Number((await read(path)).next_fire)).toBeLessThan(Number(before));
    const past = ORDER.transitions.map((one) =>
      one.id === 'miss' ? { ...one, trigger: { kind: 'deadline', at: '2020-01-01T00:00Z' } } : one,
    );
    const definition = {
      ...ORDER,
      context: { worked: ORDER.context.worked },
      transitions: past.map(({ ...one }) => (one.id === 'order' ? { ...one, post: [] } : one)),
    };
    const refused = await own.request(
      `PATCH ${path}`,
      'admin',
      { definition: { ...definition, events: { order: {}, deliver: {} } } },
      422,
    );
    expect(refused).toMatchObject({ details: [{ path: 'transitions.miss.trigger.at', code: 'PAST' }] });
  });
});

test('a party pauses where the definition says so, and the owner does not', async () => {
  const owner = await openPerson('owner');
  const buyer = await openPerson('buyer');
  const slug = await openMachine(owner);
  const definition = {
    ...ORDER,
    parties: { buyer: {} },
    pause: 'buyer',
    transitions: ORDER.transitions.map((one) => (one.id === 'order' ? { ...one, by: 'buyer' } : one)),
  };
  const id = await deploy(owner, slug, definition, { buyer: { zid: buyer.zid } });
  const path = `/api/chain/${slug}/contracts/${id}`;
  for (const act of ['pause', 'freeze', 'skip-next']) {
    const { status, body } = await owner.request(`POST ${path}/${act}`, {});
    expect([act, status, body.code]).toEqual([act, 403, act === 'skip-next' ? 'FORBIDDEN' : 'FORBIDDEN_PARTY']);
  }
  expect((await buyer.request(`POST ${path}/pause`, {})).status).toBe(200);
  const moved = await owner.request(`POST ${path}/resume`, { mode: 'remaining' });
  expect([moved.status, moved.body.code]).toEqual([403, 'FORBIDDEN_PARTY']);
  expect((await buyer.request(`POST ${path}/resume`, { mode: 'remaining' })).status).toBe(200);
  expect((await buyer.request(`POST ${path}/freeze`, {})).status).toBe(404);
});
