// Migrations over HTTP: previewed, applied, accepted by parties, and decided again by replays, verify, fsck and bundles.

import { beforeAll, describe, expect, test } from 'vitest';
import { TICK_NS } from '../../src/core/clock.ts';
import { readBundle, verifyChainBundle } from '../../src/protocol/bundle.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { FIRST, MIGRATE, SECOND } from '../contracts/migration/orders.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { advanceClock } from './machine-fixture.ts';
import { createPeople, createSigner, type Person, SALE } from './party-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService();
const { openPerson, openMachine, deploy } = createPeople(service);
const signer = createSigner(11);
const { database } = service.running.storage;
let owner: Person;
let seller: Person;
let slug: string;
let id: string;

beforeAll(async () => {
  [owner, seller] = (await Promise.all([openPerson('owner'), openPerson('seller')])) as [Person, Person];
});

const path = (rest = '') => `/api/chain/${slug}/contracts/${id}${rest}`;
const contract = async () => (await owner.request(`GET ${path()}`)).body.contract as Json;
const dryRun = async (body: Json) => owner.request(`POST ${path('/dry-run')}`, body);
const send = async (name: string, payload: Json = {}) =>
  owner.request(`POST /api/chain/${slug}/event`, { name, payload });
const patch = (body: Json) => owner.request(`PATCH ${path()}`, body);

async function begin(): Promise<void> {
  slug = await openMachine(owner);
  const { body } = await owner.request(`POST /api/chain/${slug}/contracts/custom`, { definition: FIRST });
  id = String((body.contract as Json).id);
  await send('add', { item: 'lamp', price: 150 });
  await send('pack');
}

async function expectSound(): Promise<void> {
  expect((await owner.request(`POST ${path('/verify')}`, {})).body).toMatchObject({ valid: true });
  const { replay } = (await dryRun({ from_svcond: 1 })).body;
  expect(replay).toMatchObject({ exact: true, first_mismatch: null });
}

describe('a migration', () => {
  test('is previewed as it is then applied, and the preview writes nothing', async () => {
    await begin();
    const before = await owner.request(`GET /api/chain/${slug}/explore?limit=50`);
    const { status, body } = await dryRun({ definition: SECOND as unknown as Json, migrate: MIGRATE });
    expect([status, body.code]).toEqual([200, undefined]);
    const carried = body.carried as Json;
    expect(carried).toMatchObject({
      from: 'packing',
      to: 'in_work',
      reset: false,
      context: [
        { name: 'total', fate: 'moved', before: null, after: 150 },
        { name: 'note', fate: 'kept', before: 'lamp', after: 'lamp' },
        { name: 'busy', fate: 'moved', before: null, after: true },
        { name: 'cents', fate: 'ends', before: 150, after: null },
        { name: 'ratio', fate: 'ends', before: 0.5, after: null },
      ],
      collections: [
        { name: 'goods', fate: 'moved', source: 'items', size: 1 },
        { name: 'seen', fate: 'ends', source: 'seen', size: 1 },
      ],
      clocks: [{ name: 'effort', fate: 'moved', source: 'work' }],
    });
    const timers = (carried.timers as Json[]).map(({ transition, fate }) => [transition, fate]);
    expect(timers.sort()).toEqual([
      ['audit', 'new'],
      ['give_up', 'kept'],
      ['nudge', 'kept'],
    ]);
    expect((await owner.request(`GET /api/chain/${slug}/explore?limit=50`)).body.rows).toEqual(before.body.rows);
    expect((await patch({ definition: SECOND, migrate: MIGRATE })).status).toBe(200);
    expect(await contract()).toMatchObject({
      currentState: 'in_work',
      current_version_no: 2,
      context: Object.fromEntries(
        (carried.context as Json[]).filter(({ fate }) => fate !== 'ends').map(({ name, after }) => [name, after]),
      ),
      collections: { goods: ['lamp'] },
    });
    await expectSound();
  });

  test('fires on in the new version; the whole chain is verified, bundled and decided again', async () => {
    await begin();
    expect((await patch({ definition: SECOND, migrate: MIGRATE })).status).toBe(200);
    expect((await send('ship')).body.fired).toMatchObject([{ from: 'in_work', to: 'shipped' }]);
    await expectSound();
    const { body } = await owner.request(`GET /api/chain/${slug}/bundle`);
    const bundle = readBundle(body);
    if (bundle.kind !== 'machine') throw new Error('not a machine');
    expect(verifyChainBundle(bundle).find(({ claim }) => claim === 'transitions')).toMatchObject({ ok: true });
    const rows = bundle.rows.map((row) =>
      row.payload_text?.includes('"migrate"')
        ? { ...row, payload_text: row.payload_text.replace('"to":"in_work"', '"to":"taken"') }
        : row,
    );
    expect(verifyChainBundle({ ...bundle, rows }).find(({ claim }) => claim === 'transitions')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('which is not its map'),
    });
  });

  test('of the past is replayed as if it had been given then', async () => {
    await begin();
    advanceClock(service, 5n * TICK_NS);
    const { svcond } = (await dryRun({})).body;
    await send('ship');
    const { status, body } = await dryRun({
      from_svcond: Number(svcond),
      definition: SECOND as unknown as Json,
      migrate: MIGRATE,
    });
    expect([status, body.code]).toEqual([200, undefined]);
    expect(body.replay).toMatchObject({ beginning: 'carried over', exact: true });
    expect(body.state_after).toMatchObject({ state: 'shipped', context: { total: 150 } });
  });

  test('that fails is told alike by the preview and the patch', async () => {
    await begin();
    const migrate = { ...MIGRATE, context: { ...MIGRATE.context, total: 'money(cents / 7, "EUR")' } };
    const [previewed, patched] = [
      await dryRun({ definition: SECOND, migrate }),
      await patch({ definition: SECOND, migrate }),
    ];
    expect([previewed.status, patched.status]).toEqual([422, 422]);
    expect(previewed.body.details).toEqual(patched.body.details);
    expect(patched.body.details).toMatchObject([{ path: 'migrate.context.total' }]);
    const unknown = await patch({ definition: SECOND, migrate: { ...MIGRATE, state: {} } });
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([422, expect.stringContaining('migrate')]);
    expect(await contract()).toMatchObject({ currentState: 'packing', current_version_no: 1 });
  });

  test('whose outcome was changed in the database is found by verify', async () => {
    await begin();
    await patch({ definition: SECOND, migrate: MIGRATE });
    const { body } = await owner.request(`POST ${path('/dry-run')}`, { from_svcond: 1 });
    expect(body.replay).toMatchObject({ exact: true });
    const [row] = (await database.knex.raw('select collections from contract where id = ?', [id])).rows as {
      collections: string;
    }[];
    const write = (text = '') => database.knex.raw('update contract set collections = ? where id = ?', [text, id]);
    await write(JSON.stringify({ goods: ['rug'] }));
    expect((await owner.request(`POST ${path('/verify')}`, {})).body).toMatchObject({
      valid: false,
      first_bad: { reason: 'STATE' },
    });
    await write(row?.collections);
    expect((await owner.request(`POST ${path('/verify')}`, {})).body).toMatchObject({ valid: true });
  });

  describe('in fsck', () => {
    beforeAll(async () => {
      await begin();
      await patch({ definition: SECOND, migrate: MIGRATE });
    });

    const edited = (from: string, to: string) =>
      faultsAfter(service, (on) =>
        rows(on, 'update contract set state = replace(state, ?, ?) where id = ?', [from, to, id]),
      );
    const stateFault = (message: string) =>
      expect.objectContaining({ table: 'contract', column: 'state', code: 'STATE', message });

    test('has no fault as it was decided', async () => {
      expect(await edited('nothing of this', 'nothing')).toEqual([]);
    });

    test('is found with another state', async () => {
      const message = 'The state is done; the chain migrated it to in_work.';
      expect(await edited('"state":"in_work"', '"state":"done"')).toContainEqual(stateFault(message));
    });

    test('is found with another value of its context', async () => {
      const message = 'The context is not that of the migration in the chain.';
      expect(await edited('"total":150', '"total":151')).toContainEqual(stateFault(message));
    });
  });
});

describe('with parties', () => {
  const renamed = {
    ...SALE,
    version: '2.0',
    initial: 'asked',
    states: Object.fromEntries(
      Object.entries(SALE.states).map(([name, state]) => [name === 'draft' ? 'asked' : name, state]),
    ),
    transitions: SALE.transitions.map((one) => ({
      ...one,
      from: one.from === 'draft' ? 'asked' : one.from,
      to: one.to === 'draft' ? 'asked' : one.to,
    })),
  };
  const migrate = { states: { draft: 'asked' }, context: { price: 'price + 1' } };

  async function beginSale(): Promise<void> {
    slug = await openMachine(owner);
    id = await deploy(
      owner,
      slug,
      { ...SALE, amend: { by: 'quorum', of: 'seller', at_least: 1 } },
      { seller: { zid: seller.zid }, buyer: { ed25519: signer.ed25519 }, inspectors: [{ zid: owner.zid }] },
    );
  }
  const amended = { ...renamed, amend: { by: 'quorum', of: 'seller', at_least: 1 } };
  const accept = ({ no, terms_hash }: Json) =>
    seller.request(`POST ${path(`/proposals/${no}/accept`)}`, { terms_hash });

  test('its acceptance covers the migration: another one has another hash', async () => {
    await beginSale();
    const first = (await patch({ definition: amended, migrate })).body.proposal as Json;
    const second = (await patch({ definition: amended, migrate: { ...migrate, context: { price: 'price + 2' } } })).body
      .proposal as Json;
    expect(first).toMatchObject({ migrate, definition_hash: second.definition_hash });
    expect(first.terms_hash).not.toBe(second.terms_hash);
    expect((await accept({ ...second, terms_hash: first.terms_hash })).body.code).toBe('CONFLICT');
    expect((await accept(first)).status).toBe(200);
    expect(await contract()).toMatchObject({ currentState: 'asked', current_version_no: 2, context: { price: 1 } });
    await expectSound();
  });

  test('a state that it comes to before it is accepted has its place, and one that has none is refused when proposed', async () => {
    await beginSale();
    const lacking = {
      ...amended,
      states: Object.fromEntries(
        Object.entries(amended.states).map(([name, one]) => [name === 'offered' ? 'open' : name, one]),
      ),
      transitions: amended.transitions.map((one) => ({
        ...one,
        from: one.from === 'offered' ? 'open' : one.from,
        to: one.to === 'offered' ? 'open' : one.to,
      })),
    };
    const refused = await patch({ definition: lacking, migrate });
    expect([refused.status, refused.body.details]).toMatchObject([
      422,
      [{ path: 'migrate.states.offered', code: 'UNMAPPED' }],
    ]);
    const whole = { ...migrate, states: { draft: 'asked', offered: 'open' } };
    const proposal = (await patch({ definition: lacking, migrate: whole })).body.proposal as Json;
    await seller.request(`POST ${path('/event')}`, { name: 'offer', payload: { price: 8 } });
    expect((await contract()).currentState).toBe('offered');
    expect((await accept(proposal)).status).toBe(200);
    expect(await contract()).toMatchObject({ currentState: 'open', context: { price: 9 } });
    await expectSound();
  });

  test('one whose expression has come to fail stays open, and nothing is written', async () => {
    await beginSale();
    const risky = { ...migrate, context: { price: '1 / (price - 8)' } };
    const proposal = (await patch({ definition: amended, migrate: risky })).body.proposal as Json;
    await seller.request(`POST ${path('/event')}`, { name: 'offer', payload: { price: 8 } });
    const before = (await owner.request(`GET /api/chain/${slug}/explore?limit=50`)).body.rows as Json[];
    const answer = await accept(proposal);
    expect([answer.status, answer.body.details]).toMatchObject([422, [{ path: 'migrate.context.price' }]]);
    const after = (await owner.request(`GET /api/chain/${slug}/explore?limit=50`)).body.rows as Json[];
    expect(after.filter(({ type }) => type === 'contract')).toEqual(before.filter(({ type }) => type === 'contract'));
    expect(await contract()).toMatchObject({ currentState: 'offered', current_version_no: 1, context: { price: 8 } });
  });
});
