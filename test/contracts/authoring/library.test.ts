// The entry `svc/contracts`: names that the compiler knows, and the same answers as the service.

import { describe, expect, expectTypeOf, test } from 'vitest';
import { check, define, explain, explanationText, type Scenario, scenario, simulate } from '../../../src/authoring.ts';
import { findOperator } from '../../../src/operators/load.ts';
import { TEMPLATES } from '../../../src/templates/load.ts';

const sale = define({
  name: 'sale',
  initial: 'offered',
  parties: { buyer: {}, seller: {}, inspectors: { count: { min: 2, max: 3 } } },
  parameters: { price: { type: 'money<EUR>', default: 500 }, term: { type: 'duration', default: 'P7D' } },
  context: { held: { type: 'money<EUR>', initial: 0 }, note: { type: 'string', initial: '' } },
  events: {
    pay: { payload: { amount: 'money<EUR>', note: 'string' }, from: 'buyer' },
    ship: { from: 'seller' },
    pass: {},
  },
  states: { offered: {}, paid: {}, shipped: { outcome: 'success' }, expired: { outcome: 'expired' } },
  transitions: [
    {
      id: 'pay',
      from: 'offered',
      to: 'paid',
      trigger: { kind: 'event', event: 'pay' },
      fires_when: 'event.amount == price',
      post: [{ set: { held: 'event.amount', note: 'event.note' } }, { emit: 'paid_in' }],
    },
    { id: 'expire', from: ['offered', 'paid'], to: 'expired', trigger: { kind: 'one_shot', after: 'term' } },
    { id: 'ship', from: 'paid', to: 'shipped', by: 'seller', trigger: { kind: 'event', event: 'ship' } },
    {
      id: 'pass',
      from: 'paid',
      to: 'shipped',
      trigger: { kind: 'quorum', event: 'pass', of: 'inspectors', at_least: 2 },
    },
  ],
});

test('what every definition repeats is filled in', () => {
  expect(sale.definition).toMatchObject({
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    emits: ['paid_in'],
    states: {
      offered: { role: 'initial' },
      paid: { role: 'intermediate' },
      shipped: { role: 'terminal', outcome: 'success' },
    },
  });
  expect(sale.definition.transitions.map(({ operator, proof }) => [operator, proof])).toEqual(
    Array(4).fill(['KO42', false]),
  );
  expect(check(sale)).toMatchObject({ isSound: true, faults: [], warnings: [], definitionHash: sale.definition_hash });
});

test('a typed scenario runs, and its coverage is counted', async () => {
  const happy = scenario(sale, {
    name: 'paid and shipped',
    bound: { inspectors: 3 },
    parameters: { price: 700, term: 'P3D' },
    steps: [
      { at: 1, send: 'pay', by: 'buyer', payload: { amount: 500, note: 'x' }, expect: { state: 'offered' } },
      {
        at: 2,
        send: 'pay',
        by: 'buyer',
        payload: { amount: 700, note: 'y' },
        expect: { state: 'paid', context: { held: 700, note: 'y' } },
      },
      { at: 3, send: 'pass', by: 'inspectors.1' },
      { at: 4, send: 'pass', by: 'inspectors.3', expect: { state: 'shipped' } },
    ],
  });
  expectTypeOf(happy).toEqualTypeOf<Scenario>();
  const { results, coverage } = await simulate(sale, happy);
  expect(results).toMatchObject([{ isMet: true }]);
  expect(coverage.transitions).toEqual({ covered: 2, total: 5 });
  expect(coverage.guards).toEqual({ covered: 2, total: 2 });
});

test('the agreement can be read', () => {
  expect(explanationText(explain(sale, { names: { seller: 'Bolt & Sons' } }))).toContain(
    'When the seller (Bolt & Sons) sends “ship”, it becomes shipped.',
  );
});

test.each([...TEMPLATES.values()])('the scenarios of $id are met here, too', async ({ definition, scenarios }) => {
  const operators = definition.operators.map((id) => findOperator(id));
  const { results } = await simulate(definition, scenarios, { operators });
  expect(results.every(({ isMet }) => isMet)).toBe(true);
});

test('faults are thrown with all of them, and the registry is what is given', async () => {
  const { definition } = sale;
  await expect(simulate({ ...definition, initial: 'paid' }, [])).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  const chain = TEMPLATES.get('cold-chain-excursion')?.definition;
  expect(check(chain ?? {}).faults).toMatchObject([{ code: 'OPERATOR_UNKNOWN' }]);
  expect(() => define({ ...sale, name: 'Sale' } as never)).toThrow();
});

describe('the compiler refuses', () => {
  const of = (): boolean => false;
  const states = { a: {}, b: { outcome: 'success' } } as const;
  const events = { go: { payload: { n: 'number' } }, stop: {} } as const;
  const go = { kind: 'event', event: 'go' } as const;
  const parties = { buyer: {} };
  const name = 'x';
  const initial = 'a';

  test('names that are not declared', () => {
    if (of()) {
      // @ts-expect-error  an unknown initial state
      define({ name, initial: 'c', states, events, transitions: [] });
      // @ts-expect-error  an unknown state to
      define({ name, initial, states, events, transitions: [{ id: 't', from: 'a', to: 'c', trigger: go }] });
      // @ts-expect-error  an unknown state in from
      define({ name, initial, states, events, transitions: [{ id: 't', from: ['a', 'c'], to: 'b', trigger: go }] });
      const unknown = { kind: 'event', event: 'gone' } as const;
      // @ts-expect-error  an unknown event
      define({ name, initial, states, events, transitions: [{ id: 't', from: 'a', to: 'b', trigger: unknown }] });
      const pay = { id: 't', from: 'a', to: 'b', trigger: go, by: 'seller' } as const;
      // @ts-expect-error  an unknown party
      define({ name, initial, states, events, parties, transitions: [pay] });
      // @ts-expect-error  an unknown party of an event
      define({ name, initial, states, events: { go: { from: 'seller' } }, parties, transitions: [] });
      const late = { id: 't', from: 'a', to: 'b', trigger: { kind: 'one_shot', aftr: 5 } } as const;
      // @ts-expect-error  a field of a trigger that is misspelt
      define({ name, initial, states, transitions: [late] });
      // @ts-expect-error  a type that is none
      define({ name, initial, states, events: { go: { payload: { n: 'float' } } }, transitions: [] });
    }
  });

  test('scenarios with other names and values', () => {
    const pair = define({
      name,
      initial,
      states,
      events,
      parties,
      context: { n: { type: 'number', initial: 0 } },
      transitions: [{ id: 't', from: 'a', to: 'b', trigger: go, by: 'buyer', post: [{ set: { n: 'event.n' } }] }],
    });
    if (of()) {
      // @ts-expect-error  an unknown event
      scenario(pair, { name, steps: [{ send: 'gone' }] });
      // @ts-expect-error  a payload of another type
      scenario(pair, { name, steps: [{ send: 'go', payload: { n: 'five' } }] });
      // @ts-expect-error  a payload without its field
      scenario(pair, { name, steps: [{ send: 'go', payload: {} }] });
      // @ts-expect-error  an unknown state
      scenario(pair, { name, steps: [{ expect: { state: 'c' } }] });
      // @ts-expect-error  a variable of another type
      scenario(pair, { name, steps: [{ expect: { context: { n: 'five' } } }] });
      // @ts-expect-error  an unknown parameter
      scenario(pair, { name, parameters: { m: 5 }, steps: [{}] });
    }
    expect(check(pair).isSound).toBe(false);
    expect(check(pair).faults.map(({ pointer }) => pointer)).toEqual(['/events/stop']);
  });
});
