// Public answers are worked out once a tick.

import { expect, test } from 'vitest';
import { SteppedClock, startOfTick, TICK_NS } from '../../../src/core/clock.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { OverviewService } from '../../../src/services/machines/overview.ts';
import { OverviewRepository, type RecentRow } from '../../../src/storage/machines/overview.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { plantMachine } from './machines-fixture.ts';

/** Counts the questions that reach the database, and fails when it is told to. */
class Counted extends OverviewRepository {
  questions = 0;
  isBroken = false;

  override async recent(type: string | undefined, limit: number): Promise<RecentRow[]> {
    this.questions++;
    if (this.isBroken) throw new DomainError('STORAGE_UNAVAILABLE', 'The database does not answer.');
    return super.recent(type, limit);
  }
}

test('the newest rows are asked for once a tick by however many, and a failure is asked again', async () => {
  const storage = await openStorage({ inMemory: true });
  try {
    const clock = new SteppedClock(startOfTick(2_300_000_000));
    const overview = new Counted(storage.database.knex);
    const service = new OverviewService({ overview, machines: storage.machines, clock });
    const slugOf = async () => (await service.recent(1, undefined))[0]?.slug;

    const first = await plantMachine(storage);
    const many = await Promise.all(Array.from({ length: 100 }, (_, i) => service.recent(1 + (i % 50), undefined)));
    expect(overview.questions).toBe(1);
    for (const rows of many) expect(rows.map(({ slug }) => slug)).toEqual([first.head.slug]);

    // Another machine is seen when the tick is over, not before.
    await plantMachine(storage);
    clock.advance(TICK_NS - 1n);
    expect(await service.recent(50, undefined)).toHaveLength(1);
    expect(overview.questions).toBe(1);
    clock.advance(1n);
    expect(await service.recent(50, undefined)).toHaveLength(2);
    expect(overview.questions).toBe(2);

    // Another question has an answer of its own.
    await service.recent(50, 'event');
    expect(overview.questions).toBe(3);

    clock.advance(TICK_NS);
    overview.isBroken = true;
    const refused = await Promise.allSettled([slugOf(), slugOf()]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(overview.questions).toBe(4);
    overview.isBroken = false;
    expect(await service.recent(50, undefined)).toHaveLength(2);
    expect(overview.questions).toBe(5);
  } finally {
    await storage.close();
  }
});
