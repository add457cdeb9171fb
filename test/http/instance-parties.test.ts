// Parties of instances over HTTP: who may begin, see and move one, signatures, other parties, versions that wait for
// acceptance, receipts, and what verify and fsck find.

import { beforeAll, describe, expect, test } from 'vitest';
import { type Executor, rows } from '../../src/storage/database/sql.ts';
import { PATIENT_LOANS as LOANS, PATIENT_OWN_LOANS as OWN_LOANS } from '../contracts/instances/loans.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { createPeople, createSigner, type Person } from './party-fixture.ts';
import { type Json, startService } from './service-fixture.ts';

const service = await startService({ logsRefusals: true });
const { openPerson, openMachine, deploy, anonymous } = createPeople(service);
const signer = createSigner(9);
let owner: Person;
let bank: Person;
let ann: Person;
let bob: Person;
let carl: Person;
let dora: Person;
let slug: string;
let id: string;

beforeAll(async () => {
  [owner, bank, ann, bob, carl, dora] = (await Promise.all(
    ['owner', 'bank', 'ann', 'bob', 'carl', 'dora'].map(openPerson),
  )) as [Person, Person, Person, Person, Person, Person];
});

const path = (rest = '') => `/api/chain/${slug}/contracts/${id}${rest}`;
const bound = () => ({ bank: { zid: bank.zid }, auditors: [{ zid: ann.zid }, { zid: bob.zid }] });
const as = (who: Person, name: string, payload: Json) => who.request(`POST ${path('/event')}`, { name, payload });
const loan = async (key: string) => (await owner.request(`GET ${path(`/instances/${key}`)}`)).body.instance as Json;
const view = async (key: string, who = owner) => (await who.request(`GET ${path(`/instances/${key}/parties`)}`)).body;
const ask = (key: string, borrower: string) => as(owner, 'ask', { loan: key, amount: 4, borrower });

async function begin(definition: unknown = LOANS, isPublic = false): Promise<void> {
  slug = await openMachine(owner, isPublic);
  id = await deploy(owner, slug, definition, bound());
}

const rowsOf = async (type: string) =>
  ((await owner.request(`GET /api/chain/${slug}/explore?type=${type}&limit=50`)).body.rows as Json[]).map(
    ({ payload, actor }): Json => ({ ...(payload as Json), actor }),
  );

const verified = async () => (await owner.request(`POST ${path('/verify')}`, {})).body;

describe('bound by the event that begins it', () => {
  test('each loan has its own borrower, who sees and moves it and no other', async () => {
    await begin();
    expect((await ask('L1', carl.zid)).body).toMatchObject({ party: null, fired: [{ instance: 'L1' }] });
    expect((await ask('L2', dora.zid)).status).toBe(201);
    const [second, first] = (await rowsOf('contract')).filter(({ act }) => act === 'spawned');
    expect(first).toMatchObject({
      instance: 'L1',
      bindings: { borrower: [{ zid: carl.zid }], bank: [{ zid: bank.zid }] },
    });
    expect(second).toMatchObject({ instance: 'L2', bindings: { borrower: [{ zid: dora.zid }] } });
    const seen = async (who: Person, route: string) => (await who.request(`GET ${path(route)}`)).status;
    expect([await seen(carl, '/instances/L1'), await seen(carl, '/instances/L1/parties')]).toEqual([200, 200]);
    expect([
      await seen(carl, '/instances/L2'),
      await seen(carl, '/instances'),
      await seen(dora, '/instances/L1'),
    ]).toEqual([404, 404, 404]);
    expect([await seen(bank, '/instances/L2'), await seen(bank, '/instances')]).toEqual([200, 404]);
    expect((await carl.request(`GET ${path('/instances/L1/audit')}`)).body.rows).toHaveLength(1);
    expect((await view('L1', carl)).you).toBe('borrower');
  });

  test('others are refused by name, with nothing written', async () => {
    const before = (await rowsOf('event')).length;
    for (const [who, name, key] of [
      [carl, 'grant', 'L1'],
      [owner, 'grant', 'L1'],
      [owner, 'repay', 'L1'],
    ] as const) {
      const { status, body } = await as(who, name, { loan: key, amount: 4 });
      expect([status, body.code]).toEqual([403, 'FORBIDDEN_PARTY']);
    }
    // Who is bound in another loan only learns nothing of this one.
    expect((await as(carl, 'repay', { loan: 'L2', amount: 4 })).status).toBe(404);
    expect((await rowsOf('event')).length).toBe(before);
    expect((await as(bank, 'grant', { loan: 'L1' })).body).toMatchObject({
      party: 'bank',
      fired: [{ instance: 'L1' }],
    });
    expect(await loan('L1')).toMatchObject({ currentState: 'granted', context: { last: 'bank' } });
    expect(await loan('L2')).toMatchObject({ currentState: 'asked' });
  });

  test('the receipt names the instance and who moved it, and verify checks it', async () => {
    const granted = (await rowsOf('transition')).find(({ transition }) => transition === 'grant');
    const by = { party: 'bank', voter: `zid:${bank.zid}` };
    expect(granted).toMatchObject({ instance: 'L1', receipt: { kind: 'transition', instance: 'L1', by } });
    expect(await verified()).toMatchObject({ valid: true, checked: { receipts: 1 } });
  });

  test('votes count for one loan, and the list says how many of how many', async () => {
    expect((await as(carl, 'repay', { loan: 'L1', amount: 4 })).body.fired).toMatchObject([{ transition: 'settle' }]);
    expect(await loan('L1')).toMatchObject({
      currentState: 'repaid',
      quorums: [{ transition: 'close', count: 0, needed: 2, vetoes: 0 }],
    });
    await as(ann, 'check', { loan: 'L1', ok: true });
    const { rows } = (await owner.request(`GET ${path('/instances')}`)).body as { rows: Json[] };
    expect(rows.map(({ key, quorums }) => [key, quorums])).toEqual([
      ['L1', [{ transition: 'close', count: 1, needed: 2, vetoes: 0 }]],
      ['L2', undefined],
    ]);
    expect((await view('L1')).quorums).toMatchObject([
      { count: 1, votes: [{ voter: `zid:${ann.zid}`, counts: true }] },
    ]);
    expect((await as(ann, 'check', { loan: 'L1', ok: true })).body.refused).toMatchObject([{ code: 'QUORUM' }]);
    expect((await as(carl, 'check', { loan: 'L1', ok: true })).body.fired).toMatchObject([{ to: 'closed' }]);
    expect((await as(carl, 'check', { loan: 'L1', ok: true })).body.refused).toMatchObject([{ code: 'KEY_FINISHED' }]);
    expect(await verified()).toMatchObject({ valid: true });
  });

  test.each([
    ['no ZID', 'carl'],
    ['capital letters', 'A'.repeat(32)],
    ['who acts for the bank', () => bank.zid],
  ])('%s is no borrower: BAD_PARTY, and no loan begins', async (_, borrower) => {
    const given = typeof borrower === 'string' ? borrower : borrower();
    const { refused, fired } = (await ask('L9', given)).body as { refused: Json[]; fired: Json[] };
    expect([fired, refused]).toMatchObject([[], [{ code: 'BAD_PARTY', path: 'payload.borrower', instance: 'L9' }]]);
    expect((await owner.request(`GET ${path('/instances/L9')}`)).status).toBe(404);
  });
});

describe('whoever sends the first event', () => {
  test('begins a loan of their own on a public machine, without membership', async () => {
    await begin(OWN_LOANS, true);
    const sent = await as(carl, 'ask', { loan: 'M1', amount: 3 });
    expect([sent.status, sent.body]).toMatchObject([201, { party: 'borrower', fired: [{ instance: 'M1' }] }]);
    const [spawned] = await rowsOf('contract');
    expect(spawned).toMatchObject({ act: 'spawned', party: 'borrower', bindings: { borrower: [{ zid: carl.zid }] } });
    expect((await loan('M1')).context).toMatchObject({ last: 'borrower' });
    expect((await as(dora, 'ask', { loan: 'M1', amount: 3 })).body.code).toBe('FORBIDDEN_PARTY');
    expect((await as(bank, 'ask', { loan: 'M2', amount: 3 })).body.code).toBe('FORBIDDEN_PARTY');
    expect(await verified()).toMatchObject({ valid: true });
  });

  test('not on a private machine, where the contract stays unseen, nor where the definition does not say so', async () => {
    await begin(OWN_LOANS);
    expect((await as(carl, 'ask', { loan: 'M1', amount: 3 })).status).toBe(404);
    await begin(LOANS, true);
    const { status, body } = await as(carl, 'ask', { loan: 'M1', amount: 3, borrower: carl.zid });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN_PARTY']);
  });

  test('signs it with a key, relayed by anybody; a number counts once, and nothing of one loan is for another', async () => {
    await begin(OWN_LOANS, true);
    const signed = (name: string, payload: Json, nonce: number) =>
      anonymous(`POST ${path('/event')}`, {
        name,
        payload,
        signature: signer.sign({ machine: slug, contract: id, name, payload, nonce }),
      });
    expect((await signed('ask', { loan: 'S1', amount: 3 }, 5)).body).toMatchObject({ party: 'borrower' });
    expect((await view('S1')).parties).toMatchObject([
      {},
      {},
      { name: 'borrower', bound: [{ ed25519: signer.ed25519 }] },
    ]);
    await as(bank, 'grant', { loan: 'S1' });
    expect((await signed('repay', { loan: 'S1', amount: 1 }, 5)).status).toBe(409);
    expect((await signed('repay', { loan: 'S1', amount: 1 }, 6)).body).toMatchObject({
      fired: [{ transition: 'part' }],
    });
    expect((await signed('repay', { loan: 'S1', amount: 1 }, 6)).status).toBe(409);
    expect((await signed('repay', { loan: 'S2', amount: 1 }, 7)).status).toBe(403);
    expect((await signed('ask', { loan: 'S2', amount: 1 }, 1)).body).toMatchObject({ fired: [{ instance: 'S2' }] });
    expect(await verified()).toMatchObject({ valid: true, checked: { signatures: 3 } });
  });
});

describe('other parties and versions', () => {
  const decide = (who: Person, act: string, { no, terms_hash }: Json, instance: string) =>
    who.request(`POST ${path(`/proposals/${no}/${act}`)}`, { terms_hash, instance });

  test('a borrower hands one loan to a successor; others need all who stay', async () => {
    await begin();
    for (const key of ['R1', 'R2']) await ask(key, carl.zid);
    const rebind = (who: Person, instance: string, zid: string) =>
      who.request(`POST ${path('/rebind')}`, { party: 'borrower', bindings: { zid }, instance });
    expect((await rebind(dora, 'R1', dora.zid)).status).toBe(404);
    expect((await rebind(carl, 'R1', bank.zid)).body).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await rebind(carl, 'R1', dora.zid)).status).toBe(200);
    expect((await view('R1')).parties).toMatchObject([{}, {}, { bound: [{ zid: dora.zid }] }]);
    expect((await view('R2')).parties).toMatchObject([{}, {}, { bound: [{ zid: carl.zid }] }]);
    const { proposal } = (await rebind(owner, 'R2', dora.zid)).body as { proposal: Json };
    expect((await view('R2')).proposals).toMatchObject([{ no: proposal.no, kind: 'binding' }]);
    for (const who of [bank, ann]) expect((await decide(who, 'accept', proposal, 'R2')).status).toBe(200);
    expect((await decide(dora, 'accept', proposal, 'R1')).body.code).toBe('NOT_FOUND');
    expect((await view('R2')).parties).toMatchObject([{}, {}, { bound: [{ zid: carl.zid }] }]);
    expect((await decide(bob, 'accept', proposal, 'R2')).status).toBe(200);
    expect((await view('R2')).parties).toMatchObject([{}, {}, { bound: [{ zid: dora.zid }] }]);
    expect((await as(carl, 'note', { loan: 'R2', text: 'x' })).status).toBe(404);
    await as(bank, 'grant', { loan: 'R2' });
    expect((await as(dora, 'note', { loan: 'R2', text: 'x' })).body).toMatchObject({ fired: [{ instance: 'R2' }] });
    expect((await rebind(owner, 'R9', dora.zid)).status).toBe(404);
    const whole = await owner.request(`POST ${path('/rebind')}`, { party: 'borrower', bindings: { zid: dora.zid } });
    expect([whole.status, whole.body.error]).toEqual([422, expect.stringContaining('instance is missing')]);
    expect(await verified()).toMatchObject({ valid: true });
  });

  test('a version is for new loans at once, and for the others when their borrower has accepted it', async () => {
    await begin();
    for (const key of ['V1', 'V2']) await ask(key, carl.zid);
    const dearer = LOANS.transitions.map((one) =>
      one.id === 'settle' ? { ...one, fires_when: 'event.amount >= owed + 1' } : one,
    );
    const patched = await owner.request(`PATCH ${path()}`, { definition: { ...LOANS, transitions: dearer } });
    const { proposal } = patched.body as { proposal: Json };
    for (const who of [bank, ann, bob])
      expect(
        (await who.request(`POST ${path(`/proposals/${proposal.no}/accept`)}`, { terms_hash: proposal.terms_hash }))
          .status,
      ).toBe(200);
    await ask('V3', carl.zid);
    for (const key of ['V1', 'V2', 'V3']) await as(bank, 'grant', { loan: key });
    expect([(await loan('V1')).version_no, (await loan('V3')).version_no]).toEqual([1, 2]);
    const { version } = (await view('V1', carl)) as { version: Json };
    expect(version).toMatchObject({ no: 2, missing: [`zid:${carl.zid}`] });
    const accept = (who: Person, key: string, terms_hash: unknown) =>
      who.request(`POST ${path(`/instances/${key}/accept`)}`, { version_no: 2, terms_hash });
    expect((await accept(bank, 'V1', version.terms_hash)).body.code).toBe('FORBIDDEN_PARTY');
    expect((await accept(dora, 'V1', version.terms_hash)).status).toBe(404);
    expect((await accept(carl, 'V2', version.terms_hash)).status).toBe(409);
    expect((await accept(carl, 'V1', version.terms_hash)).body).toMatchObject({ version: null });
    await as(carl, 'note', { loan: 'V1', text: 'x' });
    for (const key of ['V1', 'V2']) await as(carl, 'repay', { loan: key, amount: 4 });
    expect([await loan('V1'), await loan('V2')]).toMatchObject([
      { version_no: 2, currentState: 'granted' },
      { version_no: 1, currentState: 'repaid' },
    ]);
    // Other accounts for the bank are no other terms, and reach a loan that has its version.
    await bank.request(`POST ${path('/rebind')}`, { party: 'bank', bindings: { zid: dora.zid } });
    expect((await as(bank, 'note', { loan: 'V1', text: 'y' })).status).toBe(404);
    expect((await as(dora, 'note', { loan: 'V1', text: 'y' })).body).toMatchObject({
      party: 'bank',
      fired: [{ instance: 'V1', transition: 'note' }],
    });
    expect(await verified()).toMatchObject({ valid: true });
    const replay = await owner.request(`POST ${path('/dry-run')}`, { from_svcond: 1, instance: 'V1' });
    expect(replay.body).toMatchObject({ ok: true });
  });
});

describe('fsck', () => {
  const set = (key: string, from: string, to: string) => async (on: Executor) => {
    const changed = await rows(
      on,
      'update contract_instance set state = replace(state, ?, ?) where key = ? and state like ? returning key',
      [from, to, key, `%${from}%`],
    );
    expect(changed).toHaveLength(1);
  };

  test('finds nothing wrong in all that these tests have written', async () => {
    expect(await faultsAfter(service, async () => undefined)).toEqual([]);
  });

  test('finds other bindings, numbers of signatures, acceptances and proposals of an instance', async () => {
    await begin();
    await ask('F1', carl.zid);
    await owner.request(`POST ${path('/rebind')}`, {
      party: 'borrower',
      bindings: { zid: dora.zid },
      instance: 'F1',
    });
    const edits: [string, string, string, string][] = [
      ['S1', signer.ed25519, createSigner(3).ed25519, 'not bound as the chain says'],
      ['S1', ':6}', ':5}', 'numbers of signatures'],
      ['V2', carl.zid, dora.zid, 'not bound as the chain says'],
      ['V2', '"proposals":[]', `"proposals":[],"accepted":{"no":2,"voters":["x"]}`, 'accepted a version'],
      ['F1', '"accepted":[]', '"accepted":["x"]', 'open proposals'],
    ];
    for (const [key, from, to, message] of edits) {
      const found = await faultsAfter(service, set(key, from, to));
      expect(found.map((fault) => fault.message)).toContainEqual(expect.stringContaining(message));
    }
  });

  test('verify finds an instance that is bound to another', async () => {
    const { knex } = service.running.storage.database;
    await set('F1', carl.zid, dora.zid)(knex as Executor);
    expect(await verified()).toMatchObject({ valid: false, first_bad: { reason: 'PARTY' } });
  });
});
