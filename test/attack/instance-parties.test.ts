// Attack: parties of instances. New versions that take from running instances what they have not given up, seats that
// others are put on, keys that look alike, and events whose sender is not who it seems to be.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Definition } from '../../src/contracts/definition.ts';
import { LOAN, LOANS, OWN_LOANS } from '../contracts/instances/loans.ts';
import { caller, callerTransitions } from '../contracts/sends/caller.ts';
import { createPeople, createSigner, type Person, SALE } from '../http/party-fixture.ts';
import { type Json, startService } from '../http/service-fixture.ts';

const service = await startService();
const { openPerson, openMachine, deploy, anonymous } = createPeople(service);
const signer = createSigner(41);
let [owner, bank, ann, bob, carl, dora] = [] as unknown as [Person, Person, Person, Person, Person, Person];
let slug: string;
let id: string;

beforeAll(async () => {
  [owner, bank, ann, bob, carl, dora] = (await Promise.all(
    ['owner', 'bank', 'ann', 'bob', 'carl', 'dora'].map(openPerson),
  )) as [Person, Person, Person, Person, Person, Person];
});

const path = (rest = '') => `/api/chain/${slug}/contracts/${id}${rest}`;
const as = (who: Person, name: string, payload: Json) => who.request(`POST ${path('/event')}`, { name, payload });
const ask = (key: string, borrower: string) => as(owner, 'ask', { loan: key, amount: 4, borrower });
const of = (key: string, rest = '') => path(`/instances/${encodeURIComponent(key)}${rest}`);
const loan = async (key: string) => (await owner.request(`GET ${of(key)}`)).body.instance as Json;
const view = async (key: string) => (await owner.request(`GET ${of(key, '/parties')}`)).body;
const headOf = async (of: string) =>
  Number(((await owner.request(`GET /api/chain/state-machines/${of}`)).body.machine as { head: Json }).head.seq);
const head = () => headOf(slug);
const isValid = async () =>
  expect((await owner.request(`POST ${path('/verify')}`, {})).body).toMatchObject({ valid: true });

async function begin(definition: unknown = LOANS, isPublic = false, more: Json = {}): Promise<void> {
  slug = await openMachine(owner, isPublic);
  const bindings = { bank: { zid: bank.zid }, auditors: [{ zid: ann.zid }, { zid: bob.zid }], ...more };
  id = await deploy(owner, slug, definition, bindings);
}

const patch = (change: Json) => owner.request(`PATCH ${path()}`, change);

const accept = (who: Person, { no, terms_hash }: Json, more: Json = {}) =>
  who.request(`POST ${path(`/proposals/${no}/accept`)}`, { terms_hash, ...more });

/** For all who act for parties of the contract. */
async function acceptAll({ proposal }: Json): Promise<void> {
  for (const who of [bank, ann, bob]) expect((await accept(who, proposal as Json)).status).toBe(200);
}

/** An edit of every transition. */
const edited = (definition: Definition, edit: (one: Definition['transitions'][number]) => object): Json =>
  ({ ...definition, transitions: definition.transitions.map((one) => ({ ...one, ...edit(one) })) }) as unknown as Json;

describe('a version that the borrower of a running loan has not accepted', () => {
  const { borrower: _, ...others } = LOANS.parties ?? {};
  const { repay, ...kept } = LOANS.events ?? {};
  const plain = { payload: { loan: 'string', amount: 'integer' } };
  const isOn = (trigger: object, name: string) => 'event' in trigger && trigger.event === name;
  const rename = (one: Definition['transitions'][number]) =>
    isOn(one.trigger, 'repay') ? { trigger: { kind: 'event', event: 'settle_up' } } : {};
  const nobody = ({ trigger, by: _ }: Definition['transitions'][number]) => ({
    by: undefined,
    ...(trigger.kind === 'quorum' ? { trigger: { kind: 'event', event: 'check' } } : {}),
  });

  test.each([
    [
      'has no parties at all',
      {
        ...edited(LOANS, nobody),
        parties: undefined,
        events: { ...kept, repay: plain, grant: { payload: { loan: 'string' } } },
      },
      'parties.borrower.bind',
    ],
    [
      'drops the borrower',
      {
        ...edited(LOANS, (one) => ({
          ...(one.by === undefined ? {} : { by: ['bank'] }),
          ...(one.trigger.kind === 'quorum' ? { trigger: { ...one.trigger, of: ['auditors'] } } : {}),
        })),
        parties: others,
        events: { ...kept, repay: plain },
      },
      'parties.borrower.bind',
    ],
    [
      'hears of repayments by another name',
      { ...edited(LOANS, rename), events: { ...kept, settle_up: repay } },
      'events take no repay',
    ],
    [
      'repays by itself',
      {
        ...edited(LOANS, ({ id, post }) => (id === 'grant' ? { post: [...(post ?? []), { emit: 'repay' }] } : {})),
        emits: ['repaid', 'repay'],
        events: { ...kept, repay: plain },
      },
      'events take no repay',
    ],
    ['lets the bank pause', { ...LOANS, pause: 'bank' }, 'pause is bank'],
  ] as [string, Json, string][])('that %s is refused by name, and the loan goes on', async (_, definition, fault) => {
    await begin();
    await ask('L1', carl.zid);
    await as(bank, 'grant', { loan: 'L1' });
    const before = await head();
    const { status, body } = await patch({ definition: JSON.parse(JSON.stringify(definition)) });
    expect([status, body.error]).toEqual([422, expect.stringContaining(fault)]);
    expect(await head()).toBe(before);
    expect((await as(carl, 'repay', { loan: 'L1', amount: 4 })).body.fired).toMatchObject([{ transition: 'settle' }]);
  });

  test('sets other parameters for new loans only', async () => {
    const withRate = {
      ...edited(LOANS, ({ id }) => (id === 'settle' ? { fires_when: 'event.amount >= owed * factor' } : {})),
      parameters: { factor: { type: 'integer', default: 1 } },
    };
    await begin(withRate);
    await ask('L1', carl.zid);
    await acceptAll((await patch({ parameters: { factor: 3 } })).body);
    await ask('L2', carl.zid);
    for (const key of ['L1', 'L2']) {
      await as(bank, 'grant', { loan: key });
      await as(carl, 'repay', { loan: key, amount: 4 });
    }
    expect([(await loan('L1')).currentState, (await loan('L2')).currentState]).toEqual(['repaid', 'granted']);
    await isValid();
  });

  test('is not accepted by a signature over the version of before, nor under the key of another loan', async () => {
    await begin(OWN_LOANS, true);
    const sign = (name: string, payload: Json, nonce: number) =>
      signer.sign({ machine: slug, contract: id, name, payload, nonce });
    for (const [i, key] of ['S1', 'S2'].entries()) {
      const payload = { loan: key, amount: 3 };
      await anonymous(`POST ${path('/event')}`, { name: 'ask', payload, signature: sign('ask', payload, i + 1) });
    }
    const lapses = (after: number) =>
      edited(OWN_LOANS, ({ id }) => (id === 'lapse' ? { trigger: { kind: 'one_shot', after } } : {}));
    await acceptAll((await patch({ definition: lapses(30) })).body);
    const { terms_hash } = (await view('S1')).version as Json;
    const early = { version_no: 2, terms_hash, signature: sign('proposal.accepted', { terms_hash }, 5) };
    await acceptAll((await patch({ definition: lapses(40) })).body);
    const send = (key: string, json: Json) => anonymous(`POST ${of(key, '/accept')}`, json);
    expect((await send('S1', early)).status).toBe(409);
    const { terms_hash: newer } = (await view('S1')).version as Json;
    const late = { version_no: 3, terms_hash: newer, signature: sign('proposal.accepted', { terms_hash: newer }, 6) };
    expect((await send('S2', late)).status).toBe(409);
    expect((await send('S1', { ...late, signature: early.signature })).status).toBe(403);
    expect((await send('S1', late)).body).toMatchObject({ version: null });
    expect((await view('S2')).version).toMatchObject({ no: 3 });
    await isValid();
  });
});

describe('seats that others are put on', () => {
  const rebind = (who: Person, party: string, bindings: unknown, instance?: string) =>
    who.request(`POST ${path('/rebind')}`, { party, bindings, ...(instance === undefined ? {} : { instance }) });

  test('an auditor who names a borrower as successor does not take the loan from him', async () => {
    await begin();
    await ask('L1', carl.zid);
    await ask('L2', dora.zid);
    for (const key of ['L1', 'L2']) await as(bank, 'grant', { loan: key });
    expect((await rebind(ann, 'auditors', [{ zid: carl.zid }, { zid: bob.zid }])).status).toBe(200);
    expect((await as(carl, 'repay', { loan: 'L1', amount: 4 })).body.fired).toMatchObject([{ transition: 'settle' }]);
    expect((await view('L1')).parties).toMatchObject([{ bound: [{ zid: ann.zid }, { zid: bob.zid }] }, {}, {}]);
    await as(dora, 'repay', { loan: 'L2', amount: 4 });
    expect((await view('L2')).parties).toMatchObject([{ bound: [{ zid: carl.zid }, { zid: bob.zid }] }, {}, {}]);
    // In a loan of another he audits; in his own one he has one vote, as its borrower.
    expect((await as(carl, 'check', { loan: 'L2', ok: true })).body.party).toBe('auditors');
    expect((await as(carl, 'check', { loan: 'L1', ok: true })).body.party).toBe('borrower');
    await isValid();
  });

  test('a borrower who names the successor of the bank does not keep the bank of before', async () => {
    await begin();
    await ask('L1', carl.zid);
    expect((await rebind(bank, 'bank', { zid: dora.zid })).status).toBe(200);
    const before = await head();
    expect((await rebind(carl, 'borrower', { zid: dora.zid }, 'L1')).body.error).toContain('acts for bank already');
    // Paused loans stay under their version, and still are not bound to what the contract has given to others.
    await owner.request(`POST ${path('/pause')}`, {});
    expect((await rebind(carl, 'borrower', { zid: dora.zid }, 'L1')).body.code).toBe('CONFLICT');
    await owner.request(`POST ${path('/resume')}`, { mode: 'deadline' });
    expect(await head()).toBe(before + 2);
    expect((await as(dora, 'grant', { loan: 'L1' })).body.fired).toMatchObject([{ transition: 'grant' }]);
    expect((await as(bank, 'note', { loan: 'L1', text: 'x' })).status).toBe(404);
    await isValid();
  });

  test('a proposal of before, accepted when the contract has bound its successor elsewhere, changes nothing', async () => {
    await begin();
    await ask('L1', carl.zid);
    const { proposal } = (await rebind(owner, 'borrower', { zid: dora.zid }, 'L1')).body;
    for (const who of [bank, ann]) await accept(who, proposal as Json, { instance: 'L1' });
    await rebind(bank, 'bank', { zid: dora.zid });
    const before = await head();
    expect((await accept(bob, proposal as Json, { instance: 'L1' })).body.code).toBe('NOT_FOUND');
    expect((await accept(bank, proposal as Json, { instance: 'L1' })).status).toBe(404);
    expect(await head()).toBe(before);
    await as(dora, 'grant', { loan: 'L1' });
    expect((await view('L1')).parties).toMatchObject([
      {},
      { bound: [{ zid: dora.zid }] },
      { bound: [{ zid: carl.zid }] },
    ]);
    await isValid();
  });

  test('two parties are not swapped one after the other, nor both by one of them', async () => {
    await begin(LOAN, false, { borrower: { zid: carl.zid } });
    expect((await rebind(carl, 'borrower', { zid: bank.zid })).status).toBe(422);
    expect((await rebind(bank, 'bank', { zid: carl.zid })).status).toBe(422);
    expect((await rebind(carl, 'bank', { zid: dora.zid })).body.proposal).toMatchObject({
      accepted_by: [`zid:${carl.zid}`],
    });
    expect((await as(carl, 'grant', { loan: 'x' })).body.code).toBe('FORBIDDEN_PARTY');
  });

  test('who left a contract has left its loans at once, also while it is paused and none of them moves', async () => {
    await begin();
    await ask('L1', carl.zid);
    expect((await rebind(bank, 'bank', { zid: dora.zid })).status).toBe(200);
    const bankOf = async (who: Person) => {
      const { you, parties } = (await who.request(`GET ${of('L1', '/parties')}`)).body as {
        you: unknown;
        parties: Json[];
      };
      return [you, parties.find(({ name }) => name === 'bank')?.bound];
    };
    const seats = async (who: Person) => (await who.request(`GET /api/seats?machine=${slug}`)).body.rows;
    const bound = [{ zid: dora.zid, voter: `zid:${dora.zid}` }];
    for (const act of ['/pause', '/resume']) {
      await owner.request(`POST ${path(act)}`, {});
      const before = await head();
      for (const rest of ['', '/parties', '/audit'])
        expect((await bank.request(`GET ${of('L1', rest)}`)).status).toBe(404);
      expect((await as(bank, 'grant', { loan: 'L1' })).status).toBe(404);
      expect(await head()).toBe(before);
      expect([await bankOf(dora), await bankOf(carl)]).toEqual([
        ['bank', bound],
        ['borrower', bound],
      ]);
      expect([await seats(bank), await seats(dora)]).toMatchObject([[], [{ instance: null, party: 'bank' }]]);
    }
    expect((await as(dora, 'grant', { loan: 'L1' })).body.fired).toMatchObject([{ transition: 'grant' }]);
    await isValid();
  });

  test('an operator who was the bank is not the bank for what is logged while the contract is paused', async () => {
    await begin(LOANS, false, { bank: { zid: owner.zid } });
    await ask('L1', carl.zid);
    expect((await rebind(owner, 'bank', { zid: dora.zid })).status).toBe(200);
    const json = { name: 'grant', payload: { loan: 'L1' } };
    const grant = () => owner.request(`POST /api/chain/${slug}/event`, json);
    await owner.request(`POST ${path('/pause')}`, {});
    expect((await grant()).status).toBe(201);
    const { rows } = (await owner.request(`GET /api/chain/${slug}/explore?type=event&limit=1`)).body;
    expect(rows).toMatchObject([{ payload: json }]);
    expect((rows as Json[])[0]?.payload).not.toHaveProperty('as');
    await owner.request(`POST ${path('/resume')}`, {});
    expect((await grant()).body.code).toBe('FORBIDDEN_PARTY');
    await isValid();
  });

  test('who left a loan reads nothing of it any more, and signs nothing that counts', async () => {
    await begin();
    await ask('L1', carl.zid);
    await rebind(carl, 'borrower', { zid: dora.zid }, 'L1');
    for (const rest of ['', '/parties', '/audit'])
      expect((await carl.request(`GET ${of('L1', rest)}`)).status).toBe(404);
    expect((await carl.request(`GET ${path('/versions/1?instance=L1')}`)).status).toBe(404);
    expect((await as(carl, 'repay', { loan: 'L1', amount: 4 })).status).toBe(404);
  });
});

test('the party of a loan on a private machine reads the version that decides it, and none of before', async () => {
  await begin();
  const version = (who: Person, no: number, key = 'L1') =>
    who.request(`GET ${path(`/versions/${no}?instance=${encodeURIComponent(key)}`)}`);
  const changed = edited(LOANS, ({ id }) => (id === 'lapse' ? { trigger: { kind: 'one_shot', after: 30 } } : {}));
  await acceptAll((await patch({ definition: changed })).body);
  await ask('L1', carl.zid);
  const { status, body } = await version(carl, 2);
  expect([status, body.no, (body.definition as Json).key]).toEqual([200, 2, 'event.loan']);
  expect(body.definition_hash).toBe(((await version(owner, 2)).body as Json).definition_hash);
  expect([(await version(carl, 1)).status, (await version(carl, 1, 'L2')).status]).toEqual([404, 404]);
  expect([(await version(dora, 2)).status, (await carl.request(`GET ${path('/versions/2')}`)).status]).toEqual([
    404, 404,
  ]);
  expect((await carl.request(`GET ${path()}`)).status).toBe(404);
});

test('keys that look alike are different loans, and no key is another one by its form', async () => {
  await begin();
  const keys = [
    'é',
    'e\u0301',
    'A',
    'а',
    'a\u200b',
    'a',
    '%61',
    'a/b',
    'a%2Fb',
    '\u202ea',
    '__proto__',
    'constructor',
    ' a',
  ];
  for (const [i, key] of keys.entries()) {
    const { body } = await ask(key, (i % 2 === 0 ? carl : dora).zid);
    expect([key, body.fired]).toMatchObject([key, [{ instance: key }]]);
  }
  for (const [i, key] of keys.entries()) {
    const [own, other] = i % 2 === 0 ? [carl, dora] : [dora, carl];
    const seen = await Promise.all([own, other].map((who) => who.request(`GET ${of(key, '/parties')}`)));
    expect([key, ...seen.map(({ status }) => status)]).toEqual([key, 200, 404]);
    expect((await as(other, 'note', { loan: key, text: 'x' })).status).toBe(404);
  }
  const before = await head();
  for (const key of ['', '.', '..', 'a\u0000', 'a\n', '\ud800', 'x'.repeat(129)]) {
    const { status, body } = await ask(key, carl.zid);
    expect([key, status === 422 || status === 400 || (body.fired as Json[]).length === 0]).toEqual([key, true]);
  }
  expect((await owner.request(`GET ${path('/instances?limit=100')}`)).body.rows).toHaveLength(keys.length);
  expect(await head()).toBeGreaterThanOrEqual(before);
  await isValid();
});

describe('senders who are not who they seem to be', () => {
  const member = (who: Person, role: string) => owner.request(`POST /api/chain/${slug}/admins`, { zid: who.zid, role });
  const event = (who: Person, json: Json) => who.request(`POST /api/chain/${slug}/event`, json);

  test('an id that another has used is no repetition: the event of its owner is told, not swallowed', async () => {
    await begin();
    await member(bob, 'operator');
    await ask('L1', carl.zid);
    const mine = { name: 'ask', payload: { loan: 'L7', amount: 1, borrower: carl.zid }, id: 'pay-17' };
    expect((await event(owner, mine)).status).toBe(201);
    expect((await event(owner, mine)).body).toMatchObject({ duplicate: true });
    const before = await head();
    const { status, body } = await event(bob, { name: 'check', payload: { loan: 'L1', ok: true }, id: 'pay-17' });
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    const batch = { events: [{ ...mine, id: 'pay-17' }] };
    const { outcomes } = (await bob.request(`POST /api/chain/${slug}/events`, batch)).body as { outcomes: Json[] };
    expect(outcomes).toMatchObject([{ accepted: false, error: { code: 'CONFLICT' } }]);
    expect(await head()).toBe(before);
  });

  test('a batch gives nobody a seat that each of its events would not', async () => {
    await begin();
    await member(carl, 'operator');
    await ask('L1', carl.zid);
    await ask('L2', dora.zid);
    for (const key of ['L1', 'L2']) await as(bank, 'grant', { loan: key });
    const repay = (loan: string, more: Json = {}) => ({ name: 'repay', payload: { loan, amount: 4, ...more } });
    const events = [repay('L1'), repay('L2'), repay('L2', { party: 'borrower', actor: dora.zid, borrower: dora.zid })];
    const { outcomes } = (await carl.request(`POST /api/chain/${slug}/events`, { events })).body as {
      outcomes: Json[];
    };
    expect(outcomes).toMatchObject([
      { accepted: true, fired: [{ instance: 'L1', transition: 'settle' }] },
      { accepted: false, error: { code: 'FORBIDDEN_PARTY' } },
      { accepted: false, error: { code: 'FORBIDDEN_PARTY' } },
    ]);
    expect((await loan('L2')).currentState).toBe('granted');
  });

  test('a share token reads and does not act, and lends nobody a party', async () => {
    await begin();
    await ask('L1', carl.zid);
    const { body } = await owner.request(`POST /api/chain/state-machines/${slug}/share/set`, { label: 'x' });
    const token = String(body.token);
    for (const authorization of [`Bearer ${token}`, `Share ${token}`])
      for (const route of [`POST ${path('/event')}`, `POST ${path('/event')}?share=${token}`]) {
        const json = { name: 'grant', payload: { loan: 'L1' } };
        const { status } = await service.call(route, { headers: { authorization }, json });
        expect([401, 403, 404, 422]).toContain(status);
      }
    expect((await loan('L1')).currentState).toBe('asked');
  });

  test('a key of the machine is a party, no other key of it is, and a revoked one has had its last vote', async () => {
    slug = await openMachine(owner);
    const mint = async () => {
      const { body } = await owner.request(`POST /api/chain/${slug}/api-keys`, { name: 'k', scope: 'write' });
      return { key: String(body.key), id: String((body.record as Json).id) };
    };
    const [one, other] = [await mint(), await mint()];
    const inspectors = [{ key: one.id }, { zid: ann.zid }, { zid: bob.zid }];
    const bindings = { seller: { zid: carl.zid }, buyer: { ed25519: signer.ed25519 }, inspectors };
    id = await deploy(owner, slug, SALE, bindings);
    await as(carl, 'offer', { price: 1 });
    const signature = signer.sign({ machine: slug, contract: id, name: 'pay', payload: {}, nonce: 1 });
    await anonymous(`POST ${path('/event')}`, { name: 'pay', payload: {}, signature });
    const vote = (key: string, ok = true) =>
      service.call(`POST ${path('/event')}`, {
        headers: { authorization: `Bearer ${key}` },
        json: { name: 'inspect', payload: { ok } },
      });
    expect((await vote(other.key)).status).toBe(403);
    expect((await vote(one.key)).json()).toMatchObject({ party: 'inspectors', fired: [] });
    await owner.request(`DELETE /api/chain/${slug}/api-keys/${one.id}`);
    expect((await vote(one.key, false)).status).toBe(401);
    const minted = await mint();
    expect((await vote(minted.key, false)).status).toBe(403);
    expect((await as(ann, 'inspect', { ok: true })).body.fired).toMatchObject([{ transition: 'pass' }]);
    const again = { seller: { zid: carl.zid }, buyer: { ed25519: signer.ed25519 }, inspectors: { key: one.id } };
    const json = { definition: SALE, bindings: again };
    const { status, body } = await owner.request(`POST /api/chain/${slug}/contracts/custom`, json);
    expect([status, body.error]).toEqual([422, expect.stringContaining('revoked')]);
  });

  test('a key that only reads sees for its party and does not act for it', async () => {
    await begin();
    await ask('L1', carl.zid);
    const { body } = await carl.request('POST /api/keys', { name: 'reader', scope: 'read' });
    const headers = { authorization: `Bearer ${body.key}` };
    const call = (route: string, json?: Json) =>
      service.call(route, { headers, ...(json === undefined ? {} : { json }) });
    expect((await call(`GET ${of('L1')}`)).status).toBe(200);
    const note = await call(`POST ${path('/event')}`, { name: 'note', payload: { loan: 'L1', text: 'x' } });
    expect([note.status, note.json().code]).toEqual([403, 'FORBIDDEN']);
    const rebind = { party: 'borrower', bindings: { zid: dora.zid }, instance: 'L1' };
    expect((await call(`POST ${path('/rebind')}`, rebind)).status).toBe(403);
  });

  test('a machine that sends is no party, whatever it is called', async () => {
    await begin();
    await ask('L1', carl.zid);
    const from = await openMachine(owner);
    await owner.request(`PATCH /api/chain/${slug}/settings`, { events_from: [from] });
    const send = { event: 'grant', to: slug, payload: { loan: '"L1"' }, on_refused: 'not_taken' };
    const sends = caller(slug, { transitions: callerTransitions(send) }) as unknown as Json;
    const sender = await deploy(owner, from, sends, {});
    expect((await owner.request(`POST /api/chain/${from}/event`, { name: 'call', payload: { n: 1 } })).status).toBe(
      201,
    );
    const told = async () =>
      ((await owner.request(`GET /api/chain/${from}/contracts/${sender}`)).body.contract as Json).context;
    await expect.poll(told).toEqual({ lost: 1, why: 'FORBIDDEN_PARTY' });
    expect((await loan('L1')).currentState).toBe('asked');
  });

  test('a replay that is given an event of another forges no party', async () => {
    await begin();
    await ask('L1', carl.zid);
    await as(bank, 'grant', { loan: 'L1' });
    const replay = (who: Person, instance: string) =>
      who.request(`POST ${path('/dry-run')}`, { from_svcond: 1, instance });
    expect((await replay(owner, 'L1')).body).toMatchObject({ ok: true });
    expect((await replay(dora, 'L1')).status).toBe(404);
    expect((await replay(owner, 'L2')).status).toBe(404);
  });
});
