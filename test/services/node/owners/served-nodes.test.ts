// Two nodes of one database behind their servers: each machine has one owner, and calls reach it through either node.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../../../src/server.ts';
import { SHARDS } from '../../../../src/storage/contracts/timers.ts';
import { databaseUrl } from '../../../storage/databases.ts';
import { ServedNodes } from './served-nodes.ts';

const shardsOf = (node: RunningService) => node.services.owners.owners.shards;
const counts = (node: RunningService) => node.services.owners.counts();
const LEASE_MS = 1_500;

describe.runIf(databaseUrl !== undefined)('two nodes that serve', () => {
  const nodes = new ServedNodes(databaseUrl ?? '');
  let one: RunningService;
  let two: RunningService;
  beforeAll(async () => {
    one = await nodes.start({ leaseMs: LEASE_MS });
    expect(shardsOf(one)).toHaveLength(SHARDS);
    two = await nodes.start({ leaseMs: LEASE_MS });
  });
  afterAll(() => nodes.dispose());

  test('they share the shards, and no shard has two owners', async () => {
    await expect.poll(() => [shardsOf(one).length, shardsOf(two).length], { timeout: 10_000 }).toEqual([32, 32]);
    expect(new Set([...shardsOf(one), ...shardsOf(two)]).size).toBe(SHARDS);
  });

  test('an append at the wrong node is made by the owner, and every node reads it', async () => {
    const slug = await nodes.machineOf(two);
    const before = { sent: counts(one).sent.http, received: counts(two).received };
    const { status, body } = await nodes.post(one, `/api/chain/${slug}/event`, { name: 'moved', payload: { to: 3 } });
    expect([status, body.ok]).toEqual([201, true]);
    expect(counts(one).sent.http - before.sent).toBe(1);
    expect(counts(two).received - before.received).toBe(1);
    for (const node of [one, two]) {
      const { body: state } = await nodes.get(node, `/api/chain/${slug}/state`);
      expect(JSON.stringify(state)).toContain(String(body.row_hash));
    }
  });

  test('a call of 60 kB reaches the owner, since its message has a ticket', async () => {
    const slug = await nodes.machineOf(two);
    const payload = { text: 'x'.repeat(60_000) };
    const { status } = await nodes.post(one, `/api/chain/${slug}/event`, { name: 'wide', payload });
    expect(status).toBe(201);
  });

  test('a refusal of the owner comes back as it is, and is not logged twice', async () => {
    const slug = await nodes.machineOf(two);
    const direct = await nodes.post(two, `/api/chain/${slug}/event`, { name: '' });
    const forwarded = await nodes.post(one, `/api/chain/${slug}/event`, { name: '' });
    const plain = ({ body }: typeof direct) => ({
      ...body,
      request_id: undefined,
      error: { ...body.error, request_id: undefined },
    });
    expect(forwarded.status).toBe(422);
    expect(plain(forwarded)).toEqual(plain(direct));
  });

  test('a repeated call with an Idempotency-Key is made once, at either node', async () => {
    const slug = await nodes.machineOf(two);
    const send = (node: RunningService) =>
      nodes.post(node, `/api/chain/${slug}/event`, { name: 'once' }, { 'idempotency-key': `key-${slug}` });
    const answers = [await send(one), await send(two), await send(one)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await one.storage.machines.bySlug(slug))?.head.seq).toBe(1);
  });

  test('many calls at once through the wrong node keep one chain', async () => {
    const slug = await nodes.machineOf(two);
    const calls = Array.from({ length: 100 }, (_, i) =>
      nodes.post(i % 2 ? one : two, `/api/chain/${slug}/event`, { name: `n${i}` }),
    );
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([201]));
    const { body } = await nodes.get(one, `/api/chain/${slug}/pohc/validate`);
    expect(body).toMatchObject({ ok: true });
    expect((await one.storage.machines.bySlug(slug))?.head.seq).toBe(100);
  });

  test('a third node comes and goes while calls are made, and none fails', async () => {
    const slugs = await Promise.all(Array.from({ length: 8 }, () => nodes.machineOf(two)));
    let isOver = false;
    const failed: unknown[] = [];
    let made = 0;
    const client = async (slug: string, i: number) => {
      while (!isOver) {
        const answer = await nodes.post(i % 2 ? one : two, `/api/chain/${slug}/event`, { name: 'go' });
        if (answer.status === 201) made++;
        else failed.push(answer);
      }
    };
    const clients = slugs.map(client);
    const three = await nodes.start({ leaseMs: LEASE_MS });
    await expect.poll(() => shardsOf(three).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(20);
    await sleep(300);
    await nodes.stop(three);
    await expect.poll(() => shardsOf(one).length + shardsOf(two).length, { timeout: 10_000 }).toBe(SHARDS);
    isOver = true;
    await Promise.all(clients);
    expect(failed).toEqual([]);
    const heads = await Promise.all(
      slugs.map(async (slug) => (await one.storage.machines.bySlug(slug))?.head.seq ?? 0),
    );
    expect(heads.reduce((sum, head) => sum + head, 0)).toBe(made);
  });
});
