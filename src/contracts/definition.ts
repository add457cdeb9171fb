// The definition of a state contract: plain data, the form in which it is deployed, hashed and exported.

import { z } from 'zod';
import { LIMITS } from '../core/limits.ts';
import { multiLine, printable, singleLine } from '../core/text-schema.ts';
import { collection, dataActions } from './data/schema.ts';
import { expression, identifier, named, scalarType } from './definition-parts.ts';
import { MAX_TICKS } from './durations.ts';
import { Accrual, Calendar, Stopwatch, timeTriggers, Zones } from './time/deadline-schema.ts';

const operatorId = z.string().regex(/^([A-Z]{2,5}[0-9]{1,4}|[A-Z]+(_[A-Z]+)+|SVC-PROTECT-[0-9]{3})$/);
const duration = z.string().regex(/^P[0-9YMWDTHS.]{1,38}$/);
const ticks = z
  .union([z.int().min(1).max(MAX_TICKS), identifier, duration], {
    error: `a whole number of ticks from 1 to ${MAX_TICKS}, an ISO duration such as PT5M or P7D, or the name of a parameter is expected`,
  })
  .describe('Ticks of 0.777000777 s, an ISO 8601 duration, or the name of a parameter of type ticks or duration.');
const count = z.union([z.int().min(1).max(2_000_000_000), identifier]);
const value = z.union([z.number(), z.boolean(), multiLine(500)]);
const bindings = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,47}$/), expression)
  .refine(
    (record) => Object.keys(record).length >= 1 && Object.keys(record).length <= 16,
    '1 to 16 names are expected',
  );

const partyNames = z.union([identifier, z.array(identifier).min(1).max(8)], {
  error: 'the name of a party, or a list of 1 to 8 names, is expected',
});
const eventNames = z.union([identifier, z.array(identifier).min(1).max(8)], {
  error: 'the name of an event, or a list of 1 to 8 names, is expected',
});
const atLeast = z
  .union([z.int().min(1).max(64), expression])
  .describe('A number, or an expression of parameters, context names and <party>.count.');

const party = z.strictObject({
  count: z
    .strictObject({ min: z.int().min(1).max(64), max: z.int().min(1).max(64) })
    .optional()
    .describe('How many accounts and keys are bound to it; 1 by default.'),
  bind: z
    .string()
    .regex(
      /^event\.[a-z][a-z0-9_]{0,47}$/,
      'a field of the spawn event, such as event.buyer, or event.actor is expected',
    )
    .optional()
    .describe(
      'Of a definition with a key: the field of the spawn event with the account (ZID) or the Ed25519 public key that acts for it in the instance; event.actor is who sent the event.',
    ),
  description: multiLine(300).optional(),
});

const amend = z
  .discriminatedUnion('by', [
    z.strictObject({ by: z.literal('all') }),
    z.strictObject({ by: z.literal('quorum'), of: partyNames, at_least: z.int().min(1).max(64) }),
  ])
  .describe('Who accepts a new version before it takes effect: by default all who are bound to a party.');

const parameter = z.strictObject({
  type: z.union([scalarType, z.enum(['duration', 'cron'])]),
  default: value.describe(
    'duration, ticks: ISO 8601 without years and months is turned into ticks at deployment, rounded up.',
  ),
  min: z.number().optional(),
  max: z.number().optional(),
  enum: z.array(value).min(1).optional(),
  unit: singleLine(40, 0).optional(),
  description: multiLine(300).optional(),
});

const variable = z.strictObject({
  type: scalarType,
  initial: value,
  unit: singleLine(40, 0).optional(),
  description: multiLine(300).optional(),
});

const eventType = z.strictObject({
  payload: named(scalarType, 32).optional(),
  open: z
    .boolean()
    .optional()
    .describe('Callers may send it although the contract emits it; without it, only contracts can.'),
  from: partyNames.optional().describe('The parties that may send it.'),
  signed: z.boolean().optional().describe('It needs a signature by an Ed25519 key of a party.'),
  description: multiLine(300).optional(),
});

const aggregate = z.enum(['count', 'sum', 'avg', 'min', 'max', 'last', 'distinct', 'range']);

const namedWindow = z.strictObject({
  event: identifier.describe('The event that it counts.'),
  fn: aggregate,
  field: identifier.optional().describe('The field that it aggregates; every function but count needs one.'),
  within: ticks,
  filter: expression
    .optional()
    .describe('Events that count. It reads the event, parameters and context; context has the values of now.'),
});

const state = z.strictObject({
  role: z.enum(['initial', 'intermediate', 'terminal']),
  outcome: z.enum(['success', 'failure', 'cancelled', 'expired']).optional(),
  description: multiLine(300).optional(),
});

const catchUp = z.enum(['one', 'all', 'skip']).optional();
const anchor = z.enum(['entry', 'deploy']).optional();
const maxCatchUp = z.int().min(1).max(1_000).optional();

const trigger = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('event'), event: identifier, self: z.boolean().optional() }),
  z.strictObject({
    kind: z.literal('on_aggregate'),
    event: identifier,
    fn: aggregate,
    field: identifier.optional(),
    within: ticks,
    filter: expression.optional(),
    min_count: count.optional(),
    since: z.enum(['window', 'entry']).optional(),
    evaluate: z.enum(['arrival', 'arrival_and_expiry']).optional(),
  }),
  z.strictObject({
    kind: z.literal('one_shot'),
    after: ticks,
    anchor,
    retry_every: ticks.optional(),
    max_retries: z.int().min(0).max(1_000).optional(),
    catch_up: catchUp,
  }),
  z.strictObject({
    kind: z.literal('recurring'),
    every: ticks,
    offset: ticks.optional(),
    anchor,
    catch_up: catchUp,
    max_catch_up: maxCatchUp,
    grace: ticks.optional(),
    max_fires: z.int().min(1).optional(),
  }),
  z.strictObject({
    kind: z.literal('cron'),
    cron: singleLine(100),
    tz: singleLine(64, 0).optional(),
    catch_up: catchUp,
    max_catch_up: maxCatchUp,
    grace: ticks.optional(),
  }),
  z.strictObject({
    kind: z.literal('quorum'),
    event: identifier.describe('The event that casts a vote.'),
    of: partyNames.describe('The parties that vote.'),
    at_least: atLeast,
    distinct: z
      .enum(['voters', 'parties'])
      .optional()
      .describe('What counts once: a voter (an account or a key), or a whole party. Voters by default.'),
    within: ticks.optional().describe('Older votes do not count.'),
    filter: expression.optional().describe('Votes that count for this transition; all by default.'),
    veto: expression.optional().describe('Votes that block it while they stand.'),
    changes: z.boolean().optional().describe('A later vote replaces the earlier one; otherwise it is refused.'),
  }),
  z
    .strictObject({ kind: z.literal('windows') })
    .describe('Tried when an event enters a named window that the guard reads, and when one leaves it.'),
  ...timeTriggers(ticks),
]);

const { calls: CALL_LIMITS } = LIMITS.contracts;
const activity = z.strictObject({
  operator: operatorId.optional().describe('The law that is computed, one of operators.'),
  solver: z
    .string()
    .regex(/^[a-z]{2,16}$/)
    .optional()
    .describe('The solver that is run.'),
  http: z
    .strictObject({
      url: printable(z.url().max(500)).describe('Its host must be in http_allow of the settings of the machine.'),
      method: z.enum(['GET', 'POST']),
      payload: bindings.optional().describe('Of GET the query, of POST the body as JSON.'),
      fields: z
        .record(identifier, singleLine(200, 0))
        .refine(
          (fields) => Object.keys(fields).length <= CALL_LIMITS.fields,
          `at most ${CALL_LIMITS.fields} are allowed`,
        )
        .optional()
        .describe(
          'Fields of the event, each with its JSON Pointer (RFC 6901) in the response: {"rate": "/rates/EUR"}.',
        ),
    })
    .optional()
    .describe('The request that is sent.'),
  inputs: bindings.optional().describe('Of a law or a solver, in the units that it declares.'),
  unit: singleLine(40, 1).optional().describe('The unit of the value of the law or the solver.'),
  into: identifier.describe('The event that brings the result.'),
  on_error: identifier.describe('The event that tells that there is none: code and tries.'),
  retry: z
    .strictObject({ tries: z.int().min(1).max(CALL_LIMITS.maxTries).optional(), backoff: ticks.optional() })
    .optional()
    .describe('How often it is tried (3 times), and the time before the second try (8 ticks), doubled with each.'),
});

const action = z.union([
  z.strictObject({
    emit: z.union([identifier, z.strictObject({ event: identifier, payload: bindings.optional() })]),
  }),
  z.strictObject({ set: bindings }),
  z.strictObject({
    compute: z.strictObject({
      operator: operatorId.optional(),
      solver: z
        .string()
        .regex(/^[a-z]{2,16}$/)
        .optional(),
      inputs: bindings,
      into: identifier,
    }),
  }),
  z
    .strictObject({
      send: z.strictObject({
        event: identifier.describe('Name of the event there.'),
        to: singleLine(71, 1).describe(
          'The machine, as its name or as event.actor has it (machine:<name>), or a parameter with it.',
        ),
        payload: bindings.optional(),
        on_refused: identifier
          .optional()
          .describe('An event of this definition, which tells that the machine did not take it: code, event, machine.'),
      }),
    })
    .describe('Sends an event to another machine, which must list this one. Edition 2.'),
  z
    .strictObject({ call: activity })
    .describe('Starts a computation or a request, whose result comes back as an event. In post only. Edition 2.'),
  z.strictObject({ webhook: z.strictObject({ url: printable(z.url().max(500)), payload: bindings.optional() }) }),
  z.strictObject({
    token: z.strictObject({
      op: z.enum(['mint', 'spend', 'transfer']),
      token: singleLine(48).optional(),
      amount: expression,
      to: expression.optional(),
      from: expression.optional(),
    }),
  }),
  z.strictObject({ log: multiLine(300, 1) }),
  ...dataActions,
  z.strictObject({
    rearm: identifier.describe(
      'A transition out of this state whose deadline is set again, from the values of now. Edition 2.',
    ),
  }),
]);

const transition = z.strictObject({
  id: identifier,
  from: z.union([identifier, z.array(identifier).min(1).max(32)], {
    error: 'the name of a state, or a list of 1 to 32 names, is expected',
  }),
  to: identifier,
  operator: operatorId,
  proof: z.boolean(),
  trigger,
  fires_when: expression.optional(),
  priority: z.int().min(-100).max(100).optional(),
  reenter: z.boolean().optional(),
  by: partyNames.optional().describe('The parties whose event fires it.'),
  manual: identifier
    .optional()
    .describe(
      'Who may fire it by hand: never, operator, admin or a party. By default operator, for timers admin; in edition 2 never for timers and for what parties do.',
    ),
  let: named(expression, 16).optional().describe('Named expressions of this transition.'),
  pre: z.array(action).max(8).optional(),
  post: z.array(action).max(16).optional(),
});

const oracle = z.strictObject({
  kind: z.enum(['event', 'push', 'http', 'operator', 'machine']).optional(),
  event: identifier.optional(),
  field: identifier,
  url: z.url().max(500).optional(),
  pointer: singleLine(200, 0).optional(),
  operator: operatorId.optional(),
  machine: singleLine(63, 0).optional(),
  every: ticks.optional(),
  unit: singleLine(40, 0).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  fn: z.enum(['last', 'avg', 'median', 'min', 'max']),
  within: ticks.optional(),
  max_age: ticks.optional(),
  min_sources: z.int().min(1).optional(),
});

export const Definition = z
  .strictObject({
    name: identifier,
    version: z.string().regex(/^\d+\.\d+(\.\d+)?$/),
    edition: z
      .literal(2)
      .optional()
      .describe(
        'Edition of this language; parties, calendar time, collections, money, let and named windows need edition 2.',
      ),
    title: singleLine(120, 0).optional(),
    description: multiLine(2_000).optional(),
    audit_clock: z.strictObject({ on: z.boolean(), tick_rate: z.int().min(1).max(100_000).optional() }).optional(),
    operators: z.array(operatorId).min(1).max(16),
    initial: identifier,
    parameters: named(parameter, 32).optional(),
    context: named(variable, 32).optional(),
    collections: named(collection, LIMITS.contracts.collections.perContract)
      .optional()
      .describe('Bounded maps, lists and sets.'),
    let: named(expression, 32)
      .optional()
      .describe('Named expressions, with the values from before the transition that reads them.'),
    parties: named(party, 8).optional().describe('Who acts; bound at deployment to accounts and keys.'),
    amend: amend.optional(),
    pause: identifier
      .optional()
      .describe(
        'Who may pause, freeze, or resume with other deadlines: never, operator, admin or a party. By default operator, but never if a transition is never fired by hand. Edition 2.',
      ),
    zones: Zones.optional(),
    calendars: named(Calendar, 8).optional().describe('Business days and holidays, for deadlines.'),
    accruals: named(Accrual, 8).optional().describe('Parts of years for interest: accrual.<name>.'),
    clocks: named(Stopwatch, 8)
      .optional()
      .describe('Stopwatches: clock.<name> is the time in ticks that the contract has spent in the states.'),
    windows: named(namedWindow, LIMITS.contracts.windows.perContract)
      .optional()
      .describe('Rolling windows that all transitions read: <name>.value, <name>.count and <name>.empty.'),
    key: z
      .string()
      .regex(
        /^event\.[a-z][a-z0-9_]{0,47}$/,
        'the field of all events that holds the key, such as event.order_id, is expected',
      )
      .optional()
      .describe('Of a definition with an instance for each key: the field of its events that says which. Edition 2.'),
    spawn: eventNames.optional().describe('The events that create an instance, and are its first.'),
    respawn: z.boolean().optional().describe('A spawn event begins a finished key anew; without it, it is refused.'),
    events: named(eventType, 32).optional(),
    emits: z.array(identifier).max(32).optional(),
    states: named(state, 32).refine((states) => Object.keys(states).length >= 2, 'at least 2 states are expected'),
    transitions: z.array(transition).min(1).max(96),
    oracle: oracle.optional(),
  })
  .meta({ id: 'ContractDefinition', description: 'A finite-state machine with timers, windows, guards and actions.' });

export type Definition = z.output<typeof Definition>;
export type Transition = z.output<typeof transition>;
export type Trigger = z.output<typeof trigger>;
export type Action = z.output<typeof action>;
export type Parameter = z.output<typeof parameter>;
export type NamedWindow = z.output<typeof namedWindow>;
export type PartyNames = z.output<typeof partyNames>;
export type { ScalarType } from './definition-parts.ts';

/** The value of a parameter, of a context variable or of an event field. */
export type Scalar = number | boolean | string;
export type Scalars = Readonly<Record<string, Scalar>>;

/** One name or several, as a list. */
export const listOf = (names: PartyNames): readonly string[] => (typeof names === 'string' ? [names] : names);

export const sourcesOf = ({ from }: Transition): readonly string[] => (typeof from === 'string' ? [from] : from);
