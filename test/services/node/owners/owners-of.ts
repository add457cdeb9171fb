// Owners of machines for tests of parts: a node of its own on a database.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../../src/core/clock.ts';
import { MachineOwners } from '../../../../src/services/node/owners/machine-owners.ts';
import type { Storage } from '../../../../src/storage/storage.ts';

export function ownersOf(storage: Storage, clock: Clock, leaseMs?: number): MachineOwners {
  return new MachineOwners({
    leases: storage.shardLeases,
    nodes: storage.liveNodes,
    clock,
    id: randomUUID(),
    isAlone: false,
    leaseMs,
    onError: (error) => {
      throw error;
    },
  });
}
