// Public reports are cached for one tick.

import { expect, test } from 'vitest';
import { SteppedClock, startOfTick, TICK_NS } from '../../../src/core/clock.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { OverviewService } from '../../../src/services/machines/overview.ts';
import { OverviewRepository, type RecentRow } from '../../../src/storage/machines/overview.ts';
import { openStorage } from '../../../src/storage/storage.ts';
import { inMemory } from '../../storage/migrated-database.ts';
import { insertMachine } from './stored-machine-fixture.ts';

/** Counts database queries, and fails on demand. */
class CountingRepository extends OverviewRepository {
  queries = 0;
  isFailing = false;

  override async recent(type: string | undefined, limit: number): Promise<RecentRow[]> {
    this.queries++;
    if (this.isFailing) throw new DomainError('STORAGE_UNAVAILABLE', 'The database is unavailable.');
    return super.recent(type, limit);
  }
}

test('concurrent calls share one query per tick, and a failure is not cached', async () => {
  const storage = await openStorage(await inMemory());
  try {
    const clock = new SteppedClock(startOfTick(2_300_000_000));
    const overview = new CountingRepository(storage.database.knex);
    const service = new OverviewService({ overview, machines: storage.machines, clock });
    const slugOf = async () => (await service.recent(1, undefined))[0]?.slug;

    const first = await insertMachine(storage);
    const many = await Promise.all(Array.from({ length: 100 }, (_, i) => service.recent(1 + (i % 50), undefined)));
    expect(overview.queries).toBe(1);
    for (const rows of many) expect(rows.map(({ slug }) => slug)).toEqual([first.head.slug]);

    // Another machine appears only in the next tick.
    await insertMachine(storage);
    clock.advance(TICK_NS - 1n);
    expect(await service.recent(50, undefined)).toHaveLength(1);
    expect(overview.queries).toBe(1);
    clock.advance(1n);
    expect(await service.recent(50, undefined)).toHaveLength(2);
    expect(overview.queries).toBe(2);

    // Another filter has its own cache entry.
    await service.recent(50, 'event');
    expect(overview.queries).toBe(3);

    clock.advance(TICK_NS);
    overview.isFailing = true;
    const refused = await Promise.allSettled([slugOf(), slugOf()]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(overview.queries).toBe(4);
    overview.isFailing = false;
    expect(await service.recent(50, undefined)).toHaveLength(2);
    expect(overview.queries).toBe(5);
  } finally {
    await storage.close();
  }
});
