// Filters of named windows: they read the event, parameters, and the context of now.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { deliver, type RunningContract } from '../../../src/contracts/execution.ts';
import { addToWindows, createWindows, initialState } from '../../../src/contracts/transition-function.ts';
import { windowKey } from '../../../src/contracts/windows/declared-windows.ts';
import { readWindow, refilterWindows } from '../../../src/contracts/windows/named-windows.ts';
import { RefilteredWindow } from '../../../src/contracts/windows/refiltered-window.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { environment } from '../data/data-fixture.ts';
import { run, statesOf, transition } from './windows-fixture.ts';

const EVALUATION = { ...environment, balance: () => 0 };
const FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max', 'last', 'distinct', 'range'] as const;

/** Counts readings above the limit, which an event sets. */
const limited = (fn: string, within: number) =>
  Definition.parse({
    name: 'limited',
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'open',
    parameters: { floor: { type: 'number', default: -3 } },
    context: { limit: { type: 'number', initial: 0 } },
    events: { reading: { payload: { value: 'number' } }, set_limit: { payload: { to: 'number' } } },
    windows: { high: { event: 'reading', fn, field: 'value', within, filter: 'event.value > max(limit, floor)' } },
    states: { open: { role: 'initial' }, over: { role: 'terminal' } },
    transitions: [
      {
        ...transition,
        id: 'limit',
        from: 'open',
        to: 'open',
        trigger: { kind: 'event', event: 'set_limit' },
        post: [{ set: { limit: 'event.to' } }],
      },
      {
        ...transition,
        id: 'end',
        from: 'open',
        to: 'over',
        trigger: { kind: 'windows' },
        fires_when: 'high.count > 1000000',
      },
    ],
  });

test('at any time the window has the readings of its length that the limit of now admits', () => {
  const act = fc.oneof(
    fc.record({ kind: fc.constant('reading'), wait: fc.nat(3), value: fc.integer({ min: -5, max: 5 }) }),
    fc.record({ kind: fc.constant('set_limit'), wait: fc.nat(3), value: fc.integer({ min: -6, max: 6 }) }),
  );
  const acts = fc.array(act, { maxLength: 60 });
  fc.assert(
    fc.property(acts, fc.integer({ min: 1, max: 12 }), fc.constantFrom(...FUNCTIONS), (steps, within, fn) => {
      const contract = compileContract(limited(fn, within));
      const running: RunningContract = {
        contract,
        state: initialState(contract, 0, 0),
        windows: createWindows(contract),
      };
      const log: { tick: number; value: number; number: number }[] = [];
      let [now, limit] = [0, 0];
      for (const [i, { kind, wait, value }] of steps.entries()) {
        now += wait;
        const payload = kind === 'reading' ? { value } : { to: value };
        deliver(running, { kind: 'event', tick: now, number: i + 1, name: kind, payload }, EVALUATION);
        if (kind === 'reading') log.push({ tick: now, value, number: i + 1 });
        else limit = value;
        refilterWindows(contract, running.state, running.windows, EVALUATION.evaluate);
        const inside = log.filter(({ tick }) => tick > now - within).map((one) => one.value);
        const admitted = inside.filter((one) => one > Math.max(limit, -3));
        const read = (part: string) => readWindow(running.windows, 'high', `high.${part}`);
        expect([read('count'), read('empty')]).toEqual([admitted.length, admitted.length === 0]);
        expect(read('value')).toBe(expectedValue(fn, admitted));
        // Rebuilt from the log, with the context of now, it is the same.
        const rebuilt = { contract, state: running.state, windows: createWindows(contract) };
        for (const { tick, value: logged, number } of log)
          addToWindows(rebuilt, { name: 'reading', payload: { value: logged }, tick, number }, EVALUATION.evaluate);
        for (const window of rebuilt.windows.values()) window.expire(now);
        const [key] = [windowKey('high')];
        expect(rebuilt.windows.get(key)?.value).toBe(running.windows.get(key)?.value);
        expect(rebuilt.windows.get(key)?.nextExpiry).toBe(running.windows.get(key)?.nextExpiry);
        expect(rebuilt.windows.get(key)?.copy().value).toBe(running.windows.get(key)?.copy().value);
      }
    }),
    { numRuns: 400 },
  );
});

function expectedValue(fn: (typeof FUNCTIONS)[number], values: readonly number[]): number {
  if (fn === 'count') return values.length;
  if (fn === 'distinct') return new Set(values).size;
  const sum = values.reduce((a, b) => a + b, 0);
  if (fn === 'sum') return sum;
  if (values.length === 0) return Number.NaN;
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { avg: sum / values.length, min, max, last: values.at(-1) ?? Number.NaN, range: max - min }[fn];
}

test('a filter without a value does not count the event, and refuses nothing', () => {
  const definition = {
    ...limited('count', 10),
    parameters: {},
    context: { unit: { type: 'money<EUR>', initial: 0 } },
    events: { reading: { payload: { value: 'number', price: 'money<EUR>' } } },
    windows: { high: { event: 'reading', fn: 'count', within: 10, filter: 'divide(event.price, event.value) > unit' } },
    transitions: [
      {
        ...transition,
        id: 'end',
        from: 'open',
        to: 'over',
        trigger: { kind: 'windows' },
        fires_when: 'high.count > 0',
      },
    ],
  };
  const reports = run(definition, [
    { at: 1, send: 'reading', payload: { value: 0, price: 100 } },
    { at: 2, send: 'reading', payload: { value: 2, price: 100 } },
  ]);
  expect(statesOf(reports)).toEqual(['open', 'over']);
});

test('a filter reads the sender', () => {
  const definition = {
    ...limited('count', 10),
    parameters: {},
    context: {},
    events: { reading: { payload: { value: 'number' } } },
    windows: { high: { event: 'reading', fn: 'distinct', field: 'actor', within: 10, filter: 'event.actor != "ann"' } },
    transitions: [
      {
        ...transition,
        id: 'end',
        from: 'open',
        to: 'over',
        trigger: { kind: 'windows' },
        fires_when: 'high.value > 1',
      },
    ],
  };
  const by = (at: number, name: string) => ({ at, send: 'reading', by: name, payload: { value: 1 } });
  const reports = run(definition, [by(1, 'ann'), by(2, 'bob'), by(3, 'bob'), by(4, 'cleo')]);
  expect(statesOf(reports)).toEqual(['open', 'open', 'open', 'over']);
});

test('a window that is filtered again keeps its newest events, so that its work is bounded', () => {
  const { refilteredEvents: max } = LIMITS.contracts.windows;
  const window = new RefilteredWindow('sum', 1_000_000);
  for (let i = 1; i <= max + 5; i++) window.hold({ tick: i, value: i, fields: { i } }, i % 2 === 0);
  expect([window.count, window.nextExpiry]).toEqual([max / 2, 6 + 1_000_000]);
  let evaluated = 0;
  window.refilter('all', () => ++evaluated > 0);
  expect([evaluated, window.count]).toEqual([max, max]);
  window.refilter('all', () => ++evaluated > 0);
  expect(evaluated).toBe(max);
});
