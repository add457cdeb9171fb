// Fixture: the node of node-fixture.ts, with rows in the tables that no machine owns, settled webhooks, sealed payloads
// and filed runs. Every table has at least two rows, unless it can have only one.

import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TICK_NS, tickOf } from '../../../src/core/clock.ts';
import { utf8 } from '../../../src/core/sha256.ts';
import { textOfSegment } from '../../../src/services/engine/segment-content.ts';
import { segmentContext } from '../../../src/services/engine/window-segments.ts';
import { type KeyRing, openKeyRing } from '../../../src/services/node/key-ring.ts';
import { SealedBox } from '../../../src/services/node/sealed-box.ts';
import { SecretRing } from '../../../src/services/node/secret-ring.ts';
import { SHARDS } from '../../../src/storage/contracts/timers.ts';
import { segmentRows } from '../../../src/storage/contracts/window-segments.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { moveRange } from '../../../src/storage/machines/archive/move.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { meter } from '../../contracts/calls/meter.ts';
import { LOANS } from '../../contracts/instances/loans.ts';
import { ORDERS } from '../../contracts/instances/orders.ts';
import { caller } from '../../contracts/sends/caller.ts';
import { advanceClock } from '../../http/machine-fixture.ts';
import type { Json, startService, TestService } from '../../http/service-fixture.ts';
import { createOwnedMachine } from '../machines/sealing/sealed-machine-fixture.ts';
import { createNodeFixture, type NodeFixture } from './node-fixture.ts';

export interface FullNodeFixture extends NodeFixture {
  readonly box: SealedBox;
  readonly keyRing: KeyRing;
  /** Of rows that are not in the database. */
  readonly archiveFolder: string;
}

const ROD = { method: 'explicit', nx: 16, steps: 50 };
const PLATE = { dim: 2, nx: 72, ny: 72, steps: 8 };
const LONG = 1_000_000;

const scales = {
  name: 'scales',
  version: '1.0',
  operators: ['KO42'],
  initial: 'light',
  events: { weighed: { payload: { grams: 'number' } } },
  states: { light: { role: 'initial' }, full: { role: 'terminal', outcome: 'success' } },
  transitions: [
    {
      id: 'fill',
      from: 'light',
      to: 'full',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'on_aggregate', event: 'weighed', fn: 'sum', field: 'grams', within: LONG },
      fires_when: 'agg.value >= 100',
    },
  ],
};

const ALL_SHARDS = Array.from({ length: SHARDS }, (_, i) => i);

const notifier = (urls: readonly string[]) => ({
  name: 'notifier',
  version: '1.0',
  operators: ['KO42'],
  initial: 'open',
  events: { call: { payload: { n: 'number' } }, halt: {} },
  states: { open: { role: 'initial' }, shut: { role: 'terminal' } },
  transitions: [
    {
      id: 'notify',
      from: 'open',
      to: 'open',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'event', event: 'call' },
      post: urls.map((url) => ({ webhook: { url, payload: { n: 'event.n' } } })),
    },
    { id: 'end', from: 'open', to: 'shut', operator: 'KO42', proof: false, trigger: { kind: 'event', event: 'halt' } },
  ],
});

export async function createFullNodeFixture(
  ...[options, environment]: Parameters<typeof startService>
): Promise<FullNodeFixture> {
  const masterKey = randomBytes(32);
  const archiveFolder = mkdtempSync(join(tmpdir(), 'svc-archive-'));
  const more = { SVC_MASTER_KEY: masterKey.toString('hex'), SVC_ARCHIVE: archiveFolder };
  const node = await createNodeFixture(options, { ...environment, ...more });
  const { service } = node;
  await fileRuns(service);
  await keepSamples(service);
  await deliverWebhooks(node);
  await keepInstances(node);
  await keepSeats(node);
  await sendEvents(node);
  await startActivities(node);
  await archiveRows(node);
  await keepSegments(service, new SealedBox(masterKey, randomBytes));
  await service.running.services.results.store(JSON.stringify({ kept: true }), 'somebody');
  const { storage, clock } = service.running;
  const box = new SealedBox(masterKey, randomBytes);
  const { secrets, transaction } = storage;
  const ring = new SecretRing({ secrets, transaction, box, clock, randomBytes });
  for (const purpose of ['receipt', 'seal'] as const) {
    advanceClock(service, TICK_NS);
    await ring.rotate(purpose);
  }
  await shareLongRuns(storage);
  await storage.idempotency.claim(
    { principal: 'somebody', key: 'in-flight', route: 'POST /x', bodySha256: randomBytes(32) },
    '00000000-0000-7000-8000-000000000001',
    Number(clock.now() / 1_000_000n),
  );
  await openStreamsElsewhere(service);
  return { ...node, box, keyRing: await openKeyRing(ring), archiveFolder };
}

/** Instances by key: active ones, and one that has ended. */
async function keepInstances({ own }: NodeFixture): Promise<void> {
  const slug = await own.machine();
  await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: ORDERS }, 201);
  for (const order_id of ['a', 'b', 'c']) await own.event(slug, 'order', { payload: { order_id, amount: 1 } });
  await own.event(slug, 'pay', { payload: { order_id: 'a', amount: 1 } });
  await own.event(slug, 'ship', { payload: { order_id: 'a' } });
}

/** Loans: seats of a bank and an auditor in the contract, and of the borrower of each, one of which has lapsed. */
async function keepSeats({ own, service }: NodeFixture): Promise<void> {
  const slug = await own.machine();
  const [bank, auditor, borrower] = await Promise.all((['other', 'demo', 'admin'] as const).map(own.zidOf));
  const bindings = { bank: { zid: bank }, auditors: { zid: auditor } };
  await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: LOANS, bindings }, 201);
  for (const loan of ['a', 'b']) {
    await own.event(slug, 'ask', { payload: { loan, amount: 1, borrower } });
    advanceClock(service, 30n * TICK_NS);
  }
}

/** Two ranges of one machine that are archived, and one of another. */
async function archiveRows({ own, service }: NodeFixture): Promise<void> {
  const { storage, services } = service.running;
  const { archive, trees, transaction, database } = storage;
  for (const starts of [[0, 4], [0]]) {
    const slug = await own.machine();
    for (let i = 0; i < 9; i++) await own.event(slug, i % 2 === 0 ? 'even' : 'odd', { id: `archived-${i}` });
    advanceClock(service, 100n * TICK_NS);
    await services.trees.signPending((ids) => storage.machines.byIds(ids, false), { limit: 20 });
    const { id = '' } = (await storage.machines.bySlug(slug)) ?? {};
    const movable = { id, slug, end: 8, beforeSvcond: Number.MAX_SAFE_INTEGER };
    const options = { archive, trees, transaction, on: database.knex };
    for (const first of starts) await moveRange(movable, { first, last: first + 3 }, options);
  }
}

/** Events to another machine that took them, and that did not. */
async function sendEvents({ own, service }: NodeFixture): Promise<void> {
  const [depot, silent] = [await own.machine(), await own.machine()];
  const slug = await own.machine();
  await own.request(`PATCH /api/chain/${depot}/settings`, 'admin', { events_from: [slug] });
  for (const to of [depot, silent])
    await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: caller(to) }, 201);
  for (const n of [1, 2]) await own.event(slug, 'call', { payload: { n } });
  const { sentEvents } = service.running.storage;
  for (let waited = 0; (await sentEvents.lanes(ALL_SHARDS)).length > 0; waited++) {
    if (waited === 400) throw new Error('Timed out waiting for events to other machines.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Activities with a result, and without one. */
async function startActivities({ own, service }: NodeFixture): Promise<void> {
  const slug = await own.machine();
  await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition: meter() }, 201);
  for (const m of [2, -2]) await own.event(slug, 'body', { payload: { m, v: 3 } });
  const { activities } = service.running.storage;
  for (let waited = 0; (await activities.machines(ALL_SHARDS)).length > 0; waited++) {
    if (waited === 400) throw new Error('Timed out waiting for activities.');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Two counts that another node of the database wrote. */
async function openStreamsElsewhere({ running: { storage, clock } }: TestService): Promise<void> {
  const demand = (name: string) => ({ name, limit: 9, open: 1, waiting: 0 });
  const nowMs = Number(clock.now() / 1_000_000n);
  const elsewhere = { id: 'elsewhere', url: null, format: 1, isLeaving: true };
  await storage.liveNodes.beat(elsewhere, nowMs, nowMs + 60_000_000);
  await storage.streamCounts.count('elsewhere', ['a', 'b'].map(demand), nowMs, nowMs + 60_000_000);
}

async function fileRuns(service: TestService): Promise<void> {
  const ask = async (route: string, as: 'write' | 'other' | 'demo', json: Json, key?: string) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const { status, text } = await service.call(route, { as, json, headers });
    if (status !== 200) throw new Error(`${route} answered ${status}: ${text}`);
  };
  await ask('POST /api/svc/heat', 'write', { ...ROD, folder: 'rods' }, 'first-rod');
  await ask('POST /api/svc/heat', 'write', { ...ROD, nx: 20, folder: 'other rods' }, 'second-rod');
  await ask('POST /api/svc/heat', 'demo', { ...ROD, nx: 24 }, 'rod-of-a-guest');
  await ask('POST /api/svc/heat', 'write', { ...PLATE, folder: 'plates' });
  const law = { domain: 'classical-mechanics', operators: ['CM9'], inputs: { m: 2, v: 3 }, folder: 'laws' };
  await ask('POST /api/svc/compute', 'other', law);
}

/** Two private machines whose windows keep samples. */
async function keepSamples({ running }: TestService): Promise<void> {
  const { services, storage } = running;
  for (const name of ['sealed-one', 'sealed-two']) {
    const { machine, owner } = await createOwnedMachine(running, name);
    const reload = async () => (await storage.machines.byIds([machine.id], false))[0] ?? machine;
    await services.contracts.deploy(machine, owner, { definition: scales as never });
    for (const grams of [1, 2]) {
      const payload = { grams };
      await services.machineLog.event(await reload(), owner, { name: 'weighed', payload });
    }
  }
}

/** Segments that hold no window of the contracts that stand; with three, one in the middle is missed. */
async function keepSegments({ running: { storage, clock } }: TestService, box: SealedBox): Promise<void> {
  const svcond = tickOf(clock.now());
  const some = await rows<{ id: string }>(storage.database.knex, 'select id from machine where head_seq > 1 limit 2');
  const text = textOfSegment({ earlierUntil: 0, contracts: new Map() });
  const segments = some.flatMap(({ id: machineId }) =>
    [-1, 0, 1].map((fromSeq) => {
      const range = { machineId, fromSeq, toSeq: fromSeq + 1, until: svcond + LONG };
      return { ...range, svcond, sealed: box.seal(segmentContext(range), Buffer.from(text)) };
    }),
  );
  await segmentRows.write(segments, storage.database.knex);
}

/** Deliveries that arrived, and that were given up and sent again; two secrets of two machines. */
async function deliverWebhooks({ service, own }: NodeFixture): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/gone' ? 410 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (let i = 0; i < 2; i++) {
    const slug = await own.machine();
    const definition = notifier([`${base}/taken`, `${base}/gone`]);
    await own.request(`POST /api/chain/${slug}/contracts/custom`, 'admin', { definition }, 201);
    const settle = async () => {
      for (let waited = 0; waited < 400; waited++) {
        const { rows } = await own.request(`GET /api/chain/${slug}/webhooks`, 'admin');
        if ((rows as Json[]).every(({ status }) => status !== 'pending')) return rows as Json[];
        advanceClock(service, TICK_NS);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error('Timed out waiting for webhooks.');
    };
    for (const n of [1, 2]) await own.event(slug, 'call', { payload: { n } });
    const settled = await settle();
    const dead = settled.find(({ status }) => status === 'dead');
    await own.request(`POST /api/chain/${slug}/webhooks/${dead?.id}/redeliver`, 'admin', {});
    await settle();
    await own.request(`POST /api/chain/${slug}/webhooks/secret/rotate`, 'admin', {});
  }
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** One that waits, of an edition that no node has, and one that was answered. */
async function shareLongRuns({ longRuns }: Storage): Promise<void> {
  const limits = { perTenant: 9, all: 9 };
  const hour = 3_600_000;
  for (const edition of ['answered', 'waiting']) {
    const run = { id: randomUUID(), tenant: 'tenant', edition, request: utf8('sealed') };
    await longRuns.ask(run, limits, hour);
  }
  const taken = await longRuns.take({ holder: 'other', editions: ['answered'], leaseMs: hour, waitedMs: 0 });
  if (taken === undefined) throw new Error('The long run was not taken.');
  await longRuns.answer(taken, utf8('sealed'), hour);
}
