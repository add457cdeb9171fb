// Contracts that expose lost or repeated fires: one that fires in every tick, and one that counts events.

import { Definition } from '../../src/contracts/definition.ts';

export const MACHINES = 3;

const header = {
  version: '1.0',
  operators: ['KO42'],
  initial: 'a',
  states: { a: { role: 'initial' }, b: { role: 'intermediate' } },
};

/** Stays in its state, so that its timer keeps every occurrence; the tests never send `stop`. */
export const CLOCKWORK = Definition.parse({
  ...header,
  name: 'clockwork',
  events: { stop: { payload: {} } },
  emits: ['tick'],
  states: { a: { role: 'initial' }, b: { role: 'terminal' } },
  transitions: [
    {
      id: 'tick',
      from: 'a',
      to: 'a',
      operator: 'KO42',
      proof: false,
      trigger: { kind: 'recurring', every: 1, anchor: 'deploy', catch_up: 'all', max_catch_up: 1_000 },
      post: [{ emit: 'tick' }],
    },
    { id: 'stop', from: 'a', to: 'b', operator: 'KO42', proof: false, trigger: { kind: 'event', event: 'stop' } },
  ],
});

export const COUNTER = Definition.parse({
  ...header,
  name: 'counter',
  context: { hits: { type: 'integer', initial: 0 } },
  events: { hit: { payload: {} } },
  transitions: (['a', 'b'] as const).map((from) => ({
    id: `hit_in_${from}`,
    from,
    to: from === 'a' ? 'b' : 'a',
    operator: 'KO42',
    proof: false,
    trigger: { kind: 'event', event: 'hit' },
    post: [{ set: { hits: 'hits + 1' } }],
  })),
});
