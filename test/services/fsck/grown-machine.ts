// Machines with many rows, written by the ledger without a service.

import { randomBytes } from 'node:crypto';
import { type NewRow, SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { Ledger } from '../../../src/storage/machines/ledger.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { newMachine } from '../../suites/new-machine.ts';

const FIRST_TICK = 2_303_730_000;
const ROWS_PER_COMMIT = 500;

/** A time after the rows. */
export const LATER_MS = Date.UTC(2030, 0, 1);

export class MachineGrower {
  readonly #storage: Storage;
  readonly #ledger: Ledger;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#ledger = new Ledger({ ...storage, randomBytes });
  }

  /** Creates a machine whose rows after the first are these many events. @returns its id */
  async create(slug: string, events: number): Promise<string> {
    const { machine: draft, genesis } = newMachine(slug, FIRST_TICK);
    const machine = { ...draft, createdMs: Date.now() };
    await this.#storage.transaction(async (on) => {
      await this.#storage.machines.insert(machine, on);
      await this.#storage.audit.insert([{ machineId: machine.id, row: genesis }], on);
    });
    await this.append(machine.id, 0, events);
    return machine.id;
  }

  /** Appends events with numbers from `first` on. */
  async append(id: string, first: number, count: number): Promise<void> {
    for (let n = first; n < first + count; n += ROWS_PER_COMMIT) {
      const added = Array.from({ length: Math.min(ROWS_PER_COMMIT, first + count - n) }, (_, i): NewRow => {
        const payload = { n: n + i };
        return { svcond: FIRST_TICK + n + i, type: 'event', source: 'api', actor: SYSTEM_ACTOR, payload };
      });
      await this.#ledger.commit(id, () => ({ rows: added, answer: undefined }));
    }
  }
}
