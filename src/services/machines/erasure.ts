// Payloads taken out of a chain because the law asks for it. What is hashed stays, so the chain still validates; that something
// was erased, by whom and why, is a row of its own.

import { DomainError } from '../../core/errors.ts';
import { keptSampleErasures } from '../../storage/contracts/kept-samples.ts';
import { type AuditRepository, erasures } from '../../storage/machines/audit.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine } from '../contracts/engine.ts';
import type { Logged } from './log.ts';
import type { MachineService } from './machines.ts';

export interface ErasureOptions {
  readonly machines: MachineService;
  readonly engine: ContractEngine;
  readonly audit: AuditRepository;
}

export class ErasureService {
  readonly #options: ErasureOptions;

  constructor(options: ErasureOptions) {
    this.#options = options;
  }

  /**
   * Salt and payload of a row are emptied for good, on an archived machine too.
   *
   * @throws DomainError NOT_FOUND if there is no such row, CONFLICT if its payload is gone already
   */
  async erase(machine: Machine, by: Principal, seq: number, reason: string): Promise<Logged> {
    const { machines, engine, audit } = this.#options;
    const { rows } = await machines.commitAlone(
      machine,
      async ({ id, head, erased }, on) => {
        const [row] = await audit.range(id, head.slug, seq, seq, on);
        if (row === undefined)
          throw new DomainError('NOT_FOUND', `${head.slug} has no row ${seq}; its last is ${head.seq}.`);
        if (row.salt === undefined && !row.sealed)
          throw new DomainError('CONFLICT', `The payload of row ${seq} was erased before.`);
        return {
          rows: [machines.row(by, 'payload_erased', 'api', { seq, reason })],
          patch: { erased: erased + 1 },
          writes: [into(erasures, { machineId: id, seq }), into(keptSampleErasures, { machineId: id, seq })],
          answer: undefined,
        };
      },
      true,
    );
    // Windows in memory may still hold what was erased.
    engine.runtimes.forget(machine.id);
    const [row] = rows;
    if (row === undefined) throw new Error('A row was committed and is not there.');
    return { seq: row.seq, svcond: row.svcond, row_hash: row.row_hash };
  }
}
