// Changes of contracts with parties: proposed, accepted, withdrawn, overtaken; and parties that are rebound.

import { beforeAll, describe, expect, test } from 'vitest';
import { createPeople, createSigner, type Person, SALE } from './party-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const { openPerson, openMachine, deploy, anonymous } = createPeople(service);
const signer = createSigner(7);
let owner: Person;
let seller: Person;
let ann: Person;
let bob: Person;
let slug: string;
let id: string;

const path = (rest = '') => `/api/chain/${slug}/contracts/${id}${rest}`;
const versionNow = async () =>
  Number(((await owner.request(`GET ${path()}`)).body.contract as Json).current_version_no);
const view = async () => (await owner.request(`GET ${path('/parties')}`)).body;
const proposals = async () => (await view()).proposals as Json[];
const acts = async () =>
  ((await owner.request(`GET /api/chain/${slug}/explore?type=contract&limit=50`)).body.rows as Json[]).map(
    ({ payload }) => (payload as Json).act,
  );

interface Open {
  readonly no: number;
  readonly terms_hash: string;
}
const accept = (who: Person, { no, terms_hash }: Open) =>
  who.request(`POST ${path(`/proposals/${no}/accept`)}`, { terms_hash });
const withdraw = (who: Person, { no, terms_hash }: Open) =>
  who.request(`POST ${path(`/proposals/${no}/withdraw`)}`, { terms_hash });
const acceptSigned = ({ no, terms_hash }: Open, nonce: number) => {
  const act = { machine: slug, contract: id, name: 'proposal.accepted', payload: { terms_hash }, nonce };
  return anonymous(`POST ${path(`/proposals/${no}/accept`)}`, { terms_hash, signature: signer.sign(act) });
};
const patch = async (who: Person, change: Json): Promise<Open> => {
  const { status, body } = await who.request(`PATCH ${path()}`, change);
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return body.proposal as unknown as Open;
};
const rebind = async (who: Person, party: string, bindings: unknown): Promise<Open> => {
  const { status, body } = await who.request(`POST ${path('/rebind')}`, { party, bindings });
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return body.proposal as unknown as Open;
};

beforeAll(async () => {
  [owner, seller, ann, bob] = (await Promise.all(['owner', 'seller', 'ann', 'bob'].map(openPerson))) as [
    Person,
    Person,
    Person,
    Person,
  ];
});

async function begin(more: Json = {}): Promise<void> {
  slug = await openMachine(owner);
  const buyer = { ed25519: signer.ed25519 };
  id = await deploy(
    owner,
    slug,
    { ...SALE, ...more },
    { seller: { zid: seller.zid }, buyer, inspectors: [{ zid: ann.zid }] },
  );
}

async function expectSound(): Promise<void> {
  expect((await owner.request(`POST ${path('/verify')}`, {})).body).toMatchObject({ valid: true });
  const replay = await owner.request(`POST ${path('/dry-run')}`, { from_svcond: 1 });
  expect(replay.body.replay).toMatchObject({ exact: true, first_mismatch: null });
}

describe('a new version', () => {
  test('takes effect when all have accepted its terms, the signed party by its key', async () => {
    await begin();
    const changed = { ...SALE, version: '1.1' };
    const proposal = await patch(owner, { definition: changed });
    expect(await versionNow()).toBe(1);
    expect(await proposals()).toMatchObject([
      { no: proposal.no, accepted_by: [], definition: { version: '1.1' }, missing: [{ needed: 3 }] },
    ]);
    expect((await accept(owner, proposal)).body.code).toBe('FORBIDDEN_PARTY');
    expect((await accept(seller, { ...proposal, terms_hash: '0'.repeat(64) })).body).toMatchObject({
      code: 'CONFLICT',
      terms_hash: proposal.terms_hash,
    });
    expect((await accept(seller, proposal)).status).toBe(200);
    expect((await accept(seller, proposal)).status).toBe(200);
    await accept(ann, proposal);
    expect(await versionNow()).toBe(1);
    expect((await acceptSigned(proposal, 3)).status).toBe(200);
    expect(await versionNow()).toBe(2);
    expect(await acts()).toEqual(['patched', 'accepted', 'accepted', 'accepted', 'proposed', 'deployed']);
    expect(await proposals()).toEqual([]);
    await expectSound();
  });

  test('of two proposals the first that is accepted wins; the other lapses, and what is withdrawn is gone', async () => {
    await begin({ amend: { by: 'quorum', of: ['seller', 'inspectors'], at_least: 1 } });
    const [first, second] = [await patch(owner, { name: 'one' }), await patch(owner, { name: 'two' })];
    expect((await withdraw(seller, first)).body.code).toBe('FORBIDDEN_PARTY');
    const twice = await owner.request(`PATCH ${path()}`, { name: 'two' });
    expect([twice.status, twice.body.code]).toEqual([409, 'CONFLICT']);
    const [a, b] = await Promise.all([accept(seller, first), accept(ann, second)]);
    expect([a.status, b.status].sort()).toEqual([200, 404]);
    expect(await versionNow()).toBe(2);
    const third = await patch(owner, { name: 'three' });
    expect((await withdraw(owner, third)).status).toBe(200);
    expect((await accept(seller, third)).status).toBe(404);
    // A party that proposes accepts by it; here one acceptance is enough.
    await patch(ann, { name: 'four' });
    expect(await versionNow()).toBe(3);
    await expectSound();
  });

  test('keeps within the number of open proposals', async () => {
    await begin();
    for (const name of ['a', 'b', 'c', 'd']) await patch(owner, { name });
    const { status, body } = await owner.request(`PATCH ${path()}`, { name: 'e' });
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });
});

describe('a rebinding', () => {
  test('by the party that leaves is done at once; the party that left sends nothing more', async () => {
    await begin();
    await rebind(seller, 'seller', { zid: bob.zid });
    expect(await versionNow()).toBe(2);
    const offer = (who: Person) => who.request(`POST ${path('/event')}`, { name: 'offer', payload: { price: 1 } });
    expect((await offer(seller)).status).toBe(404);
    expect((await seller.request(`GET ${path()}`)).status).toBe(404);
    expect((await offer(bob)).body).toMatchObject({ party: 'seller', fired: [{ transition: 'offer' }] });
    expect((await acts())[0]).toBe('rebound');
    await expectSound();
  });

  test('of a lost key takes all the others', async () => {
    await begin();
    const proposal = await rebind(owner, 'buyer', { ed25519: createSigner(8).ed25519 });
    expect(await versionNow()).toBe(1);
    await accept(seller, proposal);
    expect(await versionNow()).toBe(1);
    await accept(ann, proposal);
    expect(await versionNow()).toBe(2);
    await expectSound();
  });

  test('by which a party gains votes takes more than its own consent', async () => {
    await begin();
    await rebind(ann, 'inspectors', [{ zid: ann.zid }, { zid: bob.zid }]);
    expect(await versionNow()).toBe(1);
    await rebind(ann, 'inspectors', [{ zid: bob.zid }, { zid: owner.zid }]);
    expect(await versionNow()).toBe(1);
    const { status } = await owner.request(`POST ${path('/rebind')}`, {
      party: 'inspectors',
      bindings: { zid: seller.zid },
    });
    expect(status).toBe(422);
  });
});
