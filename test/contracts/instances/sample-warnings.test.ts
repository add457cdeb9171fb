// Warnings of guards that need more events than a window of an instance holds.

import { expect, test } from 'vitest';
import { checkDraft } from '../../../src/contracts/authoring/draft.ts';
import { transition } from '../transition.ts';

/** @param guard  of an aggregate, or of the named window `many` */
const meter = (guard: string, more: object = {}, fn = 'count') => ({
  name: 'meter',
  version: '1.0',
  edition: 2,
  key: 'event.id',
  spawn: 'read',
  operators: ['KO42'],
  initial: 'low',
  windows: { many: { event: 'read', fn, ...(fn === 'count' ? {} : { field: 'n' }), within: 1000 } },
  events: { read: { payload: { id: 'string', n: 'integer' } } },
  states: { low: { role: 'initial' }, high: { role: 'terminal' } },
  transitions: [transition('rise', 'low', 'high', { kind: 'windows' }, { fires_when: guard, ...more })],
});
const aggregate = (guard: string, more: object = {}) => {
  const { windows: _, ...rest } = meter(guard);
  const trigger = { kind: 'on_aggregate', event: 'read', fn: 'count', within: 1000, ...more };
  return { ...rest, transitions: [transition('rise', 'low', 'high', trigger, { fires_when: guard })] };
};
const warningsOf = (definition: object) => {
  const { isSound, faults, warnings } = checkDraft(definition);
  expect([isSound, faults]).toEqual([true, []]);
  return warnings.flatMap(({ code, pointer }) => (code === 'TOO_MANY_SAMPLES' ? [pointer] : []));
};

const GUARD = ['/transitions/0/fires_when'];

test.each<[what: string, definition: object, expected: string[]]>([
  ['250 of a named window', meter('many.value >= 250'), []],
  ['251 of them', meter('many.value >= 251'), GUARD],
  ['251 by count', meter('many.count > 250'), GUARD],
  ['a few, and what no range says', meter('many.count > 3 and floor(many.value / 7) > 2'), []],
  ['251, or what no range says', meter('many.count > 250 or floor(many.value / 7) > 2'), []],
  ['251, and what no range says', meter('many.count > 250 and floor(many.value / 7) > 2'), GUARD],
  ['a sum of 1,000', meter('many.value >= 1000', {}, 'sum'), []],
  ['251 events for a sum', meter('many.value >= 1000 and many.count > 250', {}, 'sum'), GUARD],
  ['fewer or more', meter('many.value >= 1000 or many.count < 3', {}, 'sum'), []],
  ['251 of an aggregate', aggregate('agg.value > 250'), GUARD],
  ['a least number of 300', aggregate('agg.value > 2', { min_count: 300 }), ['/transitions/0/trigger/min_count']],
])('%s', (_, definition, expected) => expect(warningsOf(definition)).toEqual(expected));

test('a contract without a key holds more', () => {
  const { key: _, spawn: __, ...rest } = meter('many.value >= 251');
  expect(warningsOf(rest)).toEqual([]);
});
