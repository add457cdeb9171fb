import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPulse, SteppedClock, startOfTick, TICK_NS, tickOf } from '../../src/core/clock.ts';
import { PulseService, type Sleep } from '../../src/services/node/pulse.ts';
import { type Frame, type Log, tailLog } from '../../src/services/node/tail-log.ts';

/** A log that the test extends; counts the rows that are read. */
class TestLog implements Log {
  size = 0;
  rowsRead = 0;
  #grown = Promise.withResolvers<void>();

  add(rows: number): void {
    this.size += rows;
    this.#grown.resolve();
    this.#grown = Promise.withResolvers();
  }

  head(): number {
    return this.size;
  }

  *read(first: number, last: number): Iterable<Frame> {
    for (let seq = first; seq <= last; seq++) {
      this.rowsRead++;
      yield { seq, type: 'row', data: { square: seq * seq } };
    }
  }

  waitForGrowth(_: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      void this.#grown.promise.then(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

async function take(frames: AsyncGenerator<Frame>, count: number): Promise<Frame[]> {
  const collected: Frame[] = [];
  while (collected.length < count) {
    const next = await frames.next();
    if (next.done) break;
    collected.push(next.value);
  }
  return collected;
}

const seqs = (frames: readonly Frame[]) => frames.map(({ seq }) => seq);
const never = new AbortController().signal;

describe('tailing a log', () => {
  test('sends missed rows first, then each new row', async () => {
    const log = new TestLog();
    log.add(3);
    const frames = tailLog(log, 1, never);
    expect(seqs(await take(frames, 2))).toEqual([2, 3]);
    const next = frames.next();
    log.add(1);
    expect((await next).value).toEqual({ seq: 4, type: 'row', data: { square: 16 } });
  });

  test('a reader that resumes anywhere receives every row once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.integer({ min: 1, max: 9 })),
        async (size, breaks) => {
          const log = new TestLog();
          log.add(size);
          const received: Frame[] = [];
          for (const count of [...breaks, size]) {
            const since = received.at(-1)?.seq ?? 0;
            received.push(...(await take(tailLog(log, since, never), Math.min(count, size - received.length))));
          }
          expect(seqs(received)).toEqual(Array.from({ length: size }, (_, i) => i + 1));
        },
      ),
    );
  });

  test('a reader too far behind receives a gap, and skipped rows are not read', async () => {
    const log = new TestLog();
    log.add(1);
    const frames = tailLog(log, 0, never, 10);
    await take(frames, 1);
    log.add(1_000_000);
    const [gap, ...rows] = await take(frames, 11);
    expect(gap).toEqual({ seq: 999_991, type: 'gap', data: { from: 2, to: 999_991 } });
    expect(seqs(rows)).toEqual(Array.from({ length: 10 }, (_, i) => 999_992 + i));
    expect(log.rowsRead).toBe(11);
  });

  test('a gap begins only beyond the backlog', async () => {
    const log = new TestLog();
    log.add(10);
    expect((await take(tailLog(log, 0, never, 10), 1))[0]).toMatchObject({ seq: 1, type: 'row' });
    log.add(1);
    expect((await take(tailLog(log, 0, never, 10), 1))[0]).toMatchObject({ type: 'gap', data: { from: 1, to: 1 } });
  });

  test('a reader that resumes beyond the head receives the next row', async () => {
    const log = new TestLog();
    log.add(5);
    const frames = tailLog(log, 99, never);
    const next = frames.next();
    log.add(1);
    expect((await next).value).toMatchObject({ seq: 6 });
  });

  test.each([0, 1, 2, 3, 4, 5])('an abort ends it while it waits, %i microtasks after the call', async (microtasks) => {
    const stop = new AbortController();
    const frames = tailLog(new TestLog(), 0, stop.signal);
    const next = frames.next();
    for (let i = 0; i < microtasks; i++) await Promise.resolve();
    stop.abort();
    expect((await next).done).toBe(true);
  });

  test('an abort ends it between two rows', async () => {
    const stop = new AbortController();
    const log = new TestLog();
    log.add(5);
    const frames = tailLog(log, 0, stop.signal);
    await frames.next();
    stop.abort();
    expect((await frames.next()).done).toBe(true);
  });
});

describe('the pulse ticks', () => {
  const genesis = { tick: 2_300_000_000, unixMs: 0 };
  const begin = startOfTick(2_300_000_100) + 5n;

  function pulseAt(ns: bigint) {
    const clock = new SteppedClock(ns);
    const waits: number[] = [];
    /** Sleeping advances the clock. */
    const wait: Sleep = async (ms) => {
      waits.push(ms);
      clock.advance(BigInt(ms) * 1_000_000n);
    };
    return { clock, waits, pulse: new PulseService(clock, genesis, wait) };
  }

  test('start with the current tick, each read at its first nanosecond', async () => {
    const { pulse, waits } = pulseAt(begin);
    const frames = await take(pulse.ticks(undefined, never) as AsyncGenerator<Frame>, 4);
    expect(seqs(frames)).toEqual([0, 1, 2, 3].map((i) => 2_300_000_100 + i));
    for (const { seq, data } of frames) {
      const { R_t, phase } = readPulse(startOfTick(seq));
      expect(data).toMatchObject({ svcond: seq, R_t, phase, sinceGenesis: seq - genesis.tick });
    }
    // It sleeps to the next tick, and not much past it.
    for (const ms of waits) expect(ms).toBeLessThanOrEqual(Number(TICK_NS / 1_000_000n) + 1);
    expect(waits).toHaveLength(3);
  });

  test('are the same live and when read later', async () => {
    const live = await take(pulseAt(begin).pulse.ticks(undefined, never) as AsyncGenerator<Frame>, 20);
    const late = pulseAt(begin + 25n * TICK_NS).pulse.ticks((live[0]?.seq ?? 0) - 1, never);
    expect(await take(late as AsyncGenerator<Frame>, 20)).toEqual(live);
  });

  test('skipped in a long absence are a gap', async () => {
    const { pulse, clock } = pulseAt(begin);
    const now = tickOf(clock.now());
    const [gap, first] = await take(pulse.ticks(1_000, never) as AsyncGenerator<Frame>, 2);
    expect(gap).toEqual({ seq: now - 512, type: 'gap', data: { from: 1_001, to: now - 512 } });
    expect(first?.seq).toBe(now - 511);
  });
});
