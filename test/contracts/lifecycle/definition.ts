// The contract of the lifecycle tests: one transition of every kind that time, events, tokens and people can move.

import { Definition } from '../../../src/contracts/definition.ts';

/** Ticks: how long it is open by default, how often it reminds and chimes, how long it must be quiet to fall asleep. */
export const LIMIT = 20;
export const PERIOD = 7;
export const CHIME = 3;
export const QUIET = 6;
/** Chimes that are made up for at most. */
export const CHIMES = 2;

const moved = { operator: 'KO42', proof: false };

export const TICKET = Definition.parse({
  name: 'ticket',
  version: '1.0',
  operators: ['KO42'],
  initial: 'idle',
  parameters: { limit: { type: 'ticks', default: LIMIT } },
  context: {
    votes: { type: 'integer', initial: 0 },
    reminders: { type: 'integer', initial: 0 },
    chimes: { type: 'integer', initial: 0 },
  },
  events: {
    open: { payload: {} },
    vote: { payload: { weight: 'integer' } },
    pay: { payload: { amount: 'integer' } },
    ping: { payload: {} },
    close: { payload: {} },
  },
  states: {
    idle: { role: 'initial' },
    open: { role: 'intermediate' },
    done: { role: 'terminal', outcome: 'success' },
    expired: { role: 'terminal', outcome: 'expired' },
  },
  transitions: [
    { ...moved, id: 'opening', from: 'idle', to: 'open', trigger: { kind: 'event', event: 'open' } },
    {
      ...moved,
      id: 'closing',
      from: 'open',
      to: 'done',
      trigger: { kind: 'event', event: 'close' },
      fires_when: 'votes >= 3',
    },
    {
      ...moved,
      id: 'hush',
      from: 'open',
      to: 'idle',
      trigger: { kind: 'on_aggregate', event: 'ping', fn: 'count', within: QUIET, evaluate: 'arrival_and_expiry' },
      fires_when: 'agg.count < 1 and votes < 2',
    },
    {
      ...moved,
      id: 'voting',
      from: 'open',
      to: 'open',
      trigger: { kind: 'event', event: 'vote' },
      fires_when: 'event.weight > 0',
      post: [{ set: { votes: 'votes + event.weight' } }],
    },
    {
      ...moved,
      id: 'paying',
      from: 'open',
      to: 'open',
      trigger: { kind: 'event', event: 'pay' },
      post: [{ token: { op: 'spend', token: 'coin', amount: 'event.amount', from: '"alice"' } }],
    },
    {
      ...moved,
      id: 'reminding',
      from: 'open',
      to: 'open',
      trigger: { kind: 'recurring', every: PERIOD },
      post: [{ set: { reminders: 'reminders + 1' } }],
    },
    {
      ...moved,
      id: 'chiming',
      from: 'open',
      to: 'open',
      trigger: { kind: 'recurring', every: CHIME, catch_up: 'all', max_catch_up: CHIMES },
      post: [{ set: { chimes: 'chimes + 1' } }],
    },
    { ...moved, id: 'expiring', from: 'open', to: 'expired', trigger: { kind: 'one_shot', after: 'limit' } },
  ],
});
