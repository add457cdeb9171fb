// Answers that go on, as Koa sees them: once they have begun, they are no longer Koa's.

import type Koa from 'koa';
import type { OpenedChannel } from '../operations/channel.ts';
import type { Principal } from '../services/access/access.ts';
import type { EventAnswers, Reader } from '../streams/events.ts';

/** JSON unless events are what is asked for. */
export function wantsEvents(context: Koa.Context): boolean {
  context.vary('Accept');
  return context.accepts('application/json', 'text/event-stream') === 'text/event-stream';
}

/** The caller of a stream, who may have to be asked for again. */
export interface Follower extends Omit<Reader, 'recheck'> {
  readonly hasKey: boolean;
  /** Who the caller is by now. @throws DomainError  if its key is no longer good */
  readonly renew: () => Promise<Principal | undefined>;
}

/** @throws DomainError  whatever opening the channel refuses, before the first byte */
export async function serveChannel(
  context: Koa.Context,
  events: EventAnswers,
  open: () => Promise<OpenedChannel>,
  { hasKey, renew, ...reader }: Follower,
): Promise<void> {
  const { frames, mayStay } = await open();
  const recheck = mayStay ? async () => mayStay(await renew()) : hasKey ? renew : undefined;
  if (context.method === 'HEAD') events.head(context.res);
  else await events.relay(context.res, frames, { ...reader, recheck });
  context.respond = false;
}
