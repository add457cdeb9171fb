// Fixture: a contract that has the energy of each body computed, and notes what comes back.

import { Definition } from '../../../src/contracts/definition.ts';
import { transition } from '../transition.ts';

export const ENERGY = {
  operator: 'CM9',
  inputs: { m: 'event.m', v: 'event.v' },
  unit: 'J',
  into: 'measured',
  on_error: 'not_measured',
} as const;

/** @param call  the activity, right or wrong */
export const meterTransitions = (call: object) => [
  transition('ask', 'open', 'open', { kind: 'event', event: 'body' }, { post: [{ call }] }),
  transition(
    'note',
    'open',
    'open',
    { kind: 'event', event: 'measured' },
    { fires_when: 'event.unit == "J"', post: [{ set: { energy: 'event.value', results: 'results + 1' } }] },
  ),
  transition(
    'miss',
    'open',
    'open',
    { kind: 'event', event: 'not_measured' },
    { post: [{ set: { why: 'event.code', failures: 'failures + 1' } }] },
  ),
  transition('end', 'open', 'shut', { kind: 'event', event: 'close' }),
];

export const meter = (more: object = {}, call: object = ENERGY) =>
  Definition.parse({
    name: 'meter',
    version: '1.0',
    edition: 2,
    operators: ['KO42', 'CM9'],
    initial: 'open',
    context: {
      energy: { type: 'number', initial: 0 },
      results: { type: 'integer', initial: 0 },
      failures: { type: 'integer', initial: 0 },
      why: { type: 'string', initial: '' },
    },
    events: {
      body: { payload: { m: 'number', v: 'number' } },
      measured: { payload: { value: 'number', unit: 'string', uncertainty: 'number', receipt: 'string' } },
      not_measured: { payload: { code: 'string', tries: 'integer' } },
      close: {},
    },
    states: { open: { role: 'initial' }, shut: { role: 'terminal' } },
    transitions: meterTransitions(call),
    ...more,
  });
