// Kills nodes while their contracts send events to another machine: none is lost, none arrives or is refused twice.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compose } from '../../src/composition.ts';
import { readConfiguration } from '../../src/configuration.ts';
import { fromBase64Url } from '../../src/core/bits.ts';
import { openLog } from '../../src/log.ts';
import type { FsckFault } from '../../src/services/fsck/faults.ts';
import { fsck } from '../../src/services/fsck/fsck.ts';
import { rows } from '../../src/storage/database/sql.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { runAndKill } from './counting-node.ts';
import { MASTER_KEY } from './crash-owner.ts';

const dataFolder = mkdtempSync(join(tmpdir(), 'svc-sent-events-'));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

const run = (first: number, events: number, delayMs: number) =>
  runAndKill({ script: new URL('sending-node.ts', import.meta.url), place: { dataFolder }, first, events, delayMs });

async function read() {
  const storage = await openStorage({ dataFolder });
  const { knex } = storage.database;
  try {
    const payloads = async (slug: string, type: string) =>
      (
        await rows<{ body: string }>(
          knex,
          `select body from audit join machine on id = machine_id where slug = ? and type = ? order by seq`,
          [slug, type],
        )
      ).map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    const [pending] = await rows<{ count: number }>(
      knex,
      'select count(*)::int as count from sent_event where next_tick is not null',
    );
    return {
      pending: pending?.count ?? 0,
      sends: (await payloads('shop', 'transition')).flatMap(({ sends = [] }) => sends as { to: string }[]),
      told: (await payloads('shop', 'refused')).filter(({ send }) => send !== undefined),
      noted: (await payloads('shop', 'transition')).filter(({ transition }) => transition === 'note'),
      taken: (await payloads('depot', 'event')).filter(({ from }) => from !== undefined),
      calls: (await payloads('shop', 'event')).filter(({ name }) => name === 'call'),
    };
  } finally {
    await storage.close();
  }
}

test('after kills between commit and delivery each event is taken or refused exactly once', async () => {
  let next = 0;
  let pendingAtKills = 0;
  for (const [calls, delayMs] of [
    [25, 0],
    [40, 3],
    [30, 11],
  ] as const) {
    next = (await run(next, calls, delayMs)) + 1;
    pendingAtKills += (await read()).pending;
  }
  // Otherwise the kills have hit nothing.
  expect(pendingAtKills).toBeGreaterThan(0);
  const configuration = { ...readConfiguration({ SVC_MASTER_KEY: MASTER_KEY, SVC_WORKERS: '1' }), dataFolder };
  const composition = await compose({ configuration, log: openLog('error') });
  const { knex } = composition.storage.database;
  await expect
    .poll(() => rows(knex, 'select 1 from sent_event where next_tick is not null'), { timeout: 60_000 })
    .toEqual([]);
  const found: unknown[] = [];
  const keys = composition.services.keyRing.jwks().keys.map(({ x }) => fromBase64Url(x) ?? new Uint8Array());
  await fsck(knex, { keys, nowMs: Date.now(), onFault: (fault) => found.push(fault) });
  // The members of the fixture have no accounts.
  expect(found.filter((fault) => (fault as FsckFault).table !== 'member')).toEqual([]);
  await composition.close();
  const { sends, told, noted, taken, calls } = await read();
  expect(calls.length).toBeGreaterThanOrEqual(next);
  const numbers = calls.map(({ payload }) => (payload as { n: number }).n);
  expect(taken.map(({ payload }) => (payload as { n: number }).n)).toEqual(numbers);
  expect(sends.filter(({ to }) => to === 'nobody')).toHaveLength(numbers.length);
  expect([told.length, noted.length]).toEqual([numbers.length, numbers.length]);
}, 180_000);
