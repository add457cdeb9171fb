import { expect, test } from 'vitest';
import type { Clock } from '../../../src/core/clock.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { TrialTurns } from '../../../src/services/contracts/trial-turns.ts';

/** A millisecond passes with every look at it. */
function steppedClock(): Clock {
  let ns = 0n;
  return {
    source: 'stepped',
    now: () => {
      ns += 1_000_000n;
      return ns;
    },
  };
}

const STEPS_PER_SLICE = LIMITS.kernel.chunkMs;

/** A trial that logs its steps. */
function* trial(name: string, steps: number, log: string[]): Generator<void, string> {
  for (let i = 0; i < steps; i++) {
    log.push(name);
    yield;
  }
  return name;
}

test('trials of machines take turns, so a short one does not wait for long ones', async () => {
  const turns = new TrialTurns(steppedClock());
  const log: string[] = [];
  const long = [1, 2, 3].map(() => turns.run('noisy', trial('long', 500, log), 0n));
  const short = await turns.run('quiet', trial('short', STEPS_PER_SLICE + 5, log), 0n);
  expect(short).toBe('short');
  // At most the slice that was running, and one in each turn between its own two.
  expect(log.filter((name) => name === 'long').length).toBeLessThanOrEqual(3 * (STEPS_PER_SLICE + 1));
  expect(await Promise.all(long)).toEqual(['long', 'long', 'long']);
});

test('the event loop gets a turn after every slice, however many trials run', async () => {
  const turns = new TrialTurns(steppedClock());
  const log: string[] = [];
  const stepsOfTurns: number[] = [];
  let isOver = false;
  const watch = () => {
    stepsOfTurns.push(log.length);
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await Promise.all(Array.from({ length: 8 }, (_, i) => turns.run(`m${i}`, trial('a', 60, log), 0n)));
  isOver = true;
  const perTurn = stepsOfTurns.slice(1).map((steps, i) => steps - (stepsOfTurns[i] ?? 0));
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(STEPS_PER_SLICE + 1);
  expect(log).toHaveLength(8 * 60);
});

test('a machine has a limited number of trials at a time, and one beyond its time ends', async () => {
  const turns = new TrialTurns(steppedClock());
  const { perMachine, deadlineMs } = LIMITS.contracts.whatIf;
  const running = Array.from({ length: perMachine }, () => turns.run('noisy', trial('long', 50, []), 0n));
  await expect(turns.run('noisy', trial('more', 1, []), 0n)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await Promise.all(running);
  expect(await turns.run('noisy', trial('more', 1, []), 0n)).toBe('more');
  const endless = turns.run('noisy', trial('endless', deadlineMs * 2, []), 0n);
  await expect(endless).rejects.toMatchObject({ code: 'OUT_OF_TIME' });
});

test('the error of a trial is its own', async () => {
  const turns = new TrialTurns(steppedClock());
  // biome-ignore lint/correctness/useYield: a trial that fails in its first step.
  const failing = (function* (): Generator<void, string> {
    throw new RangeError('broken');
  })();
  const [broken, whole] = await Promise.allSettled([
    turns.run('a', failing, 0n),
    turns.run('a', trial('whole', 50, []), 0n),
  ]);
  expect([broken, whole]).toMatchObject([{ reason: { message: 'broken' } }, { value: 'whole' }]);
});
