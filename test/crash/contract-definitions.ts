// Contracts that would show a lost or a doubled fire: one that must fire in every tick, and one that counts.

import { Definition } from '../../src/contracts/definition.ts';

export const MACHINES = 3;

const plain = {
  version: '1.0',
  operators: ['KO42'],
  initial: 'a',
  states: { a: { role: 'initial' }, b: { role: 'intermediate' } },
};

/** Stays where it is, so that its timer keeps every occurrence; nothing ever stops it. */
export const CLOCKWORK = Definition.parse({
  ...plain,
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
  ...plain,
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
