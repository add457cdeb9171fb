// Checks what a definition says of its instances, and refuses by name what instances cannot have.

import type { ErrorDetail } from '../../core/errors.ts';
import { type Definition, listOf } from '../definition.ts';
import { ownParties } from './parties.ts';

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

const KEY_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer']);

/** Parts of a definition that its instances cannot have. */
const FORBIDDEN = ['clocks', 'oracle'] as const;

/** The most accounts and keys that one instance binds: each keeps them all. */
const MAX_SEATS = 16;

const WITH_KEY = 'is not supported in a definition with key; deploy it as a contract of its own';

export function keyFaults(definition: Definition): ErrorDetail[] {
  const { key, spawn, respawn, edition } = definition;
  if (key === undefined) {
    const needs = 'needs a key in the definition; expected "key": "event.<field>"';
    return [
      ...(spawn === undefined ? [] : [fault('spawn', 'MISSING', needs)]),
      ...(respawn === undefined ? [] : [fault('respawn', 'MISSING', needs)]),
      ...ownParties(definition).map(([name]) => fault(`parties.${name}.bind`, 'MISSING', needs)),
    ];
  }
  return [
    ...(edition === 2 ? [] : [fault('key', 'EDITION', 'needs "edition": 2 in the definition')]),
    ...forbiddenFaults(definition),
    ...partyFaults(definition),
    ...spawnFaults(definition),
    ...fieldFaults(definition, key.slice('event.'.length)),
  ];
}

function forbiddenFaults(definition: Definition): ErrorDetail[] {
  const parts = FORBIDDEN.filter((part) => definition[part] !== undefined);
  return parts.map((part) => fault(part, 'NOT_ALLOWED', WITH_KEY));
}

/** What instances say of parties: who is bound by the spawn event, and what only parties of the contract may do. */
function partyFaults(definition: Definition): ErrorDetail[] {
  const { parties = {}, events = {}, spawn, amend, pause } = definition;
  const own = new Map(ownParties(definition));
  const faults = [...own].flatMap(([name, bind]): ErrorDetail[] => {
    const { count } = parties[name] ?? {};
    const path = `parties.${name}`;
    const field = bind.slice('event.'.length);
    const undeclared = listOf(spawn ?? []).filter((event) => {
      const { payload = {} } = events[event] ?? {};
      return bind !== 'event.actor' && Object.hasOwn(events, event) && payload[field] !== 'string';
    });
    return [
      ...(count === undefined || (count.min === 1 && count.max === 1)
        ? []
        : [fault(`${path}.count`, 'NOT_ALLOWED', 'is not supported with bind, which binds one account or key')]),
      ...undeclared.map((event) =>
        fault(`${path}.bind`, 'TYPE', `is ${bind}; expected a field of type string in the payload of ${event}`),
      ),
    ];
  });
  const ofContract = 'is bound in each instance; expected a party without bind, or a role';
  const amending = amend?.by === 'quorum' ? listOf(amend.of).filter((name) => own.has(name)) : [];
  const seats = Object.entries(parties).reduce((sum, [, { count }]) => sum + (count?.max ?? 1), 0);
  return [
    ...faults,
    ...amending.map((name) => fault('amend.of', 'NOT_ALLOWED', `names ${name}, which ${ofContract}`)),
    ...(pause !== undefined && own.has(pause)
      ? [fault('pause', 'NOT_ALLOWED', `names ${pause}, which ${ofContract}`)]
      : []),
    ...(seats > MAX_SEATS
      ? [fault('parties', 'COUNT', `may bind ${seats} in all; expected at most ${MAX_SEATS} with key`)]
      : []),
  ];
}

function spawnFaults({ spawn, events = {}, emits = [] }: Definition): ErrorDetail[] {
  if (spawn === undefined)
    return [fault('spawn', 'MISSING', 'is missing; expected the event that creates an instance')];
  const names = listOf(spawn);
  return [
    ...names
      .filter((name) => !Object.hasOwn(events, name))
      .map((name) =>
        fault('spawn', 'UNKNOWN_NAME', `names ${name}; expected one of ${Object.keys(events).join(', ') || 'events'}`),
      ),
    ...names
      .filter((name) => emits.includes(name))
      .map((name) => fault('spawn', 'NOT_ALLOWED', `names ${name}, which the definition emits itself`)),
    ...names
      .filter((name, i) => names.indexOf(name) !== i)
      .map((name) => fault('spawn', 'REPEATED', `names ${name} twice`)),
  ];
}

/** Every event that a caller may send names its instance, by a field of one type. */
function fieldFaults(
  { events = {}, emits = [], transitions, windows = {}, spawn }: Definition,
  field: string,
): ErrorDetail[] {
  const heard = transitions.flatMap(({ trigger }) => ('event' in trigger ? [trigger.event] : []));
  const counted = Object.values(windows).map(({ event }) => event);
  const names = [...new Set([...listOf(spawn ?? []), ...heard, ...counted])];
  const sent = names.filter((name) => !emits.includes(name) || events[name]?.open === true);
  const faults: ErrorDetail[] = [];
  let first: { readonly name: string; readonly type: unknown } | undefined;
  for (const name of sent) {
    const payload = events[name]?.payload ?? {};
    const type = Object.hasOwn(payload, field) ? payload[field] : undefined;
    const path = `events.${name}.payload.${field}`;
    if (type === undefined)
      faults.push(fault(path, 'MISSING', 'is missing; expected the key, of type string or integer'));
    else if (!KEY_TYPES.has(type)) faults.push(fault(path, 'TYPE', `is of type ${type}; expected string or integer`));
    else if (first !== undefined && first.type !== type)
      faults.push(fault(path, 'TYPE', `is of type ${type}; expected ${first.type}, as in ${first.name}`));
    else first ??= { name, type };
  }
  return faults;
}
