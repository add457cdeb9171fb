// Checks a migration between two versions and types its expressions: nothing is lost that it does not name.

import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import type { Binding, CompiledContract } from '../compiled.ts';
import { symbolsIn } from '../data/lets.ts';
import type { Definition } from '../definition.ts';
import { unknownName } from '../parameters.ts';
import { collectionNames, standingNames } from '../standing-names.ts';
import { clockName } from '../time/clocks.ts';
import { compileTyped, DATA_SYNTAX, errorAtPath, type Type, typeOf } from '../typed-expressions.ts';
import { isSameCollection, keepsClock, keepsCollection, keepsVariable, ownOf } from './kept.ts';
import type { Migration } from './schema.ts';

/** Where the state of a contract goes, and where each part of the new one comes from. */
export interface CompiledMigration {
  readonly given: Migration;
  /** New states by former ones; a state that is absent keeps its name. */
  readonly states: ReadonlyMap<string, string>;
  /** Variables that are computed from the former state. */
  readonly computed: readonly Binding[];
  /** Variables that keep their value. */
  readonly keptVariables: ReadonlySet<string>;
  /** Former collections, and former stopwatches, by new ones. */
  readonly collections: ReadonlyMap<string, string>;
  readonly clocks: ReadonlyMap<string, string>;
}

/**
 * Compiles a migration from one definition to another.
 *
 * @throws DomainError VALIDATION_FAILED with the faults found, at most 20 in its details: names that are unknown, states
 *   that have ended, expressions of the wrong type, values that are written over or lost without being named
 */
export function compileMigration(
  before: CompiledContract,
  after: CompiledContract,
  given: Migration,
): CompiledMigration {
  const faults: ErrorDetail[] = [...stateFaults(before.definition, after.definition, given)];
  const computed = compileMoves(before, after, given, faults);
  const dropped = new Set(given.drop ?? []);
  const old = before.definition;
  const now = after.definition;
  const texts = Object.values(given.context ?? {}).flatMap(symbolsIn);
  const isRead = (name: string) => texts.includes(name);

  const keptVariables = new Set(
    Object.keys(old.context ?? {}).filter(
      (name) => keepsVariable(old, now, name) && !dropped.has(name) && !Object.hasOwn(given.context ?? {}, name),
    ),
  );
  const collections = sourcesOf('collections', {
    old: old.collections ?? {},
    now: now.collections ?? {},
    given: given.collections ?? {},
    keeps: (name) => !dropped.has(name) && keepsCollection(old, now, name),
    fits: (former, name) => isSameCollection(old, former, now, name),
    faults,
  });
  const clocks = sourcesOf('clocks', {
    old: old.clocks ?? {},
    now: now.clocks ?? {},
    given: given.clocks ?? {},
    keeps: (name) => !dropped.has(clockName(name)) && keepsClock(old, now, name),
    fits: () => true,
    faults,
  });

  const parts: Part[] = [
    ...Object.keys(old.context ?? {}).map((name): Part => {
      const isOver = Object.hasOwn(given.context ?? {}, name);
      return { name, place: `context.${name}`, isCarried: keptVariables.has(name) || isRead(name), isOver };
    }),
    ...Object.keys(old.collections ?? {}).map((name): Part => {
      const isOver = collections.has(name);
      return { name, place: `collections.${name}`, isCarried: [...collections.values()].includes(name), isOver };
    }),
    ...Object.keys(old.clocks ?? {}).map((clock): Part => {
      const name = clockName(clock);
      const isCarried = [...clocks.values()].includes(clock) || isRead(name);
      return { name, place: `clocks.${clock}`, isCarried, isOver: clocks.has(clock) };
    }),
  ];
  faults.push(...dropFaults(parts, given), ...lossFaults(parts, dropped));
  const [first] = faults;
  if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details: faults.slice(0, MAX_FAULTS) });
  return { given, states: new Map(Object.entries(given.states ?? {})), computed, keptVariables, collections, clocks };
}

const MAX_FAULTS = 20;

/** The names that expressions of a migration read: the former state, without what only a stimulus has. */
function formerNames({ definition, parameters }: CompiledContract): Map<string, Type> {
  const names = standingNames(definition, parameters);
  for (const [name, type] of collectionNames(definition)) names.set(name, type);
  for (const clock of Object.keys(definition.clocks ?? {})) names.set(clockName(clock), 'number');
  return names;
}

/**
 * States in which a contract may be when it takes the new version, and that the new version lacks: the present one, and
 * those that lead on from it, but for the ends.
 */
export function unmappedStates(
  before: CompiledContract,
  after: Definition,
  { states = {} }: Pick<Migration, 'states'>,
  present: string,
): readonly string[] {
  const reached = new Set([present]);
  for (const state of reached)
    for (const { from, to } of before.transitions)
      if (from.has(state) && before.definition.states[to]?.role !== 'terminal') reached.add(to);
  return [...reached].filter((state) => !Object.hasOwn(after.states, ownOf(states, state) ?? state));
}

/** @throws DomainError VALIDATION_FAILED if a state that the contract can be in is neither kept nor mapped */
export function assertMapped(
  before: CompiledContract,
  after: CompiledContract,
  migration: Migration,
  present: string,
): void {
  const missing = unmappedStates(before, after.definition, migration, present);
  const details = missing.map((state) => {
    const where = state === present ? 'The contract is in' : 'The contract can come to';
    const path = `migrate.states.${state}`;
    const message = `${path} is missing. ${where} ${state}, which the new version lacks; map it to one of ${livingStates(after.definition).join(', ')}.`;
    return { path, code: 'UNMAPPED', message };
  });
  const [first] = details;
  if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details });
}

const livingStates = ({ states }: Definition) =>
  Object.keys(states).filter((name) => states[name]?.role !== 'terminal');

/** An end stays an end, and nothing ends without a transition that says why. */
function stateFaults(before: Definition, after: Definition, { states = {} }: Migration): ErrorDetail[] {
  return Object.entries(states).flatMap(([former, name]) => {
    const path = `migrate.states.${former}`;
    if (!Object.hasOwn(before.states, former))
      return [unknownName(path, 'state of the former version', former, Object.keys(before.states))];
    if (!Object.hasOwn(after.states, name))
      return [unknownName(path, 'state of the new version', name, Object.keys(after.states))];
    if (before.states[former]?.role === 'terminal') {
      const message = `${path} maps a terminal state; a contract in ${former} has ended and takes no new version.`;
      return [{ path, code: 'TERMINAL', message }];
    }
    if (after.states[name]?.role === 'terminal') {
      const message = `${path} leads to ${name}, which is terminal; a contract ends by a transition. Allowed: ${livingStates(after).join(', ')}.`;
      return [{ path, code: 'TERMINAL', message }];
    }
    return [];
  });
}

function compileMoves(
  before: CompiledContract,
  { definition: { context = {} } }: CompiledContract,
  { context: moves = {} }: Migration,
  faults: ErrorDetail[],
): Binding[] {
  const names = formerNames(before);
  return Object.entries(moves).flatMap(([name, text]) => {
    const path = `migrate.context.${name}`;
    const declared = ownOf(context, name);
    if (declared === undefined) {
      faults.push(unknownName(path, 'context variable of the new version', name, Object.keys(context)));
      return [];
    }
    try {
      return [{ name, expression: compileTyped(text, names, typeOf(declared.type), undefined, DATA_SYNTAX) }];
    } catch (error) {
      faults.push(errorAtPath(path, error));
      return [];
    }
  });
}

/** Where each new collection or stopwatch comes from. A former one goes to one place: where it is moved, else its name. */
function sourcesOf(
  field: 'collections' | 'clocks',
  {
    old,
    now,
    given,
    keeps,
    fits,
    faults,
  }: {
    readonly old: Readonly<Record<string, unknown>>;
    readonly now: Readonly<Record<string, unknown>>;
    readonly given: Readonly<Record<string, string>>;
    readonly keeps: (name: string) => boolean;
    readonly fits: (former: string, name: string) => boolean;
    readonly faults: ErrorDetail[];
  },
): ReadonlyMap<string, string> {
  const what = field === 'clocks' ? 'stopwatch' : 'collection';
  const sources = new Map<string, string>();
  const moved = new Map<string, string>();
  for (const [name, former] of Object.entries(given)) {
    const path = `migrate.${field}.${name}`;
    const other = moved.get(former);
    if (!Object.hasOwn(now, name)) faults.push(unknownName(path, `${what} of the new version`, name, Object.keys(now)));
    else if (!Object.hasOwn(old, former))
      faults.push(unknownName(path, `${what} of the former version`, former, Object.keys(old)));
    else if (!fits(former, name)) {
      const message = `${path} takes ${former}, which has another kind or type of entries than ${name}.`;
      faults.push({ path, code: 'TYPE', message });
    } else if (other !== undefined) {
      const message = `${path} takes ${former}, which ${other} takes already; it goes to one place.`;
      faults.push({ path, code: 'COLLISION', message });
    } else {
      sources.set(name, former);
      moved.set(former, name);
    }
  }
  for (const name of Object.keys(now))
    if (keeps(name) && !moved.has(name) && !Object.hasOwn(given, name)) sources.set(name, name);
  return sources;
}

/** A variable, collection or stopwatch of the former version. */
interface Part {
  readonly name: string;
  readonly place: string;
  readonly isCarried: boolean;
  /** Another one takes its name. */
  readonly isOver: boolean;
}

function dropFaults(parts: readonly Part[], { drop = [], collections = {}, clocks = {} }: Migration): ErrorDetail[] {
  const moved = new Set([...Object.values(collections), ...Object.values(clocks).map(clockName)]);
  return drop.flatMap((name, i) => {
    const path = `migrate.drop.${i}`;
    if (!parts.some((part) => part.name === name)) {
      const known = parts.map((part) => part.name);
      return [unknownName(path, 'variable, collection or stopwatch of the former version', name, known)];
    }
    if (!moved.has(name)) return [];
    return [{ path, code: 'COLLISION', message: `${path} drops ${name}, which the migration moves.` }];
  });
}

function lossFaults(parts: readonly Part[], dropped: ReadonlySet<string>): ErrorDetail[] {
  return parts.flatMap(({ name, place, isCarried, isOver }) => {
    if (isCarried || dropped.has(name)) return [];
    const path = `migrate.${place}`;
    const reason = isOver ? 'is written over' : 'is lost: the new version has none of its name and type';
    const message = `${path}: the former value of ${name} ${reason}. Move it, or name it in migrate.drop.`;
    return [{ path, code: isOver ? 'COLLISION' : 'LOST', message }];
  });
}
