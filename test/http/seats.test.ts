// The list of the contracts and instances in which somebody acts for a party, what it says of private machines, its
// rebuilding from states, and that fsck finds each edit of its table.

import { beforeAll, describe, expect, test } from 'vitest';
import { up } from '../../migrations/0038_contract_seats.ts';
import { type Executor, rows } from '../../src/storage/database/sql.ts';
import { PATIENT_LOANS } from '../contracts/instances/loans.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { createPeople, createSigner, type Person, SALE } from './party-fixture.ts';
import { SERVICE_DATABASES, startServiceOn } from './service-databases.ts';
import type { Json, TestService } from './service-fixture.ts';

const signer = createSigner(21);

describe.each(SERVICE_DATABASES)('on $name', ({ url }) => {
  let service: TestService;
  let people: ReturnType<typeof createPeople>;
  const named = {} as Record<'owner' | 'bank' | 'ann' | 'bob' | 'carl' | 'dora', Person>;
  let slug: string;
  let id: string;

  const seatsOf = async (who: Person, query = ''): Promise<Json[]> => {
    const { status, body } = await who.request(`GET /api/seats${query}`);
    expect(status).toBe(200);
    return body.rows as Json[];
  };
  const briefly = async (who: Person, query = '') =>
    (await seatsOf(who, query)).map(({ contract, instance, party, status, currentState }) => [
      contract === id ? instance : contract,
      party,
      status,
      currentState,
    ]);
  const path = (rest: string) => `/api/chain/${slug}/contracts/${id}${rest}`;
  const as = async (who: Person, name: string, payload: Json) => {
    const { status, body } = await who.request(`POST ${path('/event')}`, { name, payload });
    // The first of two votes moves nothing.
    expect([status, (body.refused as Json[]).filter(({ code }) => code !== 'QUORUM')]).toEqual([201, []]);
  };
  const ask = (loan: string, borrower: string) => as(named.owner, 'ask', { loan, amount: 4, borrower });
  const bound = () => ({
    bank: { zid: named.bank.zid },
    auditors: [{ zid: named.ann.zid }, { ed25519: signer.ed25519 }],
  });
  const begin = async (definition: unknown = PATIENT_LOANS, isPublic = false, bindings: Json = bound()) => {
    slug = await people.openMachine(named.owner, isPublic);
    id = await people.deploy(named.owner, slug, definition, bindings);
  };
  const table = (on: Executor) => rows(on, 'select * from contract_seat order by contract_id, instance, zid, key_id');

  beforeAll(async () => {
    service = await startServiceOn(url);
    people = createPeople(service);
    for (const name of ['owner', 'bank', 'ann', 'bob', 'carl', 'dora'] as const)
      named[name] = await people.openPerson(name);
  });

  test('a borrower finds each loan, a bank finds the contract, and others find nothing', async () => {
    const { carl, dora, bank, ann, owner, bob } = named;
    await begin();
    await ask('L1', carl.zid);
    await ask('L2', dora.zid);
    await ask('L3', carl.zid);
    expect(await briefly(carl)).toEqual([
      ['L1', 'borrower', 'active', 'asked'],
      ['L3', 'borrower', 'active', 'asked'],
    ]);
    expect(await briefly(dora)).toEqual([['L2', 'borrower', 'active', 'asked']]);
    expect(await briefly(bank)).toEqual([[null, 'bank', 'active', expect.any(String)]]);
    expect(await briefly(ann)).toEqual([[null, 'auditors', 'active', expect.any(String)]]);
    expect([await seatsOf(owner), await seatsOf(bob)]).toEqual([[], []]);
    expect((await people.anonymous('GET /api/seats')).status).toBe(401);
  });

  test('each seat leads to what the caller may read, and says no more than that', async () => {
    const { carl, bank } = named;
    const [seat] = await seatsOf(carl, `?machine=${slug}`);
    expect(seat).toMatchObject({ slug, contract: id, name: null, key: null, next_fire: expect.any(Number) });
    expect((await carl.request(`GET ${path(`/instances/${seat?.instance}`)}`)).status).toBe(200);
    expect((await carl.request(`GET ${path('')}`)).status).toBe(404);
    expect(await seatsOf(bank, `?machine=${slug}`)).toMatchObject([{ name: 'loan' }]);
    expect((await bank.request(`GET ${path('')}`)).status).toBe(200);
  });

  test('the end of an instance, and the status of a contract, are in the list', async () => {
    const { bank, carl, ann, owner } = named;
    await as(bank, 'grant', { loan: 'L1' });
    await as(carl, 'repay', { loan: 'L1', amount: 4 });
    for (const who of [ann, carl]) await as(who, 'check', { loan: 'L1', ok: true });
    expect(await briefly(carl, '?status=completed')).toEqual([['L1', 'borrower', 'completed', 'closed']]);
    expect(await briefly(carl, '?status=active')).toEqual([['L3', 'borrower', 'active', 'asked']]);
    await owner.request(`POST ${path('/pause')}`);
    expect(await briefly(bank)).toEqual([[null, 'bank', 'paused', expect.any(String)]]);
    expect(await briefly(carl, '?status=active')).toHaveLength(1);
    await owner.request(`POST ${path('/resume')}`, {});
    expect(await briefly(bank)).toEqual([[null, 'bank', 'active', expect.any(String)]]);
  });

  test('who is bound anew finds it, and who leaves does not', async () => {
    const { carl, dora, bank, bob } = named;
    const rebind = async (who: Person, party: string, zid: string, instance?: string) =>
      expect((await who.request(`POST ${path('/rebind')}`, { party, bindings: { zid }, instance })).status).toBe(200);
    await rebind(carl, 'borrower', bob.zid, 'L3');
    expect(await briefly(carl, '?status=active')).toEqual([]);
    expect(await briefly(bob)).toEqual([['L3', 'borrower', 'active', 'asked']]);
    await rebind(bank, 'bank', dora.zid);
    expect(await briefly(bank)).toEqual([]);
    expect(await briefly(dora)).toEqual([
      [null, 'bank', 'active', expect.any(String)],
      ['L2', 'borrower', 'active', 'asked'],
    ]);
    // After a binding the node reads the contract and its instances from the database again.
    await rebind(bob, 'borrower', carl.zid, 'L3');
    expect([await briefly(bob), await briefly(carl, '?status=active')]).toEqual([
      [],
      [['L3', 'borrower', 'active', 'asked']],
    ]);
  });

  test('a key that begins anew gives its seat to whom it binds then', async () => {
    const { bob, ann, dora, carl } = named;
    await begin({ ...PATIENT_LOANS, respawn: true });
    await ask('R1', bob.zid);
    await as(named.bank, 'grant', { loan: 'R1' });
    await as(bob, 'repay', { loan: 'R1', amount: 4 });
    for (const who of [ann, bob]) await as(who, 'check', { loan: 'R1', ok: true });
    expect(await briefly(bob, `?machine=${slug}`)).toEqual([['R1', 'borrower', 'completed', 'closed']]);
    await ask('R1', dora.zid);
    expect(await briefly(bob, `?machine=${slug}`)).toEqual([]);
    expect(await briefly(dora, `?machine=${slug}`)).toEqual([['R1', 'borrower', 'active', 'asked']]);
    await named.owner.request(`POST ${path('/freeze')}`);
    expect(await briefly(carl, `?machine=${slug}`)).toEqual([]);
  });

  test('a developer key finds its own seats, and not those of another key of the machine', async () => {
    const { owner } = named;
    slug = await people.openMachine(owner);
    const open = async (name: string) => {
      const { body } = await owner.request(`POST /api/chain/${slug}/api-keys`, { name, scope: 'write' });
      return { key: String(body.key), id: String((body.record as Json).id) };
    };
    const [first, second] = [await open('first'), await open('second')];
    const bindings = { seller: { key: first.id }, buyer: { key: second.id }, inspectors: { zid: named.ann.zid } };
    const refused = await owner.request(`POST /api/chain/${slug}/contracts/custom`, { definition: SALE, bindings });
    // Both keys are of one account, and one account acts for one party.
    expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED' });
    id = await people.deploy(owner, slug, SALE, { ...bindings, buyer: { zid: named.bob.zid } });
    const listed = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await service.call(`GET /api/seats?machine=${slug}`, { headers })).json().rows as Json[];
    };
    expect(await listed(first.key)).toMatchObject([{ contract: id, party: 'seller', key: first.id }]);
    expect(await listed(second.key)).toEqual([]);
  });

  test('pages have every seat once, whatever they are filtered by', async () => {
    const { carl } = named;
    await begin(PATIENT_LOANS, true);
    for (let i = 0; i < 7; i++) await ask(`P${i}`, carl.zid);
    for (const query of ['', `&machine=${slug}`, '&status=active', `&machine=${slug}&status=active`]) {
      const whole = await seatsOf(carl, `?limit=200${query}`);
      const pages: Json[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await carl.request(`GET /api/seats?limit=3${query}${cursor}`);
        pages.push(...(body.rows as Json[]));
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      expect(pages).toEqual(whole);
      expect(whole.length).toBeGreaterThanOrEqual(7);
    }
    expect(await seatsOf(carl, `?machine=${slug}&limit=1`)).toMatchObject([{ instance: 'P0', name: 'loan' }]);
    expect(await seatsOf(carl, '?machine=no-such-machine')).toEqual([]);
    expect((await carl.request('GET /api/seats?cursor=abc')).status).toBe(422);
  });

  test('the migration makes the same seats from the states', async () => {
    const { knex } = service.running.storage.database;
    const before = await table(knex);
    expect(before.length).toBeGreaterThan(15);
    class Undone extends Error {}
    const rebuilt: unknown[] = [];
    await knex
      .transaction(async (on) => {
        // A text of a context may have what PostgreSQL accepts in no JSON.
        const place = `where machine_id = (select id from machine where slug = '${slug}') and key = 'P0'`;
        await rows(
          on,
          `update contract_instance set state = replace(state, '"last":"', '"last":"\\u0000\\ud800') ${place}`,
        );
        await rows(on, 'drop table contract_seat');
        await up(on);
        rebuilt.push(...(await table(on)));
        throw new Undone();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    expect(rebuilt).toEqual(before);
  });

  test('fsck finds each edit of the table', async () => {
    expect(await faultsAfter(service, async () => {})).toEqual([]);
    const of = `where contract_id = '${id}'`;
    const edits: readonly (readonly [sql: string, code: string, message: string])[] = [
      [`delete from contract_seat ${of} and instance = 'P0'`, 'SAID', 'borrower is missing'],
      [`delete from contract_seat ${of} and party = 'bank'`, 'SAID', 'bank is missing'],
      [`update contract_seat set zid = '${named.dora.zid}' ${of} and instance = 'P1'`, 'SAID', 'to no party'],
      [`update contract_seat set key_id = 'k' ${of} and instance = 'P1'`, 'SAID', 'to no party'],
      [`update contract_seat set party = 'bank' ${of} and instance = 'P2'`, 'SAID', 'the state says borrower'],
      [`update contract_seat set status = 'failed' ${of} and instance = 'P3'`, 'SAID', 'expected active'],
      [`update contract_seat set status = 'paused' ${of} and party = 'bank'`, 'SAID', 'expected active'],
      [`update contract_seat set instance = 'none' ${of} and instance = 'P4'`, 'STRAY', 'no instance "none"'],
      [
        `update contract_seat set contract_id = '00000000-0000-7000-8000-000000000000' ${of} and party = 'bank'`,
        'STRAY',
        '',
      ],
    ];
    for (const [sql, code, message] of edits) {
      const found = await faultsAfter(service, (on) => rows(on, sql));
      expect([sql, found]).toEqual([
        sql,
        expect.arrayContaining([
          expect.objectContaining({ table: 'contract_seat', code, message: expect.stringContaining(message) }),
        ]),
      ]);
    }
  });
});
