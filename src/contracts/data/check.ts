// Checks what a definition says of its collections, its money and its named expressions.

import type { ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Action, Definition } from '../definition.ts';
import { collectionOf, isDataAction } from './action-shapes.ts';
import { circleFaults } from './lets.ts';
import { isMoney } from './types.ts';

const fault = (path: string, code: string, text: string): ErrorDetail => ({ path, code, message: `${path} ${text}.` });

export function dataFaults(definition: Definition): ErrorDetail[] {
  if (definition.edition !== 2) return editionFaults(definition);
  const { transitions, let: lets = {} } = definition;
  return [
    ...nameFaults(definition),
    ...initialFaults(definition),
    ...circleFaults('let', lets),
    ...transitions.flatMap(({ id, let: own }) => (own === undefined ? [] : circleFaults(`transitions.${id}.let`, own))),
    ...recipientFaults(definition),
  ];
}

const actionsOf = ({ pre = [], post = [] }: Definition['transitions'][number]): readonly Action[] => [...pre, ...post];

/** What the first edition does not have. */
function editionFaults(definition: Definition): ErrorDetail[] {
  const { collections, let: lets, parameters = {}, context = {}, events = {}, transitions } = definition;
  const paths: string[] = [];
  if (collections !== undefined) paths.push('collections');
  if (lets !== undefined) paths.push('let');
  const types = [
    ...Object.entries(parameters).map(([name, { type }]) => [`parameters.${name}.type`, type] as const),
    ...Object.entries(context).map(([name, { type }]) => [`context.${name}.type`, type] as const),
    ...Object.entries(events).flatMap(([event, { payload = {} }]) =>
      Object.entries(payload).map(([field, type]) => [`events.${event}.payload.${field}`, type] as const),
    ),
  ];
  paths.push(...types.flatMap(([path, type]) => (isMoney(type) ? [path] : [])));
  for (const transition of transitions) {
    if (transition.let !== undefined) paths.push(`transitions.${transition.id}.let`);
    if (actionsOf(transition).some(isDataAction)) paths.push(`transitions.${transition.id}.post`);
  }
  return paths.map((path) => fault(path, 'EDITION', 'needs "edition": 2 in the definition'));
}

/** Names that mean something else in expressions. */
const RESERVED = new Set(['now', 'pi']);

function nameFaults(definition: Definition): ErrorDetail[] {
  const { collections = {}, let: lets = {}, parameters = {}, context = {}, parties = {}, transitions } = definition;
  const faults: ErrorDetail[] = [];
  const taken = new Map<string, string>();
  for (const [what, names] of [
    ['a parameter', parameters],
    ['a context variable', context],
    ['a party', parties],
  ] as const) {
    for (const name of Object.keys(names)) taken.set(name, what);
  }
  const claim = (path: string, name: string, what: string) => {
    const other = taken.get(name);
    if (RESERVED.has(name)) faults.push(fault(`${path}.${name}`, 'RESERVED', 'is a name with another meaning'));
    else if (other !== undefined) faults.push(fault(`${path}.${name}`, 'TAKEN', `is already the name of ${other}`));
    else taken.set(name, what);
  };
  for (const name of Object.keys(collections)) claim('collections', name, 'a collection');
  for (const name of Object.keys(lets)) claim('let', name, 'a named expression');
  for (const transition of transitions) {
    const own = Object.keys(transition.let ?? {});
    const path = `transitions.${transition.id}`;
    for (const name of own) {
      claim(`${path}.let`, name, 'a named expression');
      if (!Object.hasOwn(lets, name) && taken.get(name) === 'a named expression') taken.delete(name);
    }
    for (const name of actionsOf(transition).flatMap(writtenBy)) {
      if (!Object.hasOwn(lets, name) && !own.includes(name) && !Object.hasOwn(collections, name)) continue;
      faults.push(fault(path, 'TAKEN', `writes ${name}, which is a named expression or a collection`));
    }
  }
  return faults;
}

function writtenBy(action: Action): string[] {
  if ('set' in action) return Object.keys(action.set);
  if ('compute' in action) return [action.compute.into];
  return 'take' in action ? [action.take.into] : [];
}

function initialFaults({ context = {}, parameters = {} }: Definition): ErrorDetail[] {
  const values = [
    ...Object.entries(context).map(([name, { type, initial }]) => [`context.${name}.initial`, type, initial] as const),
    ...Object.entries(parameters).map(
      ([name, { type, default: value }]) => [`parameters.${name}.default`, type, value] as const,
    ),
  ];
  return values.flatMap(([path, type, value]) => {
    if (!isMoney(type) || typeof value !== 'number' || Number.isSafeInteger(value)) return [];
    return [fault(path, 'TYPE', `is ${value}; a whole number of minor units of ${type} is expected`)];
  });
}

/** One row holds the moves of one transition, so a distribution has few recipients. */
function recipientFaults({ collections = {}, transitions }: Definition): ErrorDetail[] {
  const { recipients } = LIMITS.contracts.collections;
  return transitions.flatMap((transition) =>
    actionsOf(transition).flatMap((action) => {
      if (!('distribute' in action)) return [];
      const name = collectionOf(action);
      const max = Object.hasOwn(collections, name) ? (collections[name]?.max ?? 0) : 0;
      if (max <= recipients) return [];
      const text = `distributes over ${name}, which may have ${max} entries; at most ${recipients} are paid at once`;
      return [fault(`transitions.${transition.id}`, 'OUT_OF_RANGE', text)];
    }),
  );
}
