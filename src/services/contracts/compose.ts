// Composes the contract services: deployment, generation, previews, proofs and what-if analysis.

import type { PoolOptions } from '../../kernels/task-pool.ts';
import { OPERATORS } from '../../operators/load.ts';
import type { EngineModule } from '../engine/compose.ts';
import type { MachineServices } from '../machines/compose.ts';
import type { NodeServices } from '../node/compose.ts';
import type { Platform } from '../node/platform.ts';
import { CallerContracts } from './caller-contracts.ts';
import { ContractService, type ContractServiceOptions } from './contracts.ts';
import { DraftService } from './drafts.ts';
import { GeneratorService } from './generate.ts';
import { InstanceService } from './instances.ts';
import { ContractParties } from './parties.ts';
import { ContractPreviews } from './preview.ts';
import { ContractProofs } from './proof.ts';
import { SeatService } from './seats.ts';
import { WhatIfService } from './what-if.ts';

export interface ContractServices {
  readonly contracts: ContractService;
  readonly contractInstances: InstanceService;
  readonly contractParties: ContractParties;
  readonly callerContracts: CallerContracts;
  readonly seats: SeatService;
  readonly contractPreviews: ContractPreviews;
  readonly contractProofs: ContractProofs;
  readonly whatIf: WhatIfService;
  readonly generator: GeneratorService;
  readonly drafts: DraftService;
}

type ContractOptions = Platform &
  Pick<NodeServices, 'keyRing'> &
  Pick<EngineModule, 'engine' | 'environment'> &
  Pick<MachineServices, 'machines' | 'trees'> &
  Required<Pick<ContractServiceOptions, 'assertReachable'>> & { readonly workerOptions: PoolOptions };

export function composeContracts(options: ContractOptions): { readonly services: ContractServices } {
  const { storage, clock, keyRing, engine, environment, machines, trees, assertReachable, workerOptions } = options;
  const { runtimes } = engine;
  const roleOf: ContractServiceOptions['roleOf'] = (machine, by) => machines.roleOf(machine, by);
  const contracts = new ContractService({
    ...storage,
    engine,
    operators: OPERATORS,
    roleOf,
    assertReachable,
  });
  return {
    services: {
      contracts,
      contractInstances: new InstanceService({ ...storage, engine, environment }),
      contractParties: new ContractParties({ storage, engine, machines, contracts, environment }),
      callerContracts: new CallerContracts({ storage, machines, contracts }),
      seats: new SeatService(storage),
      contractPreviews: new ContractPreviews({ storage, runtimes, environment, clock }),
      contractProofs: new ContractProofs({ storage, trees, receipts: keyRing.receipts, clock, roleOf }),
      whatIf: new WhatIfService({ storage, runtimes, contracts, environment, clock }),
      generator: new GeneratorService({ contracts, environment }),
      drafts: new DraftService(clock, workerOptions),
    },
  };
}
