// Decryption of sealed payloads over HTTP: only for the owner, and without a trace of the equation.

import { beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../../src/storage/database/sql.ts';
import { RpcClient } from '../mcp/rpc-client.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';
import { type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Answer, type Json, startService } from './service-fixture.ts';

const service = await startService({ rates: unlimitedRates() });
let own: OwnMachines;
beforeAll(async () => {
  own = ownMachines(service, 'sealed');
});

interface PrivateMachine {
  readonly slug: string;
  readonly equation: string;
  readonly zid: string;
  readonly key: string;
  ask(route: string, json?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

let createdCount = 0;

/** Creates a machine for a new identity; private by default. */
async function spinUp(fields: Json = { is_public: false }): Promise<PrivateMachine> {
  const slug = `sealed-own-${createdCount++}`;
  const answer = await own.request('POST /api/chain/state-machines', 'anonymous', { slug, ...fields }, 201);
  const { equation = '', zid = '', key = '' } = answer as Record<string, string>;
  const headers = { authorization: `Bearer ${key}` };
  const ask: PrivateMachine['ask'] = (route, json, more = {}) =>
    service.call(route, { headers: { ...headers, ...more }, ...(json === undefined ? {} : { json }) });
  return { slug, equation, zid, key, ask };
}

const decrypt = ({ slug, equation, ask }: PrivateMachine, fields: Json = {}, headers = {}) =>
  ask(`POST /api/chain/${slug}/audit/decrypt`, { equation, ...fields }, headers);
const logEvent = ({ slug, ask }: PrivateMachine, name: string, payload: Json) =>
  ask(`POST /api/chain/${slug}/event`, { name, payload });
const outcome = (answer: Answer) => [answer.status, answer.json().code ?? 'ok'];

test('the owner decrypts payloads and salts page by page; all other reads omit the payloads', async () => {
  const machine = await spinUp();
  for (let n = 0; n < 5; n++) expect((await logEvent(machine, 'noted', { n })).status).toBe(201);
  const read: Json[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page = (await decrypt(machine, { from, limit: 2 })).json() as { rows: Json[]; next_from: number | null };
    expect(page.rows.length).toBeLessThanOrEqual(2);
    read.push(...page.rows);
    from = page.next_from;
  }
  expect(read.map(({ seq }) => seq)).toEqual(read.map((_, i) => i));
  const noted = read.filter(({ type }) => type === 'event');
  expect(noted.map(({ payload }) => payload)).toEqual([0, 1, 2, 3, 4].map((n) => ({ name: 'noted', payload: { n } })));
  expect(read.every(({ commit_ok, salt }) => commit_ok === true && /^[0-9a-f]{32}$/.test(String(salt)))).toBe(true);
  for (const path of ['explore', 'state', 'events?source=all', `block?svcond=${String(noted[0]?.svcond)}`]) {
    const seen = (await machine.ask(`GET /api/chain/${machine.slug}/${path}`)).text;
    expect(seen).toContain('"payload":null');
    expect(seen).not.toContain('"n":');
  }
  expect((await machine.ask(`GET /api/chain/${machine.slug}/pohc/validate`)).json()).toMatchObject({
    valid: true,
    erased: 0,
    sealed: read.filter(({ type }) => type !== 'genesis').length,
  });
  expect((await machine.ask(`GET /api/chain/state-machines/${machine.slug}`)).json()).toMatchObject({
    machine: { is_public: false, is_sealed: true },
  });
});

describe('decryption is rejected', () => {
  test('for an admin with the equation, and with 404 for strangers', async () => {
    const machine = await spinUp();
    const { slug, equation } = machine;
    const zid = await own.zidOf('other');
    expect((await machine.ask(`POST /api/chain/${slug}/admins`, { zid, role: 'admin' })).status).toBeLessThan(300);
    const tryDecrypt = (as: 'other' | 'admin' | 'anonymous') =>
      service.call(`POST /api/chain/${slug}/audit/decrypt`, { as, json: { equation } });
    expect(outcome(await tryDecrypt('other'))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await tryDecrypt('admin'))).toEqual([404, 'NOT_FOUND']);
    expect(outcome(await tryDecrypt('anonymous'))).toEqual([401, 'AUTH_REQUIRED']);
    expect((await decrypt(machine)).status).toBe(200);
  });

  test('for the equation of another owner, like an unknown one', async () => {
    const machine = await spinUp();
    const { equation } = await spinUp();
    for (const wrong of [equation, `${machine.equation}0`])
      expect(outcome(await decrypt({ ...machine, equation: wrong }))).toEqual([403, 'FORBIDDEN']);
  });

  test('on a machine without sealed payloads, and beyond the last row', async () => {
    const open = await spinUp({});
    expect(outcome(await decrypt(open))).toEqual([409, 'CONFLICT']);
    expect(outcome(await decrypt(await spinUp(), { from: 99 }))).toEqual([422, 'VALIDATION_FAILED']);
  });
});

describe('the equation', () => {
  test('is accepted only from the owner of a private machine, and must be their own', async () => {
    const machine = await spinUp({ is_public: true });
    const { slug, equation, ask } = machine;
    const patch = (json: Json) => ask(`PATCH /api/chain/${slug}/settings`, json);
    expect(outcome(await patch({ equation }))).toEqual([422, 'VALIDATION_FAILED']);
    expect(outcome(await patch({ equation: 'x', is_public: false }))).toEqual([403, 'FORBIDDEN']);
    expect((await patch({ is_public: false })).json()).toMatchObject({ machine: { is_sealed: false } });
    expect((await patch({ equation })).json()).toMatchObject({ machine: { is_sealed: true } });
    await logEvent(machine, 'noted', { n: 1 });
    const { rows: read } = (await decrypt(machine)).json() as { rows: Json[] };
    expect(read.at(-1)).toMatchObject({ payload: { name: 'noted', payload: { n: 1 } }, sealed: true });
    // A second machine of the account: the identity exists already, and the service does not store its equation.
    const create = (json: Json) => ask('POST /api/chain/state-machines', { is_public: false, ...json });
    expect((await create({})).json()).toMatchObject({ machine: { is_sealed: false } });
    const second = (await create({ equation })).json();
    expect(second).toMatchObject({ machine: { is_sealed: true } });
    const page = (await decrypt({ ...machine, slug: String((second.machine as Json).slug) })).json() as {
      rows: Json[];
    };
    expect(page.rows[0]?.payload).toMatchObject({ owner_commit: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(outcome(await create({ equation: `${equation}1` }))).toEqual([403, 'FORBIDDEN']);
    expect(outcome(await create({ equation, is_public: true }))).toEqual([422, 'VALIDATION_FAILED']);
    const zid = await own.zidOf('other');
    await ask(`POST /api/chain/${slug}/admins`, { zid, role: 'admin' });
    const byAdmin = await service.call(`PATCH /api/chain/${slug}/settings`, { as: 'other', json: { equation } });
    expect(outcome(byAdmin)).toEqual([403, 'FORBIDDEN']);
  });

  test('and decrypted payloads leave no trace in errors, logs, rows or stored responses', async () => {
    const machine = await spinUp();
    const { slug, equation } = machine;
    await logEvent(machine, 'noted', { secret: 'Ada-1815' });
    const idempotent = { 'idempotency-key': 'once' };
    for (const _ of [1, 2]) {
      const answer = await decrypt(machine, {}, idempotent);
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
      expect(answer.text).toContain('Ada-1815');
    }
    const { knex } = service.running.storage.database;
    const route = 'POST /api/chain/{slug}/audit/decrypt';
    expect(await rows(knex, 'select 1 from idempotency where route = ?', [route])).toEqual([]);
    const before = service.produced.length;
    for (const given of [[equation], { of: equation }, equation.repeat(20)]) {
      expect((await decrypt({ ...machine, equation: given as string })).status).toBe(422);
      expect((await service.call(`POST /api/chain/${slug}/unlock`, { json: { equation: given } })).status).toBe(422);
    }
    await decrypt({ ...machine, equation: `${equation}1` });
    const output = service.produced.slice(before).join('\n');
    expect(output.length).toBeGreaterThan(1_000);
    expect(output).not.toContain(equation.slice(0, 20));
    const stored = await rows<{ text: string }>(knex, 'select row_to_json(t)::text as text from audit t');
    expect(stored.some(({ text }) => text.includes(equation) || text.includes('Ada-1815'))).toBe(false);
  });

  test('cannot be used through svc_http, which stores long responses', async () => {
    const { slug, equation, key } = await spinUp();
    const path = `/api/chain/${slug}/audit/decrypt`;
    const mcp = new RpcClient(service.running.url);
    const answer = await mcp.call('svc_http', { method: 'POST', path, body: { equation } }, { key });
    expect(answer.structuredContent).toMatchObject({ ok: false, code: 'FORBIDDEN' });
  });
});
