// Requests that a client sends on one connection without waiting for answers: they are handled one after the other, each
// when the answer before it has left the process.
//
// Node hands over each request as soon as it has read it, and 64 kB hold 2,500. 200 connections had as many requests in
// work as they sent, so that others waited for more than a minute.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** @param maxWaiting  requests that may wait; a connection with more of them is closed */
export function oneAtATime(respond: RequestListener, maxWaiting: number): RequestListener {
  /** Of each connection that has a request in work, those after it. */
  const waiting = new WeakMap<Socket, (readonly [IncomingMessage, ServerResponse])[]>();

  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.socket.destroyed) return;
    response.once('close', () => beginNext(request.socket));
    respond(request, response);
  };

  const beginNext = (socket: Socket): void => {
    const next = waiting.get(socket)?.shift();
    if (next === undefined) waiting.delete(socket);
    // One in each turn of the event loop, so that connections take turns.
    else setImmediate(begin, ...next);
  };

  return (request, response) => {
    const { socket } = request;
    // The rest of what was read with the request that closed the connection.
    if (socket.destroyed) return;
    const others = waiting.get(socket);
    if (others === undefined) {
      waiting.set(socket, []);
      begin(request, response);
    } else if (others.length < maxWaiting) others.push([request, response]);
    else {
      ignoreRest(socket);
      socket.destroy();
    }
  };
}

/** The parser cannot stop in the middle of what it has read: 1,000 requests, at 15 µs each unless they are ignored. */
function ignoreRest(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: unknown } | null };
  if (parser) parser.onIncoming = () => 0;
}
