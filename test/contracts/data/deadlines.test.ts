// Deadlines that are computed from collections and money, and actions that set them again; named values of stopwatches.

import { describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { deliver, type RunningContract } from '../../../src/contracts/execution.ts';
import type { ScenarioStep } from '../../../src/contracts/simulate.ts';
import { createWindows, initialState } from '../../../src/contracts/transition-function.ts';
import { close, environment, faultsOf, ledger, messagesOf, on, run } from './data-fixture.ts';

const timer = (trigger: object) => ({ ...close, id: 'end', trigger: { kind: 'deadline', ...trigger } });

/** An auction that ends ten ticks later for each bid. */
const auction = (trigger: object = { after: '20 + 10 * count(bids) + minor(fee)' }, more: object = {}) =>
  ledger({
    parameters: { fee: { type: 'money<EUR>', default: 5 } },
    collections: { bids: { kind: 'map', of: 'money<EUR>', max: 3 } },
    events: { bid: { payload: { who: 'string', amount: 'money<EUR>' } } },
    transitions: [
      on('bid', [{ put: { into: 'bids', key: 'event.who', value: 'event.amount' } }, { rearm: 'end' }]),
      timer(trigger),
    ],
    ...more,
  });

const bid = (at: number, who: string, amount: number, state = 'open') => ({
  at,
  send: 'bid',
  payload: { who, amount },
  expect: { state },
});
const mismatches = (definition: object, steps: Parameters<typeof run>[1]) =>
  run(definition, steps).flatMap((report) => report.mismatches);

test('a deadline counts the entries of a collection and the units of an amount, and is set again with them', () => {
  const steps: ScenarioStep[] = [
    { at: 24, expect: { state: 'open' } },
    bid(24, 'ann', 100),
    { at: 34, expect: { state: 'open' } },
    bid(34, 'bob', 200),
    // A new amount of the same bidder is no new entry.
    bid(35, 'ann', 300),
    {
      at: 44,
      expect: {
        state: 'open',
        collections: {
          bids: [
            ['ann', 300],
            ['bob', 200],
          ],
        },
      },
    },
    { at: 45, expect: { state: 'closed' } },
  ];
  expect(mismatches(auction(), steps)).toEqual([]);
  expect(mismatches(auction(), [{ at: 25, expect: { state: 'closed' } }])).toEqual([]);
});

test('a sender who makes a deadline pass does not make the contract fail', () => {
  const contract = compileContract(Definition.parse(auction({ after: '20 + minor(max(bids, 0))' })));
  const state = initialState(contract, 0, 0, undefined, undefined, environment);
  const running: RunningContract = { contract, state, windows: createWindows(contract) };
  const send = (tick: number, amount: number) =>
    deliver(
      running,
      { kind: 'event', tick, number: tick, name: 'bid', payload: { who: 'ann', amount } },
      { ...environment, balance: () => 0 },
    )[0];
  for (let tick = 1; tick <= 6; tick++) {
    const { refused = [] } = send(tick, -30)?.result ?? {};
    expect(refused).toMatchObject([{ transition: 'bid', code: 'ACTION_FAILED' }]);
    expect(refused[0]?.reason).toContain('transitions.end.trigger.after is -10');
  }
  expect(running.state).toMatchObject({ lifecycle: 'active', failures: 0, collections: { bids: [] } });
});

describe('a definition is refused', () => {
  test('whose deadline reads a name of let, by that name', () => {
    const definition = auction({ after: '20 + 10 * bidders' }, { let: { bidders: 'count(bids)' } });
    expect(messagesOf(definition)).toContain(
      'transitions.end.trigger.after reads bidders, a name of let, which deadlines cannot; write out its expression.',
    );
  });

  test.each([
    ['money as ticks', { after: 'fee' }],
    ['money as an instant', { at: 'fee' }],
  ])('whose deadline is %s', (_, trigger) => {
    expect(faultsOf(auction(trigger))).toContain(`transitions.end.trigger.${Object.keys(trigger)[0]} TYPE`);
  });

  test('whose deadline is a collection', () => {
    expect(faultsOf(auction({ after: 'bids' }))).toContain('transitions.end.trigger.after EXPRESSION_INVALID');
  });

  test('whose interest counts from an amount', () => {
    const accruals = { term: { basis: 'act_365', from: 'fee', tz: 'UTC' } };
    const more = { accruals, let: { rate: 'accrual.term' } };
    expect(messagesOf(auction(undefined, more))).toContain(
      'accruals.term.from is fee, a money<EUR>; a date or a tick is expected.',
    );
  });
});

test('a name of let holds a stopwatch and an accrual as they are when the transition is tried', () => {
  const definition = ledger({
    clocks: { open: { runs_in: ['open'] } },
    accruals: { term: { basis: 'act_365', from: '1970-01-01', tz: 'UTC' } },
    context: { debt: { type: 'money<EUR>', initial: 0 }, seen: { type: 'number', initial: 0 } },
    let: { worked: 'clock.open', interest: 'times(debt, 1 + accrual.term)' },
    events: { owe: { payload: { amount: 'money<EUR>' } }, accrue: {}, close: {} },
    transitions: [
      on('owe', [{ set: { debt: 'event.amount', seen: 'worked' } }]),
      on('accrue', [{ set: { debt: 'interest', seen: 'worked' } }], { fires_when: 'worked >= 10' }),
      close,
    ],
  });
  const steps = [
    { at: 9, send: 'owe', payload: { amount: 1_000 }, expect: { context: { debt: 1_000, seen: 9 } } },
    // Half a year: 182.5 days are counted as 182.
    { after: 'P182D', send: 'accrue', expect: { context: { debt: 1_499 } } },
  ];
  expect(mismatches(definition, steps)).toEqual([]);
});
