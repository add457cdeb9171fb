// Long-lived responses: server-sent events and the WebSocket, with common limits.

import type { Logger } from 'pino';
import { DomainError } from '../core/errors.ts';
import type { ServiceAddress } from '../operations/allowed-hosts.ts';
import type { InvokeOptions } from '../operations/invoke.ts';
import type { Operation } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import type { ForwardedHeaders } from '../services/access/forwarded-headers.ts';
import { EventResponder } from './event-responder.ts';
import { OpenStreams } from './open-streams.ts';
import { Rechecks } from './rechecks.ts';
import { systemTimers, type Timers } from './timers.ts';
import { UpgradeHandler } from './upgrade-handler.ts';

export interface StreamsOptions extends ServiceAddress {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly log: Pick<Logger, 'error'>;
  readonly invokeOptions: InvokeOptions;
  readonly forwarded: ForwardedHeaders;
  readonly timers?: Timers | undefined;
}

export interface Streams {
  readonly events: EventResponder;
  readonly upgradeHandler: UpgradeHandler;
  /** Number of open streams. */
  count(): number;
  /** Ends all streams; runs started over a WebSocket finish first. */
  close(): Promise<void>;
}

export function createStreams({
  operations,
  services,
  log,
  invokeOptions,
  forwarded,
  host,
  publicUrl,
  timers,
}: StreamsOptions): Streams {
  const open = new OpenStreams(services.streamCounts);
  const onError = (requestId: string, err: unknown) => {
    if (!(err instanceof DomainError)) log.error({ request_id: requestId, err }, 'a stream failed');
  };
  const rechecks = new Rechecks(services.access);
  const common = { services, open, timers: timers ?? systemTimers, rechecks, onError };
  const channels = new Map<string, Operation>();
  const solvers = new Map<string, Operation>();
  for (const operation of operations) {
    if (operation.events) channels.set(operation.events.channel, operation);
    if (operation.solver !== undefined) solvers.set(operation.solver, operation);
  }
  return {
    events: new EventResponder(common),
    upgradeHandler: new UpgradeHandler({ ...common, channels, solvers, invokeOptions, forwarded, host, publicUrl }),
    count: () => open.size,
    close: () => open.close(),
  };
}
