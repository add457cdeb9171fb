// The clock of a node that is corrected by the database's: skew, steps forwards and backwards on either side.

import { expect, test } from 'vitest';
import { type Clock, startOfTick, TICK_NS } from '../../../src/core/clock.ts';
import { assertNotAhead, assertTrusted } from '../../../src/core/clock-guard.ts';
import { DatabaseClock, databaseTime } from '../../../src/storage/node/database-clock.ts';
import { testDatabases } from '../databases.ts';

const SECOND = 1_000_000_000n;
const HOUR = 3_600n * SECOND;
const START = startOfTick(2_300_000_000);

/** A host and a database whose clocks the test sets, and a round trip of a given time. */
function clocks({ hostAhead = 0n, roundTrip = 2_000_000n, ratePercent = 100n } = {}) {
  const times = { true: START, hostAhead, databaseAhead: 0n, roundTrip, ratePercent, isUp: true };
  const messages: string[] = [];
  const host: Clock = {
    source: 'test',
    now: () => START + ((times.true - START) * times.ratePercent) / 100n + times.hostAhead,
  };
  const read = async () => {
    times.true += times.roundTrip / 2n;
    const time = times.true + times.databaseAhead;
    times.true += times.roundTrip / 2n;
    if (!times.isUp) throw new Error('down');
    return time;
  };
  const onChange = (text: string) => messages.push(text);
  const wait = async (ms: number) => {
    times.true += BigInt(ms) * 1_000_000n;
  };
  const clock = new DatabaseClock({ host, read, onChange, onFailed: () => {}, wait });
  const error = () => clock.now() - times.true;
  return { clock, times, messages, error };
}

const started = async (options?: Parameters<typeof clocks>[0]) => {
  const all = clocks(options);
  await all.clock.start();
  await all.clock.stop();
  return all;
};

test.each([
  ['an hour fast', HOUR],
  ['an hour slow', -HOUR],
  ['right', 0n],
])('a host that is %s has the time of the database', async (_, hostAhead) => {
  const { clock, error, messages } = await started({ hostAhead });
  expect(error()).toBe(0n);
  expect([clock.fault(), clock.source, clock.hostAheadMs]).toEqual([
    undefined,
    'postgresql',
    Number(hostAhead / 1_000_000n),
  ]);
  expect(messages.length).toBe(hostAhead === 0n ? 0 : 1);
});

test('a host that jumps an hour ahead is not trusted from that moment, and right after the next comparison', async () => {
  const { clock, times, error, messages } = await started();
  clock.now();
  times.hostAhead = HOUR;
  expect(clock.fault()).toContain('has jumped');
  expect(clock.source).toBe('postgresql, not trusted');
  expect(() => assertTrusted(clock)).toThrow(expect.objectContaining({ code: 'CLOCK_SKEWED', retryAfterSeconds: 2 }));
  // Whoever reads it now gets the wrong hour, which must not last.
  clock.now();
  await clock.sync();
  expect([clock.fault(), error()]).toEqual([undefined, 0n]);
  expect(messages).toEqual([expect.stringContaining('3600000 ms ahead')]);
});

test('a host that jumps back an hour is not trusted either', async () => {
  const { clock, times, error } = await started();
  const before = clock.now();
  times.hostAhead = -HOUR;
  expect(clock.fault()).toContain('has jumped');
  expect(clock.now()).toBe(before);
  await clock.sync();
  expect([clock.fault(), error()]).toEqual([undefined, 0n]);
});

test.each([
  ['three times too fast', 300n],
  ['a fifth of the rate', 20n],
  ['half the rate', 50n],
])('a host whose clock runs %s from its start is never trusted, and stamps nothing', async (_, ratePercent) => {
  const { clock, times, messages, error } = await started({ ratePercent });
  for (let i = 0; i < 20; i++) {
    expect(clock.fault()).toContain('does not run at the rate');
    expect(() => assertTrusted(clock)).toThrow(expect.objectContaining({ code: 'CLOCK_SKEWED' }));
    clock.now();
    // Two comparisons within a moment show no rate.
    await clock.sync();
    times.true += 2n * SECOND;
    await clock.sync();
  }
  expect(messages.filter((text) => text.startsWith('The time is not trusted'))).toHaveLength(1);
  // What it read meanwhile holds nothing up once its rate is right.
  times.hostAhead += ((times.true - START) * (ratePercent - 100n)) / 100n;
  times.ratePercent = 100n;
  await clock.sync();
  expect(clock.fault()).toBeUndefined();
  expect(Number(error()) / 1e6).toBeCloseTo(0, -1);
});

test('a clock that begins to run too fast is found at the next comparison, one that drifts by a tenth is followed', async () => {
  const { clock, times, error } = await started();
  times.ratePercent = 110n;
  times.hostAhead -= (times.true - START) / 10n;
  for (let i = 0; i < 5; i++) {
    times.true += 2n * SECOND;
    await clock.sync();
    expect(clock.fault()).toBeUndefined();
    expect(error() <= TICK_NS && error() >= -TICK_NS).toBe(true);
  }
  times.hostAhead -= 2n * (times.true - START) - (times.true - START) / 10n;
  times.ratePercent = 300n;
  times.true += 2n * SECOND;
  await clock.sync();
  expect(clock.fault()).toContain('does not run at the rate');
});

test('a jump during a comparison is not taken for a slow answer', async () => {
  const { clock, times } = await started();
  times.roundTrip = 0n;
  const jumping = clock.sync();
  times.hostAhead = HOUR;
  await jumping;
  expect(clock.fault()).toContain('has jumped');
});

test('a database that steps back an hour stops the node until its clock has caught up', async () => {
  const { clock, times, messages } = await started();
  const before = clock.now();
  times.databaseAhead = -HOUR;
  await clock.sync();
  expect(clock.fault()).toContain('behind the time that this node has already used');
  expect(clock.now()).toBe(before);
  times.true += HOUR;
  await clock.sync();
  expect(clock.fault()).toBeUndefined();
  expect(clock.now()).toBe(times.true - HOUR);
  expect(messages.at(-1)).toBe('The time is trusted again.');
});

test('a database that does not answer is waited for, and then the time is not trusted', async () => {
  const { clock, times } = await started();
  times.isUp = false;
  times.true += 10n * SECOND;
  await clock.sync();
  expect(clock.fault()).toBeUndefined();
  times.true += 10n * SECOND;
  await clock.sync();
  expect(clock.fault()).toContain('compared');
  times.isUp = true;
  await clock.sync();
  expect(clock.fault()).toBeUndefined();
});

test('jitter of the round trip moves nothing, drift is followed, and the time never decreases', async () => {
  const { clock, times, error } = await started();
  const sign = (i: number) => (i % 2 === 0 ? 1n : -1n);
  let last = clock.now();
  for (let i = 0; i < 50; i++) {
    times.true += SECOND;
    times.roundTrip = BigInt(i % 7) * 10_000_000n;
    times.hostAhead += sign(i) * 100_000n;
    await clock.sync();
    const now = clock.now();
    expect(now).toBeGreaterThanOrEqual(last);
    last = now;
    expect(error() < 40_000_000n && error() > -40_000_000n).toBe(true);
  }
});

test('a row is refused if the head is more than two ticks ahead', () => {
  const clock: Clock = { source: 'test', now: () => START };
  const now = Number(START / TICK_NS);
  for (const ahead of [-1, 0, 2]) expect(() => assertNotAhead(clock, now + ahead)).not.toThrow();
  expect(() => assertNotAhead(clock, now + 12)).toThrow(
    expect.objectContaining({
      code: 'CLOCK_AHEAD',
      retryAfterSeconds: 8,
      facts: { head_svcond: now + 12, svcond: now },
    }),
  );
});

test.each(testDatabases())('the clock of $name is read to the millisecond', async (database) => {
  const storage = await database.open();
  const before = BigInt(Date.now()) * 1_000_000n;
  const time = await databaseTime(storage.database.knex);
  const after = BigInt(Date.now() + 1) * 1_000_000n;
  await database.dispose(storage);
  // Both run on this host.
  expect(time >= before - SECOND && time <= after + SECOND).toBe(true);
});
