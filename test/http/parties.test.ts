// Parties of contracts over HTTP: who may send what, what a party reads, signatures, quorums, and the rows of all that.

import { beforeAll, describe, expect, test } from 'vitest';
import { createPeople, createSigner, type Person, SALE } from './party-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService({ logsRefusals: true });
const { openPerson, openMachine, deploy, anonymous } = createPeople(service);
const signer = createSigner(7);
let owner: Person;
let seller: Person;
let ann: Person;
let bob: Person;
let cid: Person;
let stranger: Person;
let slug: string;
let id: string;

const path = (rest = '') => `/api/chain/${slug}/contracts/${id}${rest}`;
const sale = () => ({
  seller: { zid: seller.zid },
  buyer: { ed25519: signer.ed25519 },
  inspectors: [{ zid: ann.zid }, { zid: bob.zid }, { zid: cid.zid }],
});
const as = (who: Person, name: string, payload: Json = {}) => who.request(`POST ${path('/event')}`, { name, payload });
const state = async () => ((await owner.request(`GET ${path()}`)).body.contract as Json).currentState;
const pay = (nonce: number, payload: Json = {}) => {
  const signature = signer.sign({ machine: slug, contract: id, name: 'pay', payload, nonce });
  return anonymous(`POST ${path('/event')}`, { name: 'pay', payload, signature });
};
const rowsOf = async (type: string) =>
  ((await owner.request(`GET /api/chain/${slug}/explore?type=${type}&limit=50`)).body.rows as Json[]).map(
    ({ payload, actor }): Json => ({ ...(payload as Json), actor }),
  );

beforeAll(async () => {
  [owner, seller, ann, bob, cid, stranger] = (await Promise.all(
    ['owner', 'seller', 'ann', 'bob', 'cid', 'stranger'].map(openPerson),
  )) as [Person, Person, Person, Person, Person, Person];
});

async function begin(isPublic = false): Promise<void> {
  slug = await openMachine(owner, isPublic);
  id = await deploy(owner, slug, SALE, sale());
}

async function offered(): Promise<void> {
  await begin();
  expect((await as(seller, 'offer', { price: 5 })).status).toBe(201);
}

describe('what a party may do', () => {
  test('the creation row has the bindings, and a party without membership sends its event and reads', async () => {
    await begin();
    const [deployed] = await rowsOf('contract');
    expect(deployed).toMatchObject({ act: 'deployed', bindings: { seller: [{ zid: seller.zid }] } });
    const sent = await as(seller, 'offer', { price: 5 });
    expect([sent.status, sent.body]).toMatchObject([201, { party: 'seller', fired: [{ transition: 'offer' }] }]);
    const [event] = await rowsOf('event');
    expect(event).toMatchObject({ name: 'offer', to: id, as: { [id]: 'seller' }, actor: seller.zid });
    const read = await seller.request(`GET ${path()}`);
    expect(read.body.contract).toMatchObject({ currentState: 'offered', context: { offered_by: 'seller' } });
    expect((await seller.request(`GET /api/chain/${slug}/explore`)).status).toBe(404);
    for (const route of [path(), path('/parties')]) expect((await stranger.request(`GET ${route}`)).status).toBe(404);
  });

  test('others are refused: another party, the owner, a stranger; a rejection row names parties and members only', async () => {
    await begin(true);
    for (const who of [ann, owner, stranger]) {
      const { status, body } = await as(who, 'offer', { price: 5 });
      expect([status, body.code]).toEqual([403, 'FORBIDDEN_PARTY']);
    }
    const undirected = await owner.request(`POST /api/chain/${slug}/event`, { name: 'offer', payload: { price: 5 } });
    expect([undirected.status, undirected.body.code]).toEqual([403, 'FORBIDDEN_PARTY']);
    expect(await state()).toBe('draft');
    expect(await rowsOf('event')).toEqual([]);
    const refusals = async () => {
      const rows = await rowsOf('rejection');
      const ours = rows.filter(({ route }) => String(route).includes('{id}/event')) as Json[];
      return ours.map(({ count }) => Number(count)).reduce((sum, count) => sum + count, 0);
    };
    // Of ann, who is a party, and of the owner; not of the stranger.
    await expect.poll(refusals, { timeout: 10_000 }).toBe(2);
  });

  test('a forged actor in the payload changes nothing', async () => {
    await begin();
    const forged = { price: 1, actor: 'seller', sender: seller.zid, party: 'seller', as: { [id]: 'seller' } };
    expect((await as(ann, 'offer', forged)).body.code).toBe('FORBIDDEN_PARTY');
    expect((await as(seller, 'offer', { ...forged, actor: 'buyer' })).status).toBe(201);
    expect(((await owner.request(`GET ${path()}`)).body.contract as Json).context).toMatchObject({
      offered_by: 'seller',
    });
  });

  test('an operator sends what is for nobody in particular; a party cannot send to other contracts', async () => {
    await begin();
    expect((await as(owner, 'ping')).body).toMatchObject({ party: null, fired: [{ transition: 'ping' }] });
    expect((await seller.request(`POST /api/chain/${slug}/event`, { name: 'ping' })).status).toBe(404);
    const { status, body } = await as(seller, 'pnig');
    expect([status, body.message ?? body.error]).toEqual([422, expect.stringContaining('did you mean ping')]);
  });

  test('by hand, only the party that is named: not the owner, and never what is for parties', async () => {
    await begin();
    const fire = (who: Person, transition: string) => who.request(`POST ${path('/transition')}`, { transition });
    expect((await fire(owner, 'expire')).body.code).toBe('FORBIDDEN_PARTY');
    expect((await fire(owner, 'offer')).body.code).toBe('FORBIDDEN');
    expect((await fire(ann, 'expire')).body.code).toBe('FORBIDDEN_PARTY');
    expect((await fire(seller, 'expire')).body).toMatchObject({ fired: true });
    expect((await rowsOf('transition'))[0]).toMatchObject({ cause: 'manual', party: 'seller' });
  });
});

describe('bindings that are refused', () => {
  const refused = async (bindings: Json, definition: unknown = SALE) => {
    slug = await openMachine(owner);
    const { status, body } = await owner.request(`POST /api/chain/${slug}/contracts/custom`, { definition, bindings });
    expect(status).toBe(422);
    expect(await rowsOf('contract')).toEqual([]);
    return (body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);
  };

  test('an unbound party, an unknown one, and one account for two', async () => {
    expect(await refused({})).toEqual([
      'bindings.seller UNBOUND',
      'bindings.buyer UNBOUND',
      'bindings.inspectors UNBOUND',
    ]);
    expect(await refused({ ...sale(), vendor: { zid: ann.zid } })).toEqual(['bindings.vendor UNKNOWN_NAME']);
    expect(await refused({ ...sale(), buyer: { zid: seller.zid } })).toEqual(['bindings.buyer BOUND_TWICE']);
  });

  test('an unknown ZID, and keys that are not of this machine', async () => {
    expect(await refused({ ...sale(), buyer: { zid: 'f'.repeat(32) } })).toEqual(['bindings.buyer.0 UNKNOWN_BINDING']);
    const key = '00000000-0000-7000-8000-000000000000';
    expect(await refused({ ...sale(), buyer: { key } })).toEqual(['bindings.buyer.0 UNKNOWN_BINDING']);
  });

  test('too few voters for a quorum', async () => {
    const [approve] = SALE.transitions.filter((transition) => transition.id === 'pass');
    const trigger = { ...approve?.trigger, at_least: 'inspectors.count + 1' };
    const transitions = SALE.transitions.map((one) => (one.id === 'pass' ? { ...one, trigger } : one));
    const definition = { ...SALE, transitions };
    expect(await refused(sale(), definition)).toEqual(['transitions.pass.trigger.at_least UNREACHABLE']);
  });

  test('ten keys of one account are one voter', async () => {
    const definition = { ...SALE, parties: { ...SALE.parties, inspectors: { count: { min: 2, max: 10 } } } };
    slug = await openMachine(owner);
    const keys: Json[] = [];
    for (let i = 0; i < 10; i++) {
      const json = { name: `key ${i}`, scope: 'write', rate_limit_tier: 'high' };
      const { body } = await owner.request(`POST /api/chain/${slug}/api-keys`, json);
      keys.push({ key: (body.record as Json).id });
    }
    const json = { definition, bindings: { ...sale(), inspectors: keys } };
    const { body } = await owner.request(`POST /api/chain/${slug}/contracts/custom`, json);
    expect(body.details).toMatchObject([{ path: 'bindings.inspectors', code: 'COUNT' }]);
    const other = { ...json, bindings: { ...sale(), inspectors: [...keys, { zid: ann.zid }] } };
    expect((await owner.request(`POST /api/chain/${slug}/contracts/custom`, other)).status).toBe(201);
  });
});

describe('signed events', () => {
  test('anybody relays one; it counts once, and only for this contract and payload', async () => {
    await offered();
    expect((await as(ann, 'pay')).body.code).toBe('FORBIDDEN_PARTY');
    const signature = signer.sign({ machine: slug, contract: id, name: 'pay', payload: {}, nonce: 5 });
    const sendPay = (json: Json) => anonymous(`POST ${path('/event')}`, { name: 'pay', signature, ...json });
    // A private machine stays hidden from whoever has no valid signature.
    expect((await sendPay({ payload: { x: 1 } })).status).toBe(404);
    expect((await sendPay({ signature: { ...signature, nonce: 6 } })).status).toBe(404);
    const paid = await sendPay({});
    expect([paid.status, paid.body]).toMatchObject([201, { party: 'buyer', fired: [{ transition: 'pay' }] }]);
    expect((await rowsOf('event'))[0]).toMatchObject({ name: 'pay', signed: signature, as: { [id]: 'buyer' } });
    const replayed = await sendPay({});
    expect([replayed.status, replayed.body.code]).toEqual([409, 'CONFLICT']);
    expect((await rowsOf('event')).filter(({ name }) => name === 'pay')).toHaveLength(1);
  });

  test('a signature of a key that is bound to nobody is refused with the reason', async () => {
    await begin(true);
    const other = createSigner(9);
    const signature = other.sign({ machine: slug, contract: id, name: 'pay', payload: {}, nonce: 1 });
    const { status, body } = await anonymous(`POST ${path('/event')}`, { name: 'pay', signature });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN_PARTY']);
  });
});

describe('a quorum', () => {
  const quorums = async () => (await ann.request(`GET ${path('/parties')}`)).body.quorums as Json[];

  test('counts each voter once, lets votes change, and shows its progress', async () => {
    await offered();
    await pay(1);
    expect((await as(ann, 'inspect', { ok: true })).body).toMatchObject({ fired: [] });
    expect((await as(ann, 'inspect', { ok: true })).body).toMatchObject({
      fired: [],
      refused: [{ code: 'QUORUM' }, {}],
    });
    expect(await quorums()).toMatchObject([
      { transition: 'pass', count: 1, needed: 2, votes: [{ party: 'inspectors', counts: true }] },
      { transition: 'stop', count: 0, needed: 2 },
    ]);
    await as(ann, 'inspect', { ok: false });
    expect(await quorums()).toMatchObject([{ count: 0 }, { count: 1 }]);
    await as(bob, 'inspect', { ok: true });
    expect((await as(cid, 'inspect', { ok: true })).body).toMatchObject({ fired: [{ transition: 'pass' }] });
    expect(await state()).toBe('done');
    const verified = await owner.request(`POST ${path('/verify')}`, {});
    expect(verified.body).toMatchObject({ valid: true });
    const replay = await owner.request(`POST ${path('/dry-run')}`, { from_svcond: 1 });
    expect(replay.body.replay).toMatchObject({ exact: true, first_mismatch: null });
  });
});
