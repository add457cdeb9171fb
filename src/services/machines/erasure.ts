// Erases payloads from a chain for legal reasons. Hashes and commitments stay, so the chain still validates. A separate
// row records who erased which payload and why.

import { DomainError } from '../../core/errors.ts';
import { keptSampleErasures } from '../../storage/contracts/kept-samples.ts';
import { segmentRemovals } from '../../storage/contracts/window-segments.ts';
import { into } from '../../storage/database/writer.ts';
import { removeReplaced, writeWithoutPayload } from '../../storage/machines/archive/erase.ts';
import { erasures } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Principal } from '../access/access.ts';
import type { ContractEngine } from '../engine/engine.ts';
import { logged } from './log.ts';
import type { MachineService } from './machines.ts';

export interface ErasureOptions {
  readonly machines: MachineService;
  readonly engine: ContractEngine;
  readonly storage: Pick<Storage, 'audit' | 'archive' | 'transaction'>;
}

export class ErasureService {
  readonly #options: ErasureOptions;

  constructor(options: ErasureOptions) {
    this.#options = options;
  }

  /**
   * Erases salt and payload of a row permanently, also on an archived machine, and of an archived row.
   *
   * @throws DomainError NOT_FOUND for a missing row, CONFLICT if its payload is erased already, ARCHIVE_UNAVAILABLE,
   *   ARCHIVE_TAMPERED
   */
  async erase(machine: Machine, by: Principal, seq: number, reason: string) {
    const { machines, engine, storage } = this.#options;
    const { audit, archive, transaction } = storage;
    const { rows } = await machines.commitExclusive(
      machine,
      async (now, on) => {
        const { id, head, erased, settingsSeq } = now;
        const [row] = await audit.range(id, head.slug, seq, seq, on);
        if (row === undefined)
          throw new DomainError('NOT_FOUND', `Row ${seq} of ${head.slug} not found; its last row is ${head.seq}.`);
        if (row.salt === undefined && !row.sealed)
          throw new DomainError('CONFLICT', `The payload of row ${seq} is already erased.`);
        const file = await writeWithoutPayload(archive, id, seq, on);
        // The settings stay stated: by a new row if this one stated them.
        const restated = seq === settingsSeq ? machines.settingsStatement(undefined, now, 1) : undefined;
        return {
          rows: [machines.row(by, 'payload_erased', 'api', { seq, reason }), ...(restated ? [restated.row] : [])],
          patch: { erased: erased + 1, ...restated?.patch },
          writes: [
            into(erasures, { machineId: id, seq, file }),
            into(keptSampleErasures, { machineId: id, seq }),
            into(segmentRemovals, { machineId: id }),
          ],
          answer: undefined,
        };
      },
      true,
    );
    // Cached windows may still hold the erased payload.
    engine.runtimes.evict(machine.id);
    // If that fails, the maintenance tries it again: the row of the erasure is written.
    await removeReplaced(archive, machine.id, transaction).catch(() => {});
    return logged(rows);
  }
}
