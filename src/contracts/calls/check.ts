// Checks the activities of a definition, and the events that bring their results. What only the registries of laws and
// solvers know is checked in protocol/contract-calls.ts.

import type { ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Action, Definition, ScalarType } from '../definition.ts';
import { unknownName } from '../parameters.ts';
import { keyFieldOf, raisedFaults } from '../raised-events.ts';

export type CallAction = Extract<Action, { call: unknown }>['call'];

/** What the event of a computed value has; the key of the instance stands beside it. */
const COMPUTED = { value: ['number'], unit: ['string'], uncertainty: ['number'], receipt: ['string'] };
/** What the event of a response has beside the declared fields: its status and the SHA-256 of its body. */
const ANSWERED = { status: ['integer', 'number'], body: ['string'] };
/** What the event has that tells of a failure. */
const FAILED = { code: ['string'], tries: ['integer', 'number'] };
/** Types of the fields that are read from a response. */
const READ: readonly string[] = ['number', 'integer', 'boolean', 'string'];

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

/** Every activity of a definition, with the place of its action. */
export const callsOf = ({ transitions }: Definition) =>
  transitions.flatMap(({ id, post = [] }) =>
    post.flatMap((action, i) => ('call' in action ? [{ path: `transitions.${id}.post.${i}.call`, ...action }] : [])),
  );

/** The names of events that tell what became of activities. Only the engine raises them. */
export const resultNamesOf = (definition: Definition): ReadonlySet<string> =>
  new Set(callsOf(definition).flatMap(({ call }) => [call.into, call.on_error]));

export function activityFaults(definition: Definition): ErrorDetail[] {
  const { edition, transitions } = definition;
  const { perTransition } = LIMITS.contracts.calls;
  const tooMany = transitions.flatMap(({ id, post = [] }) => {
    const { length } = post.filter((action) => 'call' in action);
    const text = `starts ${length} activities; at most ${perTransition} are allowed`;
    return length > perTransition ? [fault(`transitions.${id}.post`, 'OUT_OF_RANGE', text)] : [];
  });
  const only = 'comes from the engine alone, with what became of an activity';
  return [
    ...tooMany,
    ...callsOf(definition).flatMap(({ path, call }) => [
      ...(edition === 2 ? [] : [fault(path, 'EDITION', 'needs "edition": 2 in the definition')]),
      ...formFaults(path, call),
      ...eventFaults(definition, path, call),
    ]),
    ...[...resultNamesOf(definition)].flatMap((name) => raisedFaults(definition, name, only)),
  ];
}

function formFaults(path: string, call: CallAction): ErrorDetail[] {
  const { operator, solver, http, inputs, unit, into, on_error: onError } = call;
  const kinds = [operator, solver, http].filter((one) => one !== undefined);
  if (kinds.length !== 1) return [fault(path, 'ONE_OF', 'must name one of operator, solver and http')];
  const same = into === onError ? [fault(`${path}.on_error`, 'TAKEN', `is ${onError}, the event of the result`)] : [];
  const fields = { inputs, unit };
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (http !== undefined)
    return [
      ...same,
      ...present.map(([name]) => fault(`${path}.${name}`, 'NOT_ALLOWED', 'belongs to laws and solvers')),
    ];
  const missing = Object.entries(fields).filter(([, value]) => value === undefined);
  return [
    ...same,
    ...missing.map(([name]) => fault(`${path}.${name}`, 'MISSING', 'is missing; laws and solvers need it')),
  ];
}

function eventFaults(definition: Definition, path: string, call: CallAction): ErrorDetail[] {
  const { events = {} } = definition;
  const { into, on_error: onError, http } = call;
  const fields = Object.keys(http?.fields ?? {});
  const known = http === undefined ? COMPUTED : { ...readable(fields), ...ANSWERED };
  return [
    ...(['into', 'on_error'] as const).flatMap((field) =>
      Object.hasOwn(events, call[field])
        ? []
        : [unknownName(`${path}.${field}`, 'event', call[field], Object.keys(events))],
    ),
    ...fields.flatMap((name) => {
      const at = `${path}.http.fields.${name}`;
      if (Object.hasOwn(ANSWERED, name)) return [fault(at, 'TAKEN', 'is what every response has')];
      if (name === keyFieldOf(definition)) return [fault(at, 'TAKEN', 'is the key of the instance')];
      const payload = events[into]?.payload ?? {};
      return Object.hasOwn(payload, name) || !Object.hasOwn(events, into)
        ? []
        : [unknownName(at, `field of ${into}`, name, Object.keys(payload))];
    }),
    ...payloadFaults(definition, into, known),
    ...payloadFaults(definition, onError, FAILED),
  ];
}

const readable = (fields: readonly string[]) => Object.fromEntries(fields.map((name) => [name, READ]));

/** @param known  the fields that the event has, with the types that they may be declared as */
function payloadFaults(
  definition: Definition,
  event: string,
  known: Readonly<Record<string, readonly string[]>>,
): ErrorDetail[] {
  const { payload = {} } = definition.events?.[event] ?? {};
  const key = keyFieldOf(definition);
  return Object.entries<ScalarType>(payload).flatMap(([name, type]) => {
    if (name === key) return [];
    const types = Object.hasOwn(known, name) ? known[name] : undefined;
    const path = `events.${event}.payload`;
    if (types === undefined) return [unknownName(path, 'field', name, Object.keys(known))];
    if (types.includes(type)) return [];
    return [fault(`${path}.${name}`, 'TYPE', `is of type ${type}; expected ${types.join(' or ')}`)];
  });
}
