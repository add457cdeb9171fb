// Scenarios of a definition that is not deployed: what runs, what is refused before it runs, and what was tried.

import { describe, expect, test } from 'vitest';
import { checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { readScenarios, runScenarios, stimulusBudget } from '../../../src/contracts/authoring/trial.ts';
import { DomainError } from '../../../src/core/errors.ts';
import { TEMPLATES } from '../../../src/templates/load.ts';
import { draft, environment, transition } from './authoring-fixture.ts';

function contractOf(document: unknown) {
  const { contract, faults } = checkDraft(document);
  if (contract === undefined) throw new Error(JSON.stringify(faults));
  return contract;
}

const run = (document: unknown, scenarios: unknown, max?: number) =>
  runScenarios(contractOf(document), readScenarios(scenarios), environment, stimulusBudget(max));

test.each([...TEMPLATES.values()])('the scenarios of $id are met, and cover every transition', (template) => {
  const { results, coverage } = run(template.definition, template.scenarios);
  expect(results.filter(({ isMet }) => !isMet)).toEqual([]);
  expect(coverage.transitions.covered).toBe(coverage.transitions.total);
  expect(coverage.rows.every(({ guard }) => guard === null || guard.seen_true)).toBe(true);
});

const counter = draft(
  [
    transition('count', { to: 'start', fires_when: 'event.n > 0', post: [{ set: { total: 'total + event.n' } }] }),
    transition('stop', { trigger: { kind: 'one_shot', after: 'PT1M' }, fires_when: 'total >= least' }),
  ],
  {
    parameters: { least: { type: 'number', default: 2 } },
    context: { total: { type: 'number', initial: 0 } },
  },
);

test('a step says what fired, when, why, and what comes next', () => {
  const { results } = run(counter, [
    {
      name: 'two',
      steps: [
        { at: 3, send: 'go', payload: { n: 2, who: 'ann' } },
        { after: 'PT2M', expect: { state: 'end' } },
      ],
    },
  ]);
  const [first, second] = results[0]?.steps ?? [];
  expect(first).toMatchObject({
    tick: 3,
    state: 'start',
    due: 78,
    fired: [{ transition: 'count', tick: 3, cause: 'event' }],
  });
  expect(second).toMatchObject({
    state: 'end',
    lifecycle: 'completed',
    fired: [{ transition: 'stop', tick: 78, cause: 'timer' }],
  });
});

test('coverage tells what was never seen', () => {
  const { coverage } = run(counter, [
    { name: 'one', steps: [{ send: 'go', payload: { n: 1, who: 'ann' } }, { at: 90 }] },
  ]);
  expect(coverage).toEqual({
    transitions: { covered: 1, total: 2 },
    guards: { covered: 2, total: 4 },
    rows: [
      { transition: 'count', fired_from: ['start'], missed_from: [], guard: { seen_true: true, seen_false: false } },
      { transition: 'stop', fired_from: [], missed_from: ['start'], guard: { seen_true: false, seen_false: true } },
    ],
  });
});

test('an unmet expectation is told in a sentence', () => {
  const { results } = run(counter, [
    {
      name: 'wrong',
      steps: [{ send: 'go', payload: { n: 1, who: 'a' }, expect: { state: 'end', context: { total: 7 } } }],
    },
  ]);
  expect(results[0]).toMatchObject({
    isMet: false,
    steps: [{ mismatches: ['the state is start, not end', 'total is 1, not 7'] }],
  });
});

describe('a scenario does not run', () => {
  const faultOf = (scenario: object) => {
    const [result] = run(counter, [{ name: 'x', steps: [{}], ...scenario }]).results;
    return result?.isMet === false ? result.faults[0] : undefined;
  };
  const stepOf = (...steps: readonly object[]) => faultOf({ steps });
  test.each([
    ['an event that is misspelt', stepOf({ send: 'goo' }), '/steps/0/send', 'Write go, if that is what you mean.'],
    [
      'a state that is misspelt',
      stepOf({ expect: { state: 'ende' } }),
      '/steps/0/expect/state',
      'Write end, if that is what you mean.',
    ],
    [
      'an unknown variable',
      stepOf({ expect: { context: { totl: 1 } } }),
      '/steps/0/expect/context/totl',
      'Write total, if that is what you mean.',
    ],
    ['a time that goes back', stepOf({ at: 9 }, { at: 8 }), '/steps/1/at', 'Put the steps in order of time.'],
    ['two times of a step', stepOf({ at: 9, after: 3 }), '/steps/0/after', 'Keep one of them.'],
    ['a payload of nothing', stepOf({ payload: {} }), '/steps/0/payload', 'Add send, or remove it.'],
    ['a duration that is none', stepOf({ after: 'P1M' }), undefined, undefined],
    ['a party of a contract without any', faultOf({ bound: { buyer: 2 } }), '/bound/buyer', undefined],
    [
      'an unknown parameter',
      faultOf({ parameters: { last: 3 } }),
      '/parameters/last',
      expect.stringContaining('least'),
    ],
    [
      'a parameter of another type',
      faultOf({ parameters: { least: 'many' } }),
      '/parameters/least',
      expect.any(String),
    ],
  ])('%s', (name, fault, pointer, fix) => {
    if (name === 'a duration that is none') {
      expect(() => stepOf({ after: 'P1Y' })).toThrow(/steps\.0\.after/);
      expect(stepOf({ after: `P${'9'.repeat(30)}D` })?.pointer).toBe('/steps/0/after');
      return;
    }
    expect(fault?.pointer).toBe(pointer);
    if (fix !== undefined) expect(fault?.fix).toEqual(fix);
  });

  test.each([
    ['no list', {}],
    ['none', []],
    ['no steps', [{ name: 'x', steps: [] }]],
    ['a tick that is no number', [{ name: 'x', steps: [{ at: Number.NaN }] }]],
    ['too many repetitions', [{ name: 'x', steps: [{ send: 'go', times: 1e9 }] }]],
    ['an instant that is none', [{ name: 'x', steps: [{ to: 'tomorrow' }] }]],
    ['a field that is misspelt', [{ name: 'x', steps: [{ sent: 'go' }] }]],
  ])('%s', (_, scenarios) => expect(() => run(counter, scenarios)).toThrow(DomainError));
});

test('what one request may do is bounded', () => {
  const steps = [{ send: 'go', payload: { n: 1, who: 'a' }, times: 500 }];
  expect(() => run(counter, [{ name: 'x', steps }], 100)).toThrow(/more than 100 events and timers/);
  const loop = draft([transition('tick', { to: 'start', trigger: { kind: 'recurring', every: 1 } }), transition('go')]);
  expect(() => run(loop, [{ name: 'x', steps: [{ at: 2_000_000_000 }] }], 1_000)).toThrow(/more than 1000 events/);
});

test('what one event moves counts for the next of the same step', () => {
  const purse = draft(
    [
      transition('fill', {
        to: 'start',
        trigger: { kind: 'event', event: 'fill' },
        post: [{ token: { op: 'mint', amount: '1', to: '"ann"' } }],
      }),
      transition('pay', {
        to: 'start',
        post: [{ token: { op: 'transfer', amount: '1', from: '"ann"', to: '"bob"' } }],
      }),
      transition('end', { trigger: { kind: 'one_shot', after: 9 } }),
    ],
    { events: { go: {}, fill: {} } },
  );
  const steps = [
    { send: 'fill' },
    { at: 1, send: 'go', times: 3, expect: { balances: { token: { ann: 0, bob: 1 } } } },
  ];
  const [result] = run(purse, [{ name: 'x', steps }]).results;
  expect(result?.steps[1]?.mismatches).toEqual([]);
  expect(result?.steps[1]?.refusals.map(({ code }) => code)).toEqual(['ACTION_FAILED', 'ACTION_FAILED']);
});

test('what a timer announces comes back as an event of the contract', () => {
  const chain = draft(
    [
      transition('ring', { to: 'start', trigger: { kind: 'one_shot', after: 5 }, post: [{ emit: 'rung' }] }),
      transition('answer', { trigger: { kind: 'event', event: 'rung', self: true } }),
    ],
    { events: { rung: {} }, emits: ['rung'] },
  );
  const [result] = run(chain, [{ name: 'x', steps: [{ at: 6, expect: { state: 'end', emitted: ['rung'] } }] }]).results;
  expect(result?.isMet).toBe(true);
});

test('scenarios may stand in an object beside other scenarios', () => {
  expect(readScenarios({ scenarios: [{ name: 'x', steps: [{}] }] })).toHaveLength(1);
});
