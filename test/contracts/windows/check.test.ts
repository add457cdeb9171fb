// Faults of named windows, each at its place in the definition.

import { describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { guardWarnings } from '../../../src/contracts/guard-warnings.ts';
import { faultsOf, messagesOf } from '../data/data-fixture.ts';
import { watch } from './windows-fixture.ts';

const { fast, slow } = watch().windows;

test('a sound definition has no faults', () => expect(faultsOf(watch())).toEqual([]));

test.each([
  ['an unknown event', { fast: { ...fast, event: 'readin' }, slow }, 'windows.fast.event UNKNOWN_NAME'],
  ['an unknown field', { fast: { ...fast, field: 'valu' }, slow }, 'windows.fast.field UNKNOWN_NAME'],
  ['a missing field', { fast: { event: 'reading', fn: 'avg', within: 5 }, slow }, 'windows.fast.field MISSING'],
  ['a field without numbers', { fast: { ...fast, field: 'actor' }, slow }, 'windows.fast.field TYPE'],
  ['an unknown parameter', { fast: { ...fast, within: 'length' }, slow }, 'windows.fast.within UNKNOWN_NAME'],
  [
    'a filter that does not parse',
    { fast: { ...fast, filter: 'event.value >' }, slow },
    'windows.fast.filter EXPRESSION_INVALID',
  ],
  [
    'a filter that is no condition',
    { fast: { ...fast, filter: 'event.value' }, slow },
    'windows.fast.filter EXPRESSION_INVALID',
  ],
  [
    'a filter that reads the clock',
    { fast: { ...fast, filter: 'now > 5' }, slow },
    'windows.fast.filter EXPRESSION_INVALID',
  ],
  [
    'a filter that reads a window',
    { fast: { ...fast, filter: 'slow.value > 5' }, slow },
    'windows.fast.filter EXPRESSION_INVALID',
  ],
  ['a reserved name', { fast, slow, state: fast }, 'windows.state RESERVED'],
  ['an unused window', { fast, slow, idle: fast }, 'windows.idle UNUSED'],
])('%s', (_, windows, expected) => expect(faultsOf(watch({ windows }))).toContain(expected));

test('a transition on windows reads one', () => {
  const [raise, clear] = watch().transitions;
  const faults = (guard: object) => faultsOf(watch({ transitions: [raise, { ...clear, ...guard }] }));
  expect(faults({ fires_when: 'state.age > 3' })).toEqual(['transitions.clear.fires_when NO_WINDOW']);
  expect(faults({ fires_when: undefined })).toContain('transitions.clear.fires_when MISSING');
  expect(faults({ fires_when: 'fast.values > 3' })).toContain('transitions.clear.fires_when EXPRESSION_INVALID');
  expect(faults({ fires_when: 'fast.value' })).toContain('transitions.clear.fires_when EXPRESSION_INVALID');
  expect(faults({ fires_when: 'fast.empty', by: 'ann' })).toContain('transitions.clear.by NOT_ALLOWED');
});

test('guards of timers read none, since a late wake would see other samples', () => {
  const [raise, clear] = watch().transitions;
  const timed = { ...clear, trigger: { kind: 'one_shot', after: 5 }, fires_when: 'load > 3' };
  const faults = faultsOf(watch({ let: { load: 'fast.value' }, transitions: [raise, timed] }));
  expect(faults).toContain('transitions.clear.fires_when NOT_ALLOWED');
  const copied = { ...timed, pre: [{ set: { seen: 'fast.value' } }], fires_when: 'seen > 3' };
  const copying = watch({ context: { seen: { type: 'number', initial: 0 } }, transitions: [raise, copied] });
  expect(faultsOf(copying)).toContain('transitions.clear.pre NOT_ALLOWED');
});

test('the first edition has none', () => {
  const { edition: _, ...first } = watch();
  expect(faultsOf(first)).toEqual(
    expect.arrayContaining([
      'windows EDITION',
      'transitions.raise.trigger EDITION',
      'transitions.clear.trigger EDITION',
    ]),
  );
});

test('few filters read the context', () => {
  const filtered = { ...fast, filter: 'event.value > least' };
  const windows = { fast: filtered, slow: filtered, third: filtered };
  const [raise, clear] = watch().transitions;
  const definition = watch({
    windows,
    context: { least: { type: 'number', initial: 0 } },
    transitions: [raise, { ...clear, fires_when: 'third.empty', post: [{ set: { least: '1' } }] }],
  });
  expect(faultsOf(definition)).toEqual(['windows COUNT']);
  expect(messagesOf(definition)[0]).toBe(
    'windows have 3 filters that read the context (fast, slow, third); at most 2 may.',
  );
});

test('at most 8 windows are declared, of the 8 functions', () => {
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`w${i}`, fast]));
  expect(Definition.safeParse(watch({ windows: many })).success).toBe(false);
  expect(Definition.safeParse(watch({ windows: { fast: { ...fast, fn: 'median' } } })).success).toBe(false);
  expect(Definition.safeParse(watch({ windows: { 'Fast!': fast } })).success).toBe(false);
  for (const within of [0, -1, 1.5, Number.NaN, 1e308, ''])
    expect(Definition.safeParse(watch({ windows: { fast: { ...fast, within } } })).success).toBe(false);
});

describe('who may fire by hand what windows of the events of parties decide', () => {
  const parties = (manual?: string) => {
    const [raise, clear] = watch().transitions;
    return watch({
      parties: { owner_of_it: {}, nurse: {} },
      events: { reading: { payload: { value: 'number' }, from: 'nurse' } },
      transitions: [{ ...raise, ...(manual === undefined ? {} : { manual }) }, clear],
    });
  };

  test('nobody by default', () => {
    const { transitions } = compileContract(Definition.parse(parties()));
    expect(transitions.map(({ manual }) => manual)).toEqual(['never', 'never']);
    expect(compileContract(Definition.parse(watch())).transitions.map(({ manual }) => manual)).toEqual([
      'operator',
      'operator',
    ]);
  });

  test('not who may not send them', () => {
    for (const manual of ['operator', 'owner_of_it'])
      expect(faultsOf(parties(manual))).toContain('transitions.raise.manual CONTRADICTION');
    expect(faultsOf(parties('nurse'))).toEqual(['parties.owner_of_it UNUSED'].slice(1));
  });
});

test('guards on windows that can be true together are told', () => {
  const [raise, clear] = watch().transitions;
  const definition = watch({
    transitions: [raise, clear, { ...raise, id: 'again', fires_when: 'fast.value > 12 and slow.value > 3' }],
  });
  const warnings = guardWarnings(compileContract(Definition.parse(definition)));
  expect(warnings.map(({ path, code }) => `${path} ${code}`)).toEqual(['transitions.again.fires_when OVERLAP']);
});
