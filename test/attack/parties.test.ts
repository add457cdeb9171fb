// Attack: contracts with parties. Ten thousand parties or bindings, signatures that are forged, replayed, or of a party that
// left, and one person with ten keys. What is refused writes no row and changes no version.

import { beforeAll, describe, expect, test } from 'vitest';
import { createPeople, createSigner, type Person, SALE } from '../http/party-fixture.ts';
import { type Json, startService } from '../http/service-fixture.ts';

const service = await startService();
const { openPerson, openMachine, deploy, anonymous } = createPeople(service);
const [buyer, next] = [createSigner(17), createSigner(18)];
let [owner, seller, ann]: Person[] = [];
let slug = '';
let id = '';

const person = (one: Person | undefined): Person => {
  if (one === undefined) throw new Error('People are opened first.');
  return one;
};
const path = (rest: string) => `/api/chain/${slug}/contracts/${id}${rest}`;
const own = () => person(owner);
const bindings = (): Json => ({
  seller: { zid: person(seller).zid },
  buyer: { ed25519: buyer.ed25519 },
  inspectors: [{ zid: person(ann).zid }],
});
const headOf = async () => {
  const { body } = await own().request(`GET /api/chain/state-machines/${slug}`);
  return ((body.machine as Json).head as Json).seq;
};
const pay = (signature: Json, payload: Json = {}) =>
  anonymous(`POST ${path('/event')}`, { name: 'pay', payload, signature });
const signed = (by: typeof buyer, nonce: number, payload: Json = {}) =>
  by.sign({ machine: slug, contract: id, name: 'pay', payload, nonce });

beforeAll(async () => {
  [owner, seller, ann] = await Promise.all(['owner', 'seller', 'ann'].map(openPerson));
});

async function begin(): Promise<void> {
  slug = await openMachine(own(), true);
  id = await deploy(own(), slug, SALE, bindings());
  const offer = { name: 'offer', payload: { price: 5 } };
  expect((await person(seller).request(`POST ${path('/event')}`, offer)).status).toBe(201);
}

describe.each([300, 10_000])('%i', (many) => {
  const each = <One>(make: (i: number) => One) => Array.from({ length: many }, (_, i) => make(i));
  const named = (value: Json) => Object.fromEntries(each((i) => [`p${i}`, value]));

  test.each([
    ['parties', { parties: named({}) }, {}],
    ['seats of one party', { parties: { ...SALE.parties, inspectors: { count: { min: 1, max: many } } } }, {}],
    ['bindings', {}, { inspectors: each((i) => ({ ed25519: `${i}`.padStart(64, '0') })) }],
    ['names to bind', {}, named({ zid: '0'.repeat(32) })],
  ])('%s are refused before anything is written', async (_, change, more) => {
    slug = await openMachine(own());
    const before = await headOf();
    const json = { definition: { ...SALE, ...change }, bindings: { ...bindings(), ...more } };
    const { status, body } = await own().request(`POST /api/chain/${slug}/contracts/custom`, json);
    // 400: more names than a body may have.
    expect([400, 422]).toContain(status);
    expect(JSON.stringify(body).length).toBeLessThan(100_000);
    expect(await headOf()).toBe(before);
  });
});

test('forged, replayed and foreign signatures, a thousand of them, write one row in all', async () => {
  await begin();
  const before = Number(await headOf());
  const good = signed(buyer, 1);
  const other = `${good.signature.slice(0, -1)}${good.signature.endsWith('0') ? '1' : '0'}`;
  const forged: Json[] = [
    { ...good, signature: other },
    { ...good, nonce: 2 },
    { ...good, public_key: next.ed25519 },
    signed(next, 1),
    signed(buyer, 1, { x: 1 }),
    { ...good, signature: '0'.repeat(128) },
    { ...good, public_key: '0'.repeat(64) },
    { ...good, public_key: `01${'0'.repeat(62)}`, signature: `01${'0'.repeat(126)}` },
  ];
  for (const signature of forged) expect((await pay(signature)).status).toBeGreaterThanOrEqual(400);
  const flood = await Promise.all(Array.from({ length: 1_000 }, (_, i) => pay(forged[i % forged.length] ?? {})));
  expect(new Set(flood.map(({ status }) => Math.floor(status / 100)))).toEqual(new Set([4]));
  expect(await headOf()).toBe(before);
  expect((await pay(good)).status).toBe(201);
  const paid = Number(await headOf());
  const replays = await Promise.all(Array.from({ length: 50 }, () => pay(good)));
  expect(new Set(replays.map(({ status }) => status))).toEqual(new Set([409]));
  expect(await headOf()).toBe(paid);
});

test.each([
  ['a sender in the payload', { from: 'seller', party: 'seller', actor: 'seller' }],
  ['a sender in the body', undefined],
])('%s does not make a stranger the seller', async (_, payload) => {
  slug = await openMachine(own(), true);
  id = await deploy(own(), slug, SALE, bindings());
  const before = await headOf();
  const body = { name: 'offer', payload: { price: 1, ...payload }, ...(payload ? {} : { from: 'seller' }) };
  for (const who of [own(), person(ann)]) {
    const { status } = await who.request(`POST ${path('/event')}`, body);
    expect([403, 422]).toContain(status);
  }
  expect(await headOf()).toBe(before);
});

test('the key of a party that left signs nothing more, not with a signature of before either', async () => {
  await begin();
  const [early, late] = [signed(buyer, 1), signed(buyer, 2)];
  const { body } = await own().request(`POST ${path('/rebind')}`, {
    party: 'buyer',
    bindings: { ed25519: next.ed25519 },
  });
  const { no, terms_hash } = body.proposal as { no: number; terms_hash: string };
  for (const who of [person(seller), person(ann)])
    expect((await who.request(`POST ${path(`/proposals/${no}/accept`)}`, { terms_hash })).status).toBe(200);
  const before = await headOf();
  for (const signature of [early, late]) expect((await pay(signature)).status).toBe(403);
  const accepted = { machine: slug, contract: id, name: 'proposal.accepted', payload: { terms_hash }, nonce: 9 };
  const again = { terms_hash, signature: buyer.sign(accepted) };
  const stale = await anonymous(`POST ${path(`/proposals/${no}/accept`)}`, again);
  expect(stale.status).toBeGreaterThanOrEqual(400);
  expect(stale.status).toBeLessThan(500);
  expect(await headOf()).toBe(before);
  expect((await pay(signed(next, 1))).status).toBe(201);
});

test('one person with ten keys is one voter of a quorum', async () => {
  await begin();
  const { keys, access } = service.running.services;
  const by = await access.authenticate(person(ann).key);
  const request = { name: 'vote', scope: 'write', rate_limit_tier: 'free' } as const;
  const minted = await Promise.all(Array.from({ length: 10 }, () => keys.create(by, request)));
  slug = await openMachine(own(), true);
  const inspectors = [{ zid: person(ann).zid }, { ed25519: next.ed25519 }, { zid: own().zid }];
  id = await deploy(own(), slug, SALE, { ...bindings(), inspectors });
  await person(seller).request(`POST ${path('/event')}`, { name: 'offer', payload: { price: 5 } });
  expect((await pay(signed(buyer, 1))).status).toBe(201);
  const vote = (key: string) =>
    service.call(`POST ${path('/event')}`, {
      headers: { authorization: `Bearer ${key}` },
      json: { name: 'inspect', payload: { ok: true } },
    });
  for (const { key } of minted) expect((await vote(key)).json()).toMatchObject({ fired: [] });
  const { body } = await person(ann).request(`GET ${path('/parties')}`);
  expect((body.quorums as Json[]).find(({ transition }) => transition === 'pass')).toMatchObject({ count: 1 });
});
