// Answers that go on, as Koa sees them: once they have begun, they are no longer Koa's.

import type Koa from 'koa';
import type { Frame } from '../operations/channel.ts';
import type { EventAnswers, Reader } from '../streams/events.ts';

/** JSON unless events are what is asked for. */
export function wantsEvents(context: Koa.Context): boolean {
  context.vary('Accept');
  return context.accepts('application/json', 'text/event-stream') === 'text/event-stream';
}

/** @throws DomainError  whatever opening the channel refuses, before the first byte */
export async function serveChannel(
  context: Koa.Context,
  events: EventAnswers,
  open: () => Promise<AsyncIterable<Frame>>,
  reader: Reader,
): Promise<void> {
  const frames = await open();
  if (context.method === 'HEAD') events.head(context.res);
  else await events.relay(context.res, frames, reader);
  context.respond = false;
}
