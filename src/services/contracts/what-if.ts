// Contracts tried out: what an event would do now, and what would have become of one under another definition. Reads only.

import { redefined } from '../../contracts/acts.ts';
import type { CompiledContract } from '../../contracts/compiled.ts';
import type { Definition, Scalars } from '../../contracts/definition.ts';
import { type DryRun, dryRun } from '../../contracts/dry-run.ts';
import { askedAs, HISTORY_TYPES, type History, historyOf } from '../../contracts/history.ts';
import type { World } from '../../contracts/reaction.ts';
import { Replayed } from '../../contracts/replayed.ts';
import { type Upcoming, upcoming } from '../../contracts/upcoming.ts';
import { type WhatIf, whatIf } from '../../contracts/what-if.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex } from '../../core/sha256.ts';
import type { StoredContract, StoredVersion } from '../../storage/contracts/contracts.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import { assertPast } from '../machines/log.ts';
import type { ContractService } from './contracts.ts';
import type { Runtimes } from './runtime.ts';

/** Which definition is tried: a version of the contract, its present one by default, or one that is given. */
export interface Alternative {
  readonly version?: number | undefined;
  readonly definition?: Definition | undefined;
  readonly parameters?: Scalars | undefined;
}

export interface WhatIfOptions {
  readonly storage: Pick<Storage, 'transaction' | 'machines' | 'audit' | 'contracts'>;
  readonly runtimes: Runtimes;
  readonly contracts: ContractService;
  readonly world: Omit<World, 'balance'>;
  readonly clock: Clock;
}

/** A contract and all that its machine wrote since it was deployed, as one moment shows them. */
interface Past {
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
  readonly until?: number | undefined;
}

export interface DryRunAnswer extends DryRun {
  readonly contract: CompiledContract;
  readonly now: number;
  readonly next: readonly Upcoming[];
}

const MS_NS = 1_000_000n;
const MOST_NEXT = 5;

export class WhatIfService {
  readonly #options: WhatIfOptions;

  constructor(options: WhatIfOptions) {
    this.#options = options;
  }

  /** @throws DomainError NOT_FOUND, VALIDATION_FAILED, BUDGET_EXCEEDED, OUT_OF_TIME */
  async replay(machine: Machine, id: string, fromSvcond: number, wanted: Alternative): Promise<WhatIfAnswer> {
    const { world, clock } = this.#options;
    const began = clock.now();
    const until = tickOf(began);
    assertPast(fromSvcond, until);
    const { stored, versions, history } = await this.#past(machine, id);
    const contract = this.alternative(stored, versions, wanted);
    const compiled = new Map(versions.map((one) => [one.no, this.#compiled(one)]));
    const spend = budget();
    const contractOf = (no: number) => compiled.get(no);
    const { hops } = LIMITS.contracts;
    const run = whatIf(
      { history, contractOf, world: withSolved(world, history), hops, forkAt: fromSvcond, until, spend },
      contract,
    );
    const found = await this.#inTurns(run, began);
    if (found === undefined) {
      const message = `The chain cannot be retraced as far as tick ${fromSvcond}: a row before it does not follow.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'from_svcond', code: 'NOT_RETRACED', message }],
      });
    }
    return { ...found, stored, contract, rows: history.happenings.length, until };
  }

  /** What an event, a fire by hand or the next timers would do now. @throws DomainError as `replay` */
  async dryRun(machine: Machine, id: string, wanted: Alternative, trial: TrialRequest): Promise<DryRunAnswer> {
    const { world, clock } = this.#options;
    const began = clock.now();
    const { stored, contract, running, surroundings, tick } = await this.#present(machine, id, wanted);
    const now = Math.max(tickOf(began), tick);
    const { ahead } = LIMITS.contracts.whatIf;
    const { until } = trial;
    if (until !== undefined && (until < now || until - now > ahead)) {
      const message = `until_svcond is ${until}; ${now} (now) to ${now + ahead} is allowed.`;
      throw new DomainError('VALIDATION_FAILED', message, {
        details: [{ path: 'until_svcond', code: 'OUT_OF_RANGE', message }],
      });
    }
    const { hops } = LIMITS.contracts;
    const replayed = new Replayed(running, now, { world, before: surroundings, hops });
    replayed.status = stored.status;
    const found = await this.#inTurns(dryRun(replayed, { ...trial, now, spend: budget() }), began);
    const next = replayed.isAwake ? upcoming(replayed.running, Math.max(now, replayed.tick), MOST_NEXT) : [];
    return { ...found, contract, now, next };
  }

  /** The contract in memory of its own, perhaps under another definition. */
  async #present({ id: machineId }: Machine, id: string, wanted: Alternative) {
    const { storage, runtimes } = this.#options;
    return storage.transaction(async (on) => {
      const [machine] = await storage.machines.byIds([machineId], false, on);
      const stored = machine && (await storage.contracts.get(machineId, id, on));
      if (machine === undefined || stored === undefined) throw missing(id);
      const isChanged = Object.values(wanted).some((one) => one !== undefined);
      const versions = isChanged ? await storage.contracts.versions(machineId, id, on) : [];
      const own = runtimes.compiled(stored);
      const contract = isChanged ? this.alternative(stored, versions, wanted) : own;
      const at = { tick: machine.head.svcond, number: machine.head.seq, isReset: !isKept(stored, contract) };
      const tried: StoredContract =
        contract === own
          ? stored
          : {
              ...stored,
              definition: contract.definition,
              definitionHash: sha256Hex(canonicalJson(contract.definition)),
              parameters: contract.parameters,
              state: redefined(contract, stored.state, at),
            };
      const { contracts, balances } = await runtimes.apart(machine, [{ ...tried, status: 'active' }], on);
      const live = contracts.get(id);
      if (live === undefined) throw missing(id);
      const surroundings = { balances, isMachineActive: machine.status === 'active' };
      return { stored, contract, running: live.running, surroundings, tick: machine.head.svcond };
    });
  }

  /** @throws DomainError NOT_FOUND for a version that is not there, VALIDATION_FAILED for a definition that is none */
  alternative(
    stored: StoredContract,
    versions: readonly StoredVersion[],
    { version, definition, parameters }: Alternative,
  ): CompiledContract {
    const chosen = versions.find(({ no }) => no === (version ?? stored.versionNo));
    if (chosen === undefined) throw new DomainError('NOT_FOUND', `The contract has no version ${version}.`);
    const given = parameters ?? (definition === undefined ? chosen.parameters : {});
    if (definition === undefined && parameters === undefined) return this.#compiled(chosen);
    const tried = definition ?? (JSON.parse(chosen.definitionText) as Definition);
    this.#options.contracts.assertDeployable(tried, given);
    const definitionHash = sha256Hex(canonicalJson(tried));
    return this.#options.runtimes.compiled({ definition: tried, definitionHash, parameters: given });
  }

  #compiled({ definitionText, definitionHash, parameters }: StoredVersion): CompiledContract {
    const definition = JSON.parse(definitionText) as Definition;
    return this.#options.runtimes.compiled({ definition, definitionHash, parameters });
  }

  async #past({ id: machineId }: Machine, id: string): Promise<Past> {
    const { storage } = this.#options;
    const { rows: most } = LIMITS.contracts.whatIf;
    return storage.transaction(async (on) => {
      const [machine] = await storage.machines.byIds([machineId], false, on);
      const stored = machine && (await storage.contracts.get(machineId, id, on));
      if (machine === undefined || stored === undefined) throw missing(id);
      const versions = await storage.contracts.versions(machineId, id, on);
      const filter = {
        types: HISTORY_TYPES,
        since: stored.createdSvcond,
        order: 'oldest first',
        limit: most + 1,
      } as const;
      const found = await storage.audit.select(machineId, machine.head.slug, filter, on);
      if (found.length > most) {
        const message = `The machine wrote more than ${most} rows since the contract was deployed; no more are replayed.`;
        throw new DomainError('BUDGET_EXCEEDED', message, { facts: { rows_max: most } });
      }
      const rows = found.map(({ seq, svcond, type, payload_text: text }) => {
        return { seq, svcond, type, ...(text === undefined ? {} : { payload: JSON.parse(text) as unknown }) };
      });
      const held = await storage.contracts.balances(machineId, on);
      const balances = new Map(held.map(({ token, holder, amount }) => [`${token}\0${holder}`, amount]));
      const history = historyOf(rows, id, { balances, isMachineActive: machine.status === 'active' });
      if (history !== undefined) return { stored, versions, history };
      const message = 'The row of its deployment cannot be read: it was erased, or it is sealed.';
      throw new DomainError('CONFLICT', message);
    });
  }

  /** Runs to the end, letting others have a turn now and then. @throws DomainError OUT_OF_TIME */
  async #inTurns<Answer>(run: Generator<void, Answer>, began: bigint): Promise<Answer> {
    const { clock } = this.#options;
    let turn = clock.now();
    for (let next = run.next(); ; next = run.next()) {
      if (next.done) return next.value;
      const now = clock.now();
      if (now - began > BigInt(LIMITS.contracts.whatIf.deadlineMs) * MS_NS) {
        throw new DomainError('OUT_OF_TIME', 'The replay takes too long; begin at a later tick.');
      }
      if (now - turn < BigInt(LIMITS.kernel.chunkMs) * MS_NS) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      turn = clock.now();
    }
  }
}

/** Solvers are not run again: what they said to the same question is in the rows. */
function withSolved(world: Omit<World, 'balance'>, { solved }: History): Omit<World, 'balance'> {
  const compute: World['compute'] = (call) =>
    (call.solver === undefined ? undefined : solved.get(askedAs(call))) ?? world.compute(call);
  return { ...world, compute };
}

const missing = (id: string) => new DomainError('NOT_FOUND', `There is no contract ${id} on this machine.`);

const isKept = ({ state: { state } }: StoredContract, { definition }: CompiledContract) =>
  Object.hasOwn(definition.states, state);

/** Throws when too many steps were taken. */
function budget(): () => void {
  const { steps } = LIMITS.contracts.whatIf;
  let left: number = steps;
  return () => {
    if (left-- > 0) return;
    throw new DomainError('BUDGET_EXCEEDED', `This takes more than ${steps} steps; look at a shorter stretch.`);
  };
}
