// Calls whose answers the API reference shows: one walk through a fresh node, in the order of a first day with it.

import type { OperationPage } from '../../../src/portal/reference/operation-page.ts';
import { ORDERS } from '../../contracts/instances/orders.ts';
import { AVATAR } from '../../http/machine-calls.ts';
import { ECHO } from '../../http/machine-fixture.ts';
import { SALE } from '../../http/party-fixture.ts';
import type { Json } from '../../http/service-fixture.ts';

export interface Walk {
  /** Calls an operation with the input of its page, and `more`; the first answer is kept. */
  ask(name: string, more?: Json): Promise<Json>;
  hasAnswer(name: string): boolean;
  /** As `ask`, without keeping the answer. */
  prepare(name: string, more?: Json): Promise<Json>;
  /** The same by another account. */
  asGuest(name: string, more?: Json): Promise<Json>;
}

/** Operations that answer JSON and have no recorded answer, with the reason. */
export const NOT_RECORDED: ReadonlyMap<string, string> = new Map([
  ['receipt.replay', 'its input is a whole receipt'],
  ['run.cancel', 'needs a run that is under way'],
  ['webhook.redeliver', 'needs a receiver that has refused a delivery'],
  ['machine.decrypt', 'its input is a secret'],
  ['tally.token', 'needs the id of a token that was minted'],
  ['contract.withdraw', 'the proposal of the walk is accepted'],
  ['contract.accept-version', 'needs an instance with parties of its own and a version that they have not accepted'],
]);

const slug = 'boiler';

/** @param page  of the reference, by name of its operation */
export async function walk(by: Walk, pages: ReadonlyMap<string, OperationPage>): Promise<void> {
  const { ask, prepare } = by;
  await ask('demo-key.mint');
  await ask('key.create');
  await ask('key.revoke', { id: idOf((await prepare('key.create')).record) });
  const { zid } = await ask('machine.spin-up');
  await ask('machine.create', { name: 'boiler house 3', slug, is_public: true });
  const guest = (await by.asGuest('machine.spin-up', { displayName: 'auditor' })).zid;
  await machines(by, guest);
  await contracts(by);
  await parties(by, zid, guest);
  await chains(by);
  await ask('machine.status', { slug, status: 'paused' });
  await prepare('machine.status', { slug, status: 'active' });
  const filed = await prepare('compute.run', { folder: 'first' });
  await ask('run.get', { id: String(filed.run_id ?? filed.id) });
  const stamp = await ask('proof.stamp');
  await ask('proof.verify', proofOf(stamp));
  await ask('receipt.verify', proofOf(stamp));
  for (const [name, { madeUp, call }] of pages)
    if (madeUp.length === 0 && call.answers === 'json' && call.solver === undefined)
      if (!by.hasAnswer(name) && !NOT_RECORDED.has(name)) await ask(name);
}

async function machines({ ask, prepare }: Walk, guest: unknown): Promise<void> {
  await ask('machine.settings');
  await ask('machine.get', { slug });
  await ask('member.add', { slug, zid: guest, role: 'viewer' });
  await ask('member.list', { slug });
  await ask('member.change', { slug, zid: guest, role: 'operator' });
  await ask('member.remove', { slug, zid: guest });
  const { record } = await ask('developer-key.create', { slug, name: 'plc', scope: 'read' });
  await ask('developer-key.list', { slug });
  await ask('developer-key.revoke', { slug, id: idOf(record) });
  const shared = await ask('share.set', { slug, label: 'the auditor' });
  await ask('machine.unlock', { slug, share: String(shared.token ?? shared.share) });
  await ask('share.disable', { slug });
  await ask('machine.connection');
  await ask('machine.file');
  await ask('machine.snapshot');
  await ask('webhook.secret', { slug });
  await ask('webhook.rotate', { slug });
  await ask('webhook.list', { slug });
  await ask('activity.list', { slug });
  await ask('anchor-config.get', { slug });
  await ask('anchor-config.set', { slug, mothers: [] });
  await ask('anchor-key.rotate', { slug });
  await prepare('machine.create', { name: 'site register', slug: 'site', is_public: true });
  await ask('anchor.add', { motherSlug: 'site', child_slug: slug });
  await ask('anchor.list', { motherSlug: 'site' });
  await ask('anchor.overview', { motherSlug: 'site' });
  await ask('rejection.log', {
    code: 'UNIT_MISMATCH',
    route: 'POST /api/svc/compute',
    detail_sha256: '0'.repeat(64),
    severity: 'warning',
  });
  await ask('tally.genesis', {
    slug,
    name: 'Heat',
    symbol: 'HEAT',
    max_supply: 1_000,
    mint: { unit: 'row', every: 1, amount: 1 },
  });
  await ask('tally.set-rate', { slug, unit: 'row', every: 2, amount: 1 });
  await ask('tally.set-avatar', { slug, ...AVATAR });
  for (const name of ['tally.get', 'tally.supply', 'tally.rate', 'tally.tokens', 'tally.verify'])
    await ask(name, { slug });
}

async function contracts({ ask, prepare }: Walk): Promise<void> {
  await ask('contract.create');
  await ask('template.deploy');
  const own = await ask('own-contract.deploy', { templateId: 'rate-limiter', slug });
  await ask('own-contract.get', { id: contractId(own) });
  await ask('own-contract.fire', { id: contractId(own) });
  await ask('contract.custom');
  const echo = contractId(await prepare('contract.custom', { slug, definition: ECHO }));
  const of = { slug, id: echo };
  await ask('machine.event', { name: 'ping', payload: { n: 3 } });
  await ask('machine.event-batch', {
    events: [
      { name: 'ping', payload: { n: 1 } },
      { name: 'ping', payload: { n: 2 } },
    ],
  });
  await ask('contract.event', { ...of, name: 'ping', payload: { n: 4 } });
  await ask('transaction.submit', { slug, contract_id: echo, transition: 'answer', payload: { n: 1 } });
  await ask('contract.transition', { ...of, transition: 'answer', payload: { n: 2 } });
  await ask('contract.patch', { ...of, name: 'echo of the pump' });
  await prepare('contract.patch', { ...of, definition: { ...ECHO, version: '1.1' } });
  for (const name of ['get', 'audit', 'versions', 'integrity', 'next-fires', 'balances', 'preview', 'verify', 'export'])
    await ask(`contract.${name}`, of);
  await ask('contract.version', { ...of, n: 1 });
  await ask('contract.dry-run', { ...of, event: 'ping', payload: { n: 1 } });
  await ask('contract.import', { slug, export: (await prepare('contract.export', of)).export });
  await ask('contract.rollback', { ...of, to_version: 1 });
  await ask('contract.pause', of);
  await ask('contract.resume', of);
  await ask('contract.skip', of);
  await ask('contract.fire', of);
  await ask('contract.freeze', of);
  const oracle = { kind: 'push', event: 'ping', field: 'n', fn: 'last' };
  const meter = contractId(await prepare('contract.custom', { slug, definition: { ...ECHO, name: 'meter', oracle } }));
  await ask('oracle.push', { slug, id: meter, value: 3 });
  const orders = contractId(await prepare('contract.custom', { slug, definition: ORDERS }));
  await prepare('machine.event', { slug, name: 'order', payload: { order_id: 'A-1', amount: 3 } });
  await ask('contract.instances', { slug, id: orders });
  await ask('contract.instance', { slug, id: orders, key: 'A-1' });
  await ask('contract.instance-audit', { slug, id: orders, key: 'A-1' });
  await ask('contract.instance-parties', { slug, id: orders, key: 'A-1' });
  await ask('contract.list', { slug });
  await ask('machine.balances', { slug });
  await ask('oracle.list', { slug });
}

/** Public keys of RFC 8032, section 7.1, tests 1 and 2. */
const KEYS = [
  { ed25519: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a' },
  { ed25519: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c' },
];

/** The caller sells, a key buys, the guest inspects; then another key shall buy. */
async function parties({ ask, prepare }: Walk, zid: unknown, guest: unknown): Promise<void> {
  const bindings = { seller: { zid }, buyer: KEYS[0], inspectors: [{ zid: guest }] };
  const of = { slug, id: contractId(await prepare('contract.custom', { slug, definition: SALE, bindings })) };
  const { proposal } = await ask('contract.rebind', { ...of, party: 'buyer', bindings: KEYS[1] });
  const { no, terms_hash } = proposal as Json;
  await ask('contract.parties', of);
  await ask('seat.list');
  await ask('contract.accept', { ...of, no, terms_hash });
}

async function chains({ ask, prepare }: Walk): Promise<void> {
  const { rows } = await ask('chain.explore', { slug, limit: 2 });
  const [newest] = rows as [Json];
  for (const name of ['chain.at', 'chain.block']) await ask(name, { slug, svcond: newest.svcond });
  for (const name of ['state', 'stats', 'analytics', 'sources', 'events', 'awareness', 'validate'])
    await ask(`chain.${name}`, { slug });
  const { machine } = await prepare('machine.get', { slug });
  await ask('chain.verify-anchor', { slug, genesis_hash: (machine as Json).genesis_hash });
  await ask('chain.inclusion', { slug, seq: 1 });
  await ask('chain.consistency', { slug, from: 2 });
  await ask('machine.erase', { slug, seq: 3, reason: 'a name was in it' });
}

const idOf = (record: unknown) => String((record as Json).id);
const contractId = (answer: Json) => idOf(answer.contract);
/** What is checked of a stamp: the fields of the tool. */
const proofOf = ({ svcProof: proof, operatorIds, R_t, svcond, keyPrefix, value, unit }: Json): Json => ({
  proof,
  operatorIds,
  R_t,
  svcond,
  keyPrefix,
  value,
  unit,
});
