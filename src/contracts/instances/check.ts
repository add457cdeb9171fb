// Checks what a definition says of its instances, and refuses by name what instances cannot have.

import type { ErrorDetail } from '../../core/errors.ts';
import { type Definition, listOf } from '../definition.ts';

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

const KEY_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer']);

/** Parts of a definition that its instances cannot have. */
const FORBIDDEN = ['parties', 'amend', 'windows', 'clocks', 'oracle'] as const;

const WITH_KEY = 'is not supported in a definition with key; deploy it as a contract of its own';

export function keyFaults(definition: Definition): ErrorDetail[] {
  const { key, spawn, respawn, edition } = definition;
  if (key === undefined) {
    const needs = 'needs a key in the definition; expected "key": "event.<field>"';
    return [
      ...(spawn === undefined ? [] : [fault('spawn', 'MISSING', needs)]),
      ...(respawn === undefined ? [] : [fault('respawn', 'MISSING', needs)]),
    ];
  }
  return [
    ...(edition === 2 ? [] : [fault('key', 'EDITION', 'needs "edition": 2 in the definition')]),
    ...forbiddenFaults(definition),
    ...spawnFaults(definition),
    ...fieldFaults(definition, key.slice('event.'.length)),
  ];
}

function forbiddenFaults(definition: Definition): ErrorDetail[] {
  const parts = FORBIDDEN.filter((part) => definition[part] !== undefined);
  const aggregates = definition.transitions.filter(({ trigger }) =>
    ['on_aggregate', 'windows', 'quorum'].includes(trigger.kind),
  );
  return [
    ...parts.map((part) => fault(part, 'NOT_ALLOWED', WITH_KEY)),
    ...aggregates.map(({ id }) => fault(`transitions.${id}.trigger`, 'NOT_ALLOWED', WITH_KEY)),
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
function fieldFaults({ events = {}, emits = [], transitions, spawn }: Definition, field: string): ErrorDetail[] {
  const heard = transitions.flatMap(({ trigger }) => ('event' in trigger ? [trigger.event] : []));
  const names = [...new Set([...listOf(spawn ?? []), ...heard])];
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
