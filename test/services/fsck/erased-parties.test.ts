// Rows of a contract with parties that were erased as the law asks: neither fsck nor verify may accuse anybody for what
// they no longer say, and both still find what the rows that are left contradict.

import { beforeAll, expect, test } from 'vitest';
import { rows } from '../../../src/storage/database/sql.ts';
import { createPeople, createSigner, type Person, SALE } from '../../http/party-fixture.ts';
import { type Json, startService } from '../../http/service-fixture.ts';
import { faultsAfter } from './planted-faults.ts';

const service = await startService();
const { openPerson, openMachine, deploy, anonymous } = createPeople(service);
const signer = createSigner(7);
let owner: Person;
let seller: Person;
let heir: Person;
let ann: Person;

beforeAll(async () => {
  owner = await openPerson('owner');
  seller = await openPerson('seller');
  heir = await openPerson('heir');
  ann = await openPerson('ann');
});

/** A sale that the seller has left to the heir, who offers; the buyer pays by its key. */
async function sell(on?: string) {
  const slug = on ?? (await openMachine(owner));
  const buyer = { ed25519: signer.ed25519 };
  const bindings = { seller: { zid: seller.zid }, buyer, inspectors: [{ zid: ann.zid }] };
  const id = await deploy(owner, slug, SALE, bindings);
  const path = `/api/chain/${slug}/contracts/${id}`;
  await seller.request(`POST ${path}/rebind`, { party: 'seller', bindings: { zid: heir.zid } });
  await heir.request(`POST ${path}/event`, { name: 'offer', payload: { price: 2 } });
  const signature = signer.sign({ machine: slug, contract: id, name: 'pay', payload: {}, nonce: 4 });
  expect((await anonymous(`POST ${path}/event`, { name: 'pay', signature })).status).toBe(201);
  const { body } = await owner.request(`GET /api/chain/${slug}/explore?limit=50`);
  const found = (body.rows as Json[]).filter(({ type }) => ['contract', 'event', 'transition'].includes(String(type)));
  const seqs = found.map(({ seq }) => Number(seq)).reverse();
  const first = Number(found.findLast(({ payload }) => (payload as Json | undefined)?.contract === id)?.seq);
  const rebound = Number(found.find(({ payload }) => (payload as Json | undefined)?.act === 'rebound')?.seq);
  expect(first).toBeGreaterThan(0);
  expect(rebound).toBeGreaterThan(first);
  expect(seqs.length).toBeGreaterThan(5);
  const erase = async (seq: number) =>
    expect((await owner.request(`POST /api/chain/${slug}/erase`, { seq, reason: 'asked for' })).status).toBe(201);
  const verified = async () => (await owner.request(`POST ${path}/verify`, {})).body;
  return { slug, id, seqs, first, rebound, erase, verified };
}

test.each(['deployment', 'rebinding'] as const)('the %s first, then all other rows', async (which) => {
  const { seqs, first, rebound, erase, verified } = await sell();
  const start = which === 'deployment' ? first : rebound;
  for (const seq of [start, ...seqs.filter((other) => other !== start)]) {
    await erase(seq);
    expect([seq, await faultsAfter(service, async () => {})]).toEqual([seq, []]);
    expect([seq, await verified()]).toMatchObject([seq, { valid: true }]);
  }
});

test('a contract that is deployed after another one was erased is still compared', async () => {
  const { slug, id, first, erase, verified } = await sell();
  await erase(first);
  const later = await sell(slug);
  const found = await faultsAfter(service, (on) =>
    rows(on, 'update contract set state = replace(state, ?, ?) where id in (?, ?)', [heir.zid, ann.zid, id, later.id]),
  );
  expect(found.filter(({ code }) => code === 'STATE').map(({ key }) => key)).toEqual([{ id: later.id }]);
  expect(await verified()).toMatchObject({ valid: true });
});
