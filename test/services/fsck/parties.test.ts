// Parties in fsck and in bundles: what the chain says of them must be in the states, and signatures must be of their rows.

import { beforeAll, expect, test } from 'vitest';
import { MachineBundle, verifyMachineBundle } from '../../../src/chain/bundle.ts';
import { rowSignature } from '../../../src/chain/signed-act.ts';
import { PartyAudit } from '../../../src/protocol/party-audit.ts';
import { type Executor, rows } from '../../../src/storage/database/sql.ts';
import { createPeople, createSigner, type Person, SALE } from '../../http/party-fixture.ts';
import { type Json, startService } from '../../http/service-fixture.ts';
import { otherDigit } from '../../suites/other-digit.ts';
import { faultsAfter } from './planted-faults.ts';

const service = await startService();
const { openPerson, openMachine, deploy, anonymous } = createPeople(service);
const signer = createSigner(7);
let owner: Person;
let seller: Person;
let ann: Person;
let slug: string;
let id: string;

beforeAll(async () => {
  owner = await openPerson('owner');
  seller = await openPerson('seller');
  ann = await openPerson('ann');
  slug = await openMachine(owner);
  const buyer = { ed25519: signer.ed25519 };
  id = await deploy(owner, slug, SALE, { seller: { zid: seller.zid }, buyer, inspectors: [{ zid: ann.zid }] });
  const path = `/api/chain/${slug}/contracts/${id}`;
  await seller.request(`POST ${path}/event`, { name: 'offer', payload: { price: 2 } });
  const signature = signer.sign({ machine: slug, contract: id, name: 'pay', payload: {}, nonce: 4 });
  expect((await anonymous(`POST ${path}/event`, { name: 'pay', signature })).status).toBe(201);
  await owner.request(`PATCH ${path}`, { name: 'later', definition: { ...SALE, version: '1.1' } });
});

const editState = (from: string, to: string) => (on: Executor) =>
  rows(on, 'update contract set state = replace(state, ?, ?) where id = ?', [from, to, id]);

test('a sound node has no faults', async () => {
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

test.each([
  ['another account for the seller', () => [seller.zid, ann.zid.replace(/^./, otherDigit)]],
  ['a number that was not signed', () => [`"nonces":{"${signer.ed25519}":4}`, `"nonces":{"${signer.ed25519}":3}`]],
  ['other terms of a proposal', () => ['"name":"later"', '"name":"never"']],
  ['another definition of a proposal', () => ['"version":"1.1"', '"version":"1.2"']],
  ['an acceptance that nobody gave', () => ['"accepted":[]', `"accepted":["zid:${ann.zid}"]`]],
] as const)('fsck finds %s in a state', async (_, edit) => {
  const [from = '', to = ''] = edit();
  const found = await faultsAfter(service, editState(from, to));
  expect(found).toContainEqual(expect.objectContaining({ table: 'contract', column: 'state', code: 'STATE' }));
});

test('a bundle proves the signatures in its rows, and fails with a forged one', async () => {
  const { body } = await owner.request(`GET /api/chain/${slug}/bundle?from=0&to=20`);
  const bundle = MachineBundle.parse(body);
  const claimOf = (given: MachineBundle) => verifyMachineBundle(given).find(({ claim }) => claim === 'signatures');
  expect(claimOf(bundle)).toMatchObject({ ok: true, reason: '1 by keys of parties.' });
  const forged = bundle.rows.map((row) => ({
    ...row,
    payload_text: row.payload_text?.replace('"nonce":4', '"nonce":5'),
  }));
  expect(claimOf({ ...bundle, rows: forged as MachineBundle['rows'] })).toMatchObject({ ok: false });
});

test('verify counts signatures', async () => {
  const { body } = await owner.request(`POST /api/chain/${slug}/contracts/${id}/verify`, {});
  expect(body).toMatchObject({ valid: true, checked: { signatures: 1 } });
});

test('an audit finds who acted without being bound, and a number that is used twice', () => {
  const audit = new PartyAudit(id);
  const row = (seq: number, type: string, payload: Json, actor = seller.zid) => ({
    slug,
    seq,
    type,
    actor,
    payload_text: JSON.stringify(payload),
  });
  const bindings = { seller: [{ zid: seller.zid }], buyer: [{ ed25519: signer.ed25519 }] };
  expect(audit.visit(row(1, 'contract', { contract: id, act: 'deployed', bindings }))).toBeUndefined();
  const offer = { name: 'offer', to: id, as: { [id]: 'seller' } };
  expect(audit.visit(row(2, 'event', offer))).toBeUndefined();
  expect(audit.visit(row(3, 'event', offer, ann.zid))).toMatch(/row 3 was sent as seller/i);
  const signed = signer.sign({ machine: slug, contract: id, name: 'pay', payload: {}, nonce: 1 });
  const pay = { name: 'pay', to: id, as: { [id]: 'buyer' }, signed };
  expect(audit.visit(row(4, 'event', pay))).toBeUndefined();
  expect(audit.visit(row(5, 'event', pay))).toMatch(/has the number 1/);
  const manual = { contract: id, cause: 'manual', party: 'seller' };
  expect(audit.visit(row(6, 'transition', manual, ann.zid))).toMatch(/fired by seller/);
  expect(rowSignature(slug, 'event', { ...pay, to: id.replace(/.$/, otherDigit) })).toBe(false);
  expect(rowSignature(slug, 'event', { ...pay, signed: { ...signed, public_key: 'x' } })).toBe(false);
});
