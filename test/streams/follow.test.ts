import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPulse, SteppedClock, startOfTick, TICK_NS, tickOf } from '../../src/core/clock.ts';
import { type Frame, follow, type Log } from '../../src/services/machines/follow.ts';
import { PulseService, type Sleep } from '../../src/services/node/pulse.ts';

/** Rows 1, 2, … that are there when the test adds them; it counts what is read. */
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

  growth(_: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      void this.#grown.promise.then(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

async function take(frames: AsyncGenerator<Frame>, count: number): Promise<Frame[]> {
  const taken: Frame[] = [];
  while (taken.length < count) {
    const next = await frames.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

const seqs = (frames: readonly Frame[]) => frames.map(({ seq }) => seq);
const never = new AbortController().signal;

describe('following a log', () => {
  test('what was missed comes first, then each row as it is added', async () => {
    const log = new TestLog();
    log.add(3);
    const frames = follow(log, 1, never);
    expect(seqs(await take(frames, 2))).toEqual([2, 3]);
    const next = frames.next();
    log.add(1);
    expect((await next).value).toEqual({ seq: 4, type: 'row', data: { square: 16 } });
  });

  test('whoever breaks off anywhere and resumes sees every row once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.integer({ min: 1, max: 9 })),
        async (size, breaks) => {
          const log = new TestLog();
          log.add(size);
          const seen: Frame[] = [];
          for (const count of [...breaks, size]) {
            const since = seen.at(-1)?.seq ?? 0;
            seen.push(...(await take(follow(log, since, never), Math.min(count, size - seen.length))));
          }
          expect(seqs(seen)).toEqual(Array.from({ length: size }, (_, i) => i + 1));
        },
      ),
    );
  });

  test('a reader too far behind is told what was left out, and its memory costs nothing', async () => {
    const log = new TestLog();
    log.add(1);
    const frames = follow(log, 0, never, 10);
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
    expect((await take(follow(log, 0, never, 10), 1))[0]).toMatchObject({ seq: 1, type: 'row' });
    log.add(1);
    expect((await take(follow(log, 0, never, 10), 1))[0]).toMatchObject({ type: 'gap', data: { from: 1, to: 1 } });
  });

  test('one who has seen more than there is waits for what comes next', async () => {
    const log = new TestLog();
    log.add(5);
    const frames = follow(log, 99, never);
    const next = frames.next();
    log.add(1);
    expect((await next).value).toMatchObject({ seq: 6 });
  });

  test.each([0, 1, 2, 3, 4, 5])('an abort ends it while it waits, %i turns after the question', async (turns) => {
    const stop = new AbortController();
    const frames = follow(new TestLog(), 0, stop.signal);
    const next = frames.next();
    for (let i = 0; i < turns; i++) await Promise.resolve();
    stop.abort();
    expect((await next).done).toBe(true);
  });

  test('an abort ends it between two rows', async () => {
    const stop = new AbortController();
    const log = new TestLog();
    log.add(5);
    const frames = follow(log, 0, stop.signal);
    await frames.next();
    stop.abort();
    expect((await frames.next()).done).toBe(true);
  });
});

describe('the ticks of the pulse', () => {
  const genesis = { tick: 2_300_000_000, unixMs: 0 };
  const begin = startOfTick(2_300_000_100) + 5n;

  function pulseAt(ns: bigint) {
    const clock = new SteppedClock(ns);
    const waits: number[] = [];
    /** Sleeping is what makes this time pass. */
    const wait: Sleep = async (ms) => {
      waits.push(ms);
      clock.advance(BigInt(ms) * 1_000_000n);
    };
    return { clock, waits, pulse: new PulseService(clock, genesis, wait) };
  }

  test('begin with the tick under way, and each is read at its first nanosecond', async () => {
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

  test('are the same whenever they are asked for', async () => {
    const live = await take(pulseAt(begin).pulse.ticks(undefined, never) as AsyncGenerator<Frame>, 20);
    const late = pulseAt(begin + 25n * TICK_NS).pulse.ticks((live[0]?.seq ?? 0) - 1, never);
    expect(await take(late as AsyncGenerator<Frame>, 20)).toEqual(live);
  });

  test('of a long absence are a gap', async () => {
    const { pulse, clock } = pulseAt(begin);
    const now = tickOf(clock.now());
    const [gap, first] = await take(pulse.ticks(1_000, never) as AsyncGenerator<Frame>, 2);
    expect(gap).toEqual({ seq: now - 512, type: 'gap', data: { from: 1_001, to: now - 512 } });
    expect(first?.seq).toBe(now - 511);
  });
});
