// Fixture: a contract that sends each of its calls to another machine, and notes the calls that were not taken there.

import { Definition } from '../../../src/contracts/definition.ts';
import { transition } from '../transition.ts';

/** @param send  the action, right or wrong */
export const callerTransitions = (send: object) => [
  transition('pass_on', 'open', 'open', { kind: 'event', event: 'call' }, { post: [{ send }] }),
  transition(
    'note',
    'open',
    'open',
    { kind: 'event', event: 'not_taken' },
    { post: [{ set: { lost: 'lost + 1', why: 'event.code' } }] },
  ),
  transition('end', 'open', 'shut', { kind: 'event', event: 'hang_up' }),
];

/** @param to  the machine */
export const caller = (to: string, more: object = {}) =>
  Definition.parse({
    name: 'caller',
    version: '1.0',
    edition: 2,
    operators: ['KO42'],
    initial: 'open',
    context: { lost: { type: 'integer', initial: 0 }, why: { type: 'string', initial: '' } },
    events: {
      call: { payload: { n: 'number' } },
      not_taken: { payload: { code: 'string', machine: 'string' } },
      hang_up: {},
    },
    states: { open: { role: 'initial' }, shut: { role: 'terminal' } },
    transitions: callerTransitions({ event: 'called', to, payload: { n: 'event.n' }, on_refused: 'not_taken' }),
    ...more,
  });
