import { type NewRow, SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { newMachine } from '../../suites/new-machine.ts';

let created = 0;

export function eventRow(payload: unknown, svcond = 100): NewRow {
  return { svcond, type: 'event', source: 'api', actor: SYSTEM_ACTOR, payload };
}

/** A public machine with its first row. */
export async function insertMachine(storage: Storage, fields: Partial<Machine> = {}): Promise<Machine> {
  const slug = `m-${created++}`;
  const { machine: made, genesis } = newMachine(slug, 90);
  const machine: Machine = { ...made, ...fields };
  await storage.transaction(async (on) => {
    if (!(await storage.machines.insert(machine, on))) throw new Error(`Slug ${slug} already exists.`);
    await storage.audit.insert([{ machineId: machine.id, row: genesis }], on);
  });
  return machine;
}
