// Carries the data of a contract over to a new version, as a migration says. All of it is read before any is written.

import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { CompiledContract } from '../compiled.ts';
import type { ContractState } from '../contract-state.ts';
import { type Collections, hashOfCollections } from '../data/collections.ts';
import type { Scalar, Scalars } from '../definition.ts';
import { readStanding } from '../parties/ballot.ts';
import type { DeadlineSource } from '../time/arm.ts';
import { type ClockStates, readClock } from '../time/clocks.ts';
import { evaluateTyped, isWholeType } from '../typed-expressions.ts';
import type { CompiledMigration } from './compile.ts';

/** What a contract knows, apart from its state and timers. */
export interface CarriedData {
  readonly context: Scalars;
  readonly collections: Collections | undefined;
  readonly clocks: ClockStates | undefined;
}

/**
 * The data of a contract under a new version.
 *
 * @param tick  at which stopwatches are read: that of the change, or of the pause that it falls into
 * @throws DomainError VALIDATION_FAILED that names the variable whose expression fails or gives what it cannot hold
 */
export function migrateData(
  before: CompiledContract,
  after: CompiledContract,
  migration: CompiledMigration,
  state: ContractState,
  tick: number,
  { evaluate }: DeadlineSource,
): CarriedData {
  const { collections = {}, clocks = {} } = state;
  const read = (name: string): Scalar => readClock(state.clocks, name, tick) ?? readStanding(before, state, name);
  const entriesOf = (name: string) => (Object.hasOwn(collections, name) ? (collections[name] ?? []) : []);
  const computed = new Map(
    migration.computed.map(({ name, expression }) => [
      name,
      namingField(`migrate.context.${name}`, () => evaluateTyped(expression, read, evaluate, entriesOf)),
    ]),
  );
  const context = Object.entries(after.initialContext).map(([name, initial]) => {
    const kept = migration.keptVariables.has(name) ? state.context[name] : undefined;
    const value = computed.get(name) ?? kept ?? initial;
    assertHolds(after, name, value);
    return [name, value] as const;
  });
  const moved = <Value>(former: Readonly<Record<string, Value>>, sources: ReadonlyMap<string, string>) =>
    [...sources].flatMap(([name, source]) =>
      Object.hasOwn(former, source) ? [[name, former[source] as Value] as const] : [],
    );
  return {
    context: Object.fromEntries(context),
    collections: after.initialCollections && {
      ...after.initialCollections,
      ...Object.fromEntries(moved(collections, migration.collections)),
    },
    clocks: Object.fromEntries(moved(clocks, migration.clocks)),
  };
}

/** What the row of a migration states of its outcome: the state, and hashes of the context and of the collections. */
export const outcomeOfMigration = ({ state, context, collections }: ContractState) => ({
  to: state,
  contextHash: sha256Hex(canonicalJson(context)),
  collections: collections && hashOfCollections(collections).hash,
});

/** @throws DomainError VALIDATION_FAILED if a variable cannot hold the value */
function assertHolds({ definition }: CompiledContract, name: string, value: Scalar): void {
  const type = definition.context?.[name]?.type ?? 'number';
  const expected = isWholeType(type) ? 'a whole number' : 'a finite number';
  const isHeld = isWholeType(type) ? Number.isSafeInteger(value) : typeof value !== 'number' || Number.isFinite(value);
  if (isHeld) return;
  throw faultAt(`migrate.context.${name}`, 'VALUE', `${name} would become ${value}; ${expected} is expected.`);
}

/** Runs `work`; what it refuses is told with the field that it belongs to. */
function namingField<Answer>(path: string, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw faultAt(path, error.code, error.message);
  }
}

function faultAt(path: string, code: string, reason: string): DomainError {
  const message = `${path}: ${reason}`;
  return new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });
}
