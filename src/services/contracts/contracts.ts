// State contracts of machines: deploys, lists, fires, pauses, skips, freezes, patches and rolls back.

import { definitionFaults, payerFaults } from '../../contracts/check.ts';
import { type CompiledContract, compileContract, tokensOf } from '../../contracts/compiled.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { CURRENT_ENGINE } from '../../contracts/engine-edition.ts';
import { applyStimulus } from '../../contracts/execution.ts';
import { guardWarnings } from '../../contracts/guard-warnings.ts';
import { resumeState, skipTimer } from '../../contracts/lifecycle.ts';
import type { Migration } from '../../contracts/migration/schema.ts';
import { nextFires } from '../../contracts/next-fires.ts';
import { type GivenBindings, seatOf } from '../../contracts/parties/bindings.ts';
import { type Proposal, partyStateOf, type Terms } from '../../contracts/parties/party-state.ts';
import { initialState, keyedState } from '../../contracts/transition-function.ts';
import { waitsForEvents } from '../../contracts/windows/named-windows.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import { callFaults } from '../../protocol/contract-calls.ts';
import type {
  ContractFilter,
  ContractRepository,
  ListedContract,
  StoredContract,
} from '../../storage/contracts/contracts.ts';
import type { FireRepository, StoredFire } from '../../storage/contracts/fires.ts';
import type { TokenBalanceRepository } from '../../storage/contracts/token-balances.ts';
import {
  type ContractVersionRepository,
  type ListedVersion,
  type StoredVersion,
  versionRows,
} from '../../storage/contracts/versions.ts';
import type { BoundedPage } from '../../storage/database/bounded-page.ts';
import { decodeCursor, decodeTexts, encodeTexts, nextCursorOf } from '../../storage/database/cursor.ts';
import { into } from '../../storage/database/writer.ts';
import type { Role } from '../../storage/machines/access/members.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { ChangeKind, ContractEngine } from '../engine/engine.ts';
import type { LiveContract, Runtime } from '../engine/live-contract.ts';
import type { Session } from '../engine/session.ts';
import { assertSize } from '../machines/machines.ts';
import { BoundParties, type BoundPartiesOptions } from './bound-parties.ts';
import { assertMayHold, assertMayResume, assertMaySkip, type Hand, mayFire, notFirable } from './by-hand.ts';
import {
  applyTerms,
  assertMigrates,
  assertQuorumsReachable,
  assertStateKept,
  type ContractWork,
  changeContract,
  requireStatus,
  requireVersion,
  versionOf,
} from './change-contract.ts';
import { assertKeyedChange, assertResumable, assertUnkeyed } from './keyed-contracts.ts';
import { proposalRecord, propose } from './proposals.ts';

export interface DeployRequest {
  readonly definition: Definition;
  readonly parameters?: Scalars | undefined;
  readonly name?: string | undefined;
  readonly templateId?: string | undefined;
  /** Who acts for the parties of the definition. */
  readonly bindings?: GivenBindings | undefined;
}

/** A page of a list of contracts. */
export interface ContractListRequest extends ContractFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

export interface ContractServiceOptions {
  readonly engine: ContractEngine;
  readonly contracts: ContractRepository;
  readonly contractVersions: ContractVersionRepository;
  readonly fires: FireRepository;
  readonly tokenBalances: TokenBalanceRepository;
  readonly identities: BoundPartiesOptions['identities'];
  readonly developers: BoundPartiesOptions['developers'];
  readonly keys: BoundPartiesOptions['keys'];
  /** Ids of the operators in the registry. */
  readonly operators: Parameters<typeof callFaults>[1];
  /** The role of a caller on a machine. */
  readonly roleOf: (machine: Machine, by: Principal) => Promise<Role | undefined>;
  /**
   * Checks that the sources a contract reads and the URLs it calls are allowed.
   *
   * @param previous  previous version; what it already named is not checked again
   * @throws DomainError VALIDATION_FAILED
   */
  readonly assertReachable?: (
    contract: CompiledContract,
    machine: Machine,
    askedBy: string,
    previous?: CompiledContract,
  ) => Promise<void>;
}

const actorOf = (by: Principal | undefined) => by?.zid ?? '0'.repeat(32);

export class ContractService {
  readonly #options: ContractServiceOptions;
  readonly #parties: BoundParties;

  constructor(options: ContractServiceOptions) {
    this.#options = options;
    this.#parties = new BoundParties(options);
  }

  /** @throws DomainError VALIDATION_FAILED with every fault of the definition, CONFLICT at the limit of contracts */
  async deploy(machine: Machine, by: Principal, request: DeployRequest) {
    const { engine } = this.#options;
    const { definition, parameters = {}, templateId } = request;
    this.assertDeployable(definition, parameters);
    const bindings = await this.#parties.resolve(machine, definition, request.bindings);
    const definitionText = canonicalJson(definition);
    const definitionHash = sha256Hex(definitionText);
    const compiled = engine.runtimes.compile({ definition, definitionHash, parameters });
    await this.#options.assertReachable?.(compiled, machine, actorOf(by));
    const { answer } = await engine.change(machine.id, actorOf(by), (session, runtime, { id: machineId }) => {
      assertRoom(runtime, machine);
      const id = engine.newId();
      const contract = engine.runtimes.compile({ definition, definitionHash, parameters });
      const name = request.name ?? definition.title ?? definition.name;
      const seq = session.addRow('contract', 'api', {
        contract: id,
        act: 'deployed',
        name,
        version: 1,
        definition_hash: definitionHash,
        engine: CURRENT_ENGINE,
        parameters: contract.parameters,
        ...(templateId === undefined ? {} : { template_id: templateId }),
        ...(bindings === undefined ? {} : { bindings }),
      });
      const parties = bindings && partyStateOf(bindings);
      const stored: StoredContract = {
        machineId,
        id,
        name,
        templateId,
        status: 'active',
        versionNo: 1,
        definition,
        definitionText,
        definitionHash,
        parameters,
        state:
          definition.key === undefined
            ? initialState(contract, session.tick, seq, CURRENT_ENGINE, parties, session.environment)
            : keyedState(contract, session.tick, seq, parties),
        nextFire: undefined,
        heldNextFire: undefined,
        heldAt: undefined,
        createdSvcond: session.tick,
        updatedSvcond: session.tick,
      };
      assertQuorumsReachable(contract, stored.state, session);
      const live = engine.runtimes.createNew(stored);
      runtime.contracts.set(id, live);
      session.writes.push(into(versionRows, versionOf(stored, session.tick, actorOf(by), 'deployed')));
      session.updateContract(live);
      return live;
    });
    return recordOf(answer.stored, machine);
  }

  /**
   * Checks what the schema cannot: the definition as a whole, its operators and its solvers.
   *
   * @param previous  the definition that it replaces; if it is the same one, its transfers may lack a payer
   */
  assertDeployable(definition: Definition, parameters: Scalars = {}, previous?: Definition): void {
    const { operators } = this.#options;
    const faults = [...callFaults(definition, operators), ...definitionFaults(definition, parameters)];
    const isSame = previous !== undefined && canonicalJson(previous) === canonicalJson(definition);
    if (!isSame) faults.push(...payerFaults(definition));
    const [first] = faults;
    if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details: faults.slice(0, 20) });
  }

  /** Remarks on the guards of a definition that may be deployed. */
  warningsOf(definition: Definition, parameters: Scalars = {}): ErrorDetail[] {
    return guardWarnings(compileContract(definition, parameters));
  }

  /** A page of the contracts of a machine, oldest first; fewer if their parameters and states are long. */
  async list(machine: Machine, { cursor, ...filter }: ContractListRequest) {
    const page = {
      ...filter,
      maxBytes: LIMITS.pageBytes,
      after: cursor === undefined ? undefined : decodeCursor(cursor),
    };
    const found = await this.#options.contracts.pageOfMachine(machine.id, page);
    return { rows: found.rows.map((stored) => recordOf(stored, machine)), nextCursor: nextCursorOf(found) };
  }

  /** A page of the token balances of a machine, or of the tokens that one of its contracts moves. */
  async balances(
    machine: Machine,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
    id?: string,
  ) {
    const { engine, tokenBalances } = this.#options;
    const contract = id === undefined ? undefined : engine.runtimes.compile(await this.#load(machine, id));
    const tokens = contract && [...tokensOf(contract)];
    const [token = '', holder = ''] = cursor === undefined ? [] : decodeTexts(cursor, 2);
    const after = cursor === undefined ? undefined : ([token, holder] as const);
    const found = await tokenBalances.page(machine.id, { tokens, limit: limit + 1, after });
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    return { rows, nextCursor: found.length > limit && last ? encodeTexts([last.token, last.holder]) : undefined };
  }

  async get(machine: Machine, id: string) {
    const stored = await this.#load(machine, id);
    const transitions = await this.#options.fires.list(machine.id, id, 20);
    return { contract: recordOf(stored, machine), stored, transitions };
  }

  async fires(
    machine: Machine,
    id: string,
    page: { limit: number; before?: number | undefined },
  ): Promise<StoredFire[]> {
    await this.#load(machine, id);
    return this.#options.fires.list(machine.id, id, page.limit, page.before);
  }

  /** @throws DomainError NOT_FOUND */
  async version(
    machine: Machine,
    id: string,
    no: number,
  ): Promise<StoredVersion & { readonly definition: Definition }> {
    await this.#load(machine, id);
    const [version] = await this.#options.contractVersions.byNumbers(machine.id, id, [no]);
    if (version === undefined) throw new DomainError('NOT_FOUND', `Version ${no} of the contract not found.`);
    return { ...version, definition: JSON.parse(version.definitionText) as Definition };
  }

  /** Checks an imported definition against its exported hash. @throws DomainError VALIDATION_FAILED */
  assertHash(definition: Definition, claimed: string): void {
    const hash = sha256Hex(canonicalJson(definition));
    if (hash === claimed) return;
    const message = `definition_hash is ${claimed}; the definition has ${hash}.`;
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: 'export.definition_hash', code: 'HASH_MISMATCH', message }],
    });
  }

  /** A page of the versions of a contract without their definitions, newest first. */
  async versions(
    machine: Machine,
    id: string,
    page: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<BoundedPage<ListedVersion>> {
    await this.#load(machine, id);
    return this.#options.contractVersions.page(machine.id, id, { ...page, maxBytes: LIMITS.pageBytes });
  }

  /**
   * Fires the next enabled transition that the caller may fire, or a named one. Its condition is evaluated, its trigger
   * is not required.
   *
   * @throws DomainError FORBIDDEN if the transition, or each of them, needs another role
   */
  async fire(
    machine: Machine,
    by: Principal,
    id: string,
    named?: {
      readonly transition: string;
      readonly payload?: Readonly<Record<string, unknown>> | undefined;
      /** Version that the caller expects. */
      readonly ifVersion?: number | undefined;
    },
  ) {
    assertSize(named?.payload ?? {});
    const role = await this.#options.roleOf(machine, by);
    const attempt = (session: Session, live: LiveContract, now: Machine) => {
      const { stored, running } = live;
      requireVersion(live, named?.ifVersion);
      assertUnkeyed(live, 'fired by hand');
      if (stored.status !== 'active' || now.status !== 'active') {
        return notFired(
          live,
          `The ${now.status === 'active' ? 'contract' : 'machine'} is ${now.status === 'active' ? stored.status : now.status}.`,
        );
      }
      const enabled = running.contract.transitions.filter(({ from }) => from.has(running.state.state));
      const wanted = named ? enabled.filter(({ id }) => id === named.transition) : enabled;
      if (named && wanted.length === 0) throw notEnabled(live, named.transition);
      const hand = handOf(live, by, role);
      const { seat } = hand;
      const allowed = wanted.filter((transition) => mayFire(hand, transition));
      const [refused] = wanted;
      if (refused !== undefined && allowed.length === 0) throw notFirable(refused, hand);
      const reasons: string[] = [];
      for (const { id: transition } of allowed) {
        const stimulus = {
          kind: 'manual',
          tick: session.tick,
          number: session.nextSeq,
          transition,
          payload: named?.payload,
          actor: actorOf(by),
          party: seat?.party,
          voter: seat?.voter,
        } as const;
        const step = applyStimulus(running, stimulus, session.environment);
        reasons.push(...step.result.refused.map((refusal) => `${refusal.transition}: ${refusal.reason}`));
        const before = session.fired.length;
        const emitted = session.recordSteps(live, [step]);
        for (const event of emitted) session.deliver(event);
        const fire = session.fired[before];
        if (fire) return { fired: true, fire, live } as const;
      }
      return notFired(live, reasons.join(' ') || 'No transition leaves this state.');
    };
    const outcome = await this.#onContract(machine, by, id, attempt, 'event');
    const contract = recordOf(outcome.live.stored, machine);
    return outcome.fired
      ? { fired: true as const, fire: outcome.fire, contract }
      : { fired: false as const, reason: outcome.reason, contract };
  }

  /**
   * Pauses a contract: nothing fires until it is resumed, but events are still logged and counted. Idempotent.
   *
   * @throws DomainError FORBIDDEN if the definition names others for it
   */
  async pause(machine: Machine, by: Principal, id: string) {
    const role = await this.#options.roleOf(machine, by);
    return this.#act(machine, by, id, (session, live) => {
      const { status, nextFire } = live.stored;
      assertMayHold(live, 'paused', handOf(live, by, role));
      if (status === 'paused') return;
      requireStatus(live, 'be paused', 'active');
      this.#addRow(session, live, 'paused', {});
      session.updateContract(live, { status: 'paused', heldNextFire: nextFire, heldAt: session.tick });
    });
  }

  /**
   * Resumes a paused or failed contract.
   *
   * @throws DomainError FORBIDDEN if the definition names others for another mode than `deadline`
   * @param mode  for one-shot timers: `deadline` keeps their time, and overdue ones fire at once; `remaining` shifts
   *   them by the pause; `restart` starts them again. Recurring timers catch up, then continue at their next aligned
   *   occurrence.
   */
  async resume(machine: Machine, by: Principal, id: string, mode: 'deadline' | 'remaining' | 'restart') {
    const role = await this.#options.roleOf(machine, by);
    return this.#act(machine, by, id, (session, live, runtime) => {
      requireStatus(live, 'be resumed', 'paused', 'failed');
      assertMayResume(live, mode, handOf(live, by, role));
      assertResumable(live, mode);
      if (live.stored.status === 'failed') assertRoom(runtime, machine);
      const { running, stored } = live;
      if (live.instances === undefined)
        running.state = resumeState(running, mode, session.tick, stored.heldAt ?? session.tick, session.environment);
      this.#addRow(session, live, 'resumed', { mode });
      session.updateContract(live, { status: 'active', heldNextFire: undefined, heldAt: undefined });
    });
  }

  /** Skips the next occurrence. @throws DomainError CONFLICT if it is not at the expected tick */
  async skipNext(machine: Machine, by: Principal, id: string, expected?: number) {
    const role = await this.#options.roleOf(machine, by);
    return this.#act(machine, by, id, (session, live) => {
      requireStatus(live, 'skip its next fire', 'active');
      assertUnkeyed(live, 'told to skip');
      const { running } = live;
      const [next] = running.state.timers.toSorted((a, b) => a.due - b.due);
      assertMaySkip(live, next?.transition, handOf(live, by, role));
      if (next === undefined) {
        this.#skipNextMatch(session, live, expected);
        return;
      }
      if (expected !== undefined && expected !== next.due) {
        throw new DomainError('CONFLICT', `The next fire is at ${next.due}, not at ${expected}.`, {
          facts: { next_fire: next.due },
        });
      }
      running.state = skipTimer(running, next);
      session.addRow('fire_skipped', 'api', { contract: id, transition: next.transition, due: next.due });
      session.updateContract(live);
    });
  }

  /** Skips the next match of an event, if no timer is armed. The request is a row, and so is the skipped match. */
  #skipNextMatch(session: Session, live: LiveContract, expected: number | undefined): void {
    const { state, contract } = live.running;
    const canMatch = contract.transitions.some((one) => waitsForEvents(one) && one.from.has(state.state));
    if (!canMatch || expected !== undefined) {
      const message = `No timer is armed${canMatch ? '' : ' and no event triggers a transition; there is nothing to skip'}.`;
      throw new DomainError('CONFLICT', message, { facts: { next_fire: null } });
    }
    if (state.skipNextMatch)
      throw new DomainError('CONFLICT', 'The next match will already be skipped; wait for it first.');
    live.running.state = { ...state, skipNextMatch: true };
    this.#addRow(session, live, 'asked to skip', {});
    session.updateContract(live);
  }

  /** Freezes a contract permanently: it can be read, verified and exported, but never fires again. */
  async freeze(machine: Machine, by: Principal, id: string) {
    const stored = await this.#load(machine, id);
    if (stored.status === 'frozen') return recordOf(stored, machine);
    const role = await this.#options.roleOf(machine, by);
    return this.#act(machine, by, id, (session, live, runtime) => {
      if (stored.status !== 'completed') assertMayHold(live, 'frozen', handOf(live, by, role));
      this.#addRow(session, live, 'frozen', {});
      session.updateContract(live, { status: 'frozen', heldNextFire: undefined, heldAt: undefined });
      runtime.contracts.delete(id);
    });
  }

  /**
   * Creates a new version. The state is kept if the new definition has it, or goes where `migrate` maps it. With parties it is only proposed, until those
   * named in `amend` have accepted it.
   *
   * @param ifVersion  version that the caller expects
   * @throws DomainError CONFLICT if the version differs, or if the state is missing and neither mapped nor `reset`;
   *   VALIDATION_FAILED with the faults of the definition or of the migration
   */
  async patch(
    machine: Machine,
    by: Principal,
    id: string,
    change: {
      readonly definition?: Definition | undefined;
      readonly parameters?: Scalars | undefined;
      readonly name?: string | undefined;
      /** Of parties that only the new definition has. */
      readonly bindings?: GivenBindings | undefined;
      /** What becomes of the state of the contract. */
      readonly migrate?: Migration | undefined;
    },
    {
      ifVersion,
      reset = false,
      reason = 'patched',
    }: { readonly ifVersion?: number | undefined; readonly reset?: boolean; readonly reason?: string } = {},
  ) {
    const previous = await this.#load(machine, id);
    await this.#assertRoomForVersion(machine, previous);
    const definition = change.definition ?? previous.definition;
    const parameters = change.parameters ?? previous.parameters;
    this.assertDeployable(definition, parameters, previous.definition);
    const { engine } = this.#options;
    const definitionHash = sha256Hex(canonicalJson(definition));
    const compiled = engine.runtimes.compile({ definition, definitionHash, parameters });
    const former = engine.runtimes.compile(previous);
    await this.#options.assertReachable?.(compiled, machine, actorOf(by), former);
    const { migrate } = change;
    assertKeyedChange(former, compiled, { migrate, reset });
    if (migrate !== undefined) assertMigratable(definitionHash !== previous.definitionHash, reset);
    const bindings = await this.#parties.resolveAddition(machine, definition, previous.state.parties, change.bindings);
    const made: { proposal?: Proposal } = {};
    const patched = await this.#act(machine, by, id, (session, live) => {
      const { stored, running } = live;
      requireStatus(live, 'be changed', 'active', 'paused');
      requireVersion(live, ifVersion);
      // An omitted part is kept as it was read, so the version must not have changed since.
      const isPartial = change.definition === undefined || change.parameters === undefined;
      if (isPartial || migrate !== undefined || running.state.parties !== undefined)
        requireVersion(live, previous.versionNo);
      const name = change.name ?? stored.name;
      const isSame = definitionHash === stored.definitionHash;
      const terms: Terms = {
        kind: 'version',
        base: stored.versionNo,
        ...(isSame ? {} : { definition }),
        definitionHash,
        parameters,
        name,
        reset,
        ...(bindings === undefined ? {} : { bindings }),
        ...(migrate === undefined ? {} : { migrate }),
        act: reason,
      };
      assertStateKept(running.state, terms);
      const context = { session, live, runtimes: engine.runtimes, actor: actorOf(by) };
      if (running.state.parties === undefined) applyTerms(context, terms);
      else {
        assertMigrates(context, terms);
        made.proposal = propose(context, terms, { zid: by.zid, keyId: by.keyId });
      }
    });
    // Windows that count something new are filled from the log when the runtime is next built.
    engine.runtimes.evict(machine.id);
    return { contract: patched, proposal: made.proposal === undefined ? null : proposalRecord(made.proposal) };
  }

  /** Restores an earlier version as a new one. @throws DomainError NOT_FOUND */
  async rollback(
    machine: Machine,
    by: Principal,
    id: string,
    toVersion: number,
    reset: boolean,
    migrate?: Migration | undefined,
  ) {
    const { definition, parameters } = await this.version(machine, id, toVersion);
    return this.patch(machine, by, id, { definition, parameters, migrate }, { reset, reason: 'rolled back' });
  }

  /** Returns a stored contract as the API returns it. */
  record(stored: ListedContract, machine: Machine) {
    return recordOf(stored, machine);
  }

  /** Compares the stored hash with the hash of the stored definition. */
  async integrity(machine: Machine, id: string) {
    const stored = await this.#load(machine, id);
    const live = sha256Hex(canonicalJson(JSON.parse(stored.definitionText)));
    return { stored_hash: stored.definitionHash, live_hash: live, intact: live === stored.definitionHash };
  }

  /** Lists the next fires of timers if the state does not change; the note says why the list is empty. */
  async nextFires(machine: Machine, id: string, count: number) {
    const { engine } = this.#options;
    const stored = await this.#load(machine, id);
    const { running } = engine.runtimes.createLive(stored);
    const isActive = machine.status === 'active' && stored.status === 'active';
    const found = isActive ? nextFires(running, engine.tick, count) : [];
    return {
      next_fires: found.map((fire) => ({ ...fire, at: isoFromNs(startOfTick(fire.svcond)) })),
      ...(found.length === 0 ? { note: explainNoFires(machine, stored) } : {}),
    };
  }

  /**
   * Every check of a contract reads all of its versions. Changes at the same time may each pass.
   *
   * @throws DomainError CONFLICT if it has as many as it may
   */
  async #assertRoomForVersion({ id: machineId }: Machine, { id }: StoredContract): Promise<void> {
    const { perContract, bytes: maxBytes } = LIMITS.contracts.versions;
    const { count, bytes } = await this.#options.contractVersions.sizeOf(machineId, id);
    if (count < perContract && bytes < maxBytes) return;
    const limit = count < perContract ? `${maxBytes} bytes of definitions` : `${perContract} versions`;
    throw new DomainError('CONFLICT', `Limit of ${limit} of contract ${id} reached; deploy a new contract.`);
  }

  async #load({ id: machineId }: Machine, id: string): Promise<StoredContract> {
    const stored = await this.#options.contracts.get(machineId, id);
    if (stored) return stored;
    throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine.`);
  }

  #addRow(session: Session, { stored }: LiveContract, act: string, more: object): void {
    session.addRow('contract', 'api', { contract: stored.id, act, ...more });
  }

  async #onContract<Answer>(
    machine: Machine,
    by: Principal,
    id: string,
    work: ContractWork<Answer>,
    kind: ChangeKind = 'management',
  ): Promise<Answer> {
    return changeContract(this.#options, machine, actorOf(by), id, work, kind);
  }

  async #act(
    machine: Machine,
    by: Principal,
    id: string,
    work: (session: Session, live: LiveContract, runtime: Runtime) => void,
  ) {
    const updated = await this.#onContract(machine, by, id, (session, live, _, runtime) => {
      work(session, live, runtime);
      return live;
    });
    return recordOf(updated.stored, machine);
  }
}

/** @throws DomainError VALIDATION_FAILED if there is nothing to migrate between, or nothing that is carried over */
export function assertMigratable(isAnother: boolean, reset: boolean): void {
  const reason = reset
    ? 'cannot be combined with reset, which carries nothing over'
    : 'needs a definition that differs from the present one';
  if (isAnother && !reset) return;
  const message = `migrate ${reason}.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'migrate', code: 'ONE_OF', message }] });
}

/**
 * Completed contracts are dropped from memory here; failed ones count only toward the memory that they use.
 *
 * @throws DomainError CONFLICT if no further contract may run
 */
function assertRoom({ contracts }: Runtime, { head: { slug } }: Machine): void {
  const { perMachine, inMemory } = LIMITS.contracts;
  let running = 0;
  for (const [id, { stored }] of contracts) {
    if (stored.status === 'completed') contracts.delete(id);
    if (stored.status === 'active' || stored.status === 'paused') running++;
  }
  const limit = running >= perMachine ? `${perMachine} active and paused` : `${inMemory} active, paused and failed`;
  if (running < perMachine && contracts.size < inMemory) return;
  const message = `Limit of ${limit} contracts on machine ${slug} reached; freeze one that is no longer needed.`;
  throw new DomainError('CONFLICT', message);
}

/** Explains why no timer is due to fire, and what resuming would do. */
function explainNoFires(machine: Machine, { status, definition }: StoredContract): string {
  if (machine.status === 'archived') return 'The machine is archived; nothing fires.';
  if (status === 'frozen' || status === 'completed') return `The contract is ${status}; nothing fires.`;
  if (status !== 'active') return `The contract ${status === 'failed' ? 'has failed' : 'is paused'}: ${ON_RESUMING}`;
  if (machine.status === 'paused') return `The machine is paused: ${ON_RESUMING_MACHINE}`;
  if (definition.key !== undefined) return 'Timers belong to the instances of the contract; list them by due_before.';
  return 'No timer is armed; an event fires the next transition.';
}

const ON_RESUMING_MACHINE =
  'no timer fires until it is resumed. Then catch_up decides which missed occurrences fire, and an overdue one_shot fires at once.';
const ON_RESUMING =
  'no timer fires until it is resumed. Then catch_up decides which missed occurrences fire, and mode (deadline, remaining, restart) decides when a one_shot fires.';

function handOf({ running }: LiveContract, { zid, keyId }: Principal, role: Role | undefined): Hand {
  const { parties } = running.state;
  return { role, seat: parties && seatOf(parties.bindings, { zid, keyId }) };
}

const notFired = (live: LiveContract, reason: string) => ({ fired: false, reason, live }) as const;

function notEnabled({ running }: LiveContract, transition: string): DomainError {
  const enabled = running.contract.transitions.filter(({ from }) => from.has(running.state.state)).map(({ id }) => id);
  const message = `${transition} does not leave the state ${running.state.state}; enabled: ${enabled.join(', ') || 'none'}.`;
  return new DomainError('TRANSITION_NOT_ENABLED', message, { facts: { enabled } });
}

/** A contract, as the API returns it. */
export type ContractRecord = ReturnType<typeof recordOf>;

function recordOf(stored: ListedContract, { status }: Machine) {
  return {
    id: stored.id,
    name: stored.name,
    currentState: stored.state.state,
    status: stored.status,
    fire_count: stored.state.fires,
    // An archived machine has no due timers; they are kept in case it is restored.
    next_fire: status === 'archived' ? null : (stored.nextFire ?? null),
    current_version_no: stored.versionNo,
    definition_hash: stored.definitionHash,
    template_id: stored.templateId ?? null,
    parameters: stored.parameters,
    context: stored.state.context,
    ...(stored.state.collections === undefined ? {} : { collections: stored.state.collections }),
    ...(stored.state.instances === undefined ? {} : { instances: stored.state.instances }),
    missed: stored.state.missed,
    created_svcond: stored.createdSvcond,
    updated_svcond: stored.updatedSvcond,
  };
}
