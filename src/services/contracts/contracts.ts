// State contracts of machines: deployed, listed, moved by hand, paused, versioned, checked.

import { redefined, resumed, skipped } from '../../contracts/acts.ts';
import { checkDefinition } from '../../contracts/check.ts';
import { type CompiledContract, type CompiledTrigger, compileContract } from '../../contracts/compiled.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { carriedReadings, type Running, take } from '../../contracts/progress.ts';
import { deploy, emptyWindows } from '../../contracts/react.ts';
import type { Windows } from '../../contracts/reaction.ts';
import { upcoming } from '../../contracts/upcoming.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { isoFromNs, startOfTick } from '../../core/clock.ts';
import { DomainError, type ErrorDetail } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { nearestNames } from '../../core/nearest.ts';
import { sha256Hex } from '../../core/sha256.ts';
import {
  type ContractRepository,
  type ContractStatus,
  type StoredContract,
  type StoredFire,
  type StoredVersion,
  versionRows,
} from '../../storage/contracts/contracts.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import { assertSize } from '../machines/machines.ts';
import type { ContractEngine } from './engine.ts';
import type { Live, Runtime } from './runtime.ts';
import type { FireReport, Session } from './session.ts';
import { solverFaults } from './solver-guards.ts';

/** A contract as it is answered. */
export interface ContractRecord {
  readonly id: string;
  readonly name: string;
  readonly currentState: string;
  readonly status: ContractStatus;
  readonly fire_count: number;
  readonly next_fire: number | null;
  readonly current_version_no: number;
  readonly definition_hash: string;
  readonly template_id: string | null;
  readonly parameters: Scalars;
  readonly context: Scalars;
  readonly missed: number;
  readonly created_svcond: number;
}

export interface DeployRequest {
  readonly definition: Definition;
  readonly parameters?: Scalars | undefined;
  readonly name?: string | undefined;
  readonly templateId?: string | undefined;
}

export type FireAnswer =
  | { readonly fired: true; readonly fire: FireReport; readonly contract: ContractRecord }
  | { readonly fired: false; readonly reason: string; readonly contract: ContractRecord };

export interface ContractServiceOptions {
  readonly engine: ContractEngine;
  readonly contracts: ContractRepository;
  /** Ids of the operators that there are. */
  readonly operators: ReadonlySet<string>;
  /**
   * Whether what a contract names beside its machine can be read and called.
   *
   * @param before  the version before: what that named as well is not asked about again
   * @throws DomainError VALIDATION_FAILED
   */
  readonly assertReachable?: (
    contract: CompiledContract,
    machine: Machine,
    askedBy: string,
    before?: CompiledContract,
  ) => Promise<void>;
}

const actorOf = (by: Principal | undefined) => by?.zid ?? '0'.repeat(32);

export class ContractService {
  readonly #options: ContractServiceOptions;

  constructor(options: ContractServiceOptions) {
    this.#options = options;
  }

  /** @throws DomainError VALIDATION_FAILED with every fault of the definition, CONFLICT when there are too many contracts */
  async deploy(machine: Machine, by: Principal, request: DeployRequest): Promise<ContractRecord> {
    const { engine } = this.#options;
    const { definition, parameters = {}, templateId } = request;
    this.assertDeployable(definition, parameters);
    const definitionText = canonicalJson(definition);
    const definitionHash = sha256Hex(definitionText);
    const compiled = engine.runtimes.compiled({ definition, definitionHash, parameters });
    await this.#options.assertReachable?.(compiled, machine, actorOf(by));
    const { answer } = await engine.change(machine.id, actorOf(by), (session, runtime, { id: machineId }) => {
      if (runtime.contracts.size >= LIMITS.contracts.perMachine) {
        throw new DomainError(
          'CONFLICT',
          `The machine has ${runtime.contracts.size} contracts, as many as are allowed.`,
        );
      }
      const id = engine.newId();
      const contract = engine.runtimes.compiled({ definition, definitionHash, parameters });
      const name = request.name ?? definition.title ?? definition.name;
      const seq = session.row('contract', 'api', {
        contract: id,
        act: 'deployed',
        name,
        version: 1,
        definition_hash: definitionHash,
        parameters: contract.parameters,
        ...(templateId === undefined ? {} : { template_id: templateId }),
      });
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
        state: deploy(contract, session.tick, seq),
        nextFire: undefined,
        heldNextFire: undefined,
        heldAt: undefined,
        createdSvcond: session.tick,
      };
      const live = engine.runtimes.liveOf(stored);
      runtime.contracts.set(id, live);
      session.writes.push(into(versionRows, versionOf(stored, session.tick, by, 'deployed')));
      session.change(live);
      return live;
    });
    return recordOf(answer.stored, machine);
  }

  /** Two stages: the schema has been passed; now the whole, and the operators that there are. */
  assertDeployable(definition: Definition, parameters: Scalars = {}): void {
    const { operators } = this.#options;
    const faults: ErrorDetail[] = [...checkDefinition(definition)];
    for (const id of definition.operators) {
      if (operators.has(id)) continue;
      const [nearest] = nearestNames(id, [...operators], 1);
      const message = `operators names ${id}, which is not in the registry${nearest ? `; did you mean ${nearest}` : ''}.`;
      faults.push({ path: 'operators', code: 'OPERATOR_UNKNOWN', message });
    }
    faults.push(...solverFaults(definition));
    try {
      compileContract(definition, parameters);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      faults.push(...error.details);
    }
    const [first] = faults;
    if (first) throw new DomainError('VALIDATION_FAILED', first.message, { details: faults.slice(0, 20) });
  }

  async list(machine: Machine): Promise<ContractRecord[]> {
    return (await this.#options.contracts.ofMachine(machine.id)).map((stored) => recordOf(stored, machine));
  }

  async get(
    machine: Machine,
    id: string,
  ): Promise<{ contract: ContractRecord; stored: StoredContract; transitions: StoredFire[] }> {
    const stored = await this.#stored(machine, id);
    const transitions = await this.#options.contracts.fires(machine.id, id, 20);
    return { contract: recordOf(stored, machine), stored, transitions };
  }

  async fires(
    machine: Machine,
    id: string,
    page: { limit: number; before?: number | undefined },
  ): Promise<StoredFire[]> {
    await this.#stored(machine, id);
    return this.#options.contracts.fires(machine.id, id, page.limit, page.before);
  }

  /** @throws DomainError NOT_FOUND */
  async version(
    machine: Machine,
    id: string,
    no: number,
  ): Promise<StoredVersion & { readonly definition: Definition }> {
    const version = (await this.versions(machine, id)).find((one) => one.no === no);
    if (version === undefined) throw new DomainError('NOT_FOUND', `The contract has no version ${no}.`);
    return { ...version, definition: JSON.parse(version.definitionText) as Definition };
  }

  /** What was exported is what arrived. @throws DomainError VALIDATION_FAILED */
  assertHash(definition: Definition, claimed: string): void {
    const hash = sha256Hex(canonicalJson(definition));
    if (hash === claimed) return;
    const message = `definition_hash is ${claimed}; the definition has ${hash}.`;
    throw new DomainError('VALIDATION_FAILED', message, {
      details: [{ path: 'export.definition_hash', code: 'HASH_MISMATCH', message }],
    });
  }

  async versions(machine: Machine, id: string): Promise<StoredVersion[]> {
    await this.#stored(machine, id);
    return this.#options.contracts.versions(machine.id, id);
  }

  /** The next enabled transition, or a named one; its condition is read, its trigger is not waited for. */
  async fire(
    machine: Machine,
    by: Principal,
    id: string,
    named?: {
      readonly transition: string;
      readonly payload?: Readonly<Record<string, unknown>> | undefined;
      /** The version that the caller has seen. */
      readonly ifVersion?: number | undefined;
    },
  ): Promise<FireAnswer> {
    assertSize(named?.payload ?? {});
    return this.#onContract(machine, by, id, (session, live, now) => {
      const { stored, running } = live;
      requireVersion(live, named?.ifVersion);
      if (stored.status !== 'active' || now.status !== 'active') {
        return notFired(
          live,
          `The ${now.status === 'active' ? 'contract' : 'machine'} is ${now.status === 'active' ? stored.status : now.status}.`,
        );
      }
      const enabled = running.contract.transitions.filter(({ from }) => from.has(running.state.state));
      const wanted = named ? enabled.filter((one) => one.id === named.transition) : enabled;
      if (named && wanted.length === 0) throw notEnabled(live, named.transition);
      const reasons: string[] = [];
      for (const { id: transition } of wanted) {
        const stimulus = {
          kind: 'manual',
          tick: session.tick,
          number: session.nextSeq,
          transition,
          payload: named?.payload,
        } as const;
        const step = take(running, stimulus, session.world);
        reasons.push(...step.reaction.refused.map((one) => `${one.transition}: ${one.reason}`));
        const before = session.fired.length;
        const emitted = session.record(live, [step]);
        for (const one of emitted) session.deliver(one);
        const fire = session.fired[before];
        if (fire) return { fired: true, fire, live } as const;
      }
      return notFired(live, reasons.join(' ') || 'No transition leaves this state.');
    }).then((outcome) =>
      outcome.fired
        ? { fired: true, fire: outcome.fire, contract: recordOf(outcome.live.stored, machine) }
        : { fired: false, reason: outcome.reason, contract: recordOf(outcome.live.stored, machine) },
    );
  }

  /** Nothing fires until it is resumed; events are still logged and counted. Twice is once. */
  async pause(machine: Machine, by: Principal, id: string): Promise<ContractRecord> {
    return this.#act(machine, by, id, (session, live) => {
      const { status, nextFire } = live.stored;
      if (status === 'paused') return;
      requireStatus(live, 'be paused', 'active');
      this.#row(session, live, 'paused', {});
      session.change(live, { status: 'paused', heldNextFire: nextFire, heldAt: session.tick });
    });
  }

  /**
   * @param mode  of one-shots: `deadline` keeps their time, overdue ones fire at once; `remaining` shifts them by the pause;
   *   `restart` begins them anew. Recurring ones go on at their next aligned occurrence after their `catch_up`.
   */
  async resume(
    machine: Machine,
    by: Principal,
    id: string,
    mode: 'deadline' | 'remaining' | 'restart',
  ): Promise<ContractRecord> {
    return this.#act(machine, by, id, (session, live) => {
      requireStatus(live, 'be resumed', 'paused', 'failed');
      const { running, stored } = live;
      running.state = resumed(running, mode, session.tick, stored.heldAt ?? session.tick);
      this.#row(session, live, 'resumed', { mode });
      session.change(live, { status: 'active', heldNextFire: undefined, heldAt: undefined });
    });
  }

  /** The next occurrence passes without a fire. @throws DomainError CONFLICT if it is not the expected one */
  async skipNext(machine: Machine, by: Principal, id: string, expected?: number): Promise<ContractRecord> {
    return this.#act(machine, by, id, (session, live) => {
      requireStatus(live, 'skip its next fire', 'active');
      const { running } = live;
      const [next] = running.state.timers.toSorted((a, b) => a.due - b.due);
      if (next === undefined) {
        this.#swallow(session, live, expected);
        return;
      }
      if (expected !== undefined && expected !== next.due) {
        throw new DomainError('CONFLICT', `The next fire is at ${next.due}, not at ${expected}.`, {
          facts: { next_fire: next.due },
        });
      }
      running.state = skipped(running, next);
      session.row('fire_skipped', 'api', { contract: id, transition: next.transition, due: next.due });
      session.change(live);
    });
  }

  /** Nothing is timed: the next match of an event is skipped. Who asked for it stands in a row, and the match in one of its own. */
  #swallow(session: Session, live: Live, expected: number | undefined): void {
    const { state, contract } = live.running;
    const hears = contract.transitions.some((one) => 'event' in one.trigger && one.from.has(state.state));
    if (!hears || expected !== undefined) {
      const message = `No timer is armed${hears ? '' : ', and no event leads on; there is nothing to skip'}.`;
      throw new DomainError('CONFLICT', message, { facts: { next_fire: null } });
    }
    if (state.swallows) throw new DomainError('CONFLICT', 'The next match is to be skipped already; it comes first.');
    live.running.state = { ...state, swallows: true };
    this.#row(session, live, 'asked to skip', {});
    session.change(live);
  }

  /** For good: it is read, verified and exported from then on, never fired. */
  async freeze(machine: Machine, by: Principal, id: string): Promise<ContractRecord> {
    const stored = await this.#stored(machine, id);
    if (stored.status === 'frozen') return recordOf(stored, machine);
    return this.#act(machine, by, id, (session, live, runtime) => {
      this.#row(session, live, 'frozen', {});
      session.change(live, { status: 'frozen', heldNextFire: undefined, heldAt: undefined });
      runtime.contracts.delete(id);
    });
  }

  /**
   * A new version; the state is kept where the new definition has it.
   *
   * @param ifVersion  the version that the caller has seen
   * @throws DomainError CONFLICT if it is another one, or the state is not there any more and `reset` is not asked for
   */
  async patch(
    machine: Machine,
    by: Principal,
    id: string,
    change: {
      readonly definition?: Definition | undefined;
      readonly parameters?: Scalars | undefined;
      readonly name?: string | undefined;
    },
    {
      ifVersion,
      reset = false,
      reason = 'patched',
    }: { readonly ifVersion?: number | undefined; readonly reset?: boolean; readonly reason?: string } = {},
  ): Promise<ContractRecord> {
    const before = await this.#stored(machine, id);
    const definition = change.definition ?? before.definition;
    const parameters = change.parameters ?? before.parameters;
    this.assertDeployable(definition, parameters);
    const definitionText = canonicalJson(definition);
    const definitionHash = sha256Hex(definitionText);
    const { engine } = this.#options;
    const compiled = engine.runtimes.compiled({ definition, definitionHash, parameters });
    await this.#options.assertReachable?.(compiled, machine, actorOf(by), engine.runtimes.compiled(before));
    const patched = await this.#act(machine, by, id, (session, live) => {
      const { stored, running } = live;
      requireStatus(live, 'be changed', 'active', 'paused');
      requireVersion(live, ifVersion);
      // What is not given is kept, as it was read: nobody may have changed it since.
      if (change.definition === undefined || change.parameters === undefined) requireVersion(live, before.versionNo);
      const { state } = running.state;
      const isKept = Object.hasOwn(definition.states, state);
      if (!isKept && !reset) {
        throw new DomainError('CONFLICT', `The new version has no state ${state}; ask for reset to begin again.`);
      }
      const contract = engine.runtimes.compiled({ definition, definitionHash, parameters });
      const kept = running.state;
      const versionNo = stored.versionNo + 1;
      const at = { tick: session.tick, number: session.nextSeq, isReset: reset, heldAt: stored.heldAt };
      const version: StoredContract = {
        ...stored,
        name: change.name ?? stored.name,
        definition,
        definitionText,
        definitionHash,
        parameters,
        versionNo,
        state: redefined(contract, kept, at),
      };
      const next = engine.runtimes.liveOf(
        version,
        carriedWindows(running, contract),
        carriedReadings(running, contract),
      );
      live.running = next.running;
      live.listens = next.listens;
      this.#row(session, live, reason, {
        version: versionNo,
        definition_hash: definitionHash,
        ...(reset ? { reset } : {}),
      });
      session.writes.push(into(versionRows, versionOf(version, session.tick, by, reason)));
      session.change(live, version);
    });
    // Windows that count something else than before are filled from the log when the machine is next read.
    engine.runtimes.forget(machine.id);
    return patched;
  }

  /** @throws DomainError NOT_FOUND if there is no such version */
  async rollback(
    machine: Machine,
    by: Principal,
    id: string,
    toVersion: number,
    reset: boolean,
  ): Promise<ContractRecord> {
    const { definition, parameters } = await this.version(machine, id, toVersion);
    return this.patch(machine, by, id, { definition, parameters }, { reset, reason: 'rolled back' });
  }

  /** As it is answered. */
  record(stored: StoredContract, machine: Machine): ContractRecord {
    return recordOf(stored, machine);
  }

  /** The stored hash beside the one of what is stored now. */
  async integrity(machine: Machine, id: string): Promise<{ stored_hash: string; live_hash: string; intact: boolean }> {
    const stored = await this.#stored(machine, id);
    const live = sha256Hex(canonicalJson(JSON.parse(stored.definitionText)));
    return { stored_hash: stored.definitionHash, live_hash: live, intact: live === stored.definitionHash };
  }

  /** The next fires of timers, as far as the state stays what it is; where there are none, why. */
  async nextFires(
    machine: Machine,
    id: string,
    count: number,
  ): Promise<{ next_fires: { svcond: number; at: string; transition: string }[]; note?: string }> {
    const { engine } = this.#options;
    const stored = await this.#stored(machine, id);
    const { running } = engine.runtimes.liveOf(stored);
    const isAtWork = machine.status === 'active' && stored.status === 'active';
    const found = isAtWork ? upcoming(running, engine.tick, count) : [];
    return {
      next_fires: found.map((one) => ({ ...one, at: isoFromNs(startOfTick(one.svcond)) })),
      ...(found.length === 0 ? { note: whyNothing(machine, stored) } : {}),
    };
  }

  async #stored({ id: machineId }: Machine, id: string): Promise<StoredContract> {
    const stored = await this.#options.contracts.get(machineId, id);
    if (stored) return stored;
    throw new DomainError('NOT_FOUND', `There is no contract ${id} on this machine.`);
  }

  #row(session: Session, { stored }: Live, act: string, more: object): void {
    session.row('contract', 'api', { contract: stored.id, act, ...more });
  }

  async #onContract<Answer>(
    machine: Machine,
    by: Principal,
    id: string,
    work: (session: Session, live: Live, machine: Machine, runtime: Runtime) => Answer,
  ): Promise<Answer> {
    const { engine, contracts } = this.#options;
    const stored = await contracts.get(machine.id, id);
    if (stored === undefined) throw new DomainError('NOT_FOUND', `There is no contract ${id} on this machine.`);
    const { answer } = await engine.change(machine.id, actorOf(by), (session, runtime, now) => {
      // A frozen contract is not in memory: it takes part in nothing.
      const live = stored.status === 'frozen' ? engine.runtimes.liveOf(stored) : engine.find(runtime, id);
      return work(session, live, now, runtime);
    });
    return answer;
  }

  async #act(
    machine: Machine,
    by: Principal,
    id: string,
    work: (session: Session, live: Live, runtime: Runtime) => void,
  ): Promise<ContractRecord> {
    const live = await this.#onContract(machine, by, id, (session, one, _, runtime) => {
      work(session, one, runtime);
      return one;
    });
    return recordOf(live.stored, machine);
  }
}

/** Why no timer will fire by itself, and what would become of it on resuming. */
function whyNothing(machine: Machine, { status }: StoredContract): string {
  if (machine.status === 'archived') return 'The machine is archived: nothing fires any more.';
  if (status === 'frozen' || status === 'completed') return `The contract is ${status}: nothing fires any more.`;
  if (status !== 'active') return `The contract ${status === 'failed' ? 'has failed' : 'is paused'}: ${ON_RESUMING}`;
  if (machine.status === 'paused') return `The machine is paused: ${ON_RESUMING_MACHINE}`;
  return 'No timer is armed: what moves this contract next is an event.';
}

const ON_RESUMING_MACHINE =
  'no timer fires until it is resumed. Then catch_up decides which missed occurrences fire, and an overdue one_shot fires at once.';
const ON_RESUMING =
  'no timer fires until it is resumed. Then catch_up decides which missed occurrences fire, and mode (deadline, remaining, restart) what becomes of a one_shot.';

const notFired = (live: Live, reason: string) => ({ fired: false, reason, live }) as const;

function notEnabled({ running }: Live, transition: string): DomainError {
  const enabled = running.contract.transitions.filter(({ from }) => from.has(running.state.state)).map(({ id }) => id);
  const message = `${transition} does not leave the state ${running.state.state}; ${enabled.join(', ') || 'nothing'} does.`;
  return new DomainError('TRANSITION_NOT_ENABLED', message, { facts: { enabled } });
}

function requireStatus({ stored }: Live, act: string, ...allowed: readonly ContractStatus[]): void {
  if (allowed.includes(stored.status)) return;
  const message = `The contract is ${stored.status}; only one that is ${allowed.join(' or ')} can ${act}.`;
  throw new DomainError('CONFLICT', message, { facts: { status: stored.status } });
}

/** @throws DomainError CONFLICT if the contract is at another version than the caller has seen */
function requireVersion({ stored }: Live, seen: number | undefined): void {
  if (seen === undefined || seen === stored.versionNo) return;
  const message = `The contract is at version ${stored.versionNo}, not ${seen}: somebody changed it.`;
  throw new DomainError('CONFLICT', message, { facts: { current_version_no: stored.versionNo } });
}

/** Windows of transitions that count the same thing as before go on counting; the log is read for the others. */
function carriedWindows({ contract: before, windows }: Running, contract: CompiledContract): Windows {
  const counted = (trigger: CompiledTrigger) =>
    trigger.kind === 'on_aggregate' &&
    canonicalJson([trigger.event, trigger.fn, trigger.field ?? null, trigger.within, trigger.filter?.text ?? null]);
  const carried = emptyWindows(contract);
  for (const { id, trigger } of contract.transitions) {
    const was = before.transitions.find((one) => one.id === id);
    const window = windows.get(id);
    if (was && window && counted(was.trigger) === counted(trigger)) carried.set(id, window);
  }
  return carried;
}

function versionOf(
  { machineId, id, versionNo, definitionText, definitionHash, parameters }: StoredContract,
  svcond: number,
  by: Principal,
  reason: string,
): StoredVersion {
  return {
    machineId,
    contractId: id,
    no: versionNo,
    definitionText,
    definitionHash,
    parameters,
    svcond,
    actor: actorOf(by),
    reason,
  };
}

function recordOf(stored: StoredContract, { status }: Machine): ContractRecord {
  return {
    id: stored.id,
    name: stored.name,
    currentState: stored.state.state,
    status: stored.status,
    fire_count: stored.state.fires,
    // What is archived waits for nothing; its timers are kept for the day on which it is taken back.
    next_fire: status === 'archived' ? null : (stored.nextFire ?? null),
    current_version_no: stored.versionNo,
    definition_hash: stored.definitionHash,
    template_id: stored.templateId ?? null,
    parameters: stored.parameters,
    context: stored.state.context,
    missed: stored.state.missed,
    created_svcond: stored.createdSvcond,
  };
}
