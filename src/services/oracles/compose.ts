// Composes the oracle services: pushed readings, and the poller for scheduled ones.

import type { CompiledContract } from '../../contracts/compiled.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { EngineModule } from '../engine/compose.ts';
import type { Lifecycle } from '../node/lifecycle.ts';
import type { OutboundClient } from '../node/outbound.ts';
import type { Platform } from '../node/platform.ts';
import { OracleService } from './oracles.ts';
import { OraclePoller } from './poller.ts';
import { assertReadable } from './sources.ts';

export interface OracleServices {
  readonly oracles: OracleService;
}

export interface OracleModule {
  readonly services: OracleServices;
  /** @throws DomainError VALIDATION_FAILED if the source of a contract's oracle cannot be read */
  readonly assertReadable: (
    contract: CompiledContract,
    machine: Machine,
    askedBy: string,
    previous?: CompiledContract,
  ) => Promise<void>;
  readonly lifecycle: Lifecycle;
}

type OracleOptions = Platform &
  Pick<EngineModule, 'engine' | 'environment' | 'shards'> & { readonly outbound: OutboundClient };

export function composeOracles({
  storage,
  clock,
  log,
  engine,
  environment,
  shards,
  outbound,
}: OracleOptions): OracleModule {
  return {
    services: { oracles: new OracleService({ ...storage, engine, clock }) },
    assertReadable: (contract, machine, askedBy, previous) =>
      assertReadable(contract, machine, askedBy, storage, environment, previous),
    lifecycle: new OraclePoller({
      ...storage,
      engine,
      outbound,
      clock,
      shards,
      onError: (err) => log.warn({ err }, 'oracle could not be polled'),
    }),
  };
}
