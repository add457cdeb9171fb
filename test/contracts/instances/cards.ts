// Fixture: cards, each with two rolling windows of its payments, and the same definition as a contract for one card.

import { Definition } from '../../../src/contracts/definition.ts';
import { transition } from '../transition.ts';

/** A contract for one card: blocked after fast or dear payments, open again when they are over. */
export const CARD = Definition.parse({
  name: 'card',
  version: '1.0',
  edition: 2,
  operators: ['KO42'],
  initial: 'open',
  pause: 'operator',
  parameters: { span: { type: 'ticks', default: 6 }, floor: { type: 'integer', default: 1 } },
  context: { blocks: { type: 'integer', initial: 0 }, least: { type: 'integer', initial: 0 } },
  windows: {
    fast: { event: 'paid', fn: 'count', within: 'span', filter: 'event.amount >= floor' },
    dear: { event: 'paid', fn: 'sum', field: 'amount', within: 15, filter: 'event.amount > least' },
  },
  events: {
    issue: { payload: { card: 'string', amount: 'integer' } },
    paid: { payload: { card: 'string', amount: 'integer' } },
    least: { payload: { card: 'string', amount: 'integer' } },
    close: { payload: { card: 'string', amount: 'integer' } },
  },
  emits: ['blocked', 'calm'],
  states: {
    open: { role: 'initial' },
    blocked: { role: 'intermediate' },
    closed: { role: 'terminal', outcome: 'success' },
  },
  transitions: [
    transition('issue', 'open', 'open', { kind: 'event', event: 'issue' }),
    transition(
      'block',
      'open',
      'blocked',
      { kind: 'windows' },
      {
        fires_when: 'fast.count >= 3 or (not dear.empty and dear.value > 8)',
        post: [{ set: { blocks: 'blocks + 1' } }, { emit: { event: 'blocked', payload: { sum: 'dear.value' } } }],
      },
    ),
    transition(
      'restore',
      'blocked',
      'open',
      { kind: 'windows' },
      {
        fires_when: 'fast.empty and dear.count < 2',
        post: [{ emit: 'calm' }],
      },
    ),
    transition(
      'raise',
      ['open', 'blocked'],
      'open',
      { kind: 'event', event: 'least' },
      {
        post: [{ set: { least: 'event.amount' } }],
      },
    ),
    transition(
      'steady',
      'open',
      'open',
      {
        kind: 'on_aggregate',
        event: 'paid',
        fn: 'max',
        field: 'amount',
        within: 9,
        since: 'entry',
        evaluate: 'arrival_and_expiry',
      },
      { fires_when: 'agg.value >= 5', priority: -1, post: [{ set: { least: '0' } }] },
    ),
    transition('close', ['open', 'blocked'], 'closed', { kind: 'event', event: 'close' }),
  ],
});

/** The same, an instance for each card. */
export const CARDS: Definition = { ...CARD, key: 'event.card', spawn: 'issue' };
