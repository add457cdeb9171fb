// A database that breaks off in the middle of a commit: before it has heard of it, or after it is done and before it says
// so. What was answered is there once, and what a retry makes is not there twice.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { ECHO } from '../http/machine-fixture.ts';
import { type Answer, ServedNodes } from '../services/node/owners/served-nodes.ts';
import { databaseUrl } from '../storage/databases.ts';
import { COMMIT, type SilentProxy, silentProxy } from '../storage/silent-proxy.ts';

describe.runIf(databaseUrl !== undefined)('a commit that is broken off', () => {
  let proxy: SilentProxy;
  let nodes: ServedNodes;
  let node: RunningService;
  beforeAll(async () => {
    proxy = await silentProxy(databaseUrl ?? '');
    nodes = new ServedNodes(proxy.databaseUrl);
    node = await nodes.start();
  });
  afterAll(async () => {
    proxy.cutOff(undefined);
    await nodes.dispose();
    await proxy.close();
  });

  const rowsOf = async (slug: string) =>
    (await nodes.get(node, `/api/chain/${slug}/explore?limit=200`)).body.rows as { seq: number }[];

  test.each(['before', 'after'] as const)('%s the database hears of it, is made once by its retry', async (at) => {
    const slug = await nodes.machineOf(node);
    await nodes.post(node, `/api/chain/${slug}/contracts/custom`, { definition: ECHO });
    const ping = (key: string) =>
      nodes.post(
        node,
        `/api/chain/${slug}/event`,
        { name: 'ping', payload: { n: 1 } },
        { 'idempotency-key': `${key}-${at}` },
      );
    expect((await ping('first')).status).toBe(201);
    const before = (await rowsOf(slug)).length;
    // Of the event, and of what the contract makes of it.
    const made = before - 2;

    const broken = proxy.cuts();
    proxy.cutOff({ text: COMMIT, at, by: 'closing' });
    const refused = await ping('broken');
    proxy.cutOff(undefined);
    expect(proxy.cuts()).toBeGreaterThan(broken);
    expect([refused.status, (refused.body as { code?: string }).code]).toEqual([503, 'STORAGE_UNAVAILABLE']);
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);

    const retry = async (): Promise<Answer> => {
      const answer = await ping('broken');
      return answer.status === 503 || answer.status === 409 ? retry() : answer;
    };
    const retried = await retry();
    expect(retried.status, JSON.stringify(retried.body)).toBe(201);
    expect((await ping('broken')).body).toEqual(retried.body);
    expect((await rowsOf(slug)).length).toBe(before + made);
    const next = await ping('next');
    expect(next.status, JSON.stringify(next.body)).toBe(201);
    const chain = await rowsOf(slug);
    expect(chain.length).toBe(before + 2 * made);
    expect(new Set(chain.map(({ seq }) => seq)).size).toBe(chain.length);
    const validated = await nodes.get(node, `/api/chain/${slug}/pohc/validate`);
    expect(validated.body.valid ?? validated.body.ok).toBe(true);
  });
});
