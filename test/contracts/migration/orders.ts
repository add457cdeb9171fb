// Fixture: an order in its first version, and the second one, in which states, variables and collections have other names.

import { Definition } from '../../../src/contracts/definition.ts';

const common = { operator: 'KO42', proof: false } as const;
const on = (id: string, from: string, to: string, event: string, more: object = {}) => ({
  ...common,
  id,
  from,
  to,
  trigger: { kind: 'event', event },
  ...more,
});

export const FIRST = Definition.parse({
  name: 'order',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'open',
  context: {
    cents: { type: 'integer', initial: 0 },
    note: { type: 'string', initial: '' },
    ratio: { type: 'number', initial: 0.5 },
  },
  collections: { items: { kind: 'list', of: 'string', max: 5 }, seen: { kind: 'set', of: 'string', max: 5 } },
  clocks: { work: { runs_in: ['packing'] } },
  events: { add: { payload: { item: 'string', price: 'integer' } }, pack: {}, ship: {} },
  states: {
    open: { role: 'initial' },
    packing: { role: 'intermediate' },
    shipped: { role: 'terminal', outcome: 'success' },
    late: { role: 'terminal', outcome: 'expired' },
  },
  transitions: [
    on('add', 'open', 'open', 'add', {
      post: [
        { set: { cents: 'cents + event.price', note: 'event.item' } },
        { append: { to: 'items', value: 'event.item' } },
        { add: { to: 'seen', value: 'event.item' } },
      ],
    }),
    on('pack', 'open', 'packing', 'pack'),
    on('ship', 'packing', 'shipped', 'ship', { fires_when: 'ratio < 2 and clock.work >= 0 and not has(seen, "x")' }),
    {
      ...common,
      id: 'expire',
      manual: 'admin',
      from: 'packing',
      to: 'late',
      trigger: { kind: 'one_shot', after: 100 },
    },
    {
      ...common,
      id: 'remind',
      manual: 'admin',
      from: 'packing',
      to: 'packing',
      trigger: { kind: 'recurring', every: 10, max_fires: 3 },
      post: [{ set: { cents: 'cents + 1' } }],
    },
  ],
});

export const SECOND = Definition.parse({
  name: 'order',
  version: '2.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'taken',
  context: {
    total: { type: 'money<EUR>', initial: 0 },
    note: { type: 'string', initial: '' },
    busy: { type: 'boolean', initial: false },
  },
  collections: { goods: { kind: 'list', of: 'string', max: 5 } },
  clocks: { effort: { runs_in: ['taken', 'in_work'] } },
  events: { pack: {}, ship: {} },
  states: {
    taken: { role: 'initial' },
    in_work: { role: 'intermediate' },
    shipped: { role: 'terminal', outcome: 'success' },
    late: { role: 'terminal', outcome: 'expired' },
  },
  transitions: [
    on('pack', 'taken', 'in_work', 'pack'),
    on('ship', 'in_work', 'shipped', 'ship', {
      fires_when: 'busy or total >= 0 and clock.effort >= 0 and count(goods) >= 0',
      post: [{ log: '{note}' }],
    }),
    {
      ...common,
      id: 'give_up',
      manual: 'admin',
      from: 'in_work',
      to: 'late',
      trigger: { kind: 'one_shot', after: 100 },
    },
    {
      ...common,
      id: 'nudge',
      manual: 'admin',
      from: 'in_work',
      to: 'in_work',
      trigger: { kind: 'recurring', every: 10, max_fires: 3 },
      post: [{ set: { busy: 'true' } }],
    },
    {
      ...common,
      id: 'audit',
      manual: 'admin',
      from: 'in_work',
      to: 'in_work',
      trigger: { kind: 'recurring', every: 7 },
      post: [{ log: 'a' }],
    },
  ],
});

/** From the first version to the second. */
export const MIGRATE = {
  states: { open: 'taken', packing: 'in_work' },
  context: { total: 'money(cents, "EUR")', busy: 'cents > 100 or clock.work > 0 or ratio > 1' },
  collections: { goods: 'items' },
  clocks: { effort: 'work' },
  drop: ['seen'],
};
