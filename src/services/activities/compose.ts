// Composes the worker that performs the activities of contracts.

import type { CompiledContract } from '../../contracts/compiled.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { EngineModule } from '../engine/compose.ts';
import type { NodeServices } from '../node/compose.ts';
import type { Lifecycle } from '../node/lifecycle.ts';
import type { OutboundClient } from '../node/outbound.ts';
import type { Platform } from '../node/platform.ts';
import type { WebhookModule } from '../webhooks/compose.ts';
import { assertCallable } from './assert-callable.ts';
import { ActivityService } from './pending.ts';
import { ActivityWorker } from './worker.ts';

export interface ActivityServices {
  readonly activities: ActivityService;
}

export interface ActivityModule {
  readonly services: ActivityServices;
  /** @throws DomainError VALIDATION_FAILED if a contract sends a request to a host that is not allowed */
  readonly assertCallable: (contract: CompiledContract, machine: Machine, previous?: CompiledContract) => void;
  /** Tells the worker that activities have been started. */
  readonly wake: () => void;
  readonly lifecycle: Lifecycle;
}

type ActivityOptions = Platform &
  Pick<NodeServices, 'owners'> &
  Pick<EngineModule, 'engine' | 'seal' | 'shards'> &
  Pick<WebhookModule, 'secrets'> & { readonly outbound: OutboundClient };

export function composeActivities({ storage, log, owners, ...options }: ActivityOptions): ActivityModule {
  const worker = new ActivityWorker({
    ...storage,
    ...options,
    owners: owners.owners,
    onError: (err) => log.warn({ err }, 'activity could not be performed'),
  });
  return {
    services: { activities: new ActivityService(storage.activities) },
    assertCallable: (contract, machine, previous) => assertCallable(contract, machine, options.outbound, previous),
    wake: () => worker.wake(),
    lifecycle: worker,
  };
}
