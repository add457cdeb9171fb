// Erases payloads from a chain for legal reasons. Hashes and commitments stay, so the chain still validates. A separate
// row records who erased which payload and why.

import { DomainError } from '../../core/errors.ts';
import { keptSampleErasures } from '../../storage/contracts/kept-samples.ts';
import { into } from '../../storage/database/writer.ts';
import { type AuditRepository, erasures } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine } from '../engine/engine.ts';
import { logged } from './log.ts';
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
   * Erases salt and payload of a row permanently, also on an archived machine.
   *
   * @throws DomainError NOT_FOUND for a missing row, CONFLICT if its payload is erased already
   */
  async erase(machine: Machine, by: Principal, seq: number, reason: string) {
    const { machines, engine, audit } = this.#options;
    const { rows } = await machines.commitExclusive(
      machine,
      async ({ id, head, erased }, on) => {
        const [row] = await audit.range(id, head.slug, seq, seq, on);
        if (row === undefined)
          throw new DomainError('NOT_FOUND', `Row ${seq} of ${head.slug} not found; its last row is ${head.seq}.`);
        if (row.salt === undefined && !row.sealed)
          throw new DomainError('CONFLICT', `The payload of row ${seq} is already erased.`);
        return {
          rows: [machines.row(by, 'payload_erased', 'api', { seq, reason })],
          patch: { erased: erased + 1 },
          writes: [into(erasures, { machineId: id, seq }), into(keptSampleErasures, { machineId: id, seq })],
          answer: undefined,
        };
      },
      true,
    );
    // Cached windows may still hold the erased payload.
    engine.runtimes.evict(machine.id);
    return logged(rows);
  }
}
