// Events from a NATS broker, with the real server: the checks of a request, replies after the commit, limits.

import { randomBytes } from 'node:crypto';
import { connect, createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventSubjects } from '../../src/broker/event-subjects.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { OPERATIONS } from '../../src/operations/index.ts';
import type { RunningService } from '../../src/server.ts';
import { formatKey, KEY_BYTES } from '../../src/services/access/key-format.ts';
import { RefusalDelay } from '../../src/services/access/refusal-delay.ts';
import type { Nats } from '../../src/services/node/nats.ts';
import { ECHO, ownMachines } from '../http/machine-fixture.ts';
import { type Caller, type Json, startService } from '../http/service-fixture.ts';
import { ServedNodes } from '../services/node/owners/served-nodes.ts';
import { databaseUrl } from '../storage/databases.ts';
import { hasNats, NATS } from '../suites/nats-server.ts';
import { unlimitedRates } from '../suites/unlimited-rates.ts';

/** Other suites use the same server. */
const PREFIX = `svc-${process.pid}`;
const ENVIRONMENT = { NATS_URL: `nats://${NATS.host}:${NATS.port}`, SVC_NATS_PREFIX: PREFIX };

interface Reply {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: Json;
}

describe.runIf(hasNats)('events over NATS', async () => {
  if (!hasNats) return;
  const rates = unlimitedRates({ keyless: 3 });
  const service = await startService({ rates }, ENVIRONMENT);
  const own = ownMachines(service, 'nats');
  let client: NatsConnection;
  beforeAll(async () => {
    client = await connect({ servers: `${NATS.host}:${NATS.port}` });
  });
  afterAll(() => client.close());

  async function send(subject: string, body: unknown, as: Caller = 'admin'): Promise<Reply> {
    const sent = headers();
    if (as !== 'anonymous') sent.set('Authorization', `Bearer ${service.keys[as]}`);
    const data = body instanceof Uint8Array ? body : JSON.stringify(body);
    return replyOf(await client.request(`${PREFIX}.events.${subject}`, data, { timeout: 10_000, headers: sent }));
  }

  const replyOf = (message: Msg): Reply => ({
    status: Number(message.headers?.get('Svc-Status')),
    retryAfter: message.headers?.get('Retry-After') || undefined,
    body: message.json<Json>(),
  });

  test('a message is an event of its machine: committed before the reply, once for each id', async () => {
    const slug = await own.machine();
    const first = await send(slug, { name: 'noted', payload: { n: 1 }, id: 'one' });
    expect([first.status, first.body.ok]).toEqual([201, true]);
    const rows = await own.rows(slug);
    expect(rows.at(-1)?.row_hash ?? rows.at(-1)?.hash).toBe(first.body.row_hash);
    expect((await send(slug, { name: 'noted', payload: { n: 1 }, id: 'one' })).body.seq).toBe(first.body.seq);
    expect(await own.rows(slug)).toHaveLength(rows.length);
  });

  test('batches, and events to one contract', async () => {
    const slug = await own.machine();
    const { contract } = await own.request(
      `POST /api/chain/${slug}/contracts/custom`,
      'admin',
      { definition: ECHO },
      201,
    );
    const batch = await send(`${slug}.batch`, { events: [{ name: 'ping', payload: { n: 1 } }, { name: 'other' }] });
    expect(batch.status).toBe(201);
    expect((batch.body.outcomes as Json[]).map(({ accepted }) => accepted)).toEqual([true, true]);
    const { id } = contract as { id: string };
    const one = await send(`${slug}.contract.${id}`, { name: 'halt', payload: {} });
    expect([one.status, (one.body.fired as Json[])[0]?.to]).toEqual([201, 'done']);
  });

  test('the checks of a request: key, role, machine, subject, form and size of the message', async () => {
    const slug = await own.machine();
    const event = { name: 'noted' };
    const codes = async (...given: Parameters<typeof send>) => {
      const { status, body } = await send(...given);
      return [status, body.code];
    };
    expect(await codes(slug, event, 'anonymous')).toEqual([401, 'AUTH_REQUIRED']);
    expect(await codes(slug, event, 'revoked')).toEqual([401, 'KEY_REVOKED']);
    expect(await codes(slug, event, 'read')).toEqual([403, 'FORBIDDEN']);
    expect(await codes(slug, event, 'other')).toEqual([403, 'ZID_NOT_LINKED']);
    expect(await codes('nats-nowhere', event)).toEqual([404, 'NOT_FOUND']);
    expect(await codes(`${slug}.contracts`, event)).toEqual([400, 'BAD_REQUEST']);
    expect(await codes(slug, { name: 'noted', pay: 1 })).toEqual([422, 'VALIDATION_FAILED']);
    expect(await codes(slug, Buffer.from('{"name":"a","name":"b"}'))).toEqual([422, 'VALIDATION_FAILED']);
    expect(await codes(slug, Buffer.from('[1'))).toEqual([400, 'BAD_REQUEST']);
    expect(await codes(slug, Buffer.alloc(LIMITS.body.bytes + 1, 32))).toEqual([413, 'BODY_TOO_LARGE']);
    expect(await own.rows(slug)).toHaveLength(1);
  });

  test('callers without a key have one rate, and those with a key that of their account', async () => {
    const slug = await own.machine();
    const refusals: Reply[] = [];
    for (let n = 0; n < 4; n++) refusals.push(await send(slug, { name: 'noted' }, 'anonymous'));
    const last = refusals.at(-1);
    expect([last?.status, last?.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(last?.retryAfter)).toBeGreaterThan(0);
    expect((await send(slug, { name: 'noted' })).status).toBe(201);
  });

  /** A second reader of subjects, whose checks of keys wait until they are let through. */
  function heldSubjects(prefix: string) {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { services, nats } = service.running;
    const authenticate = async (raw: string) => {
      await released;
      return services.access.authenticate(raw);
    };
    const isKnown = (raw: string) => services.access.isKnown(raw);
    const held = { ...services, access: Object.assign(Object.create(services.access), { authenticate, isKnown }) };
    const options = { nats: nats as Nats, prefix, operations: OPERATIONS, baseUrl: '', services: held };
    const onFailed = (error: unknown) => expect.unreachable(String(error));
    const invokeOptions = { shouldCheck: () => true, onDefect: onFailed };
    return { subjects: new EventSubjects({ ...options, invokeOptions, onFailed }), release };
  }

  function flood(prefix: string, slug: string, count: number, keyOf = (_: number) => service.keys.admin): Reply[] {
    const inbox = createInbox();
    const replies: Reply[] = [];
    client.subscribe(inbox, { callback: (error, message) => void (error ?? replies.push(replyOf(message))) });
    for (let n = 0; n < count; n++) {
      const sent = headers();
      sent.set('Authorization', `Bearer ${keyOf(n)}`);
      const body = JSON.stringify({ name: 'noted', payload: { n } });
      client.publish(`${prefix}.events.${slug}`, body, { headers: sent, reply: inbox });
    }
    return replies;
  }

  test('a flood is answered, not kept: 503 beyond what a node takes, 429 beyond the share of a caller', async () => {
    const slug = await own.machine();
    const prefix = `${PREFIX}-held`;
    const { subjects, release } = heldSubjects(prefix);
    // The server has the new subscription once it has passed on a later message of the same connection.
    await send(slug, { name: 'noted' });
    const { messages, tenantMessages } = LIMITS.broker;
    const replies = flood(prefix, slug, messages + 50);
    await expect.poll(() => replies.length, { timeout: 10_000 }).toBe(50);
    expect(subjects.waiting).toBe(messages);
    expect(replies.every(({ status, body }) => status === 503 && body.code === 'QUEUE_FULL')).toBe(true);
    release();
    await expect.poll(() => replies.length, { timeout: 20_000 }).toBe(messages + 50);
    expect(subjects.waiting).toBe(0);
    const count = (wanted: number) => replies.filter(({ status }) => status === wanted).length;
    expect([count(201), count(429), count(503)]).toEqual([tenantMessages, messages - tenantMessages, 50]);
    expect(replies.every(({ status, retryAfter }) => status === 201 || retryAfter === '1')).toBe(true);
    const { rows } = await own.request(`GET /api/chain/${slug}/explore?limit=1`, 'admin');
    expect((rows as { seq: number }[])[0]?.seq).toBe(tenantMessages + 1);
    await subjects.close();
  });

  test('guessed keys have the places of callers without one, refusals keep them, and a known key waits for none', async () => {
    const slug = await own.machine();
    const prefix = `${PREFIX}-guessed`;
    const { services, nats } = service.running;
    let lookedUp = 0;
    const isKnown = (raw: string) => services.access.isKnown(raw);
    const authenticate = (raw: string) => {
      if (raw !== service.keys.admin) lookedUp++;
      return services.access.authenticate(raw);
    };
    const access = Object.assign(Object.create(services.access), { authenticate, isKnown });
    // So long that none ends while the test counts.
    const refusalDelay = new RefusalDelay({ ...LIMITS.refusal, delayMs: 5_000 });
    const onFailed = (error: unknown) => expect.unreachable(String(error));
    const subjects = new EventSubjects({
      ...{ nats: nats as Nats, prefix, operations: OPERATIONS, baseUrl: '', onFailed },
      services: { ...services, access, refusalDelay },
      invokeOptions: { shouldCheck: () => true, onDefect: onFailed },
    });
    await send(slug, { name: 'noted' });
    const { tenantMessages } = LIMITS.broker;
    const guesses = Array.from({ length: 3 * tenantMessages }, () => formatKey('svc_ak_', randomBytes(KEY_BYTES)));
    const replies = flood(prefix, slug, guesses.length, (n) => guesses[n] ?? '');
    // All but those that hold a place are refused at once; the rate of those without a key is exceeded.
    await expect.poll(() => replies.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(2 * tenantMessages);
    // Those that hold a place, and those of each second that are not delayed.
    expect(lookedUp).toBeLessThanOrEqual(tenantMessages + 6 * LIMITS.refusal.perSecond);
    expect(subjects.waiting).toBeGreaterThan(0);
    expect(subjects.waiting).toBeLessThanOrEqual(tenantMessages);
    const known = flood(prefix, slug, 1);
    await expect.poll(() => known.map(({ status }) => status), { timeout: 10_000 }).toEqual([201]);
    await expect.poll(() => replies.length, { timeout: 10_000 }).toBe(guesses.length);
    expect(new Set(replies.map(({ status }) => status)).has(201)).toBe(false);
    await subjects.close();
  });

  test('a reader that closes answers what it has', async () => {
    const slug = await own.machine();
    const prefix = `${PREFIX}-closing`;
    const { subjects, release } = heldSubjects(prefix);
    // The server has the new subscription once it has passed on a later message of the same connection.
    await send(slug, { name: 'noted' });
    const replies = flood(prefix, slug, 100);
    await expect.poll(() => subjects.waiting, { timeout: 10_000 }).toBe(100);
    const closed = subjects.close().then(() => subjects.waiting);
    release();
    expect(await closed).toBe(0);
    await expect.poll(() => replies.map(({ status }) => status), { timeout: 10_000 }).toEqual(Array(100).fill(201));
  });
});

describe.runIf(hasNats && databaseUrl !== undefined)('two nodes on one broker', () => {
  const nodes = new ServedNodes(databaseUrl ?? '');
  afterAll(() => nodes.dispose());

  test('share the messages: each is written once, also while a node leaves', async () => {
    const env = { ...ENVIRONMENT, SVC_NATS_PREFIX: `${PREFIX}-two` };
    const [one, two] = [await nodes.start({}, env), await nodes.start({}, env)];
    const client = await connect({ servers: `${NATS.host}:${NATS.port}` });
    const slug = await nodes.machineOf(one);
    const sent = headers();
    sent.set('Authorization', `Bearer ${nodes.key}`);
    const send = async (n: number) => {
      const body = JSON.stringify({ name: 'noted', payload: { n }, id: `event-${n}` });
      const answer = await client.request(`${PREFIX}-two.events.${slug}`, body, { timeout: 10_000, headers: sent });
      return Number(answer.headers?.get('Svc-Status'));
    };
    const first = await Promise.all(Array.from({ length: 60 }, (_, n) => send(n)));
    expect(new Set(first)).toEqual(new Set([201]));
    for (const node of [one, two]) expect(takenBy(node)).toBeGreaterThan(0);
    const later = Array.from({ length: 60 }, (_, n) => send(60 + n));
    await nodes.stop(two);
    expect(new Set(await Promise.all(later))).toEqual(new Set([201]));
    const { body } = await nodes.get(one, `/api/chain/${slug}/explore?limit=200`);
    const ids = (body.rows as { payload: { payload?: { n?: number } } }[]).flatMap(
      ({ payload }) => payload.payload?.n ?? [],
    );
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, n) => n));
    await client.close();
  });

  const takenBy = (node: RunningService) =>
    Number(/^svc_broker_messages_total\{outcome="taken"\} (\d+)$/m.exec(node.services.metrics.text())?.[1]);
});
