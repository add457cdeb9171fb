// A key revoked on one node is refused on the other at the notice, while the clock stands still and the cache is valid.

import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TICK_SECONDS } from '../../../src/core/clock.ts';
import { CACHE_TTL_MS } from '../../../src/services/access/access.ts';
import { channelOf } from '../../../src/storage/node/notify-bus.ts';
import { databaseUrl, dropSchema, freshSchema } from '../../storage/databases.ts';
import { type Composed, composed } from '../composition-fixture.ts';

test('without the notice a node forgets keys after one tick', () => {
  expect(CACHE_TTL_MS).toBeLessThanOrEqual(TICK_SECONDS * 1000);
});

describe.runIf(databaseUrl !== undefined)('on two nodes', () => {
  const schema = freshSchema();
  let here: Composed;
  let there: Composed;
  /** Hears what the nodes tell each other: they also read all keys again now and then. */
  const listener = new pg.Client({ connectionString: databaseUrl });
  let notices: string[] = [];
  beforeAll(async () => {
    listener.on('notification', ({ payload = '' }) => notices.push(payload));
    await listener.connect();
    await listener.query(`listen ${channelOf(schema)}`);
    const settings = { DATABASE_URL: databaseUrl ?? '', SVC_MASTER_KEY: randomBytes(32).toString('hex') };
    here = await composed(settings, { schema });
    there = await composed(settings, { schema });
  });
  afterAll(async () => {
    await listener.end();
    await dropSchema(here.storage.database, schema);
    await Promise.all([here.close(), there.close()]);
  });

  const expectNotice = () => expect.poll(() => notices.some((notice) => notice.endsWith(' keys'))).toBe(true);

  test('a revocation reaches the other node, and other keys still work there', async () => {
    const open = (name: string) => here.services.keys.openAccount({ name, scope: 'admin', rate_limit_tier: 'high' });
    const [revoked, kept] = [await open('revoked'), await open('kept')];
    for (const { key } of [revoked, kept]) await there.services.access.authenticate(key);
    const by = await here.services.access.authenticate(revoked.key);
    // Open streams of the other node are checked when it hears of it.
    let heard = 0;
    there.services.access.onRevocation(() => heard++);
    notices = [];
    await here.services.keys.revoke(by, revoked.record.id);
    await expectNotice();
    const onOther = () =>
      there.services.access.authenticate(revoked.key).then(
        () => 'ok',
        ({ code }) => code,
      );
    await expect.poll(onOther, { timeout: 10_000 }).toBe('KEY_REVOKED');
    expect(await there.services.access.authenticate(kept.key)).toMatchObject({ keyPrefix: kept.record.keyPrefix });
    await expect.poll(() => heard).toBeGreaterThan(0);
  });

  test('a developer key that an admin revokes is refused on the other node too', async () => {
    const owner = await here.createOwner();
    const machine = await here.machine(owner);
    const request = { name: 'reader', scope: 'read', rate_limit_tier: 'free' } as const;
    const { key, record } = await here.services.developerKeys.create(machine, owner, request);
    await there.services.access.authenticate(key);
    notices = [];
    await here.services.developerKeys.revoke(machine, owner, record.id);
    await expectNotice();
    const onOther = () =>
      there.services.access.authenticate(key).then(
        () => 'ok',
        ({ code }) => code,
      );
    await expect.poll(onOther, { timeout: 10_000 }).toBe('KEY_REVOKED');
  });
});
