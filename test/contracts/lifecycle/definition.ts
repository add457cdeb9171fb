// The contract of the lifecycle tests: one transition for every kind of trigger and for token actions.

import { Definition } from '../../../src/contracts/definition.ts';
import type { Migration } from '../../../src/contracts/migration/schema.ts';

/** In ticks: default time limit, periods of reminders and chimes, time without a ping until it becomes idle. */
export const LIMIT = 20;
export const PERIOD = 7;
export const CHIME = 3;
export const QUIET = 6;
/** Reminders of one entry. */
export const MAX_REMINDERS = 4;
/** Maximum number of missed chimes that still fire. */
export const MAX_CHIMES = 2;

/** Transitions on timers, which only admins fire by hand. */
export const DEADLINES: ReadonlySet<string> = new Set(['reminding', 'chiming', 'expiring']);

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

/** Most entries of the roll, and of the line, which drops its oldest. */
export const MAX_ROLL = 2;
export const MAX_LINE = 2;

const stay = { ...common, from: 'open', to: 'open' };

/**
 * The same contract in the second edition: a transition for every action on collections, a time limit on a stopwatch,
 * and only admins hold its timers back.
 */
export const SECOND_TICKET = Definition.parse({
  ...TICKET,
  edition: 2,
  pause: 'admin',
  clocks: { open: { runs_in: ['open'] } },
  context: {
    ...TICKET.context,
    purse: { type: 'money<EUR>', initial: 0 },
    served: { type: 'string', initial: '' },
    grace: { type: 'integer', initial: 0 },
  },
  collections: {
    roll: { kind: 'map', of: 'money<EUR>', max: MAX_ROLL },
    line: { kind: 'list', of: 'string', max: MAX_LINE, at_limit: 'drop_oldest' },
    seen: { kind: 'set', of: 'string', max: 10 },
  },
  let: { best: 'max(roll, 0)', is_better: 'event.amount > best' },
  events: {
    ...TICKET.events,
    open: { payload: { grace: 'integer' } },
    enlist: { payload: { who: 'string', amount: 'money<EUR>' } },
    strike: { payload: { who: 'string' } },
    serve: { payload: {} },
  },
  transitions: [
    ...TICKET.transitions.map((transition) => {
      const one = DEADLINES.has(transition.id) ? { ...transition, manual: 'admin' } : transition;
      switch (one.id) {
        case 'opening':
          return { ...one, post: [{ set: { grace: 'event.grace' } }] };
        case 'closing':
          return { ...one, fires_when: 'votes >= 3 and clock.open >= 4' };
        case 'expiring':
          return { ...one, trigger: { kind: 'deadline', after: 'limit + grace + count(seen) - clock.open' } };
        default:
          return one;
      }
    }),
    {
      ...stay,
      id: 'enlisting',
      trigger: { kind: 'event', event: 'enlist' },
      fires_when: 'is_better',
      post: [
        { append: { to: 'line', value: 'event.who' } },
        { add: { to: 'seen', value: 'event.who' } },
        { put: { into: 'roll', key: 'event.who', value: 'event.amount' } },
        { set: { purse: 'purse + portion(event.amount, 1, 2) + best' } },
      ],
    },
    {
      ...stay,
      id: 'striking',
      trigger: { kind: 'event', event: 'strike' },
      post: [{ remove: { from: 'roll', entry: 'event.who' } }],
    },
    {
      ...stay,
      id: 'serving',
      trigger: { kind: 'event', event: 'serve' },
      post: [{ take: { from: 'line', into: 'served' } }],
    },
  ],
});

const NEW_STATES: Readonly<Record<string, string>> = { idle: 'resting', open: 'busy' };
const renamedState = (name: string) => NEW_STATES[name] ?? name;

/** The same contract with other names of its states, of the votes and of the roll; its timers and windows are the same. */
function renamed(ticket: Definition): Definition {
  const { clocks, states, initial, transitions } = ticket;
  const moved = {
    ...ticket,
    version: '2.0',
    initial: renamedState(initial),
    states: Object.fromEntries(Object.entries(states).map(([name, one]) => [renamedState(name), one])),
    transitions: transitions.map((one) => ({ ...one, from: renamedState(String(one.from)), to: renamedState(one.to) })),
    ...(clocks === undefined ? {} : { clocks: { open: { runs_in: ['busy'] } } }),
  };
  const text = JSON.stringify(moved);
  return Definition.parse(JSON.parse(text.replaceAll(/\bvotes\b/g, 'ballots').replaceAll(/\broll\b/g, 'register')));
}

const RENAMED = { first: renamed(TICKET), second: renamed(SECOND_TICKET) };

/** The other names of a ticket, and the migration to them. @param isRenamed  whether it has the new names now */
export function otherNames(isSecond: boolean, isRenamed: boolean): { definition: Definition; migrate: Migration } {
  if (isRenamed)
    return {
      definition: isSecond ? SECOND_TICKET : TICKET,
      migrate: {
        states: { resting: 'idle', busy: 'open' },
        context: { votes: 'ballots' },
        ...(isSecond ? { collections: { roll: 'register' } } : {}),
      },
    };
  return {
    definition: isSecond ? RENAMED.second : RENAMED.first,
    migrate: {
      states: NEW_STATES,
      context: { ballots: 'votes' },
      ...(isSecond ? { collections: { register: 'roll' } } : {}),
    },
  };
}
