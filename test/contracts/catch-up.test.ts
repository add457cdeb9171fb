// Missed occurrences of timers: which fire, in what order, and how many are counted as missed.

import { Cron } from 'croner';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { tickOfInstant } from '../../src/contracts/calendar.ts';
import { type RunningContract, wake } from '../../src/contracts/execution.ts';
import { nextFires } from '../../src/contracts/next-fires.ts';
import { firstDue, nextDue, settle, type TimerTrigger } from '../../src/contracts/schedule.ts';
import { EMPTY_WORLD, startRunning, timerContract } from './timer-fixture.ts';

const START = 1_000;
const DAY = 111_197;
const LONG_AGO = tickOfInstant('2027-03-01T00:00:00Z');

const fired = (running: RunningContract, now: number) =>
  wake(running, now, 2, EMPTY_WORLD).flatMap(({ stimulus, result }) =>
    stimulus.kind === 'timer' && result.fired ? [`${stimulus.transition} ${stimulus.due}`] : [],
  );
const everyTick = (options: object = {}) => ({ id: 'tick', trigger: { kind: 'recurring', every: 1, ...options } });
const everyMinute = (options: object = {}) => ({
  id: 'tick',
  trigger: { kind: 'cron', cron: '* * * * *', tz: 'Europe/Berlin', ...options },
});

afterEach(() => void vi.restoreAllMocks());

describe('all', () => {
  test('fires up to max_catch_up of the newest in order and counts the others as missed', () => {
    const running = startRunning([everyTick({ catch_up: 'all', max_catch_up: 3 })], START);
    expect(fired(running, START + 20)).toEqual(['tick 1018', 'tick 1019', 'tick 1020']);
    expect(running.state).toMatchObject({ fires: 3, missed: 17, timers: [{ due: 1_021 }] });
    expect(running.state.timers[0]).not.toHaveProperty('settled');
    expect(fired(running, START + 20)).toEqual([]);
    expect(fired(running, START + 21)).toEqual(['tick 1021']);
  });

  test('occurrences left by one wake fire in the next and are not settled again', () => {
    const running = startRunning([everyTick({ catch_up: 'all', max_catch_up: 1_000 })], START);
    const first = fired(running, START + 1_500);
    expect(first).toEqual(Array.from({ length: 999 }, (_, i) => `tick ${START + 501 + i}`));
    expect(running.state).toMatchObject({ missed: 500, timers: [{ due: START + 1_500, settled: START + 1_500 }] });
    // Later misses are settled separately and do not displace occurrences that were settled to fire.
    const [settled, next] = fired(running, START + 3_000);
    expect([settled, next]).toEqual([`tick ${START + 1_500}`, `tick ${START + 2_001}`]);
    expect(running.state.missed).toBe(1_000);
  });

  test('other timers that are due earlier fire first and may leave the state', () => {
    const chime = { id: 'chime', trigger: { kind: 'recurring', every: 2, catch_up: 'all', max_catch_up: 3 } };
    const stays = startRunning([chime, { id: 'once', trigger: { kind: 'one_shot', after: 17 } }], START);
    expect(fired(stays, START + 20)).toEqual(['chime 1016', 'once 1017', 'chime 1018', 'chime 1020']);
    expect(stays.state.missed).toBe(7);
    const leaves = startRunning([chime, { id: 'once', to: 'off', trigger: { kind: 'one_shot', after: 17 } }], START);
    expect(fired(leaves, START + 20)).toEqual(['chime 1016', 'once 1017']);
  });

  test('half a day of minutes is counted without a calendar step for each', () => {
    const running = startRunning([everyMinute({ catch_up: 'all', max_catch_up: 10 })], LONG_AGO);
    const steps = vi.spyOn(Cron.prototype, 'nextRun');
    expect(fired(running, LONG_AGO + DAY / 2 - 0.5)).toHaveLength(10);
    expect(running.state.missed).toBe(710);
    expect(steps.mock.calls.length).toBeLessThan(20);
  });
});

describe('one', () => {
  test('fires the newest and counts all others as missed', () => {
    const running = startRunning([everyTick()], START);
    expect(fired(running, START + 1_000)).toEqual(['tick 2000']);
    expect(running.state).toMatchObject({ missed: 999, timers: [{ due: 2_001 }] });
  });

  test('grace drops the newest occurrence only if that one is too old', () => {
    const running = startRunning([everyTick({ grace: 5 })], START);
    expect(fired(running, START + 1_000)).toEqual(['tick 2000']);
    const rare = startRunning([{ id: 'tick', trigger: { kind: 'recurring', every: 100, grace: 5 } }], START);
    expect(fired(rare, START + 1_050)).toEqual([]);
    expect(rare.state).toMatchObject({ missed: 10, timers: [{ due: START + 1_100 }] });
  });

  test('a month of minutes takes one calendar step per day', () => {
    const running = startRunning([everyMinute()], LONG_AGO);
    const steps = vi.spyOn(Cron.prototype, 'nextRun');
    expect(fired(running, LONG_AGO + 30 * DAY)).toHaveLength(1);
    // The change to summer time on 28 March removes no minute, and the first minute of the range is included.
    expect(running.state.missed).toBe(30 * 24 * 60);
    expect(steps.mock.calls.length).toBeLessThan(40);
  });
});

describe('settling all at once equals settling occurrence by occurrence', () => {
  const triggers = fc.record({
    base: fc.constantFrom(
      { kind: 'recurring', every: 1 },
      { kind: 'recurring', every: 7, offset: 3 },
      { kind: 'recurring', every: 5_000, anchor: 'deploy' },
      { kind: 'cron', cron: '*/7 * * * *', tz: 'UTC' },
      { kind: 'cron', cron: '30 2 * * *', tz: 'Europe/Berlin' },
      { kind: 'cron', cron: '0 9,17 * * MON-FRI', tz: 'America/New_York' },
    ),
    catch_up: fc.constantFrom('one', 'all', 'skip'),
    max_catch_up: fc.integer({ min: 1, max: 30 }),
    grace: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
  });

  test('for any trigger and any lateness', () => {
    fc.assert(
      fc.property(triggers, fc.integer({ min: 0, max: 3 * DAY }), ({ base, grace, ...catchUp }, late) => {
        const definition = { ...base, ...catchUp, ...(grace === undefined ? {} : { grace }) };
        const trigger = timerContract([{ id: 'tick', trigger: definition }], true).transitions[0]
          ?.trigger as TimerTrigger;
        const anchors = { entry: LONG_AGO, deploy: LONG_AGO };
        const due = firstDue(trigger, anchors, LONG_AGO) as number;
        const now = due + late;
        const { fires, missed, next } = settle(trigger, anchors, { transition: 'tick', due, retries: 0 }, now);
        const all = [];
        let occurrence: number | undefined = due;
        for (; occurrence !== undefined && occurrence <= now; occurrence = nextDue(trigger, anchors, occurrence)) {
          all.push(occurrence);
        }
        const newest = all.slice(catchUp.catch_up === 'all' ? -catchUp.max_catch_up : -1);
        const oldest = now - Math.min(grace ?? Infinity, catchUp.catch_up === 'skip' ? 5 : Infinity);
        expect(fires).toEqual(newest.filter((tick) => tick >= oldest));
        expect(missed).toBe(all.length - fires.length);
        expect(next).toBe(occurrence);
      }),
      { numRuns: 200, seed: 1287 },
    );
  }, 60_000);
});

test('next fires list only those overdue occurrences that still fire', () => {
  const running = startRunning([everyTick({ catch_up: 'all', max_catch_up: 3 })], START);
  expect(nextFires(running, START + 20, 5).map(({ svcond }) => svcond)).toEqual([1_018, 1_019, 1_020, 1_021, 1_022]);
  expect(nextFires(running, START, 3).map(({ svcond }) => svcond)).toEqual([1_001, 1_002, 1_003]);
  const limited = startRunning([everyTick({ max_fires: 2 })], START);
  expect(nextFires(limited, START, 5).map(({ svcond }) => svcond)).toEqual([1_001, 1_002]);
  expect(fired(limited, START + 1)).toEqual(['tick 1001']);
  expect(nextFires(limited, START + 1, 5).map(({ svcond }) => svcond)).toEqual([1_002]);
  const once = startRunning([{ id: 'once', trigger: { kind: 'one_shot', after: 10, catch_up: 'skip' } }], START);
  expect(nextFires(once, START + 20, 5)).toEqual([]);
});

describe('a contract that nothing can move any more is completed', () => {
  const never = { id: 'once', fires_when: '1 > 2', trigger: { kind: 'one_shot', after: 10 } };
  const dropped = { id: 'once', to: 'off', trigger: { kind: 'one_shot', after: 10, catch_up: 'skip' } };

  test.each([
    ['after a one_shot whose condition was false', never, START + 10, 0],
    ['after a one_shot that was too late', dropped, START + 50, 1],
    ['after a one_shot back into its own state', { ...dropped, to: 'on' }, START + 10, 0],
  ])('%s', (_, timer, now, missed) => {
    const alone = startRunning([timer], START, false);
    wake(alone, now, 2, { ...EMPTY_WORLD, evaluate: () => 0 });
    expect(alone.state).toMatchObject({ state: 'on', lifecycle: 'completed', timers: [], missed });
    const withEvent = startRunning([timer], START, true);
    wake(withEvent, now, 2, { ...EMPTY_WORLD, evaluate: () => 0 });
    expect(withEvent.state).toMatchObject({ state: 'on', lifecycle: 'active', timers: [], missed });
  });

  test('but not while a retry is scheduled', () => {
    const retried = { ...never, trigger: { ...never.trigger, retry_every: 5, max_retries: 1 } };
    const running = startRunning([retried], START, false);
    wake(running, START + 10, 2, { ...EMPTY_WORLD, evaluate: () => 0 });
    expect(running.state).toMatchObject({ lifecycle: 'active', timers: [{ due: START + 15 }] });
    wake(running, START + 15, 2, { ...EMPTY_WORLD, evaluate: () => 0 });
    expect(running.state).toMatchObject({ lifecycle: 'completed', timers: [] });
  });
});
