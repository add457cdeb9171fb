// An Idempotency-Key is bound to one request: its path, version and body.

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ECHO, ownMachines } from './machine-fixture.ts';
import { type Caller, type Json, startService } from './service-fixture.ts';

const service = await startService();
const own = ownMachines(service, 'idempotent');
const NEW = 'POST /api/chain/state-machines';

const send = async (route: string, as: Caller, json: Json, headers: Record<string, string>) => {
  const answer = await service.call(route, { as, json, headers });
  const { code = 'ok' } = answer.json();
  return {
    status: answer.status,
    code,
    body: answer.json(),
    isReplayed: answer.headers.get('idempotency-replayed') === 'true',
  };
};

describe('one key', () => {
  test('for two machines is rejected for the second, so no event is silently lost', async () => {
    const [first, second] = [await own.machine(), await own.machine()];
    const headers = { 'idempotency-key': 'order-1' };
    const event = { name: 'paid', payload: { amount: 10 } };
    expect(await send(`POST /api/chain/${first}/event`, 'admin', event, headers)).toMatchObject({ status: 201 });
    expect(await send(`POST /api/chain/${first}/event`, 'admin', event, headers)).toMatchObject({
      status: 201,
      isReplayed: true,
    });
    expect(await send(`POST /api/chain/${second}/event`, 'admin', event, headers)).toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    const types = async (slug: string) => (await own.rows(slug)).map(({ type }) => type);
    expect([await types(first), await types(second)]).toEqual([['genesis', 'event'], ['genesis']]);
  });

  test('for two contracts freezes the first and is rejected for the second', async () => {
    const slug = await own.machine();
    const deploy = async () => {
      const made = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
      return String((made.contract as Json).id);
    };
    const [first, second] = [await deploy(), await deploy()];
    const headers = { 'idempotency-key': 'freeze' };
    const freeze = (id: string) => send(`POST /api/chain/${slug}/contracts/${id}/freeze`, 'admin', {}, headers);
    expect(await freeze(first)).toMatchObject({ status: 200 });
    expect(await freeze(second)).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('never returns the key of another machine', async () => {
    const [first, second] = [await own.machine(), await own.machine()];
    const headers = { 'idempotency-key': 'developer' };
    const ask = { name: 'reader', scope: 'read' };
    const made = await send(`POST /api/chain/${first}/api-keys`, 'admin', ask, headers);
    expect(made.status).toBe(201);
    const again = await send(`POST /api/chain/${second}/api-keys`, 'admin', ask, headers);
    expect(again).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(JSON.stringify(again.body)).not.toContain(String(made.body.key));
  });

  test('with another If-Match is another request', async () => {
    const slug = await own.machine();
    const made = await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ECHO }, 201);
    const route = `PATCH /api/chain/${slug}/contracts/${(made.contract as Json).id}`;
    const rename = (version: string) =>
      send(route, 'admin', { name: 'renamed' }, { 'idempotency-key': 'rename', 'if-match': `"${version}"` });
    const first = await rename('1');
    expect(first.status).toBe(200);
    expect(await rename('1')).toMatchObject({ status: 200, isReplayed: true });
    expect(await rename('3')).toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_REUSED' });
  });
});

describe('without an API key', () => {
  test('only an unguessable key is accepted: clients share addresses, and responses contain secrets', async () => {
    const short = await send(NEW, 'anonymous', { slug: 'guessed-1' }, { 'idempotency-key': '1' });
    expect([short.status, short.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(short.body.error).toMatch(/Idempotency-Key must have 16 to 255 characters, not 1/);
    const headers = { 'idempotency-key': randomUUID() };
    const made = await send(NEW, 'anonymous', { slug: 'guessed-2' }, headers);
    expect(made.status).toBe(201);
    const again = await send(NEW, 'anonymous', { slug: 'guessed-2' }, headers);
    expect(again).toMatchObject({ status: 201, isReplayed: true, body: { key: made.body.key } });
  });
});

describe('a write whose answer was lost', () => {
  const slug = 'idempotent-lost';
  const contract = `/api/chain/${slug}/contracts`;

  test.each([
    ['POST /api/chain/state-machines', { slug }],
    [`POST ${contract}/custom`, { definition: ECHO }],
    [`POST /api/chain/${slug}/event`, { name: 'ping', payload: { n: 1 } }],
    [`POST ${contract}/{id}/transition`, { transition: 'answer' }],
    [`PATCH ${contract}/{id}`, { name: 'renamed' }],
    [`POST ${contract}/{id}/pause`, {}],
    [`POST ${contract}/{id}/resume`, {}],
    [`POST ${contract}/{id}/freeze`, {}],
    [`PATCH /api/chain/${slug}/settings`, { description: 'changed' }],
    [`POST /api/chain/${slug}/status`, { status: 'archived' }],
  ])('is answered by its repetition and made once: %s', async (pattern, json) => {
    const { idempotency, machines } = service.running.storage;
    const id = pattern.includes('{id}')
      ? ((await own.request(`GET ${contract}`, 'admin')).rows as Json[] | undefined)?.[0]?.id
      : '';
    const route = pattern.replace('{id}', String(id));
    const headers = { 'idempotency-key': `lost ${pattern}` };
    const complete = idempotency.complete;
    idempotency.complete = () => Promise.reject(new Error('The node dies here.'));
    const lost = await send(route, 'admin', json, headers).finally(() => {
      idempotency.complete = complete;
    });
    expect(lost.status).toBe(500);
    await service.running.storage.database.knex.raw('update idempotency set lease_until = ? where key = ?', [
      '2020-01-01',
      headers['idempotency-key'],
    ]);
    const head = (await machines.bySlug(slug))?.head;
    const repeated = await send(route, 'admin', json, headers);
    expect([repeated.status < 300, repeated.body]).toMatchObject([true, { ok: true }]);
    expect((await machines.bySlug(slug))?.head).toEqual(head);
    expect(await send(route, 'admin', json, headers)).toEqual({ ...repeated, isReplayed: true });
  });
});
