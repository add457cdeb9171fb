// Fixture: orders, each an instance by its number, and the same definition as a contract for one order.

import { Definition } from '../../../src/contracts/definition.ts';
import { transition } from '../transition.ts';

const on = (event: string) => ({ kind: 'event', event });

/** A contract for one order. */
export const ORDER = Definition.parse({
  name: 'order',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'placed',
  pause: 'operator',
  parameters: { pay_within: { type: 'ticks', default: 20 } },
  context: { due: { type: 'integer', initial: 0 }, paid: { type: 'integer', initial: 0 } },
  collections: { items: { kind: 'list', of: 'string', max: 3 } },
  events: {
    order: { payload: { order_id: 'string', amount: 'integer' } },
    item: { payload: { order_id: 'string', name: 'string' } },
    pay: { payload: { order_id: 'string', amount: 'integer' } },
    ship: { payload: { order_id: 'string' } },
  },
  emits: ['reminder', 'shipped'],
  states: {
    placed: { role: 'initial' },
    paid: { role: 'intermediate' },
    done: { role: 'terminal', outcome: 'success' },
    lapsed: { role: 'terminal', outcome: 'failure' },
  },
  transitions: [
    transition('open', 'placed', 'placed', on('order'), {
      fires_when: 'event.amount > 0',
      post: [{ set: { due: 'event.amount' } }],
    }),
    transition('add', 'placed', 'placed', on('item'), { post: [{ append: { to: 'items', value: 'event.name' } }] }),
    transition('settle', 'placed', 'paid', on('pay'), {
      fires_when: 'paid + event.amount >= due',
      priority: 1,
      post: [{ set: { paid: 'paid + event.amount' } }],
    }),
    transition('part', 'placed', 'placed', on('pay'), { post: [{ set: { paid: 'paid + event.amount' } }] }),
    transition(
      'remind',
      ['placed', 'paid'],
      'placed',
      { kind: 'recurring', every: 7 },
      {
        from: 'placed',
        post: [{ emit: { event: 'reminder', payload: { left: 'due - paid' } } }],
      },
    ),
    transition('lapse', 'placed', 'lapsed', { kind: 'one_shot', after: 'pay_within' }),
    transition('ship', 'paid', 'done', on('ship'), {
      post: [{ emit: 'shipped' }, { token: { op: 'mint', amount: 'due', to: '"sales"' } }],
    }),
  ],
});

/** The same, an instance for each order. */
export const ORDERS: Definition = { ...ORDER, key: 'event.order_id', spawn: 'order' };

/** Tills that share a purse: one may empty it for the others, and each hears its own bell. */
export const TILLS: Definition = Definition.parse({
  name: 'till',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'open',
  pause: 'operator',
  key: 'event.till',
  spawn: 'open_till',
  respawn: true,
  context: { heard: { type: 'integer', initial: 0 } },
  events: {
    open_till: { payload: { till: 'integer', amount: 'integer' } },
    take: { payload: { till: 'integer', amount: 'integer' } },
    close: { payload: { till: 'integer', amount: 'integer' } },
    rung: {},
  },
  emits: ['rung'],
  states: { open: { role: 'initial' }, closed: { role: 'terminal', outcome: 'success' } },
  transitions: [
    transition('fill', 'open', 'open', on('open_till'), {
      post: [{ token: { op: 'mint', amount: 'event.amount', to: '"purse"' } }],
    }),
    transition('take', 'open', 'open', on('take'), {
      post: [{ token: { op: 'transfer', amount: 'event.amount', from: '"purse"', to: '"out"' } }],
    }),
    transition('ring', 'open', 'open', { kind: 'recurring', every: 4 }, { post: [{ emit: 'rung' }] }),
    transition(
      'hear',
      'open',
      'open',
      { kind: 'event', event: 'rung', self: true },
      {
        post: [{ set: { heard: 'heard + 1' } }],
      },
    ),
    transition('close', 'open', 'closed', on('close')),
  ],
});
