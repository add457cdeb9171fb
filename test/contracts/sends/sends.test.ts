// Events to other machines in definitions: what is refused by name, and what simulations say of them.

import { expect, test } from 'vitest';
import { scenarioFaults } from '../../../src/contracts/authoring/scenarios.ts';
import { definitionFaults } from '../../../src/contracts/check.ts';
import { compileContract } from '../../../src/contracts/compiled.ts';
import { Definition } from '../../../src/contracts/definition.ts';
import { simulate } from '../../../src/contracts/simulate.ts';
import { LIMITS } from '../../../src/core/limits.ts';
import { environment } from '../data/data-fixture.ts';
import { caller, callerTransitions } from './caller.ts';

const CALLER = caller('depot');

test('a simulation says what is sent, and the scenario plays the other machine and the engine', () => {
  const contract = compileContract(CALLER);
  const scenario = {
    name: 'calls',
    steps: [
      { send: 'call', payload: { n: 3 }, by: 'machine:shop', expect: { sent: ['depot called'], refused: [] } },
      {
        send: 'not_taken',
        payload: { code: 'EXPIRED', machine: 'depot' },
        by: 'engine',
        expect: { context: { lost: 1 } },
      },
      { send: 'not_taken', payload: { code: 'EXPIRED', machine: 'depot' }, expect: { context: { lost: 1 }, sent: [] } },
    ],
  };
  expect(scenarioFaults(contract, scenario)).toEqual([]);
  const steps = simulate(contract, scenario, environment);
  expect(steps.flatMap(({ mismatches }) => mismatches)).toEqual([]);
  expect(steps[0]?.fired[0]?.sends).toEqual([
    { event: 'called', to: 'depot', payload: { n: 3 }, on_refused: 'not_taken' },
  ]);
  const wrong = { name: 'wrong', steps: [{ send: 'call', payload: { n: 3 }, expect: { sent: ['shop called'] } }] };
  expect(simulate(contract, wrong, environment)[0]?.mismatches).toEqual([
    '[depot called] were sent to machines, not [shop called]',
  ]);
});

test('the machine may be a parameter, whose value must be the name of one', () => {
  const parameters = { depot: { type: 'string', default: 'north' } };
  const definition = caller('depot', { parameters });
  const sent = (given: object) =>
    compileContract(definition, given as never).transitions.flatMap(({ post }) =>
      post.flatMap((one) => ('to' in one ? one.to : [])),
    );
  expect(sent({})).toEqual(['north']);
  expect(sent({ depot: 'south-1' })).toEqual(['south-1']);
  expect(sent({ depot: 'machine:south-1' })).toEqual(['south-1']);
  expect(definitionFaults(definition, { depot: 'no machine' })).toMatchObject([
    { path: 'parameters.depot', code: 'SLUG' },
  ]);
});

test('a payload beyond the limit fails the action, and nothing is sent', () => {
  const events = {
    call: { payload: { n: 'string' } },
    not_taken: { payload: { code: 'string', machine: 'string' } },
    hang_up: {},
  };
  const contract = compileContract(caller('depot', { events }));
  const n = 'x'.repeat(LIMITS.contracts.sends.payloadBytes);
  const [step] = simulate(contract, { name: 'long', steps: [{ send: 'call', payload: { n } }] }, environment);
  expect([step?.fired, step?.refusals.map(({ code }) => code)]).toEqual([[], ['ACTION_FAILED']]);
});

const send = (given: object) => ({ transitions: callerTransitions(given) });
const told = (payload: object, more: object = {}) => ({
  events: { call: { payload: { n: 'number' } }, not_taken: { payload, ...more }, hang_up: {} },
});
const TOLD = { code: 'string', machine: 'string' };

test.each<[what: string, more: object, path: string, code: string]>([
  ['the first edition', { edition: undefined }, 'transitions.pass_on.post.0.send', 'EDITION'],
  ['a name that no machine has', send({ event: 'called', to: 'A B' }), 'transitions.pass_on.post.0.send.to', 'SLUG'],
  [
    'a number for the machine',
    { ...send({ event: 'called', to: 'lane' }), parameters: { lane: { type: 'integer', default: 1 } } },
    'transitions.pass_on.post.0.send.to',
    'TYPE',
  ],
  [
    'an unknown event for the refusal',
    send({ event: 'called', to: 'depot', on_refused: 'nothing' }),
    'transitions.pass_on.post.0.send.on_refused',
    'UNKNOWN_NAME',
  ],
  ['a field that a refusal has not', told({ ...TOLD, n: 'number' }), 'events.not_taken.payload', 'UNKNOWN_NAME'],
  ['a field of another type', told({ code: 'number', machine: 'string' }), 'events.not_taken.payload.code', 'TYPE'],
  ['a refusal from callers', told(TOLD, { open: true }), 'events.not_taken.open', 'NOT_ALLOWED'],
  [
    'a refusal from a party',
    { ...told(TOLD, { from: 'buyer' }), parties: { buyer: {} } },
    'events.not_taken.from',
    'NOT_ALLOWED',
  ],
  [
    'more events than allowed',
    {
      transitions: CALLER.transitions.map((one) =>
        one.id === 'pass_on' ? { ...one, post: Array.from({ length: 5 }, () => one.post?.[0]) } : one,
      ),
    },
    'transitions.pass_on.post',
    'OUT_OF_RANGE',
  ],
])('%s is refused by name', (_, more, path, code) => {
  const faults = definitionFaults(Definition.parse({ ...CALLER, ...more }));
  expect(faults.map((one) => [one.path, one.code])).toContainEqual([path, code]);
});
