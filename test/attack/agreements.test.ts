// Attempts on agreements by an outsider over HTTP: to repeat what has fired, to hasten a deadline, to be several
// people, to break a contract by payloads, to pass a stamp off as a proof, to mint, and to be misread.

import { beforeAll, describe, expect, test } from 'vitest';
import { TICK_NS } from '../../src/core/clock.ts';
import { transition } from '../contracts/transition.ts';
import { advanceClock } from '../http/machine-fixture.ts';
import { createPeople, type Person } from '../http/party-fixture.ts';
import { type Json, startService } from '../http/service-fixture.ts';

const service = await startService();
const { openPerson, openMachine, deploy } = createPeople(service);
let owner: Person;
let ann: Person;
let slug: string;
let id: string;
/** A developer key that is an operator. */
let operator: Person['request'];

beforeAll(async () => {
  [owner, ann] = (await Promise.all(['owner', 'ann'].map(openPerson))) as [Person, Person];
});

const path = (rest = '') => `/api/chain/${slug}/contracts/${id}${rest}`;
const contract = async () => (await owner.request(`GET ${path()}`)).body.contract as Json;
const send = (name: string, payload: Json = {}, by = owner.request) =>
  by(`POST /api/chain/${slug}/event`, { name, payload });
const balances = async () => (await owner.request(`GET ${path('/balances')}`)).body.rows;

async function begin(definition: unknown, bindings: Json = {}): Promise<void> {
  slug = await openMachine(owner);
  id = await deploy(owner, slug, definition, bindings);
  const { body } = await owner.request(`POST /api/chain/${slug}/api-keys`, { name: 'hand', scope: 'write' });
  const headers = { authorization: `Bearer ${String(body.key)}` };
  operator = async (route, json) => {
    const answer = await service.call(route, { headers, ...(json === undefined ? {} : { json }) });
    return { status: answer.status, body: answer.json() };
  };
}

/** Lets ticks pass, and waits until the timers of the contract have fired. */
async function pass(ticks: number, isDone: (now: Json) => boolean): Promise<void> {
  advanceClock(service, BigInt(ticks) * TICK_NS);
  await expect.poll(async () => isDone(await contract()), { timeout: 10_000 }).toBe(true);
}

const on = (event: string) => ({ kind: 'event', event });
const define = <More extends object>(more: More) => ({ version: '1.0', operators: ['KO42'], initial: 'on', ...more });
const ON_AND_OFF = { on: { role: 'initial' }, off: { role: 'terminal', outcome: 'success' } };
const end = transition('end', 'on', 'off', on('end'));

describe('what has fired once', () => {
  const BONUS = define({
    name: 'bonus',
    events: { go: {}, end: {} },
    emits: ['told'],
    states: ON_AND_OFF,
    transitions: [
      transition(
        'bonus',
        'on',
        'on',
        { kind: 'one_shot', after: 50 },
        { post: [{ token: { op: 'mint', token: 'eur', amount: '7', to: '"ann"' } }] },
      ),
      transition(
        'grant',
        'on',
        'on',
        { kind: 'recurring', every: 20, max_fires: 2 },
        { post: [{ token: { op: 'mint', token: 'eur', amount: '1', to: '"bob"' } }] },
      ),
      transition('go', 'on', 'on', on('go'), { post: [{ emit: 'told' }] }),
      end,
    ],
  });

  test('does not fire again after renamings, a patch to the same, a rollback, a pause and a resumption', async () => {
    await begin(BONUS);
    // One occurrence after the other, as a machine that is never down sees them.
    for (const fires of [1, 2, 3]) await pass(25, ({ fire_count }) => Number(fire_count) >= fires);
    const paid = await balances();
    await owner.request(`POST ${path('/skip-next')}`);
    for (const change of [{ name: 'a' }, { name: 'b' }, { definition: { ...BONUS, title: 'Bonus' } }])
      expect((await owner.request(`PATCH ${path()}`, change)).status).toBe(200);
    expect((await owner.request(`POST ${path('/rollback')}`, { to_version: 1 })).status).toBe(200);
    await owner.request(`POST ${path('/pause')}`);
    advanceClock(service, 200n * TICK_NS);
    await owner.request(`POST ${path('/resume')}`, {});
    await owner.request(`PATCH ${path()}`, { name: 'c' });
    advanceClock(service, 200n * TICK_NS);
    // The skip that was asked for before is kept, and spent once.
    expect([(await send('go')).body.fired, (await send('go')).body.fired]).toMatchObject([[], [{ transition: 'go' }]]);
    expect(await balances()).toEqual(paid);
    expect(paid).toEqual([
      { token: 'eur', holder: 'ann', amount: 7 },
      { token: 'eur', holder: 'bob', amount: 2 },
    ]);
    expect((await owner.request(`POST ${path('/verify')}`, {})).body).toMatchObject({ valid: true });
  });
});

describe('a deadline and a vote', () => {
  const ESCROW = define({
    name: 'escrow',
    edition: 2,
    parties: { buyer: {}, seller: {}, jurors: { count: { min: 1, max: 3 } } },
    events: { dispute: { from: 'buyer' }, agree: { from: 'jurors' } },
    emits: ['seller_paid'],
    states: {
      on: { role: 'initial' },
      paid: { role: 'terminal', outcome: 'success' },
      back: { role: 'terminal', outcome: 'failure' },
    },
    transitions: [
      transition('pay_out', 'on', 'paid', { kind: 'one_shot', after: 'P7D' }, { post: [{ emit: 'seller_paid' }] }),
      transition('agree', 'on', 'back', { kind: 'quorum', event: 'agree', of: ['jurors'], at_least: '2' }),
      transition('dispute', 'on', 'back', on('dispute')),
    ],
  });
  const bindings = () => ({
    buyer: { ed25519: '1'.repeat(64) },
    seller: { ed25519: '2'.repeat(64) },
    jurors: [{ zid: ann.zid }, { ed25519: '3'.repeat(64) }],
  });

  test('are hastened by nobody: neither owner nor operator, by no route', async () => {
    await begin(ESCROW, bindings());
    for (const by of [owner.request, operator]) {
      for (const [route, json] of [
        [`POST ${path('/fire-now')}`, {}],
        [`POST ${path('/transition')}`, { transition: 'pay_out' }],
        [`POST ${path('/transition')}`, { transition: 'agree' }],
        [`POST ${path('/transition')}`, { transition: 'dispute' }],
        [`POST /api/chain/${slug}/tx/submit`, { contract_id: id, transition: 'pay_out' }],
        [`POST /api/contracts/${id}/fire`, {}],
      ] as const) {
        const { status, body } = await by(route, json);
        expect([route, status === 403 || status === 404 || body.fired === false]).toEqual([route, true]);
      }
      expect((await send('seller_paid', {}, by)).body.fired ?? []).toEqual([]);
      expect((await send('agree', { actor: ann.zid, party: 'jurors' }, by)).body.code).toBe('FORBIDDEN_PARTY');
    }
    expect(await contract()).toMatchObject({ currentState: 'on', fire_count: 0 });
  });

  test('take one vote of a person, in a batch, with other names and over other routes', async () => {
    const vote = (payload: Json) => ann.request(`POST ${path('/event')}`, { name: 'agree', payload });
    expect((await vote({})).body.refused).toMatchObject([{ code: 'QUORUM' }]);
    for (const payload of [{}, { actor: 'bob' }, { sender: 'zid:bob' }, { by: 'carol' }]) await vote(payload);
    expect(await contract()).toMatchObject({ currentState: 'on', fire_count: 0 });
    const events = [{ name: 'agree' }, { name: 'agree' }];
    expect((await ann.request(`POST /api/chain/${slug}/events`, { events })).status).toBe(404);
  });
});

describe('payloads', () => {
  const COUNT = define({
    name: 'count',
    context: { n: { type: 'integer', initial: 0 } },
    events: { add: { payload: { n: 'integer' } }, end: {} },
    states: ON_AND_OFF,
    transitions: [end, transition('add', 'on', 'on', on('add'), { post: [{ set: { n: 'n + event.n' } }] })],
  });

  test('of the wrong form are refused by name, and never make the contract fail', async () => {
    await begin(COUNT);
    const wrong: readonly (readonly [Json, string])[] = [
      [{ n: 0.5 }, 'payload.n'],
      [{ n: '1' }, 'payload.n'],
      [{ n: null }, 'payload.n'],
      [{ n: [1] }, 'payload.n'],
      [{ n: { n: 1 } }, 'payload.n'],
      [{}, 'payload.n'],
      [{ m: 1 }, 'payload.n'],
      [{ N: 1 }, 'payload.n'],
      [{ n: 2 ** 53 }, 'payload.n'],
    ];
    for (const [payload, at] of wrong) {
      const { status, body } = await send('add', payload);
      // A number that JSON cannot hold exactly is refused before it is an event.
      if (status === 201)
        expect([payload, body.fired, body.refused]).toMatchObject([payload, [], [{ code: 'PAYLOAD', path: at }]]);
      else expect([payload, status]).toEqual([payload, 422]);
    }
    const lines = wrong.slice(0, 8).map(([payload]) => ({ name: 'add', payload }));
    await owner.request(`POST /api/chain/${slug}/events`, { events: lines });
    expect(await contract()).toMatchObject({ status: 'active', context: { n: 0 } });
    expect((await send('add', { n: 2 })).body.fired).toHaveLength(1);
  });
});

test('a stamp that anybody mints is no proof of a transition', async () => {
  const PROVEN = define({
    name: 'proven',
    events: { go: {}, end: {} },
    states: ON_AND_OFF,
    transitions: [end, transition('go', 'on', 'on', on('go'), { proof: true })],
  });
  await begin(PROVEN);
  const { fired } = (await send('go')).body as { fired: Json[] };
  const { svcProof: proof, ...receipt } = (fired[0]?.receipt ?? {}) as Json;
  expect(receipt).toMatchObject({ kind: 'transition', definition_hash: (await contract()).definition_hash });
  // Neither is the receipt a stamp, nor is a stamp of the same law and value the receipt.
  const stamp = (await service.call('POST /api/svc/prove', { json: { operatorIds: ['KO42'], value: 1 } })).json();
  const claim = { operatorIds: ['KO42'], R_t: Number(stamp.R_t), svcond: Number(stamp.svcond), keyPrefix: 'public' };
  const verified = await owner.request('POST /api/svc/prove/verify', { ...claim, proof });
  expect(verified.body).toMatchObject({ valid: false });
  expect(stamp.svcProof).not.toEqual(proof);
  expect((await owner.request(`POST ${path('/verify')}`, {})).body).toMatchObject({
    valid: true,
    checked: { receipts: 1, stamps: 0 },
  });
});

test('nobody pays out of nothing, no setting is accepted that nothing reads, new machines are private', async () => {
  const PAYER = define({
    name: 'payer',
    events: { pay: {}, end: {} },
    states: ON_AND_OFF,
    transitions: [
      end,
      transition('pay', 'on', 'on', on('pay'), {
        post: [{ token: { op: 'transfer', token: 'eur', amount: '1000000000000', to: '"me"' } }],
      }),
    ],
  });
  slug = await openMachine(owner);
  const { status, body } = await owner.request(`POST /api/chain/${slug}/contracts/custom`, { definition: PAYER });
  expect([status, body.error]).toEqual([422, expect.stringContaining('from')]);
  expect((await owner.request(`PATCH /api/chain/${slug}/settings`, { retention: 30 })).status).toBe(422);
  const spun = (await owner.request('POST /api/chain/spin-up', { displayName: 'quiet' })).body.machine as Json;
  expect(spun).toMatchObject({ is_public: false });
});

test.each(['avg', 'min', 'max', 'last', 'range'])('a window of %s that runs empty clears its alarm', async (fn) => {
  const ALARM = define({
    name: 'alarm',
    events: { t: { payload: { v: 'number' } } },
    states: { on: { role: 'initial' }, high: { role: 'intermediate' } },
    transitions: ['on → high', 'high → on'].map((way) => {
      const [from = '', to = ''] = way.split(' → ');
      const isRise = from === 'on';
      return transition(
        isRise ? 'rise' : 'clear',
        from,
        to,
        { kind: 'on_aggregate', event: 't', fn, field: 'v', within: 40, evaluate: 'arrival_and_expiry' },
        { fires_when: isRise ? 'agg.value > 5' : 'agg.count == 0' },
      );
    }),
  });
  await begin(ALARM);
  for (const v of fn === 'range' ? [1, 30] : [30, 30]) await send('t', { v });
  expect(await contract()).toMatchObject({ currentState: 'high' });
  await pass(60, ({ currentState }) => currentState === 'on');
});

test('faults are told in the order of their cause, with what to write instead', async () => {
  const sound = define({
    name: 'x',
    parameters: { n: { type: 'integer', default: 1 } },
    events: { go: { payload: { v: 'number' } } },
    states: { on: { role: 'initial' }, off: { role: 'terminal', outcome: 'success' } },
    transitions: [transition('go', 'on', 'off', on('go'), { fires_when: 'event.v > n' })],
  });
  const check = async (more: object) => {
    const definition = { ...sound, transitions: [{ ...sound.transitions[0], ...more }] };
    return (await owner.request('POST /api/contracts/check', { definition })).body as {
      faults: Json[];
      warnings: Json[];
    };
  };
  const [unread] = (await check({ fires_when: 'event.v > (n' })).faults;
  expect(unread).toMatchObject({ pointer: '/transitions/0/fires_when' });
  const [span] = (await check({ trigger: { kind: 'one_shot', after: 'PT5X' } })).faults;
  expect(String(span?.message)).not.toMatch(/\\d|\^|regular/);
  expect(`${span?.message} ${span?.expected}`).toContain('PT5M');
  const [from] = (await check({ from: ['on'] })).faults;
  expect(String(from?.message ?? '')).not.toContain('is allowed');
  expect((await check({ fires_when: 'event.v > n and 1 > 2' })).warnings.map(({ code }) => code)).not.toEqual([]);
});

test.each([
  'Bill 30 dollars each fortnight until they leave',
  'once two directors sign, release the payment',
  'when the auction closes hand the lot to whoever bid most',
  'charge 5 euros every day unless it is a holiday',
])('"%s" makes no contract', async (query) => {
  const { status, body } = await owner.request('POST /api/contracts/generate', { query });
  expect([status, body.code]).toEqual([422, 'CANNOT_GENERATE']);
});
