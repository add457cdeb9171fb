// A machine with its first row, for tests and benches that store machines without a service.

import { randomBytes } from 'node:crypto';
import { appendRow, emptyHead, type NewRow, SALT_BYTES, SYSTEM_ACTOR } from '../../src/chain/row.ts';
import { uuidV7 } from '../../src/core/ids.ts';
import type { Machine } from '../../src/storage/machines/machines.ts';

/** Public and active; nothing is stored yet. */
export function newMachine(
  slug: string,
  svcond: number,
): { readonly machine: Machine; readonly genesis: ReturnType<typeof appendRow> } {
  const row: NewRow = { svcond, type: 'genesis', source: 'api', actor: SYSTEM_ACTOR, payload: { slug } };
  const genesis = appendRow(emptyHead(slug), row, randomBytes(SALT_BYTES));
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
  };
  return { machine, genesis };
}
