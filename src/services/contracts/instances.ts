// Instances of contracts by key, as they are read: a page of them, one, and its transitions.

import type { CompiledContract } from '../../contracts/compiled.ts';
import type { Environment } from '../../contracts/contract-state.ts';
import { type OpenQuorum, openQuorums } from '../../contracts/parties/ballot.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { ContractRepository, StoredContract } from '../../storage/contracts/contracts.ts';
import type { FireRepository, StoredFire } from '../../storage/contracts/fires.ts';
import type {
  InstanceFilter,
  InstancePlace,
  InstanceRepository,
  StoredInstance,
} from '../../storage/contracts/instances.ts';
import type { ContractVersionRepository } from '../../storage/contracts/versions.ts';
import { decodeTexts, encodeTexts, invalidCursor } from '../../storage/database/cursor.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { ContractEngine } from '../engine/engine.ts';

export interface InstanceServiceOptions {
  readonly contracts: ContractRepository;
  readonly contractInstances: InstanceRepository;
  readonly contractVersions: ContractVersionRepository;
  readonly fires: FireRepository;
  readonly engine: Pick<ContractEngine, 'tick' | 'runtimes'>;
  readonly environment: Pick<Environment, 'evaluate'>;
}

export class InstanceService {
  readonly #options: InstanceServiceOptions;

  constructor(options: InstanceServiceOptions) {
    this.#options = options;
  }

  /**
   * A page in the order of keys, or of the timers that are due. It may be short though more follow.
   *
   * @throws DomainError NOT_FOUND, CONFLICT for a contract without instances
   */
  async list(
    machine: Machine,
    id: string,
    { cursor, limit, ...filter }: InstanceFilter & { readonly limit: number; readonly cursor?: string | undefined },
  ) {
    const stored = await this.#keyed(machine, id);
    const isDue = filter.dueBefore !== undefined;
    const after = cursor === undefined ? undefined : placeOf(cursor, isDue);
    const bounds = { ...filter, limit, after, maxBytes: LIMITS.pageBytes };
    const { rows, next } = await this.#options.contractInstances.page(machine.id, id, bounds);
    return {
      rows: await this.#records(machine, stored, rows),
      nextCursor: next && encodeTexts(isDue ? [next.key, String(next.nextFire)] : [next.key]),
    };
  }

  /** @throws DomainError NOT_FOUND, CONFLICT */
  async get(machine: Machine, id: string, key: string) {
    const stored = await this.#keyed(machine, id);
    const found = await this.#options.contractInstances.byKeys(machine.id, id, [key]);
    const [record] = await this.#records(machine, stored, found);
    if (record !== undefined) return record;
    throw new DomainError('NOT_FOUND', `Instance ${JSON.stringify(key)} of contract ${id} not found.`);
  }

  /** @throws DomainError NOT_FOUND, CONFLICT; NOT_FOUND for a version of before the one that decides the instance */
  async assertVersion(machine: Machine, id: string, key: string, no: number): Promise<void> {
    const { version_no: own } = await this.get(machine, id, key);
    if (no >= own) return;
    const message = `Version ${no} is none of the instance ${JSON.stringify(key)}; expected ${own}, by which it is decided, or a later one.`;
    throw new DomainError('NOT_FOUND', message);
  }

  /** Its transitions, newest first. @throws DomainError NOT_FOUND, CONFLICT */
  async fires(
    machine: Machine,
    id: string,
    key: string,
    page: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<StoredFire[]> {
    await this.get(machine, id, key);
    return this.#options.fires.ofInstance(machine.id, id, key, page);
  }

  async #records(machine: Machine, stored: StoredContract, found: readonly StoredInstance[]) {
    const contracts = await this.#versionsOf(stored, found);
    const { engine, environment } = this.#options;
    const tick = Math.max(engine.tick, machine.head.svcond);
    return found.map((one) => {
      const contract = contracts.get(one.versionNo);
      const quorums = contract === undefined ? [] : openQuorums(contract, one.state, tick, environment.evaluate);
      return { ...recordOf(one, machine), ...(quorums.length === 0 ? {} : { quorums: quorums.map(countOf) }) };
    });
  }

  /** The contracts by which votes in instances count; none if nobody votes. */
  async #versionsOf(stored: StoredContract, found: readonly StoredInstance[]): Promise<Map<number, CompiledContract>> {
    const voted = found.filter(({ state, status }) => state.parties !== undefined && status === 'active');
    const { runtimes } = this.#options.engine;
    const isStanding = voted.every(({ versionNo }) => versionNo === stored.versionNo);
    if (isStanding) return new Map(voted.length === 0 ? [] : [[stored.versionNo, runtimes.compile(stored)]]);
    const used = new Set(voted.map(({ versionNo }) => versionNo));
    const versions = await this.#options.contractVersions.byNumbers(stored.machineId, stored.id, used);
    return new Map(
      versions.map(({ no, definitionText, definitionHash, parameters }) => {
        const definition = JSON.parse(definitionText) as StoredContract['definition'];
        return [no, runtimes.compile({ definition, definitionHash, parameters })] as const;
      }),
    );
  }

  async #keyed(machine: Machine, id: string): Promise<StoredContract> {
    const stored = await this.#options.contracts.get(machine.id, id);
    if (stored === undefined) throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine.`);
    if (stored.definition.key === undefined)
      throw new DomainError('CONFLICT', `Contract ${id} has no instances: its definition names no key.`);
    return stored;
  }
}

/** @throws DomainError VALIDATION_FAILED */
function placeOf(cursor: string, isDue: boolean): InstancePlace {
  const [key = '', tick = ''] = decodeTexts(cursor, isDue ? 2 : 1);
  if (!isDue) return { key, nextFire: undefined };
  if (!/^\d{1,15}$/.test(tick)) throw invalidCursor();
  return { key, nextFire: Number(tick) };
}

const countOf = ({ id, count, needed, vetoes }: OpenQuorum) => ({ transition: id, count, needed, vetoes });

const recordOf = (stored: StoredInstance, { status }: Machine) => ({
  key: stored.key,
  currentState: stored.state.state,
  status: stored.status,
  fire_count: stored.state.fires,
  // As of a contract: an archived machine has no due timers.
  next_fire: status === 'archived' ? null : (stored.nextFire ?? null),
  version_no: stored.versionNo,
  context: stored.state.context,
  ...(stored.state.collections === undefined ? {} : { collections: stored.state.collections }),
  missed: stored.state.missed,
  created_svcond: stored.createdSvcond,
  updated_svcond: stored.updatedSvcond,
});
