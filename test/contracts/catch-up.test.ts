// What becomes of occurrences that nobody was there for: how many fire, which, in what order, and how many are missed.

import { Cron } from 'croner';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { tickOfInstant } from '../../src/contracts/calendar.ts';
import { type Running, wake } from '../../src/contracts/progress.ts';
import { firstDue, nextDue, settle, type TimerTrigger } from '../../src/contracts/schedule.ts';
import { upcoming } from '../../src/contracts/upcoming.ts';
import { begun, contractOf, NO_WORLD } from './at-hand.ts';

const START = 1_000;
const DAY = 111_197;
const AGES_AGO = tickOfInstant('2027-03-01T00:00:00Z');

const fired = (running: Running, now: number) =>
  wake(running, now, 2, NO_WORLD).flatMap(({ stimulus, reaction }) =>
    stimulus.kind === 'timer' && reaction.fired ? [`${stimulus.transition} ${stimulus.due}`] : [],
  );
const each = (more: object = {}) => ({ id: 'tick', trigger: { kind: 'recurring', every: 1, ...more } });
const minutely = (more: object = {}) => ({
  id: 'tick',
  trigger: { kind: 'cron', cron: '* * * * *', tz: 'Europe/Berlin', ...more },
});

afterEach(() => void vi.restoreAllMocks());

describe('all', () => {
  test('fires the newest in order, as many as are allowed, and counts the others', () => {
    const running = begun([each({ catch_up: 'all', max_catch_up: 3 })], START);
    expect(fired(running, START + 20)).toEqual(['tick 1018', 'tick 1019', 'tick 1020']);
    expect(running.state).toMatchObject({ fires: 3, missed: 17, timers: [{ due: 1_021 }] });
    expect(running.state.timers[0]).not.toHaveProperty('settled');
    expect(fired(running, START + 20)).toEqual([]);
    expect(fired(running, START + 21)).toEqual(['tick 1021']);
  });

  test('what one look leaves is fired by the next, and is not settled again', () => {
    const running = begun([each({ catch_up: 'all', max_catch_up: 1_000 })], START);
    const first = fired(running, START + 1_500);
    expect(first).toEqual(Array.from({ length: 999 }, (_, i) => `tick ${START + 501 + i}`));
    expect(running.state).toMatchObject({ missed: 500, timers: [{ due: START + 1_500, settled: START + 1_500 }] });
    // What was missed since is settled by itself: it takes nothing from what was promised.
    const [promised, next] = fired(running, START + 3_000);
    expect([promised, next]).toEqual([`tick ${START + 1_500}`, `tick ${START + 2_001}`]);
    expect(running.state.missed).toBe(1_000);
  });

  test('others that are due earlier come first, and may end it', () => {
    const chimes = { id: 'chime', trigger: { kind: 'recurring', every: 2, catch_up: 'all', max_catch_up: 3 } };
    const stays = begun([chimes, { id: 'once', trigger: { kind: 'one_shot', after: 17 } }], START);
    expect(fired(stays, START + 20)).toEqual(['chime 1016', 'once 1017', 'chime 1018', 'chime 1020']);
    expect(stays.state.missed).toBe(7);
    const leaves = begun([chimes, { id: 'once', to: 'off', trigger: { kind: 'one_shot', after: 17 } }], START);
    expect(fired(leaves, START + 20)).toEqual(['chime 1016', 'once 1017']);
  });

  test('half a day of minutes costs no walk for each of them', () => {
    const running = begun([minutely({ catch_up: 'all', max_catch_up: 10 })], AGES_AGO);
    const steps = vi.spyOn(Cron.prototype, 'nextRun');
    expect(fired(running, AGES_AGO + DAY / 2 - 0.5)).toHaveLength(10);
    expect(running.state.missed).toBe(710);
    expect(steps.mock.calls.length).toBeLessThan(20);
  });
});

describe('one', () => {
  test('fires the newest and counts all the others, however many', () => {
    const running = begun([each()], START);
    expect(fired(running, START + 1_000)).toEqual(['tick 2000']);
    expect(running.state).toMatchObject({ missed: 999, timers: [{ due: 2_001 }] });
  });

  test('the newest is looked at where grace drops older ones', () => {
    const running = begun([each({ grace: 5 })], START);
    expect(fired(running, START + 1_000)).toEqual(['tick 2000']);
    const rare = begun([{ id: 'tick', trigger: { kind: 'recurring', every: 100, grace: 5 } }], START);
    expect(fired(rare, START + 1_050)).toEqual([]);
    expect(rare.state).toMatchObject({ missed: 10, timers: [{ due: START + 1_100 }] });
  });

  test('a month of minutes is one step of the calendar a day', () => {
    const running = begun([minutely()], AGES_AGO);
    const steps = vi.spyOn(Cron.prototype, 'nextRun');
    expect(fired(running, AGES_AGO + 30 * DAY)).toHaveLength(1);
    // The change of clocks on 28 March takes none away; the minute in which it began belongs to them.
    expect(running.state.missed).toBe(30 * 24 * 60);
    expect(steps.mock.calls.length).toBeLessThan(40);
  });
});

describe('settled at once as if occurrence by occurrence', () => {
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

  test('of any trigger after any time', () => {
    fc.assert(
      fc.property(triggers, fc.integer({ min: 0, max: 3 * DAY }), ({ base, grace, ...how }, late) => {
        const given = { ...base, ...how, ...(grace === undefined ? {} : { grace }) };
        const trigger = contractOf([{ id: 'tick', trigger: given }], true).transitions[0]?.trigger as TimerTrigger;
        const anchors = { entry: AGES_AGO, deploy: AGES_AGO };
        const due = firstDue(trigger, anchors, AGES_AGO) as number;
        const now = due + late;
        const { fires, missed, next } = settle(trigger, anchors, { transition: 'tick', due, retries: 0 }, now);
        const all = [];
        let one: number | undefined = due;
        for (; one !== undefined && one <= now; one = nextDue(trigger, anchors, one)) all.push(one);
        const kept = all.slice(how.catch_up === 'all' ? -how.max_catch_up : -1);
        const oldest = now - Math.min(grace ?? Infinity, how.catch_up === 'skip' ? 5 : Infinity);
        expect(fires).toEqual(kept.filter((tick) => tick >= oldest));
        expect(missed).toBe(all.length - fires.length);
        expect(next).toBe(one);
      }),
      { numRuns: 200, seed: 1287 },
    );
  }, 60_000);
});

test('of what is overdue, only that is announced which still fires', () => {
  const running = begun([each({ catch_up: 'all', max_catch_up: 3 })], START);
  expect(upcoming(running, START + 20, 5).map(({ svcond }) => svcond)).toEqual([1_018, 1_019, 1_020, 1_021, 1_022]);
  expect(upcoming(running, START, 3).map(({ svcond }) => svcond)).toEqual([1_001, 1_002, 1_003]);
  const few = begun([each({ max_fires: 2 })], START);
  expect(upcoming(few, START, 5).map(({ svcond }) => svcond)).toEqual([1_001, 1_002]);
  expect(fired(few, START + 1)).toEqual(['tick 1001']);
  expect(upcoming(few, START + 1, 5).map(({ svcond }) => svcond)).toEqual([1_002]);
  const once = begun([{ id: 'once', trigger: { kind: 'one_shot', after: 10, catch_up: 'skip' } }], START);
  expect(upcoming(once, START + 20, 5)).toEqual([]);
});

describe('a contract that nothing can move any more is completed', () => {
  const never = { id: 'once', fires_when: '1 > 2', trigger: { kind: 'one_shot', after: 10 } };
  const dropped = { id: 'once', to: 'off', trigger: { kind: 'one_shot', after: 10, catch_up: 'skip' } };

  test.each([
    ['its one_shot found its condition false', never, START + 10, 0],
    ['its one_shot came too late', dropped, START + 50, 1],
    ['its one_shot has led back into its state', { ...dropped, to: 'on' }, START + 10, 0],
  ])('%s', (_, given, now, missed) => {
    const alone = begun([given], START, false);
    wake(alone, now, 2, { ...NO_WORLD, evaluate: () => 0 });
    expect(alone.state).toMatchObject({ state: 'on', lifecycle: 'completed', timers: [], missed });
    const hearing = begun([given], START, true);
    wake(hearing, now, 2, { ...NO_WORLD, evaluate: () => 0 });
    expect(hearing.state).toMatchObject({ state: 'on', lifecycle: 'active', timers: [], missed });
  });

  test('not while it is to be tried again', () => {
    const patient = { ...never, trigger: { ...never.trigger, retry_every: 5, max_retries: 1 } };
    const running = begun([patient], START, false);
    wake(running, START + 10, 2, { ...NO_WORLD, evaluate: () => 0 });
    expect(running.state).toMatchObject({ lifecycle: 'active', timers: [{ due: START + 15 }] });
    wake(running, START + 15, 2, { ...NO_WORLD, evaluate: () => 0 });
    expect(running.state).toMatchObject({ lifecycle: 'completed', timers: [] });
  });
});
