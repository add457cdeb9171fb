// Deadlines that an action sets again: from the values of now, counted from the entry as before.

import { describe, expect, test } from 'vitest';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { deliver, type RunningContract, wake } from '../../../src/contracts/execution.ts';
import { createWindows, initialState } from '../../../src/contracts/transition-function.ts';
import { compiled, environment } from './time-fixture.ts';

const common = { operator: 'KO42', proof: false };
const world = { ...environment, balance: () => 0 };

/** A dead man's switch: each sign of life moves the deadline by as much as it says. */
const watch = (more: object = {}, alarm: object = {}) => ({
  name: 'watch',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'alive',
  context: { due: { type: 'number', initial: 1_100 } },
  events: { alive: { payload: { ticks: 'number' } } },
  states: { alive: { role: 'initial' }, dead: { role: 'terminal' } },
  transitions: [
    {
      ...common,
      id: 'extend',
      from: 'alive',
      to: 'alive',
      trigger: { kind: 'event', event: 'alive' },
      post: [{ set: { due: 'now + event.ticks' } }, { rearm: 'alarm' }],
      ...more,
    },
    { ...common, id: 'alarm', from: 'alive', to: 'dead', trigger: { kind: 'deadline', at: 'due' }, ...alarm },
  ],
});

function start(definition: object = watch()): RunningContract {
  const contract = compiled(definition);
  const state = initialState(contract, 1_000, 0, undefined, undefined, environment);
  return { contract, state, windows: createWindows(contract) };
}
const alive = (running: RunningContract, tick: number, ticks: number) =>
  deliver(running, { kind: 'event', tick, number: tick, name: 'alive', payload: { ticks } }, world);

test('a deadline is set again, and fires once, at the new tick', () => {
  const running = start();
  expect(running.state.timers).toMatchObject([{ transition: 'alarm', due: 1_100 }]);
  alive(running, 1_090, 50);
  expect(running.state.timers).toEqual([{ transition: 'alarm', due: 1_140, retries: 0 }]);
  wake(running, 1_139, 2, world);
  expect(running.state.state).toBe('alive');
  wake(running, 1_140, 3, world);
  expect(running.state).toMatchObject({ state: 'dead', fires: 2 });
});

test('one that would have passed is refused, and the former stays', () => {
  const running = start();
  const [step] = alive(running, 1_090, -5);
  expect(step?.result.refused).toMatchObject([{ transition: 'extend', code: 'ACTION_FAILED' }]);
  expect(step?.result.refused[0]?.reason).toContain('transitions.alarm.trigger.at is tick 1085, which has passed');
  expect(running.state).toMatchObject({ context: { due: 1_100 }, timers: [{ due: 1_100 }], failures: 0 });
});

test('a deadline that fired is set again; one that fires itself again waits a tick at least', () => {
  const trigger = { kind: 'deadline', at: 'due', past: 'fire' };
  const post = [{ set: { due: 'due + 0' } }, { rearm: 'alarm' }];
  const running = start(watch({}, { to: 'alive', trigger, post }));
  wake(running, 1_100, 2, world);
  expect(running.state).toMatchObject({ fires: 1, lifecycle: 'active', timers: [{ due: 1_101 }] });
  wake(running, 1_101, 3, world);
  expect(running.state).toMatchObject({ fires: 2, timers: [{ due: 1_102 }] });
});

describe('faults', () => {
  const faultsOf = (definition: object) =>
    definitionFaults(Definition.parse(definition)).map(({ path, code }) => `${path} ${code}`);
  test('a sound one has none', () => expect(faultsOf(watch())).toEqual([]));
  const post = [{ set: { due: 'now + event.ticks' } }, { rearm: 'alram' }];
  test.each([
    ['an unknown transition', watch({ post }), 'transitions.extend.post.1.rearm UNKNOWN_NAME'],
    ['a transition on an event', watch({ post: [{ rearm: 'extend' }] }), 'transitions.extend.post.0.rearm NOT_ALLOWED'],
    ['an entry', watch({ reenter: true }), 'transitions.extend.post.1.rearm NOT_ALLOWED'],
    ['the first edition', { ...watch(), edition: undefined }, 'transitions.extend.post.1.rearm EDITION'],
  ])('%s', (_, definition, fault) => expect(faultsOf(definition)).toContain(fault));
});
