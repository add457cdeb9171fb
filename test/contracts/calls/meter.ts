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

export const RATE = {
  http: {
    url: 'https://rates.example/latest',
    method: 'GET',
    payload: { base: 'event.currency' },
    fields: { rate: '/rates/USD' },
  },
  into: 'rated',
  on_error: 'not_rated',
} as const;

/** A contract that reads a rate of another service. */
export const rated = (http: object = {}, more: object = {}, call: object = {}) =>
  Definition.parse({
    name: 'rated',
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'open',
    context: {
      rate: { type: 'number', initial: 0 },
      why: { type: 'string', initial: '' },
      tries: { type: 'integer', initial: 0 },
    },
    events: {
      ask: { payload: { currency: 'string' } },
      rated: { payload: { rate: 'number', status: 'integer', body: 'string' } },
      not_rated: { payload: { code: 'string', tries: 'integer' } },
      close: {},
    },
    states: { open: { role: 'initial' }, shut: { role: 'terminal' } },
    transitions: [
      transition(
        'ask',
        'open',
        'open',
        { kind: 'event', event: 'ask' },
        { post: [{ call: { ...RATE, ...call, http: { ...RATE.http, ...http } } }] },
      ),
      transition(
        'note',
        'open',
        'open',
        { kind: 'event', event: 'rated' },
        { post: [{ set: { rate: 'event.rate' } }] },
      ),
      transition(
        'miss',
        'open',
        'open',
        { kind: 'event', event: 'not_rated' },
        { post: [{ set: { why: 'event.code', tries: 'event.tries' } }] },
      ),
      transition('end', 'open', 'shut', { kind: 'event', event: 'close' }),
    ],
    ...more,
  });
