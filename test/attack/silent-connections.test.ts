// Connections to the database that go silent and stay open: in the middle of a read, of a commit and of a fire, and while
// they listen for notices. Requests end, the service comes back by itself, and nothing is written twice.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningService } from '../../src/server.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { CLOCKWORK } from '../crash/contract-definitions.ts';
import { ECHO } from '../http/machine-fixture.ts';
import { ServedNodes } from '../services/node/owners/served-nodes.ts';
import { databaseUrl } from '../storage/databases.ts';
import { COMMIT, type Cut, type SilentProxy, silentProxy } from '../storage/silent-proxy.ts';

const TIMEOUTS = {
  connectMs: 500,
  acquireMs: 1_500,
  statementMs: 400,
  silenceMs: 800,
  idleInTransactionMs: 1_500,
  readyMs: 200,
};
const PATIENCE = { timeout: 40_000, interval: 100 };
/** Silent connections stay open, or are reset while requests wait for them. */
const LATER = ['stay open', 'are reset later'] as const;

describe.runIf(databaseUrl !== undefined)('silent connections that', () => {
  let proxy: SilentProxy;
  let nodes: ServedNodes;
  let node: RunningService;
  /** A node of the same database whose connections are sound. */
  let sound: RunningService;
  beforeAll(async () => {
    proxy = await silentProxy(databaseUrl ?? '');
    nodes = new ServedNodes(databaseUrl ?? '');
    sound = await nodes.start();
    node = await nodes.start({ databaseTimeouts: TIMEOUTS }, { DATABASE_URL: proxy.databaseUrl });
  });
  afterAll(async () => {
    proxy.cutOff(undefined);
    proxy.resume();
    await nodes.stop(node);
    await nodes.dispose();
    await proxy.close();
  });

  const isReady = async () => (await nodes.get(node, '/readyz')).status;
  const path = (slug: string, rest: string) => `/api/chain/${slug}/${rest}`;
  const rowsOf = async (slug: string) =>
    (await nodes.get(sound, path(slug, 'explore?limit=200'))).body.rows as { seq: number; type: string }[];

  /** Cuts off what `work` sends, until it has ended. */
  async function during<Result>(cut: Cut, later: (typeof LATER)[number], work: () => Promise<Result>): Promise<Result> {
    const cutsBefore = proxy.cuts();
    proxy.cutOff(cut);
    const ended = work();
    await expect.poll(() => proxy.cuts(), PATIENCE).toBeGreaterThan(cutsBefore);
    if (later === 'are reset later') proxy.resetSilent();
    const result = await ended;
    proxy.cutOff(undefined);
    return result;
  }

  async function expectSound(slug: string): Promise<void> {
    const chain = await rowsOf(slug);
    expect(new Set(chain.map(({ seq }) => seq)).size).toBe(chain.length);
    const validated = await nodes.get(sound, path(slug, 'pohc/validate'));
    expect(validated.body).toMatchObject({ valid: true });
  }

  describe.each(LATER)('%s', (later) => {
    test.each(['before', 'after'] as const)('in a read, %s the database hears of it', async (at) => {
      const slug = await nodes.machineOf(node);
      const cut: Cut = { text: Buffer.from('select'), at, by: 'silence' };
      const read = () => nodes.get(node, path(slug, 'explore'));
      const [ready, ...refused] = await during(cut, later, () =>
        Promise.all([nodes.get(node, '/readyz'), read(), read(), read()]),
      );
      for (const { status, body, retryAfter } of [ready, ...refused])
        expect([status, body.code, retryAfter]).toEqual([503, 'STORAGE_UNAVAILABLE', '1']);
      await expect.poll(isReady, PATIENCE).toBe(200);
      await expect.poll(async () => (await read()).status, PATIENCE).toBe(200);
    });

    test.each(['before', 'after'] as const)('in a commit, %s the database hears of it', async (at) => {
      const slug = await nodes.machineOf(node);
      await nodes.post(node, path(slug, 'contracts/custom'), { definition: ECHO });
      const ping = (key: string, by = node) =>
        nodes.post(
          by,
          path(slug, 'event'),
          { name: 'ping', payload: { n: 1 } },
          { 'idempotency-key': `${slug} ${key}` },
        );
      expect((await ping('first')).status).toBe(201);
      const before = (await rowsOf(slug)).length;
      const made = before - 2;

      const [refused, ...others] = await during({ text: COMMIT, at, by: 'silence' }, later, () =>
        Promise.all(['cut', 'b', 'c'].map((key) => ping(key))),
      );
      for (const one of [refused, ...others])
        expect([one?.status, one?.body.code]).toEqual([503, 'STORAGE_UNAVAILABLE']);

      // The server keeps the locks of a transaction that it hears no more of, until it gives that up.
      const retries = [
        ['cut', node],
        ['b', node],
        ['c', sound],
      ] as const;
      for (const [key, by] of retries) await expect.poll(async () => (await ping(key, by)).status, PATIENCE).toBe(201);
      expect((await rowsOf(slug)).length).toBe(before + 3 * made);
      expect((await ping('cut')).status).toBe(201);
      expect((await rowsOf(slug)).length).toBe(before + 3 * made);
      await expectSound(slug);
    });

    test.each(['before', 'after'] as const)('in the commit of a fire, %s the database hears of it', async (at) => {
      const slug = await nodes.machineOf(node);
      const cut: Cut = { text: COMMIT, at, by: 'silence' };
      const { body } = await nodes.post(node, path(slug, 'contracts/custom'), { definition: CLOCKWORK });
      const id = String((body.contract as { id: string } | undefined)?.id ?? body.id);
      const { id: machineId } = (await sound.storage.machines.bySlug(slug)) ?? { id: '' };
      const fires = async () =>
        (
          await rows<{ occurrence: string }>(
            sound.storage.database.knex,
            'select occurrence from fire where machine_id = ? and contract_id = ?',
            [machineId, id],
          )
        ).map(({ occurrence }) => Number(occurrence.slice(1)));
      await expect.poll(async () => (await fires()).length, PATIENCE).toBeGreaterThan(1);
      const first = await during(cut, later, async () => {
        const cutsBefore = proxy.cuts();
        await expect.poll(() => proxy.cuts(), PATIENCE).toBeGreaterThan(cutsBefore + 1);
        return (await fires()).length;
      });
      await expect.poll(async () => (await fires()).length, PATIENCE).toBeGreaterThan(first + 2);
      await nodes.post(node, path(slug, `contracts/${id}/pause`), {});
      const ticks = (await fires()).sort((a, b) => a - b);
      expect(ticks).toEqual(ticks.map((_, i) => (ticks[0] ?? 0) + i));
      const transitions = (await rowsOf(slug)).filter(({ type }) => type === 'transition');
      expect(transitions.length).toBe(ticks.length);
      await expectSound(slug);
    });
  });
});
