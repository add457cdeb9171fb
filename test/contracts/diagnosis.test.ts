// Answers of a deployment about its definition: faults by cause, in words, and warnings about guards.

import { describe, expect, test } from 'vitest';
import { definitionFaults } from '../../src/contracts/check.ts';
import { compileContract } from '../../src/contracts/compiled.ts';
import { Definition, type Definition as DefinitionOf } from '../../src/contracts/definition.ts';
import { guardWarnings } from '../../src/contracts/guard-warnings.ts';
import { payloadFault } from '../../src/contracts/transition-attempt.ts';
import { DomainError } from '../../src/core/errors.ts';
import { parseOrThrow } from '../../src/core/validation.ts';
import { TEMPLATES } from '../../src/templates/load.ts';

const transition = (id: string, more: object) => ({
  id,
  from: 'start',
  to: 'end',
  operator: 'KO42',
  proof: false,
  trigger: { kind: 'event', event: 'go' },
  ...more,
});

const definitionOf = (transitions: readonly object[], more: object = {}) => ({
  name: 'diagnosed',
  version: '1.0',
  operators: ['KO42'],
  initial: 'start',
  events: { go: { payload: { n: 'number', who: 'string', ok: 'boolean' } } },
  states: { start: { role: 'initial' }, end: { role: 'terminal' } },
  transitions,
  ...more,
});

const parsed = (transitions: readonly object[], more: object = {}): DefinitionOf =>
  Definition.parse(definitionOf(transitions, more));

function refusal(definition: object): string {
  try {
    parseOrThrow(Definition, definition);
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
  return 'accepted';
}

const timer = (after: unknown) =>
  definitionOf([transition('late', { trigger: { kind: 'one_shot', after } })], { events: {} });

describe('faults in order of cause', () => {
  const parameters = { limit: { type: 'number', default: 5 } };

  test('a guard that does not parse comes first, and what it names is not called unused', () => {
    const faults = definitionFaults(parsed([transition('end', { fires_when: 'event.n > > limit' })], { parameters }));
    expect(faults.map(({ path, code }) => [path, code])).toEqual([
      ['transitions.end.fires_when', 'EXPRESSION_INVALID'],
    ]);
  });

  test('the same holds for a log text and a filter', () => {
    const logged = transition('end', { post: [{ log: 'over {limit +}' }] });
    expect(definitionFaults(parsed([logged], { parameters })).map(({ code }) => code)).toEqual(['EXPRESSION_INVALID']);
    const trigger = { kind: 'on_aggregate', event: 'go', fn: 'count', within: 5, filter: 'event.n > > limit' };
    const counted = transition('end', { trigger, fires_when: 'agg.count > 1' });
    expect(definitionFaults(parsed([counted], { parameters })).map(({ code }) => code)).toEqual(['EXPRESSION_INVALID']);
  });

  test('a parameter that nothing names is still unused, after the faults that stop a guard', () => {
    const broken = transition('end', { fires_when: 'event.n >' });
    expect(definitionFaults(parsed([broken], { parameters })).map(({ code }) => code)).toEqual([
      'EXPRESSION_INVALID',
      'UNUSED',
    ]);
  });
});

describe('durations', () => {
  const ticksOf = (definition: object) => compileContract(Definition.parse(definition)).transitions[0]?.trigger;

  test('an ISO duration stands wherever ticks stand, rounded up to whole ticks', () => {
    expect(ticksOf(timer('PT5M'))).toMatchObject({ after: 387 });
    expect(ticksOf(timer('P7D'))).toMatchObject({ after: 778378 });
    const trigger = { kind: 'recurring', every: 'PT1H', offset: 'PT1S', grace: 'PT10M' };
    expect(ticksOf(definitionOf([transition('again', { trigger })], { events: {} }))).toMatchObject({
      every: 4634,
      offset: 2,
      catchUp: { grace: 773 },
    });
  });

  test('a parameter of type ticks takes one too, as its default and when it is given', () => {
    const definition = parsed([transition('late', { trigger: { kind: 'one_shot', after: 'wait' } })], {
      events: {},
      parameters: { wait: { type: 'ticks', default: 'PT5M', max: 800 } },
    });
    expect(compileContract(definition).parameters).toEqual({ wait: 387 });
    expect(compileContract(definition, { wait: 'PT10M' }).parameters).toEqual({ wait: 773 });
    expect(() => compileContract(definition, { wait: 'PT1H' })).toThrow('anything to 800 is allowed');
  });

  test.each(['P1M', 'P1Y2D', 'PT', 'P9999999W'])('%s is refused in words', (after) => {
    expect(() => compileContract(Definition.parse(timer(after)))).toThrow(
      /^transitions\.late\.trigger\.after is P.*; .*weeks, days, hours, minutes and seconds/,
    );
  });

  test.each([
    ['5 minutes', '"5 minutes"'],
    [true, 'true'],
  ])('%s is refused without a regular expression', (after, got) => {
    expect(refusal(timer(after))).toBe(
      `transitions.0.trigger.after is ${got}; a whole number of ticks from 1 to 2000000000, an ISO duration such as PT5M or P7D, or the name of a parameter is expected.`,
    );
  });
});

test('one source may be written as a list of one', () => {
  expect(refusal(definitionOf([transition('end', { from: ['start'] })]))).toBe('accepted');
  expect(refusal(definitionOf([transition('end', { from: 5 })]))).toBe(
    'transitions.0.from is 5; the name of a state, or a list of 1 to 32 names, is expected.',
  );
  expect(refusal(definitionOf([transition('end', { from: [] })]))).toBe(
    'transitions.0.from is []; at least 1 element is allowed.',
  );
});

describe('warnings about guards', () => {
  const warnings = (transitions: readonly object[], more: object = {}) =>
    guardWarnings(compileContract(parsed(transitions, more))).map(({ path, code }) => `${path} ${code}`);
  const guarded = (id: string, fires_when: string, more: object = {}) => transition(id, { fires_when, ...more });

  test.each([
    '1 > 2',
    'event.n > 0 and false',
    'event.n > 5 and event.n < 3',
    'event.n > limit and event.n <= limit',
    'event.who == "ann" and event.who == "bob"',
    'event.ok and not event.ok',
  ])('%s can never be true', (text) => {
    const parameters = { limit: { type: 'number', default: 5 } };
    const uses = guarded('other', 'event.n == limit and event.who == "x" and event.ok == false', { priority: 1 });
    expect(warnings([guarded('end', text), uses], { parameters })).toContain('transitions.end.fires_when NEVER_TRUE');
  });

  test('true can never be false', () => {
    expect(warnings([guarded('end', '2 > 1 or event.n > 3')])).toEqual(['transitions.end.fires_when ALWAYS_TRUE']);
  });

  test('two guards of one event that can both hold overlap, unless priorities order them', () => {
    const low = guarded('low', 'event.n > 3');
    expect(warnings([low, guarded('high', 'event.n > 10')])).toEqual(['transitions.high.fires_when OVERLAP']);
    expect(warnings([low, guarded('high', 'event.n > 10', { priority: 5 })])).toEqual([]);
    expect(warnings([low, guarded('high', 'event.n <= 3')])).toEqual([]);
    expect(warnings([low, guarded('high', 'event.n > 3 and event.n > 10')])).toEqual([
      'transitions.high.fires_when OVERLAP',
    ]);
  });

  test('guards that cannot be compared give no warning', () => {
    expect(warnings([guarded('a', 'event.n * event.n > 3'), guarded('b', 'sqrt(event.n) < 2')])).toEqual([]);
  });

  test('the built-in templates have none', () => {
    for (const { id, definition } of TEMPLATES.values()) {
      expect([id, guardWarnings(compileContract(definition))]).toEqual([id, []]);
    }
  });
});

test('degrees Celsius and Fahrenheit are units of readings', () => {
  const oracle = { kind: 'push', field: 'temperature', fn: 'last', unit: 'degC' };
  const definition = parsed([transition('end', { fires_when: 'oracle.value > 8' })], { oracle });
  expect(compileContract(definition).oracle?.unit).toBe('degC');
  expect(() => compileContract({ ...definition, oracle: { ...definition.oracle, unit: 'degX' } as never })).toThrow(
    'oracle.unit',
  );
});

test('a type is named with its article', () => {
  const whole = { context: { count: { type: 'integer', initial: 'x' } } };
  expect(definitionFaults(parsed([transition('end', {})], whole)).map(({ message }) => message)).toContain(
    'context.count.initial is "x"; an integer is expected.',
  );
  const contract = compileContract(parsed([transition('end', {})], { events: { go: { payload: { n: 'integer' } } } }));
  expect(payloadFault(contract, 'go', { n: 'x' })).toEqual({ path: 'payload.n', got: 'x', expected: 'an integer' });
});
