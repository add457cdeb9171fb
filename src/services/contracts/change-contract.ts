// Changes of one contract: finds it in memory, requires its status and version, and puts a new version into effect.

import type { CompiledContract } from '../../contracts/compiled.ts';
import type { ContractState } from '../../contracts/contract-state.ts';
import { editionOf } from '../../contracts/engine-edition.ts';
import { carryOverReadings, type RunningContract } from '../../contracts/execution.ts';
import { partiesAfter, redefineState } from '../../contracts/lifecycle.ts';
import { outcomeOfMigration } from '../../contracts/migration/apply.ts';
import { assertMapped, type CompiledMigration, compileMigration } from '../../contracts/migration/compile.ts';
import type { Migration } from '../../contracts/migration/schema.ts';
import { unreachableQuorums } from '../../contracts/parties/ballot.ts';
import type { Terms } from '../../contracts/parties/party-state.ts';
import { carriedWindows } from '../../contracts/windows/kept-windows.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { DomainError } from '../../core/errors.ts';
import type { ContractRepository, ContractStatus, StoredContract } from '../../storage/contracts/contracts.ts';
import { type StoredVersion, versionRows } from '../../storage/contracts/versions.ts';
import { into } from '../../storage/database/writer.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { ChangeHandler, ChangeKind, ContractEngine } from '../engine/engine.ts';
import type { LiveContract, Runtime } from '../engine/live-contract.ts';
import type { RuntimeCache } from '../engine/runtime-cache.ts';
import type { Session } from '../engine/session.ts';

export type ContractWork<Answer> = (session: Session, live: LiveContract, machine: Machine, runtime: Runtime) => Answer;

/** @throws DomainError NOT_FOUND, and whatever `work` throws; then nothing changes */
export async function changeContract<Answer>(
  { engine, contracts }: { readonly engine: ContractEngine; readonly contracts: ContractRepository },
  machine: Machine,
  actor: string,
  id: string,
  work: ContractWork<Answer>,
  kind: ChangeKind = 'management',
): Promise<Answer> {
  const stored = await contracts.get(machine.id, id);
  if (stored === undefined) throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine.`);
  const change: ChangeHandler<Answer> = (session, runtime, now) => {
    // Frozen and completed contracts are not kept in memory, since they never fire.
    const hasEnded = stored.status === 'frozen' || stored.status === 'completed';
    const live = hasEnded ? engine.runtimes.createLive(stored) : engine.find(runtime, id);
    return work(session, live, now, runtime);
  };
  return (await engine.change(machine.id, actor, change, kind)).answer;
}

/** A change of one contract in progress. */
export interface ContractChange {
  readonly session: Session;
  readonly live: LiveContract;
  readonly runtimes: RuntimeCache;
  /** Actor of the rows of the session. */
  readonly actor: string;
}

/** Makes a new version of the contract, which takes effect at once. @param more  further fields of its row */
export function applyTerms({ session, live, runtimes, actor }: ContractChange, terms: Terms, more: object = {}): void {
  const { stored, running } = live;
  const { definition = stored.definition, definitionHash, parameters, name, reset, bindings, migrate, act } = terms;
  assertStateKept(running.state, terms);
  const contract = runtimes.compile({ definition, definitionHash, parameters });
  const versionNo = stored.versionNo + 1;
  const { tick, nextSeq: number, environment: source } = session;
  const migration = migrate && migrationFor(running, contract, migrate);
  const at = { tick, number, isReset: reset, heldAt: stored.heldAt, bindings, source, migration };
  const version: StoredContract = {
    ...stored,
    name,
    definition,
    definitionText: canonicalJson(definition),
    definitionHash,
    parameters,
    versionNo,
    state:
      live.instances === undefined
        ? redefineState(contract, running, at)
        : {
            ...keptCounts(running.state),
            context: contract.initialContext,
            ...partiesAfter(contract, running.state, bindings),
          },
  };
  assertQuorumsReachable(contract, version.state, session);
  const next = runtimes.createLive(version, carriedWindows(running, contract), carryOverReadings(running, contract));
  session.addRow('contract', 'api', {
    contract: stored.id,
    act,
    version: versionNo,
    definition_hash: definitionHash,
    engine: editionOf(running.state),
    ...(reset ? { reset } : {}),
    ...(bindings === undefined ? {} : { bindings }),
    ...(migrate === undefined ? {} : migrationFields(migrate, running.state, version.state)),
    ...more,
  });
  live.running = next.running;
  live.subscribedEvents = next.subscribedEvents;
  session.writes.push(into(versionRows, versionOf(version, session.tick, actor, act)));
  session.updateContract(live, version);
}

/** The state of a contract with instances without its parties. */
function keptCounts({ parties: _, ...state }: ContractState): ContractState {
  return state;
}

/** What the row of a version says of a migration, and what it made of the contract. */
function migrationFields(migrate: Migration, before: ContractState, after: ContractState) {
  const { to, contextHash, collections } = outcomeOfMigration(after);
  const hashes = { context_hash: contextHash, ...(collections === undefined ? {} : { collections }) };
  return { migrate, from: before.state, to, ...hashes };
}

/**
 * A migration of a running contract.
 *
 * @throws DomainError VALIDATION_FAILED with its faults, or with the states that the contract can be in and it leaves out
 */
export function migrationFor(
  { contract: before, state }: Pick<RunningContract, 'contract' | 'state'>,
  contract: CompiledContract,
  migrate: Migration,
): CompiledMigration {
  const migration = compileMigration(before, contract, migrate);
  assertMapped(before, contract, migrate, state.state);
  return migration;
}

/** Tries a migration that is only proposed. @throws DomainError VALIDATION_FAILED as `applyTerms` would now */
export function assertMigrates({ session, live, runtimes }: ContractChange, terms: Terms): void {
  const { stored, running } = live;
  const { definition = stored.definition, definitionHash, parameters, migrate, bindings } = terms;
  if (migrate === undefined) return;
  const contract = runtimes.compile({ definition, definitionHash, parameters });
  const migration = migrationFor(running, contract, migrate);
  const { tick, nextSeq: number, environment: source } = session;
  const at = { tick, number, isReset: false, heldAt: stored.heldAt, bindings, source, migration };
  redefineState(contract, running, at);
}

/** @throws DomainError VALIDATION_FAILED if there are too few voters for a quorum */
export function assertQuorumsReachable(
  contract: CompiledContract,
  state: ContractState,
  { environment }: Session,
): void {
  const faults = contract.senders === undefined ? [] : unreachableQuorums(contract, state, environment.evaluate);
  const [first] = faults;
  if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details: faults });
}

/** @throws DomainError CONFLICT if the new version lacks the present state and does not start anew */
export function assertStateKept({ state }: ContractState, { definition, reset, migrate }: Terms): void {
  if (migrate !== undefined) return; // which says what becomes of it
  if (definition === undefined || reset || Object.hasOwn(definition.states, state)) return;
  const message = `The new version has no state ${state}; map it with migrate.states, or set reset to start from its initial state.`;
  throw new DomainError('CONFLICT', message);
}

/** @throws DomainError CONFLICT */
export function requireStatus({ stored }: LiveContract, act: string, ...allowed: readonly ContractStatus[]): void {
  if (allowed.includes(stored.status)) return;
  const message = `The contract is ${stored.status}; it must be ${allowed.join(' or ')} to ${act}.`;
  throw new DomainError('CONFLICT', message, { facts: { status: stored.status } });
}

/** @throws DomainError CONFLICT if the contract is not at the version that the caller expects */
export function requireVersion({ stored }: LiveContract, expected: number | undefined): void {
  if (expected === undefined || expected === stored.versionNo) return;
  const message = `The contract is at version ${stored.versionNo}, not ${expected}; read it again and retry.`;
  throw new DomainError('CONFLICT', message, { facts: { current_version_no: stored.versionNo } });
}

export function versionOf(
  { machineId, id, versionNo, definitionText, definitionHash, parameters }: StoredContract,
  svcond: number,
  actor: string,
  reason: string,
): StoredVersion {
  const definition = { definitionText, definitionHash, parameters };
  return { machineId, contractId: id, no: versionNo, ...definition, svcond, actor, reason };
}
