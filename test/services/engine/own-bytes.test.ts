// Rows of timers count as stored by the owner of their machine. Beyond what the owner may store in a day they go on,
// seldom, and lose no occurrence.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SteppedClock, startOfTick, tickOf } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { RateLimiter } from '../../../src/services/access/rate-limit.ts';
import { OwnBytes } from '../../../src/services/engine/own-bytes.ts';
import { rows } from '../../../src/storage/database/sql.ts';
import { createEngineFixture, OWNER } from '../../contracts/lifecycle/engine-fixture.ts';
import { CLOCKWORK } from '../../crash/contract-definitions.ts';
import { unlimitedRates } from '../../suites/unlimited-rates.ts';
import { type Composed, composedDatabases } from '../composition-fixture.ts';

const { usedUpTicks } = LIMITS.contracts.guards;

describe.each(composedDatabases())('on $name', (database) => {
  let svc: Composed;
  beforeAll(async () => {
    svc = await database.open();
  });
  afterAll(() => database.dispose(svc));

  test('timers of a machine whose owner has stored all wake once in many ticks, and fire every occurrence', async () => {
    const owner = await svc.createOwner();
    const machine = await svc.machine(owner);
    // Later than the clock of the composed services, which wake nothing then.
    const start = tickOf(svc.clock.now()) + 10;
    const clock = new SteppedClock(startOfTick(start));
    const rateLimit = new RateLimiter({ clock, limits: unlimitedRates({ accountStored: 20_000 }) });
    const ownBytes = new OwnBytes({
      ...{ members: svc.storage.members, rateLimit },
      onError: (error) => expect.unreachable(String(error)),
    });
    const { engine, contracts, setTick } = await createEngineFixture(svc.storage, undefined, {}, true, { ownBytes });
    setTick(start);
    await contracts.deploy(machine, OWNER, { definition: CLOCKWORK });
    const fires = async () =>
      (
        await rows<{ occurrence: string }>(
          svc.storage.database.knex,
          'select occurrence from fire where machine_id = ?',
          [machine.id],
        )
      ).length;
    expect(rateLimit.hasStoredAll(owner.accountId)).toBe(false);
    const wakes: number[] = [];
    for (let tick = 1; tick <= 200; tick++) {
      setTick(start + tick);
      if (engine.waiting.includes(machine.id)) continue;
      await engine.wake(machine.id);
      // A count that had to look up the owner has ended.
      await new Promise((resolve) => setImmediate(resolve));
      wakes.push(tick);
      expect(await fires()).toBe(tick);
    }
    const firstWait = wakes.findIndex((tick, i) => (wakes[i + 1] ?? tick) - tick > 1);
    // Two rows for each fire, of a kB and their payloads.
    expect(firstWait).toBeGreaterThan(2);
    expect(firstWait).toBeLessThan(12);
    const later = wakes.slice(firstWait);
    expect(later.slice(1).map((tick, i) => tick - (later[i] ?? 0))).toEqual(Array(later.length - 1).fill(usedUpTicks));
    expect(later.length).toBeGreaterThan(2);
    expect(rateLimit.hasStoredAll(owner.accountId)).toBe(true);
    expect(() => rateLimit.assertMayStore(owner, owner.accountId)).toThrow('stored bytes per day');
  });
});
