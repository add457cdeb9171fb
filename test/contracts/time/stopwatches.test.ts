// Stopwatches: time spent in states, in guards, in deadlines, through pauses and new versions.

import { describe, expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { deliver, type RunningContract, wake } from '../../../src/contracts/execution.ts';
import { redefineState, resumeState } from '../../../src/contracts/lifecycle.ts';
import { createWindows, initialState } from '../../../src/contracts/transition-function.ts';
import { compiled, environment } from './time-fixture.ts';

const common = { operator: 'KO42', proof: false };
const on = (event: string) => ({ kind: 'event', event });

/** Support for a number of ticks of work, which waiting for the customer does not use up. */
const support = (more: object = {}) => ({
  name: 'support',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'working',
  parameters: { quota: { type: 'ticks', default: 100 } },
  context: { spent: { type: 'number', initial: 0 } },
  clocks: { work: { runs_in: ['working'] } },
  events: { ask: {}, answer: {}, close: {} },
  states: {
    working: { role: 'initial' },
    waiting: { role: 'intermediate' },
    breached: { role: 'terminal', outcome: 'failure' },
    cheap: { role: 'terminal' },
    closed: { role: 'terminal' },
  },
  transitions: [
    {
      ...common,
      id: 'ask',
      from: 'working',
      to: 'waiting',
      trigger: on('ask'),
      post: [{ set: { spent: 'clock.work' } }],
    },
    { ...common, id: 'answer', from: 'waiting', to: 'working', trigger: on('answer') },
    {
      ...common,
      id: 'breach',
      from: 'working',
      to: 'breached',
      trigger: { kind: 'deadline', after: 'quota - clock.work', past: 'fire' },
    },
    {
      ...common,
      id: 'cheap',
      from: ['working', 'waiting'],
      to: 'cheap',
      trigger: on('close'),
      fires_when: 'clock.work < 50',
      priority: 1,
    },
    {
      ...common,
      id: 'close',
      from: ['working', 'waiting'],
      to: 'closed',
      trigger: on('close'),
      fires_when: 'clock.work >= 50',
    },
  ],
  ...more,
});

const world = { ...environment, balance: () => 0 };
let number = 0;
function start(definition: object = support()): RunningContract {
  const contract = compiled(definition);
  const state = initialState(contract, 1_000, 0, undefined, undefined, environment);
  return { contract, state, windows: createWindows(contract) };
}
const send = (running: RunningContract, tick: number, name: string) =>
  deliver(running, { kind: 'event', tick, number: ++number, name, payload: {} }, world);

test('a stopwatch counts the ticks in its states, and a deadline runs on it', () => {
  const running = start();
  expect(running.state.timers).toMatchObject([{ transition: 'breach', due: 1_100 }]);
  send(running, 1_030, 'ask');
  expect(running.state).toMatchObject({
    context: { spent: 30 },
    clocks: { work: { total: 30, since: null } },
    timers: [],
  });
  send(running, 1_500, 'answer');
  expect(running.state).toMatchObject({ clocks: { work: { total: 30, since: 1_500 } }, timers: [{ due: 1_570 }] });
  wake(running, 1_570, 99, world);
  expect(running.state.state).toBe('breached');
});

test('guards read it while it runs and while it stands', () => {
  const running = start();
  send(running, 1_020, 'ask');
  const early = { ...running };
  send(early, 9_000, 'close');
  expect(early.state.state).toBe('cheap');
  send(running, 1_100, 'answer');
  send(running, 1_130, 'close');
  expect(running.state.state).toBe('closed');
});

test('a used-up quota is due at once where the deadline says so', () => {
  const running = start();
  send(running, 1_099, 'ask');
  send(running, 1_200, 'answer');
  expect(running.state.timers).toMatchObject([{ due: 1_201 }]);
  send(running, 1_201, 'ask');
  send(running, 1_300, 'answer');
  expect(running.state.timers).toMatchObject([{ due: 1_300 }]);
});

test('a pause is not counted, whatever the mode of resuming', () => {
  for (const mode of ['deadline', 'remaining', 'restart'] as const) {
    const running = start();
    running.state = resumeState(running, mode, 1_060, 1_010, environment);
    send(running, 1_070, 'ask');
    expect(running.state.context.spent).toBe(20);
  }
});

test('a deadline that starts again counts from the resumption, by the stopwatch of then', () => {
  const due = (mode: 'deadline' | 'remaining' | 'restart') => {
    const running = start();
    running.state = resumeState(running, mode, 1_060, 1_010, environment);
    return running.state.timers[0]?.due;
  };
  expect([due('deadline'), due('remaining'), due('restart')]).toEqual([1_100, 1_150, 1_150]);
});

test('a new version keeps the time of a stopwatch, and starts a new one', () => {
  const running = start();
  const more = { clocks: { work: { runs_in: ['working'] }, open: { runs_in: ['working', 'waiting'] } } };
  const base = support(more);
  const transitions = base.transitions.map((one) =>
    one.id === 'ask' ? { ...one, post: [{ set: { spent: 'clock.work * 1000 + clock.open' } }] } : one,
  );
  const contract = compiled({ ...base, transitions });
  const state = redefineState(contract, running, { tick: 1_040, number: 5, isReset: false, source: environment });
  const next: RunningContract = { contract, state, windows: createWindows(contract) };
  send(next, 1_050, 'ask');
  expect(next.state.context.spent).toBe(50_010);
});

test('a deadline with another quota counts from the entry, by the stopwatch of then', () => {
  const running = start();
  send(running, 1_030, 'ask');
  send(running, 1_200, 'answer');
  const contract = compiled(support(), { quota: 120 });
  const state = redefineState(contract, running, { tick: 1_240, number: 5, isReset: false, source: environment });
  expect(state.timers).toMatchObject([{ transition: 'breach', due: 1_290 }]);
});

describe('faults', () => {
  const faultsOf = (definition: object) =>
    definitionFaults(Definition.parse(definition)).map(({ path, code }) => `${path} ${code}`);
  test('a sound one has none', () => expect(faultsOf(support())).toEqual([]));
  test.each([
    ['an unknown state', support({ clocks: { work: { runs_in: ['wroking'] } } }), 'clocks.work.runs_in UNKNOWN_NAME'],
    [
      'a stopwatch that nothing reads',
      support({ clocks: { work: { runs_in: ['working'] }, rest: { runs_in: ['waiting'] } } }),
      'clocks.rest UNUSED',
    ],
    [
      'a stopwatch that is not declared',
      support({ clocks: undefined }),
      'transitions.breach.trigger.after EXPRESSION_INVALID',
    ],
    ['the first edition', { ...support(), edition: undefined }, 'clocks EDITION'],
  ])('%s', (_, definition, fault) => expect(faultsOf(definition)).toContain(fault));
});
