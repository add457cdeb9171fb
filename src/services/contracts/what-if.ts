// What-if analysis: dry runs an event on a contract, or replays its history under another definition. Read-only.

import type { CompiledContract } from '../../contracts/compiled.ts';
import { ContractReplay } from '../../contracts/contract-replay.ts';
import type { Environment } from '../../contracts/contract-state.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { type DryRun, dryRun } from '../../contracts/dry-run.ts';
import {
  HISTORY_TYPES,
  type History,
  type HistoryRow,
  type InstanceOfHistory,
  parseHistory,
  solverCallKey,
} from '../../contracts/history.ts';
import { keyOfEvent, keyRuleOf } from '../../contracts/instances/keys.ts';
import { adoptEngine, redefineState } from '../../contracts/lifecycle.ts';
import { type Carried, describeCarried } from '../../contracts/migration/describe.ts';
import type { Migration } from '../../contracts/migration/schema.ts';
import { type NextFire, nextFires } from '../../contracts/next-fires.ts';
import { type WhatIf, whatIf } from '../../contracts/what-if.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { StoredContract } from '../../storage/contracts/contracts.ts';
import type { StoredVersion } from '../../storage/contracts/versions.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { RuntimeCache } from '../engine/runtime-cache.ts';
import { assertPast } from '../machines/log.ts';
import { migrationFor } from './change-contract.ts';
import { assertMigratable, type ContractService } from './contracts.ts';
import { assertKeyedChange, assertUnkeyed } from './keyed-contracts.ts';
import { TrialTurns } from './trial-turns.ts';

/** Definition to run: a version of the contract (by default the current one), or a given definition. */
export interface Alternative {
  readonly version?: number | undefined;
  readonly definition?: Definition | undefined;
  readonly parameters?: Scalars | undefined;
  /** What becomes of the state of the contract. */
  readonly migrate?: Migration | undefined;
  /** Key of the instance, of a contract that has them. */
  readonly instance?: string | undefined;
}

export interface WhatIfOptions {
  readonly storage: Pick<
    Storage,
    'transaction' | 'machines' | 'audit' | 'contracts' | 'contractInstances' | 'contractVersions' | 'tokenBalances'
  >;
  readonly runtimes: RuntimeCache;
  readonly contracts: ContractService;
  readonly environment: Omit<Environment, 'balance'>;
  readonly clock: Clock;
}

/** A contract and the rows of its machine since its deployment, from one snapshot. */
interface ContractHistory {
  readonly stored: StoredContract;
  readonly versions: readonly StoredVersion[];
  readonly history: History;
}

export interface WhatIfAnswer extends WhatIf {
  readonly stored: StoredContract;
  readonly contract: CompiledContract;
  readonly rows: number;
  readonly until: number;
}

export interface TrialRequest {
  readonly event?: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> } | undefined;
  /** Identity of the caller. */
  readonly actor: string;
  readonly until?: number | undefined;
}

export interface DryRunAnswer extends DryRun {
  readonly contract: CompiledContract;
  readonly now: number;
  readonly next: readonly NextFire[];
  /** How the alternative got its state; undefined for the present version. */
  readonly carried: Carried | undefined;
}

const MAX_NEXT_FIRES = 5;

export class WhatIfService {
  readonly #options: WhatIfOptions;
  readonly #turns: TrialTurns;

  constructor(options: WhatIfOptions) {
    this.#options = options;
    this.#turns = new TrialTurns(options.clock);
  }

  /** @throws DomainError NOT_FOUND, VALIDATION_FAILED, BUDGET_EXCEEDED, OUT_OF_TIME */
  async replay(machine: Machine, id: string, fromSvcond: number, wanted: Alternative): Promise<WhatIfAnswer> {
    const { environment, clock } = this.#options;
    const startedNs = clock.now();
    const until = tickOf(startedNs);
    assertPast(fromSvcond, until);
    const { stored, versions, history } = await this.#loadHistory(machine, id, startedNs, wanted.instance);
    const contract = this.alternative(stored, versions, wanted);
    const { version, definition, migrate } = wanted;
    if (migrate !== undefined) assertMigratable(definition !== undefined || version !== undefined, false);
    const compiled = new Map(versions.map((version) => [version.no, this.#compile(version)]));
    const countStep = createStepBudget();
    const contractOf = (no: number) => compiled.get(no);
    const { hops } = LIMITS.contracts;
    const run = whatIf(
      {
        history,
        contractId: id,
        contractOf,
        environment: withRecordedResults(environment, history),
        maxHops: hops,
        forkTick: fromSvcond,
        migrate,
        until,
        countStep,
      },
      contract,
    );
    const found = await this.#turns.run(machine.id, run, startedNs);
    if (found === undefined) {
      const message = `The chain cannot be replayed up to tick ${fromSvcond}: an earlier row does not match the replay.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'from_svcond', code: 'NOT_RETRACED', message }],
      });
    }
    return { ...found, stored, contract, rows: history.entries.length, until };
  }

  /** Returns what an event, a manual fire or the next timers would do now. @throws DomainError as `replay` */
  async dryRun(machine: Machine, id: string, wanted: Alternative, trial: TrialRequest): Promise<DryRunAnswer> {
    const { environment, clock } = this.#options;
    const startedNs = clock.now();
    const { stored, contract, running, machineState, tick, carried } = await this.#loadCurrent(machine, id, wanted);
    const now = Math.max(tickOf(startedNs), tick);
    const { ahead } = LIMITS.contracts.whatIf;
    const { until } = trial;
    if (until !== undefined && (until < now || until - now > ahead)) {
      const message = `until_svcond must be from ${now} (now) to ${now + ahead}; it is ${until}.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'until_svcond', code: 'OUT_OF_RANGE', message }],
      });
    }
    const { hops } = LIMITS.contracts;
    const replayed = new ContractReplay(running, now, { contractId: id, environment, machineState, maxHops: hops });
    replayed.status = stored.status;
    const found = await this.#turns.run(
      machine.id,
      dryRun(replayed, { ...trial, now, countStep: createStepBudget() }),
      startedNs,
    );
    const next = replayed.canRun ? nextFires(replayed.running, Math.max(now, replayed.tick), MAX_NEXT_FIRES) : [];
    return { ...found, contract, now, next, carried };
  }

  /** Loads the contract in its current state, possibly under another definition. */
  async #loadCurrent({ id: machineId }: Machine, id: string, wanted: Alternative) {
    const { storage, runtimes } = this.#options;
    return storage.transaction(async (on) => {
      const [machine] = await storage.machines.byIds([machineId], false, on);
      const found = machine && (await storage.contracts.get(machineId, id, on));
      if (machine === undefined || found === undefined) throw notFound(id);
      const stored = { ...found, state: adoptEngine(found.state, machine.head.seq) };
      const isChanged = Object.values(wanted).some((field) => field !== undefined);
      const versions = isChanged ? await storage.contractVersions.list(machineId, id, on) : [];
      assertUnkeyed({ stored }, 'tried out without from_svcond', INSTEAD);
      const current = runtimes.compile(stored);
      const contract = isChanged ? this.alternative(stored, versions, wanted) : current;
      const { svcond: tick, seq: number } = machine.head;
      const { migrate } = wanted;
      const present = { contract: current, state: stored.state };
      if (migrate !== undefined) assertMigratable(contract.definition !== current.definition, false);
      const migration = migrate && migrationFor(present, contract, migrate);
      const isReset = migration === undefined && !isKept(stored, contract);
      const at = { tick, number, isReset, heldAt: stored.heldAt, source: this.#options.environment, migration };
      const candidate: StoredContract =
        contract === current
          ? stored
          : {
              ...stored,
              definition: contract.definition,
              definitionHash: sha256Hex(canonicalJson(contract.definition)),
              parameters: contract.parameters,
              state: redefineState(contract, present, at),
            };
      const { contracts, balances } = await runtimes.buildDetached(machine, [{ ...candidate, status: 'active' }], on);
      const live = contracts.get(id);
      if (live === undefined) throw notFound(id);
      const machineState = { balances, isMachineActive: machine.status === 'active' };
      const carried =
        contract === current
          ? undefined
          : describeCarried(present, { contract, state: candidate.state }, stored.heldAt ?? tick, isReset, migration);
      return { stored, contract, running: live.running, machineState, tick, carried };
    });
  }

  /** Compiles the alternative. @throws DomainError NOT_FOUND for a missing version, VALIDATION_FAILED */
  alternative(
    stored: StoredContract,
    versions: readonly StoredVersion[],
    { version, definition, parameters }: Alternative,
  ): CompiledContract {
    const base = versions.find(({ no }) => no === (version ?? stored.versionNo));
    if (base === undefined) throw new DomainError('NOT_FOUND', `Version ${version} of the contract not found.`);
    const given = parameters ?? (definition === undefined ? base.parameters : {});
    if (definition === undefined && parameters === undefined) return this.#compile(base);
    const candidate = definition ?? (JSON.parse(base.definitionText) as Definition);
    this.#options.contracts.assertDeployable(candidate, given, definition === undefined ? candidate : undefined);
    const { runtimes } = this.#options;
    const definitionHash = sha256Hex(canonicalJson(candidate));
    const compiled = runtimes.compile({ definition: candidate, definitionHash, parameters: given });
    assertKeyedChange(runtimes.compile(stored), compiled, { migrate: undefined, reset: false });
    return compiled;
  }

  #compile({ definitionText, definitionHash, parameters }: StoredVersion): CompiledContract {
    const definition = JSON.parse(definitionText) as Definition;
    return this.#options.runtimes.compile({ definition, definitionHash, parameters });
  }

  async #loadHistory(
    { id: machineId }: Machine,
    id: string,
    startedNs: bigint,
    key: string | undefined,
  ): Promise<ContractHistory> {
    const { storage } = this.#options;
    // Rows are only ever appended, so those up to this head can be read page by page, without a transaction.
    const { machine, stored, versions, balances } = await storage.transaction(async (on) => {
      const [machine] = await storage.machines.byIds([machineId], false, on);
      const stored = machine && (await storage.contracts.get(machineId, id, on));
      if (machine === undefined || stored === undefined) throw notFound(id);
      const versions = await storage.contractVersions.list(machineId, id, on);
      const tokenBalances = await storage.tokenBalances.list(machineId, on);
      const balances = new Map(tokenBalances.map(({ token, holder, amount }) => [`${token}\0${holder}`, amount]));
      return { machine, stored, versions, balances };
    });
    const instance = instanceOfHistory(stored, key);
    const rows = await this.#readRows(machine, stored.createdSvcond);
    const after = { balances, isMachineActive: machine.status === 'active' };
    const history = await this.#turns.run(machineId, parseHistory(rows, id, after, instance), startedNs);
    if (history !== undefined) {
      const [found] = key === undefined ? [] : await storage.contractInstances.byKeys(machineId, id, [key]);
      const { state, status } = found ?? stored;
      return { stored: { ...stored, state, status }, versions, history };
    }
    if (key !== undefined) throw new DomainError('NOT_FOUND', `Instance ${key} of contract ${id} not found.`);
    const message = 'The row of the deployment cannot be read; it is erased or sealed.';
    throw new DomainError('CONFLICT', message);
  }

  /** @throws DomainError BUDGET_EXCEEDED */
  async #readRows({ id, head }: Machine, since: number): Promise<HistoryRow[]> {
    const { rows: maxRows, bytes: maxBytes } = LIMITS.contracts.whatIf;
    const read: HistoryRow[] = [];
    let bytes = 0;
    for (let from = 0; ; from = (read.at(-1)?.seq ?? head.seq) + 1) {
      const filter = { types: HISTORY_TYPES, since, from, before: head.seq + 1 };
      const page = { ...filter, order: 'oldest first', limit: PAGE_ROWS, maxBytes: LIMITS.pageBytes } as const;
      const { rows, isCut } = await this.#options.storage.audit.page(id, head.slug, page);
      for (const { seq, svcond, type, actor, payload_text: text } of rows) {
        bytes += text?.length ?? 0;
        read.push({
          seq,
          svcond,
          type,
          actor,
          ...(text === undefined ? {} : { payload: JSON.parse(text) as unknown }),
        });
      }
      if (read.length > maxRows || bytes > maxBytes) {
        const message = `Limit of ${maxRows} rows and ${maxBytes} bytes for a replay exceeded; the machine wrote more since the deployment.`;
        throw new DomainError('BUDGET_EXCEEDED', message, { facts: { rows_max: maxRows, bytes_max: maxBytes } });
      }
      if (!isCut) return read;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
}

const INSTEAD = 'replay one with from_svcond and instance, or simulate its definition';

const PAGE_ROWS = 500;

/** @throws DomainError VALIDATION_FAILED unless an instance is named exactly for a contract that has them */
function instanceOfHistory({ definition }: StoredContract, key: string | undefined): InstanceOfHistory | undefined {
  const rule = keyRuleOf(definition);
  if ((rule === undefined) === (key === undefined)) {
    return rule === undefined || key === undefined ? undefined : { key, keyOf: (payload) => keyOfEvent(rule, payload) };
  }
  const text = rule === undefined ? 'is given, but the contract has no instances' : 'is missing; expected a key';
  const message = `instance ${text}.`;
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'instance', code: 'ONE_OF', message }] });
}

/** Takes solver results from the rows instead of running the solvers again. */
function withRecordedResults(
  environment: Omit<Environment, 'balance'>,
  { solverResults }: History,
): Omit<Environment, 'balance'> {
  const compute: Environment['compute'] = (call) =>
    (call.solver === undefined ? undefined : solverResults.get(solverCallKey(call))) ?? environment.compute(call);
  return { ...environment, compute };
}

const notFound = (id: string) => new DomainError('NOT_FOUND', `Contract ${id} not found on this machine.`);

const isKept = ({ state: { state } }: StoredContract, { definition }: CompiledContract) =>
  Object.hasOwn(definition.states, state);

/** Returns a function that counts a step. @throws DomainError BUDGET_EXCEEDED, from that function */
function createStepBudget(): () => void {
  const { steps } = LIMITS.contracts.whatIf;
  let remaining: number = steps;
  return () => {
    if (remaining-- > 0) return;
    throw new DomainError('BUDGET_EXCEEDED', `Limit of ${steps} steps for a replay exceeded; choose a shorter range.`);
  };
}
