// Everything that goes on after its answer has begun: server-sent events and the WebSocket, with one count of both.

import type { Logger } from 'pino';
import { DomainError } from '../core/errors.ts';
import type { InvokeOptions } from '../operations/invoke.ts';
import { type Operation, pathOf } from '../operations/operation.ts';
import type { OwnAddress } from '../operations/own-names.ts';
import type { Services } from '../operations/services.ts';
import { EventAnswers } from './events.ts';
import { OpenStreams } from './open-streams.ts';
import { SocketDoor } from './socket-door.ts';
import { systemTimers, type Timers } from './timers.ts';

export interface StreamsOptions extends OwnAddress {
  readonly operations: readonly Operation[];
  readonly services: Services;
  readonly log: Pick<Logger, 'error'>;
  readonly options: InvokeOptions;
  readonly timers?: Timers | undefined;
}

export interface Streams {
  readonly events: EventAnswers;
  readonly door: SocketDoor;
  /** How many are open. */
  count(): number;
  /** End all of them; runs that were asked for over a WebSocket go on to their end. */
  close(): Promise<void>;
}

export function createStreams({
  operations,
  services,
  log,
  options,
  host,
  publicUrl,
  timers,
}: StreamsOptions): Streams {
  const open = new OpenStreams();
  const onFailed = (requestId: string, err: unknown) => {
    if (!(err instanceof DomainError)) log.error({ request_id: requestId, err }, 'a stream failed');
  };
  const common = { services, open, timers: timers ?? systemTimers, onFailed };
  const channels = new Map<string, Operation>();
  const solvers = new Map<string, Operation>();
  for (const operation of operations) {
    if (operation.events) channels.set(operation.events.channel, operation);
    if (operation.hasProgress) solvers.set(pathOf(operation).replace(/^.*\//, ''), operation);
  }
  return {
    events: new EventAnswers(common),
    door: new SocketDoor({ ...common, channels, solvers, options, host, publicUrl }),
    count: () => open.size,
    close: () => open.close(),
  };
}
