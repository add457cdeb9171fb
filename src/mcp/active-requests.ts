// Registry of active requests of the 2025 protocol, so that a later message can reach an earlier request.
//
// Every request gets its own server, and no state survives a request. But a 2025 client cancels a call by another POST:
// the session id from `initialize` and the caller's identity together select the call. The id is an identifier without
// state: losing the registry only loses the ability to cancel.

import type { Server } from '@modelcontextprotocol/server';

/** The caller, and the session id that came with the message. */
export interface SessionCaller {
  readonly caller: string;
  readonly sessionId: string;
}

const keyOf = ({ caller, sessionId }: SessionCaller) => `${sessionId}\n${caller}`;

export class ActiveRequests {
  readonly #servers = new Map<string, Set<Server>>();

  get size(): number {
    return this.#servers.size;
  }

  /** @returns a function that removes the request once it has finished */
  add(sender: SessionCaller, server: Server): () => void {
    const key = keyOf(sender);
    const servers = this.#servers.get(key) ?? new Set();
    this.#servers.set(key, servers.add(server));
    return () => {
      servers.delete(server);
      if (servers.size === 0 && this.#servers.get(key) === servers) this.#servers.delete(key);
    };
  }

  /**
   * Forwards a cancellation, or the response to a server's request, to all active requests of the session. Each of them
   * ignores ids that it does not know.
   */
  forward(sender: SessionCaller, message: Readonly<Record<string, unknown>>): void {
    for (const { transport } of this.#servers.get(keyOf(sender)) ?? []) transport?.onmessage?.(message as never);
  }
}

/** Is the message addressed to an active request, rather than the start of a new one? */
export function isForActiveRequest(message: Readonly<Record<string, unknown>>): boolean {
  const { method } = message;
  return method === 'notifications/cancelled' || (method === undefined && ('result' in message || 'error' in message));
}
