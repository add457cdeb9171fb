// Fixture: machines stored directly in a database, without services.

import { randomBytes } from 'node:crypto';
import { appendRow, emptyHead, type NewRow, SYSTEM_ACTOR } from '../../../src/chain/row.ts';
import { uuidV7 } from '../../../src/core/ids.ts';
import type { Machine } from '../../../src/storage/machines/machines.ts';
import type { Storage } from '../../../src/storage/storage.ts';

let created = 0;

export function eventRow(payload: unknown, svcond = 100): NewRow {
  return { svcond, type: 'event', source: 'api', actor: SYSTEM_ACTOR, payload };
}

/** A public machine with its first row. */
export async function insertMachine(storage: Storage, fields: Partial<Machine> = {}): Promise<Machine> {
  const slug = `m-${created++}`;
  const genesis = appendRow(emptyHead(slug), { ...eventRow({ slug }, 90), type: 'genesis' }, randomBytes(16));
  const machine: Machine = {
    id: uuidV7(Date.now(), randomBytes(10)),
    name: slug,
    description: '',
    status: 'active',
    isPublic: true,
    settings: {},
    settingsVersion: 0,
    genesisTick: genesis.svcond,
    genesisHash: genesis.row_hash,
    head: { slug, seq: 0, svcond: genesis.svcond, row_hash: genesis.row_hash },
    changes: 0,
    checkpointSize: 0,
    erased: 0,
    createdMs: 0,
    ...fields,
  };
  await storage.transaction(async (on) => {
    if (!(await storage.machines.insert(machine, on))) throw new Error(`Slug ${slug} already exists.`);
    await storage.audit.insert([{ machineId: machine.id, row: genesis }], on);
  });
  return machine;
}
