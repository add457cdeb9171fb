// Contracts of a caller across all their machines, for agents that know a contract's id but not its machine.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { decodeCursor, isUuid, nextCursorOf } from '../../storage/database/cursor.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../access/access.ts';
import type { MachineService } from '../machines/machines.ts';
import type { ContractListRequest, ContractService } from './contracts.ts';

export interface CallerContractsOptions {
  readonly storage: Pick<Storage, 'members' | 'machines' | 'contracts'>;
  readonly machines: MachineService;
  readonly contracts: ContractService;
}

const MAX_MACHINES = 200;

export class CallerContracts {
  readonly #options: CallerContractsOptions;

  constructor(options: CallerContractsOptions) {
    this.#options = options;
  }

  /** A page of contracts, newest first; fewer than `limit` if their parameters and states are long. */
  async list(by: Principal, { cursor, ...filter }: ContractListRequest) {
    const { storage, contracts } = this.#options;
    const machines = await this.#machines(by);
    const page = {
      ...filter,
      maxBytes: LIMITS.pageBytes,
      after: cursor === undefined ? undefined : decodeCursor(cursor),
    };
    const found = await storage.contracts.pageOfMachines([...machines.keys()], page);
    const rows = found.rows.flatMap((stored) => {
      const machine = machines.get(stored.machineId);
      return machine === undefined ? [] : [{ ...contracts.record(stored, machine), slug: machine.head.slug }];
    });
    return { rows, nextCursor: nextCursorOf(found) };
  }

  /** @throws DomainError NOT_FOUND */
  async get(by: Principal, id: string) {
    const { storage, contracts } = this.#options;
    const machines = await this.#machines(by);
    for (const machine of isUuid(id) ? machines.values() : []) {
      const stored = await storage.contracts.get(machine.id, id);
      if (stored)
        return { stored, machine, contract: { ...contracts.record(stored, machine), slug: machine.head.slug } };
    }
    throw new DomainError('NOT_FOUND', `Contract ${id} not found on your machines.`);
  }

  /** @throws DomainError NOT_FOUND, FORBIDDEN, and as ContractService.fire */
  async fire(by: Principal, id: string) {
    const { machine } = await this.get(by, id);
    const allowed = await this.#options.machines.find(machine.head.slug, by, 'operator');
    return this.#options.contracts.fire(allowed, by, id);
  }

  /** Returns the named machine, or the caller's newest. @throws DomainError NOT_FOUND */
  async machineFor(by: Principal, slug: string | undefined): Promise<Machine> {
    const newest = slug ?? [...(await this.#machines(by)).values()][0]?.head.slug;
    if (newest !== undefined) return this.#options.machines.find(newest, by, 'admin');
    throw new DomainError('NOT_FOUND', 'You have no machines; create one with svc_spin_up (POST /api/chain/spin-up).');
  }

  /** Newest first. */
  async #machines(by: Principal): Promise<Map<string, Machine>> {
    const { storage } = this.#options;
    const ids = by.zid === undefined ? [] : await storage.members.machinesOf(by.zid, MAX_MACHINES);
    const found = new Map((await storage.machines.byIds(ids, false)).map((machine) => [machine.id, machine]));
    return new Map(ids.flatMap((id) => (found.has(id) ? [[id, found.get(id) as Machine]] : [])));
  }
}
