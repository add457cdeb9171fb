// The contract of the lifecycle tests: one transition for every kind of trigger and for token actions.

import { Definition } from '../../../src/contracts/definition.ts';

/** In ticks: default time limit, periods of reminders and chimes, time without a ping until it becomes idle. */
export const LIMIT = 20;
export const PERIOD = 7;
export const CHIME = 3;
export const QUIET = 6;
/** Reminders of one entry. */
export const MAX_REMINDERS = 4;
/** Maximum number of missed chimes that still fire. */
export const MAX_CHIMES = 2;

const common = { operator: 'KO42', proof: false };

export const TICKET = Definition.parse({
  name: 'ticket',
  version: '1.0',
  operators: ['KO42'],
  initial: 'idle',
  parameters: { limit: { type: 'ticks', default: LIMIT }, period: { type: 'ticks', default: PERIOD } },
  context: {
    voter: { type: 'string', initial: '' },
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
    spoil: { payload: {} },
  },
  states: {
    idle: { role: 'initial' },
    open: { role: 'intermediate' },
    done: { role: 'terminal', outcome: 'success' },
    expired: { role: 'terminal', outcome: 'expired' },
  },
  transitions: [
    { ...common, id: 'opening', from: 'idle', to: 'open', trigger: { kind: 'event', event: 'open' } },
    {
      ...common,
      id: 'closing',
      from: 'open',
      to: 'done',
      trigger: { kind: 'event', event: 'close' },
      fires_when: 'votes >= 3',
    },
    {
      ...common,
      id: 'idling',
      from: 'open',
      to: 'idle',
      trigger: { kind: 'on_aggregate', event: 'ping', fn: 'count', within: QUIET, evaluate: 'arrival_and_expiry' },
      fires_when: 'agg.count < 1 and votes < 2',
    },
    {
      ...common,
      id: 'voting',
      from: 'open',
      to: 'open',
      trigger: { kind: 'event', event: 'vote' },
      fires_when: 'event.weight > 0 and event.actor != voter',
      post: [{ set: { votes: 'votes + event.weight', voter: 'event.actor' } }],
    },
    {
      ...common,
      id: 'paying',
      from: 'open',
      to: 'open',
      trigger: { kind: 'event', event: 'pay' },
      post: [{ token: { op: 'spend', token: 'coin', amount: 'event.amount', from: '"alice"' } }],
    },
    {
      ...common,
      id: 'spoiling',
      from: 'open',
      to: 'open',
      trigger: { kind: 'event', event: 'spoil' },
      post: [{ token: { op: 'spend', token: 'coin', amount: '1', from: '"alice"' } }],
    },
    {
      ...common,
      id: 'reminding',
      from: 'open',
      to: 'open',
      trigger: { kind: 'recurring', every: 'period', max_fires: MAX_REMINDERS },
      post: [{ set: { reminders: 'reminders + 1' } }],
    },
    {
      ...common,
      id: 'chiming',
      from: 'open',
      to: 'open',
      trigger: { kind: 'recurring', every: CHIME, catch_up: 'all', max_catch_up: MAX_CHIMES },
      post: [{ set: { chimes: 'chimes + 1' } }],
    },
    { ...common, id: 'expiring', from: 'open', to: 'expired', trigger: { kind: 'one_shot', after: 'limit' } },
  ],
});

/** The same in the second edition: its time limit runs on a stopwatch, and only admins hold its timers back. */
export const TIMED_TICKET = Definition.parse({
  ...TICKET,
  edition: 2,
  pause: 'admin',
  clocks: { open: { runs_in: ['open'] } },
  context: { ...TICKET.context, grace: { type: 'integer', initial: 0 } },
  events: { ...TICKET.events, open: { payload: { grace: 'integer' } } },
  transitions: TICKET.transitions.map((transition) => {
    const isTimed = transition.trigger.kind === 'recurring' || transition.trigger.kind === 'one_shot';
    const manual = isTimed ? { manual: 'admin' } : {};
    switch (transition.id) {
      case 'opening':
        return { ...transition, post: [{ set: { grace: 'event.grace' } }] };
      case 'closing':
        return { ...transition, fires_when: 'votes >= 3 and clock.open >= 4' };
      case 'expiring':
        return { ...transition, ...manual, trigger: { kind: 'deadline', after: 'limit + grace - clock.open' } };
      default:
        return { ...transition, ...manual };
    }
  }),
});
