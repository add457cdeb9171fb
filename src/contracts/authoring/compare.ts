// Compares two definitions, and says what their differences mean for a contract that goes from one to the other.

import { canonicalJson } from '../../core/canonical-json.ts';
import { printPointer } from '../../core/json-pointer.ts';
import { sameTriggers } from '../carry-over.ts';
import type { CompiledContract } from '../compiled.ts';
import type { Definition } from '../definition.ts';
import { keyedChangeFaults } from '../instances/change.ts';
import { ownParties } from '../instances/parties.ts';
import { keepsClock, keepsCollection, keepsVariable } from '../migration/kept.ts';
import { clockName } from '../time/clocks.ts';
import { isTimed } from '../timer-kinds.ts';
import { listed } from './words.ts';

export interface Change {
  readonly kind: 'added' | 'removed' | 'changed';
  /** JSON Pointer, with transitions by their ids: `/transitions/pay/fires_when`. */
  readonly pointer: string;
  /** Undefined for what was added. */
  readonly before?: unknown;
  /** Undefined for what was removed. */
  readonly after?: unknown;
}

export interface Consequence {
  readonly code: 'ACCEPTANCE' | 'INSTANCES' | 'REFUSED' | 'STATE_LOST' | 'TIMER_AGAIN' | 'VALUE_LOST' | 'VOTES_LOST';
  readonly message: string;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** For a contract that is patched without reset. */
  readonly consequences: readonly Consequence[];
  /** What a migration has to say: states to map, and values to move or to drop. */
  readonly needs: { readonly states: readonly string[]; readonly values: readonly string[] };
}

/** Compares two sound definitions, with their default parameters. */
export function compareDefinitions(before: CompiledContract, after: CompiledContract): Comparison {
  const changes = differences(byId(before), byId(after), []);
  const [old, now] = [before.definition, after.definition];
  const isKeyed = old.key !== undefined || now.key !== undefined;
  // Instances take no migration.
  const needs = isKeyed ? NOTHING : { states: lostStates(old, now), values: lostValues(old, now) };
  return { changes, consequences: changes.length === 0 ? [] : consequencesOf(before, after), needs };
}

const NOTHING = { states: [], values: [] } as const;

/** The definition with its transitions by id, so that one that moves has not changed. Their order is compared, too. */
function byId({ definition, transitions }: CompiledContract): unknown {
  return {
    ...definition,
    transitions: Object.fromEntries(definition.transitions.map((one) => [one.id, one])),
    order_of_trial: transitions.map(({ id }) => id),
  };
}

function differences(before: unknown, after: unknown, path: readonly string[]): Change[] {
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return [];
  const pointer = printPointer(path);
  if (before === undefined) return [{ kind: 'added', pointer, after }];
  if (after === undefined) return [{ kind: 'removed', pointer, before }];
  if (!isRecord(before) || !isRecord(after)) return [{ kind: 'changed', pointer, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(own(before, key), own(after, key), [...path, key]));
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const own = (record: Readonly<Record<string, unknown>>, key: string) =>
  Object.hasOwn(record, key) ? record[key] : undefined;

function consequencesOf(before: CompiledContract, after: CompiledContract): Consequence[] {
  return [
    ...acceptance(before),
    ...instances(before, after),
    ...statesLost(before, after),
    ...timersAgain(before, after),
    ...valuesLost(before, after),
  ];
}

/** What a change means for a contract with a key: it is refused, or reaches the instances one by one. */
function instances(former: CompiledContract, newer: CompiledContract): Consequence[] {
  const { definition: before } = former;
  if (before.key === undefined && newer.definition.key === undefined) return [];
  const faults = keyedChangeFaults(former, newer);
  if (faults.length > 0) {
    return faults.map(({ message }) => ({
      code: 'REFUSED',
      message: `A contract that is deployed does not take the new version: ${message}`,
    }));
  }
  const own = ownParties(before).map(([name]) => name);
  const accepted =
    own.length === 0 ? '' : ` after ${listed(own)} of it ${own.length === 1 ? 'has' : 'have'} accepted it`;
  const message = `Each instance takes the new version when an event or a timer touches it next${accepted}; finished ones stay as they are.`;
  return [{ code: 'INSTANCES', message }];
}

function acceptance({ definition: { parties, amend } }: CompiledContract): Consequence[] {
  if (parties === undefined) return [];
  const ofContract = Object.values(parties).filter(({ bind }) => bind === undefined);
  if (ofContract.length === 0) return [];
  const who =
    amend === undefined || amend.by === 'all'
      ? 'all who are bound to a party have accepted it'
      : `${amend.at_least} of ${listed([amend.of].flat())} have accepted it`;
  return [
    { code: 'ACCEPTANCE', message: `The new version takes effect when ${who}.` },
    { code: 'VOTES_LOST', message: 'Votes that were cast before it takes effect do not count any more.' },
  ];
}

function statesLost(before: CompiledContract, after: CompiledContract): Consequence[] {
  if (before.definition.key !== undefined) return [];
  return lostStates(before.definition, after.definition).map((name) => ({
    code: 'STATE_LOST',
    message: `A contract in ${name} cannot take the new version as it is: it has no such state. Map it in migrate.states, or reset.`,
  }));
}

/** States in which a contract may take a new version, and that this one lacks: they need a map. */
const lostStates = (before: Definition, after: Definition): string[] =>
  Object.keys(before.states).filter(
    (name) => before.states[name]?.role !== 'terminal' && !Object.hasOwn(after.states, name),
  );

/** Timers that are armed again, counted from the entry, by the rule of the engine. */
function timersAgain(before: CompiledContract, after: CompiledContract): Consequence[] {
  const states = Object.keys(after.definition.states).filter((name) => Object.hasOwn(before.definition.states, name));
  const again = new Map<string, string[]>();
  for (const state of states) {
    const kept = sameTriggers(before, after, state);
    for (const { id, from, trigger } of after.transitions) {
      if (!from.has(state) || !isTimed(trigger) || kept.has(id)) continue;
      again.set(id, [...(again.get(id) ?? []), state]);
    }
  }
  return [...again].map(([id, names]) => ({
    code: 'TIMER_AGAIN',
    message: `The timer of ${id} is set anew for a contract in ${listed(names, 'or')}, counted from its entry.`,
  }));
}

/** Variables and collections that begin again with their first values, by the rules of carry-over.ts. */
function valuesLost({ definition: before }: CompiledContract, { definition: after }: CompiledContract): Consequence[] {
  const hint = before.key === undefined ? ' Move it in a migration, or name it in migrate.drop.' : '';
  return lostValues(before, after).map((name) => ({
    code: 'VALUE_LOST',
    message: `The value of ${name} is not carried over: it is gone, or of another type.${hint}`,
  }));
}

/** Variables, collections and stopwatches whose values a migration has to name. */
function lostValues(before: Definition, after: Definition): string[] {
  const { context = {}, collections = {}, clocks = {} } = before;
  return [
    ...Object.keys(context).filter((name) => !keepsVariable(before, after, name)),
    ...Object.keys(collections).filter((name) => !keepsCollection(before, after, name)),
    ...Object.keys(clocks).flatMap((name) => (keepsClock(before, after, name) ? [] : [clockName(name)])),
  ];
}
