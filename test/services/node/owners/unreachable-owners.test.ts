// Owners that cannot be asked: gone, of another version, or behind a broker that is gone.

import type { AddressInfo } from 'node:net';
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../../../src/server.ts';
import { SHARDS } from '../../../../src/storage/contracts/timers.ts';
import { databaseUrl } from '../../../storage/databases.ts';
import { hasNats, NATS } from '../../../suites/nats-server.ts';
import { ServedNodes } from './served-nodes.ts';

const LEASE_MS = 1_500;
const shardsOf = (node: RunningService) => node.services.owners.owners.shards;
const counts = (node: RunningService) => node.services.owners.counts();
const share = async (...nodes: readonly RunningService[]) =>
  expect
    .poll(() => nodes.map((node) => shardsOf(node).length), { timeout: 15_000 })
    .toEqual(nodes.map(() => SHARDS / nodes.length));

describe.runIf(databaseUrl !== undefined)('an owner', () => {
  const nodes = new ServedNodes(databaseUrl ?? '');
  afterAll(() => nodes.dispose());

  test('that does not answer while its lease lasts is a 503 with Retry-After, and nothing is done', async () => {
    const one = await nodes.start({ leaseMs: 60_000 });
    const slug = await nodes.machineOf(one);
    // A node that holds all leases, at an address where nobody listens.
    const { knex } = one.storage.database;
    const two = await nodes.start({ leaseMs: 60_000 });
    const dead = 'http://127.0.0.1:9';
    await knex.raw('update live_node set url = ? where id = ?', [dead, one.services.owners.owners.id]);
    await knex.raw('update shard_lease set owner = ?', [one.services.owners.owners.id]);
    await two.services.owners.owners.renew();
    const { status, retryAfter, body } = await nodes.post(two, `/api/chain/${slug}/event`, { name: 'lost' });
    expect([status, body.code]).toEqual([503, 'OWNER_UNREACHABLE']);
    expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    expect(JSON.stringify(body)).toContain('Nothing was done.');
    expect((await two.storage.machines.bySlug(slug))?.head.seq).toBe(0);
    // After the end of the lease, another node serves the machine.
    await knex.raw("update shard_lease set expires_at = '2000-01-01'");
    await knex.raw('delete from live_node where id = ?', [one.services.owners.owners.id]);
    await two.services.owners.owners.renew();
    expect(await nodes.post(two, `/api/chain/${slug}/event`, { name: 'kept' })).toMatchObject({ status: 201 });
    await nodes.stop(one);
    await nodes.stop(two);
  });

  test('with another format of messages is named', async () => {
    const one = await nodes.start({ leaseMs: LEASE_MS });
    const two = await nodes.start({ leaseMs: LEASE_MS, messageFormat: 2 });
    await share(one, two);
    const slug = await nodes.machineOf(two);
    const { status, body } = await nodes.post(one, `/api/chain/${slug}/event`, { name: 'x' });
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toMatch(/svc-calls\/2.*svc-calls\/1.*versions differ/);
    expect(counts(two).refused).toBeGreaterThan(0);
    await nodes.stop(one);
    await nodes.stop(two);
  });

  test('whose address another node states stops that node at its start', async () => {
    const one = await nodes.start({ leaseMs: LEASE_MS });
    const second = nodes.start({ leaseMs: LEASE_MS }, { SVC_NODE_URL: one.url });
    await expect(second).rejects.toThrow(`Another node answers at ${one.url}`);
    await nodes.stop(one);
  });
});

/** Passes connections on to NATS, and can cut them and refuse others. */
class Cut {
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => {
    const onward = connectTo(NATS);
    for (const each of [socket, onward]) {
      this.#sockets.add(each);
      each.on('error', () => {}).on('close', () => socket.destroy() && onward.destroy());
    }
    socket.pipe(onward).pipe(socket);
  });
  #port = 0;

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
    return `nats://127.0.0.1:${this.#port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

describe.runIf(databaseUrl !== undefined && hasNats)('calls over NATS', () => {
  const nodes = new ServedNodes(databaseUrl ?? '');
  const cut = new Cut();
  let one: RunningService;
  let two: RunningService;
  beforeAll(async () => {
    const env = { NATS_URL: await cut.open() };
    one = await nodes.start({ leaseMs: LEASE_MS }, env);
    two = await nodes.start({ leaseMs: LEASE_MS }, env);
  });
  afterAll(async () => {
    await nodes.dispose();
    await cut.close().catch(() => undefined);
  });

  test('take HTTP while NATS is gone, and NATS when it is back', async () => {
    await share(one, two);
    const slug = await nodes.machineOf(two);
    const send = async () => (await nodes.post(one, `/api/chain/${slug}/event`, { name: 'go' })).status;
    const sent = async () => {
      const before = counts(one).sent;
      const { nats, http } = { ...before };
      expect(await send()).toBe(201);
      return { nats: counts(one).sent.nats - nats, http: counts(one).sent.http - http };
    };
    expect(await sent()).toEqual({ nats: 1, http: 0 });
    await cut.close();
    await expect.poll(sent, { timeout: 5_000 }).toEqual({ nats: 0, http: 1 });
    await cut.open();
    await expect.poll(sent, { timeout: 15_000 }).toEqual({ nats: 1, http: 0 });
    const large = 'x'.repeat(900_000);
    const { nats } = counts(one).sent;
    expect((await nodes.post(one, `/api/chain/${slug}/event`, { name: 'large', payload: { large } })).status).not.toBe(
      503,
    );
    expect(counts(one).sent.nats - nats).toBeLessThanOrEqual(1);
  });
});
