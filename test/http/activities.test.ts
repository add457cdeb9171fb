// Activities over HTTP: a law is computed in the pool, its result comes back once as an event that its receipt confirms.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { settledActivities } from '../../src/storage/contracts/activities.ts';
import { type Executor, rows as query } from '../../src/storage/database/sql.ts';
import { ENERGY, meter, rated } from '../contracts/calls/meter.ts';
import { transition } from '../contracts/transition.ts';
import { faultsAfter } from '../services/fsck/planted-faults.ts';
import { advanceClock, type OwnMachines, ownMachines } from './machine-fixture.ts';
import { type Json, startService, type TestService } from './service-fixture.ts';

let service: TestService;
let own: OwnMachines;

beforeAll(async () => {
  service = await startService({}, { SVC_OUTBOUND_ALLOW: '127.0.0.0/8' });
  own = ownMachines(service, 'activities');
});
afterAll(() => service.running.close());

const deploy = async (slug: string, definition: object, status = 201) =>
  String(
    (
      (await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, status)).contract as
        | Json
        | undefined
    )?.id,
  );
const contractOf = async (slug: string, id: string) =>
  (await own.request(`GET /api/chain/${slug}/contracts/${id}`, 'admin')).contract as Json;
const contextOf = async (slug: string, id: string) => (await contractOf(slug, id)).context as Json;
const rowsOf = async (slug: string, type: string) => (await own.rows(slug)).filter((row) => row.type === type);
const payloadsOf = async (slug: string, type: string) => (await rowsOf(slug, type)).map((row) => row.payload as Json);
const told = async (slug: string) => (await payloadsOf(slug, 'event')).filter(({ call }) => call !== undefined);

test('a law is computed, and its result comes back once, as its receipt says', async () => {
  const slug = await own.machine();
  const id = await deploy(slug, meter());
  const { seq } = await own.event(slug, 'body', { payload: { m: 2, v: 3 } });
  await expect.poll(() => contextOf(slug, id)).toEqual({ energy: 9, results: 1, failures: 0, why: '' });
  const [row, ...others] = await told(slug);
  expect(others).toEqual([]);
  const { payload, call, to, name } = row as { payload: Json; call: Json; to: string; name: string };
  const receipt = call.receipt as Json;
  expect([name, to, call.seq, call.no, call.tries]).toEqual(['measured', id, Number(seq) + 1, 0, 1]);
  expect(payload).toEqual({
    value: 9,
    unit: 'J',
    uncertainty: receipt.uncertainty,
    receipt: sha256Hex(canonicalJson(receipt)),
  });
  expect(receipt).toMatchObject({ operator_id: 'CM9', inputs: { m: 2, v: 3 }, value: 9 });
  const [started] = (await payloadsOf(slug, 'transition')).flatMap(({ calls = [] }) => calls as Json[]);
  expect(started).toEqual({
    operator: 'CM9',
    inputs: { m: 2, v: 3 },
    unit: 'J',
    into: 'measured',
    on_error: 'not_measured',
    tries: 3,
    backoff: 8,
    hops: 1,
  });
  // Anybody can run it again.
  const replay = await own.request('POST /api/svc/replay', undefined, receipt);
  expect(replay).toMatchObject({ equal: true });
  const whatIf = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', { from_svcond: 0 });
  expect(whatIf.replay).toMatchObject({ exact: true });
  const verified = await own.request(`POST /api/chain/${slug}/contracts/${id}/verify`, 'admin', {});
  expect(verified).toMatchObject({ valid: true });
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

test('inputs that the law refuses come back as a failure, at once; callers cannot tell either', async () => {
  const slug = await own.machine();
  const id = await deploy(slug, meter());
  await own.event(slug, 'body', { payload: { m: -2, v: 3 } });
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ results: 0, failures: 1, why: 'VALIDATION_FAILED' });
  const [row] = await told(slug);
  expect(row).toMatchObject({ name: 'not_measured', payload: { code: 'VALIDATION_FAILED', tries: 1 } });
  expect(JSON.stringify(row)).toContain('CM9.m');
  await own.event(slug, 'measured', { payload: { value: 7, unit: 'J', uncertainty: 0, receipt: '' } });
  await own.event(slug, 'not_measured', { payload: { code: 'MINE', tries: 1 } });
  const byHand = await service.call(`POST /api/chain/${slug}/contracts/${id}/transition`, {
    as: 'admin',
    json: { transition: 'note', payload: { value: 7, unit: 'J', uncertainty: 0, receipt: '' } },
  });
  expect(byHand.status).toBe(403);
  expect(await contextOf(slug, id)).toEqual({ energy: 0, results: 0, failures: 1, why: 'VALIDATION_FAILED' });
});

interface Received {
  readonly url: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A web server that answers as it is told, and keeps what it receives. */
async function webServer(answer: (response: ServerResponse, received: readonly Received[]) => void) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { url = '', method = '', headers } = request;
    received.push({ url, method, headers, body: Buffer.concat(chunks).toString() });
    answer(response, received);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest` };
}

const servers: (() => void)[] = [];
afterAll(() => {
  for (const close of servers) close();
});

const allow = (slug: string, ...hosts: string[]) =>
  own.request(`PATCH /api/chain/${slug}/settings`, 'admin', { http_allow: hosts });
const json = (response: ServerResponse, document: unknown, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(document));
const ask = (slug: string, currency = 'EUR') => own.event(slug, 'ask', { payload: { currency } });
const isSound = async (slug: string, id: string) => {
  const whatIf = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', { from_svcond: 0 });
  expect(whatIf.replay).toMatchObject({ exact: true });
  const verified = await own.request(`POST /api/chain/${slug}/contracts/${id}/verify`, 'admin', {});
  expect(verified).toMatchObject({ valid: true });
  expect(await faultsAfter(service, async () => {})).toEqual([]);
};

test.each(['GET', 'POST'] as const)('a request by %s is signed, and what it answers is recorded', async (method) => {
  const { received, url } = await webServer((response) => json(response, { rates: { USD: 1.08 }, day: 'Monday' }));
  const slug = await own.machine();
  await allow(slug, '127.0.0.1');
  const id = await deploy(slug, rated({ url, method }));
  await ask(slug, 'E U&R');
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ rate: 1.08 });
  const [request, ...others] = received;
  expect([request?.method, others]).toEqual([method, []]);
  expect(request?.url).toBe(method === 'GET' ? '/latest?base=E+U%26R' : '/latest');
  expect(request?.body).toBe(method === 'GET' ? '' : '{"base":"E U&R"}');
  const { secret } = await own.request(`GET /api/chain/${slug}/webhooks/secret`, 'admin');
  const key = Buffer.from(String(secret).slice('whsec_'.length), 'base64');
  const { 'webhook-id': hook, 'webhook-timestamp': at, 'webhook-signature': signature } = request?.headers ?? {};
  const signed = createHmac('sha256', key).update(`${hook}.${at}.${request?.body}`).digest('base64');
  expect(signature).toBe(`v1,${signed}`);
  const [row] = await told(slug);
  const text = '{"rates":{"USD":1.08},"day":"Monday"}';
  expect(row).toMatchObject({
    name: 'rated',
    payload: { rate: 1.08, status: 200, body: sha256Hex(text) },
    call: { tries: 1, http: { status: 200, bytes: text.length, body_sha256: sha256Hex(text), text } },
  });
  await isSound(slug, id);
});

test('a fault of the server is tried again under the same id, as often as the contract says', async () => {
  const { received, url } = await webServer((response, { length }) =>
    length === 2 ? json(response, { rates: { USD: 2 } }) : json(response, {}, 503),
  );
  const slug = await own.machine();
  await allow(slug, '127.0.0.1');
  const id = await deploy(slug, rated({ url }, {}, { retry: { tries: 2, backoff: 1 } }));
  await ask(slug);
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ rate: 2 });
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await ask(slug);
  await expect.poll(() => contextOf(slug, id), { timeout: 8_000 }).toMatchObject({ why: 'STATUS', tries: 2 });
  expect(received).toHaveLength(4);
  expect((await told(slug)).at(-1)).toMatchObject({ call: { code: 'STATUS', tries: 2 } });
  await isSound(slug, id);
});

test.each<[what: string, answer: (response: ServerResponse) => unknown, code: string]>([
  ['a page that is missing', (response) => json(response, {}, 404), 'STATUS'],
  ['a redirect', (response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), 'STATUS'],
  ['a page without the field', (response) => json(response, { rates: {} }), 'RESPONSE'],
  ['a text for a number', (response) => json(response, { rates: { USD: '1' } }), 'RESPONSE'],
  ['no JSON', (response) => response.end('<html>'), 'RESPONSE'],
  ['a page without an end', (response) => response.end('x'.repeat(LIMITS.outbound.answerBytes + 1)), 'BODY_TOO_LARGE'],
])('%s is a failure at once', async (_, answer, code) => {
  const { received, url } = await webServer(answer);
  const slug = await own.machine();
  await allow(slug, '127.0.0.1');
  const id = await deploy(slug, rated({ url }));
  await ask(slug);
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ rate: 0, why: code, tries: 1 });
  expect(received).toHaveLength(1);
});

test('only hosts in http_allow are called, whenever they were allowed, and never private addresses', async () => {
  const { received, url } = await webServer((response) => json(response, { rates: { USD: 2 } }));
  const slug = await own.machine();
  const refused = await service.call(`POST /api/chain/${slug}/contracts/custom`, {
    as: 'admin',
    json: { definition: rated({ url }) },
  });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('http_allow')]);
  expect(refused.text).toContain('transitions.ask.post.call.http.url');
  await allow(slug, '127.0.0.1', '192.168.1.1');
  const inside = await service.call(`POST /api/chain/${slug}/contracts/custom`, {
    as: 'admin',
    json: { definition: rated({ url: 'http://192.168.1.1/' }) },
  });
  expect([inside.status, inside.text]).toEqual([422, expect.stringContaining('ADDRESS_BLOCKED')]);
  const id = await deploy(slug, rated({ url }));
  await allow(slug, 'rates.example');
  await ask(slug);
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ why: 'FORBIDDEN', tries: 1 });
  expect(received).toEqual([]);
});

test('a solver runs, and its receipt can be run again', async () => {
  const slug = await own.machine();
  const heat = { operator: undefined, solver: 'heat', inputs: { nx: 'event.m', steps: '10' }, unit: 'T' };
  const id = await deploy(slug, meter({ operators: ['KO42'] }, { ...ENERGY, ...heat }));
  await own.event(slug, 'body', { payload: { m: 16, v: 0 } });
  await expect.poll(async () => (await told(slug)).length, { timeout: 10_000 }).toBe(1);
  const [row] = await told(slug);
  const { payload, call } = row as { payload: Json; call: Json };
  const receipt = call.receipt as Json;
  expect(payload).toMatchObject({ unit: 'T' });
  expect([receipt.solver, receipt.value]).toEqual(['heat', payload.value]);
  expect(await own.request('POST /api/svc/replay', undefined, receipt)).toMatchObject({ equal: true });
  await isSound(slug, id);
});

test('the result returns to the instance that asked', async () => {
  const slug = await own.machine();
  const id = await deploy(slug, keyedMeter());
  for (const body of ['a', 'b']) await own.event(slug, 'begin', { payload: { body } });
  await own.event(slug, 'body', { payload: { body: 'b', m: 2, v: 3 } });
  const instance = async (key: string) =>
    ((await own.request(`GET /api/chain/${slug}/contracts/${id}/instances/${key}`, 'admin')).instance as Json).context;
  await expect.poll(() => instance('b')).toMatchObject({ energy: 9, results: 1 });
  expect(await instance('a')).toMatchObject({ energy: 0, results: 0 });
  expect(await told(slug)).toMatchObject([{ to: id, instance: 'b', payload: { body: 'b', value: 9 } }]);
  const replay = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', {
    from_svcond: 0,
    instance: 'b',
  });
  expect(replay.replay).toMatchObject({ exact: true });
  expect(await faultsAfter(service, async () => {})).toEqual([]);
});

const keyedMeter = () => {
  const { value, unit } = { value: 'number', unit: 'string' };
  return meter({
    key: 'event.body',
    spawn: 'begin',
    events: {
      begin: { payload: { body: 'string' } },
      body: { payload: { body: 'string', m: 'number', v: 'number' } },
      measured: { payload: { body: 'string', value, unit } },
      not_measured: { payload: { body: 'string', code: 'string' } },
      close: { payload: { body: 'string' } },
    },
  });
};

/** A contract whose request waits until the test lets it be answered. */
async function heldRequest(more: object = {}) {
  const waiting: ServerResponse[] = [];
  const { received, url } = await webServer((response) => waiting.push(response));
  const slug = await own.machine();
  await allow(slug, '127.0.0.1');
  const definition = rated({ url }, more);
  const id = await deploy(slug, definition);
  await ask(slug);
  await expect.poll(() => waiting.length).toBe(1);
  const release = () => {
    for (const response of waiting.splice(0)) json(response, { rates: { USD: 3 } });
  };
  const isSettled = async () =>
    (
      await query<{ isPending: boolean }>(
        service.running.storage.database.knex,
        `select next_tick is not null as "isPending" from activity join machine on id = machine_id where slug = ?`,
        [slug],
      )
    ).every(({ isPending }) => !isPending);
  return { slug, id, definition, received, release, isSettled };
}

const isKept = async (slug: string) => {
  const [kept] = await query<{ outcome: string | null }>(
    service.running.storage.database.knex,
    'select outcome from activity join machine on id = machine_id where slug = ?',
    [slug],
  );
  return kept?.outcome !== null && kept?.outcome !== undefined;
};

test('a paused contract gets its result when it is resumed, and the request is not sent again', async () => {
  const { slug, id, received, release } = await heldRequest();
  await own.request(`POST /api/chain/${slug}/contracts/${id}/pause`, 'admin', {});
  const waiting = async () => (await own.request(`GET /api/chain/${slug}/activities`, 'admin')).rows as Json[];
  expect(await waiting()).toMatchObject([
    {
      contract: id,
      instance: null,
      transition: 'ask',
      no: 0,
      on_error: 'not_rated',
      tries: 1,
      tries_max: 3,
      has_result: false,
    },
  ]);
  release();
  await expect.poll(() => isKept(slug)).toBe(true);
  expect(await waiting()).toMatchObject([{ tries: 1, has_result: true }]);
  expect(await told(slug)).toEqual([]);
  expect(await faultsAfter(service, async () => {})).toEqual([]);
  await own.request(`POST /api/chain/${slug}/contracts/${id}/resume`, 'admin', {});
  advanceClock(service, 20n * 777_000_777n);
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ rate: 3 });
  expect(received).toHaveLength(1);
  await isSound(slug, id);
});

test.each(['paused', 'archived'])('a %s machine gets its results when it runs again', async (status) => {
  const { slug, id, received, release } = await heldRequest();
  await own.request(`POST /api/chain/${slug}/status`, 'admin', { status });
  release();
  await expect.poll(() => isKept(slug)).toBe(true);
  expect(await told(slug)).toEqual([]);
  if (status === 'archived') await own.request(`POST /api/chain/${slug}/status`, 'admin', { status: 'paused' });
  await own.request(`POST /api/chain/${slug}/status`, 'admin', { status: 'active' });
  advanceClock(service, 20n * 777_000_777n);
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ rate: 3 });
  expect(received).toHaveLength(1);
});

test('a contract that has ended meanwhile hears nothing, and the row stands', async () => {
  for (const end of ['close', 'freeze']) {
    const { slug, id, release, isSettled } = await heldRequest();
    if (end === 'close') await own.event(slug, 'close');
    else await own.request(`POST /api/chain/${slug}/contracts/${id}/freeze`, 'admin', {});
    release();
    await expect.poll(isSettled).toBe(true);
    expect(await told(slug)).toMatchObject([{ name: 'rated', payload: { rate: 3 } }]);
    expect((await contextOf(slug, id)).rate).toBe(0);
    expect(await faultsAfter(service, async () => {})).toEqual([]);
  }
});

test('a version that came meanwhile hears the result as it declares the event', async () => {
  const { slug, id, definition, release, isSettled } = await heldRequest();
  const [first, , ...others] = definition.transitions;
  const note = transition(
    'note',
    'open',
    'open',
    { kind: 'event', event: 'rated' },
    { post: [{ set: { rate: '10 * event.rate' } }] },
  );
  const next = { ...definition, version: '2.0', transitions: [first, note, ...others] };
  await own.request(`PATCH /api/chain/${slug}/contracts/${id}`, 'admin', { definition: next });
  release();
  await expect.poll(isSettled).toBe(true);
  expect(await contextOf(slug, id)).toMatchObject({ rate: 30 });
  await isSound(slug, id);
});

test('activities that cause each other end at the limit of hops, which a row names', async () => {
  const slug = await own.machine();
  const definition = meter();
  const again = {
    operator: 'CM9',
    inputs: { m: '1', v: 'results' },
    unit: 'J',
    into: 'measured',
    on_error: 'not_measured',
  };
  const transitions = definition.transitions.map((one) =>
    one.id === 'note' ? { ...one, post: [...(one.post ?? []), { call: again }] } : one,
  );
  const id = await deploy(slug, { ...definition, transitions });
  await own.event(slug, 'body', { payload: { m: 2, v: 3 } });
  await expect.poll(() => payloadsOf(slug, 'refused'), { timeout: 8_000 }).toMatchObject([{ code: 'HOP_LIMIT' }]);
  expect(await contextOf(slug, id)).toMatchObject({ results: LIMITS.contracts.sends.hops, failures: 0 });
  await isSound(slug, id);
});

test('beyond the limit of pending activities a further one fails at once', async () => {
  const { slug, id, received, release } = await heldRequest();
  const { perContract, ofMachine } = LIMITS.contracts.calls;
  for (let n = 1; n < perContract + 3; n++) await ask(slug);
  await expect.poll(() => contextOf(slug, id), { timeout: 8_000 }).toMatchObject({ why: 'TOO_MANY' });
  // So many at once, of one machine.
  expect(received.length).toBeLessThanOrEqual(ofMachine);
  const stop = setInterval(release, 20);
  await expect.poll(async () => (await told(slug)).length, { timeout: 20_000 }).toBe(perContract + 3);
  clearInterval(stop);
  const codes = (await told(slug)).map(({ name }) => name);
  expect(codes.filter((name) => name === 'not_rated')).toHaveLength(3);
}, 60_000);

test('a dry run says what would be started, and starts nothing', async () => {
  const slug = await own.machine();
  const id = await deploy(slug, meter());
  const dry = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', {
    event: 'body',
    payload: { m: 2, v: 3 },
  });
  expect(JSON.stringify(dry)).toContain('"calls":[{"call":"CM9 measured","inputs":{"m":2,"v":3}}]');
  expect(await told(slug)).toEqual([]);
});

test.each([
  ['the activity is due again', 'update activity set next_tick = created_svcond, settled_seq = null'],
  ['other inputs', `update activity set call = replace(call, '"m":2', '"m":3')`],
  ['another transition', `update activity set transition = 'other'`],
  ['what is kept of it', `update activity set outcome = '{}'`],
  ['another row', 'update activity set settled_seq = settled_seq + 1'],
  ['it is missing', 'delete from activity'],
])('fsck finds that %s', async (_, statement) => {
  const found = await faultsAfter(service, (on: Executor) => query(on, statement));
  expect(found.map(({ table }) => table)).toContain('activity');
});

test('fsck, verify and a replay find a result that its receipt does not confirm, though the chain is whole', async () => {
  const slug = await own.machine();
  const id = await deploy(slug, meter());
  await own.event(slug, 'body', { payload: { m: 2, v: 3 } });
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ results: 1 });
  const [row] = await told(slug);
  const { services, storage } = service.running;
  const machine = await storage.machines.bySlug(slug);
  if (machine === undefined) throw new Error('The machine is missing.');
  const forged = { ...row, payload: { ...(row?.payload as Json), value: 10 } };
  await services.machines.commitExclusive(machine, async () => ({
    rows: [services.machines.row(undefined, 'event', 'call', forged)],
    answer: undefined,
  }));
  const found = await faultsAfter(service, async () => {});
  expect(found).toMatchObject([{ table: 'audit', code: 'SAID', machine: slug, column: 'body' }]);
  const verified = await own.request(`POST /api/chain/${slug}/contracts/${id}/verify`, 'admin', {});
  expect(verified).toMatchObject({ valid: false, first_bad: { reason: 'RESULT' } });
  const whatIf = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', { from_svcond: 0 });
  expect(JSON.stringify(whatIf)).toContain('has value 10; its evidence has 9');
});

test('a result that another node has recorded is not recorded again, and a try is begun by one', async () => {
  const { slug, id, release, isSettled } = await heldRequest();
  const { activities, machines, database } = service.running.storage;
  const machine = await machines.bySlug(slug);
  const [pending] = await activities.dueOf(machine?.id ?? '', Number.MAX_SAFE_INTEGER, 1);
  if (pending === undefined) throw new Error('The activity is missing.');
  const { machineId, seq, no } = pending;
  // This node has begun the first try, and another one reads the same.
  expect(await activities.begin({ ...pending, attempts: 0 })).toBe(false);
  expect(pending.attempts).toBe(1);
  release();
  await expect.poll(isSettled).toBe(true);
  expect(await activities.isPending(pending)).toBe(false);
  const again = settledActivities.write([{ machineId, seq, no, settledSeq: 1 }], database.knex);
  await expect(again).rejects.toThrow('settled before');
  expect(await contextOf(slug, id)).toMatchObject({ rate: 3 });
});

test('a last try that ended with its node is a failure, which nothing is done for again', async () => {
  const { received, url } = await webServer((response) => json(response, {}, 503));
  const slug = await own.machine();
  await allow(slug, '127.0.0.1');
  const id = await deploy(slug, rated({ url }, {}, { retry: { tries: 2, backoff: 1_000 } }));
  await ask(slug);
  const waits = async () => (await own.request(`GET /api/chain/${slug}/activities`, 'admin')).rows as Json[];
  await expect
    .poll(async () => Number((await waits())[0]?.next_svcond) - Number((await waits())[0]?.created_svcond))
    .toBeGreaterThan(999);
  await query(
    service.running.storage.database.knex,
    'update activity set attempts = 2 where machine_id = (select id from machine where slug = ?)',
    [slug],
  );
  advanceClock(service, 1_010n * 777_000_777n);
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ why: 'INTERRUPTED', tries: 2 });
  expect(received).toHaveLength(1);
});

test('a replay finds a transition that started another activity', async () => {
  const slug = await own.machine();
  const id = await deploy(slug, meter());
  await own.event(slug, 'body', { payload: { m: 2, v: 3 } });
  await expect.poll(() => contextOf(slug, id)).toMatchObject({ results: 1 });
  const { knex } = service.running.storage.database;
  await knex.transaction(async (on) => {
    await on.raw(`set local session_replication_role = 'replica'`);
    await query(
      on,
      `update audit set body = replace(body, '"backoff":8', '"backoff":9')
       where type = 'transition' and machine_id = (select id from machine where slug = ?)`,
      [slug],
    );
  });
  const whatIf = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', { from_svcond: 0 });
  expect(JSON.stringify(whatIf.replay)).toContain('activities: [');
});

test('on a sealed machine only the owner reads what was asked and told', async () => {
  const slug = 'activities-sealed';
  const fields = { slug, is_public: false };
  const { equation, key } = await own.request('POST /api/chain/state-machines', 'anonymous', fields, 201);
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (route: string, body?: Json) =>
    (await service.call(route, { headers, ...(body === undefined ? {} : { json: body }) })).json();
  const { contract } = await ask(`POST /api/chain/${slug}/contracts/custom`, { definition: meter() });
  const { id } = contract as Json;
  await ask(`POST /api/chain/${slug}/event`, { name: 'body', payload: { m: 2, v: 3 } });
  const context = async () => ((await ask(`GET /api/chain/${slug}/contracts/${id}`)).contract as Json).context;
  await expect.poll(context).toMatchObject({ energy: 9, results: 1 });
  expect(JSON.stringify(await ask(`GET /api/chain/${slug}/explore`))).not.toContain('CM9');
  const { rows } = await ask(`POST /api/chain/${slug}/audit/decrypt`, { equation });
  const results = (rows as Json[]).map(({ payload }) => payload as Json).filter(({ call }) => call !== undefined);
  expect(results).toMatchObject([{ name: 'measured', payload: { value: 9 } }]);
});

test('a result whose types a later version no longer takes fires nothing', async () => {
  const { slug, id, definition, release, isSettled } = await heldRequest();
  const rating = { payload: { rate: 'string', status: 'integer', body: 'string' } };
  const transitions = definition.transitions.map((one) =>
    one.id === 'note' ? { ...one, post: [{ set: { why: 'event.rate', rate: 'rate + 1' } }] } : one,
  );
  const next = { ...definition, version: '2.0', events: { ...definition.events, rated: rating }, transitions };
  await own.request(`PATCH /api/chain/${slug}/contracts/${id}`, 'admin', { definition: next });
  release();
  await expect.poll(isSettled).toBe(true);
  expect(await told(slug)).toMatchObject([{ payload: { rate: 3 } }]);
  expect(await contextOf(slug, id)).toMatchObject({ rate: 0, why: '' });
  const whatIf = await own.request(`POST /api/chain/${slug}/contracts/${id}/dry-run`, 'admin', { from_svcond: 0 });
  expect(whatIf.replay).toMatchObject({ exact: true });
});

test('settled activities leave the database after their time, pending ones do not', async () => {
  const { isSettled, release } = await heldRequest();
  const { activities } = service.running.storage;
  expect(await activities.removeBefore(Number.MAX_SAFE_INTEGER, 10_000)).toBeGreaterThan(10);
  expect(await activities.removeBefore(Number.MAX_SAFE_INTEGER, 10_000)).toBe(0);
  expect(await isSettled()).toBe(false);
  release();
  await expect.poll(isSettled).toBe(true);
});
