// Instances of contracts by key, as they are read: a page of them, one, and its transitions.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { ContractRepository } from '../../storage/contracts/contracts.ts';
import type { FireRepository, StoredFire } from '../../storage/contracts/fires.ts';
import type {
  InstanceFilter,
  InstancePlace,
  InstanceRepository,
  StoredInstance,
} from '../../storage/contracts/instances.ts';
import { decodeTexts, encodeTexts, invalidCursor } from '../../storage/database/cursor.ts';
import type { Machine } from '../../storage/machines/machines.ts';

export interface InstanceServiceOptions {
  readonly contracts: ContractRepository;
  readonly contractInstances: InstanceRepository;
  readonly fires: FireRepository;
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
    await this.#assertKeyed(machine, id);
    const isDue = filter.dueBefore !== undefined;
    const after = cursor === undefined ? undefined : placeOf(cursor, isDue);
    const bounds = { ...filter, limit, after, maxBytes: LIMITS.pageBytes };
    const { rows, next } = await this.#options.contractInstances.page(machine.id, id, bounds);
    return {
      rows: rows.map((one) => recordOf(one, machine)),
      nextCursor: next && encodeTexts(isDue ? [next.key, String(next.nextFire)] : [next.key]),
    };
  }

  /** @throws DomainError NOT_FOUND, CONFLICT */
  async get(machine: Machine, id: string, key: string) {
    await this.#assertKeyed(machine, id);
    const [found] = await this.#options.contractInstances.byKeys(machine.id, id, [key]);
    if (found !== undefined) return recordOf(found, machine);
    throw new DomainError('NOT_FOUND', `Instance ${JSON.stringify(key)} of contract ${id} not found.`);
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

  async #assertKeyed(machine: Machine, id: string): Promise<void> {
    const stored = await this.#options.contracts.get(machine.id, id);
    if (stored === undefined) throw new DomainError('NOT_FOUND', `Contract ${id} not found on this machine.`);
    if (stored.definition.key === undefined)
      throw new DomainError('CONFLICT', `Contract ${id} has no instances: its definition names no key.`);
  }
}

/** @throws DomainError VALIDATION_FAILED */
function placeOf(cursor: string, isDue: boolean): InstancePlace {
  const [key = '', tick = ''] = decodeTexts(cursor, isDue ? 2 : 1);
  if (!isDue) return { key, nextFire: undefined };
  if (!/^\d{1,15}$/.test(tick)) throw invalidCursor();
  return { key, nextFire: Number(tick) };
}

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
