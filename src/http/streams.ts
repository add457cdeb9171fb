// Serves event streams. Once a stream has started, Koa no longer writes to its response.

import type Koa from 'koa';
import type { OpenedChannel } from '../operations/channel.ts';
import type { EventResponder, SendFramesOptions } from '../streams/event-responder.ts';
import type { Reauthentication } from './admission.ts';

/** Does the client prefer server-sent events to JSON? */
export function wantsEvents(context: Koa.Context): boolean {
  context.vary('Accept');
  return context.accepts('application/json', 'text/event-stream') === 'text/event-stream';
}

/** Does the client of a channel prefer JSON to server-sent events? */
export function wantsJson(context: Koa.Context): boolean {
  context.vary('Accept');
  return context.accepts('text/event-stream', 'application/json') === 'application/json';
}

/** The reader of a stream, who may have to be reauthenticated. */
export interface StreamReader extends Omit<SendFramesOptions, 'reauthorize'>, Reauthentication {}

/** @throws DomainError  as opening the channel does, before the first byte */
export async function serveChannel(
  context: Koa.Context,
  events: EventResponder,
  open: () => Promise<OpenedChannel>,
  { hasKey, reauthenticate, ...reader }: StreamReader,
): Promise<void> {
  const { frames, reauthorize } = await open();
  const check = reauthorize ? async () => reauthorize(await reauthenticate()) : hasKey ? reauthenticate : undefined;
  if (context.method === 'HEAD') events.sendHead(context.res);
  else await events.sendFrames(context.res, frames, { ...reader, reauthorize: check });
  context.respond = false;
}
