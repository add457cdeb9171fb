// Exchanges of the 2025 generation that are under way, so that a later message can reach an earlier one.
//
// Every request has a server of its own, and nothing is kept between them. But a 2025 client cancels a call by another
// POST: the session id that it was given at `initialize` and its own identity say whose call is meant. The id is a name,
// not a state: losing all of them loses nothing but the way to cancel.

import type { Server } from '@modelcontextprotocol/server';

/** Who speaks: the caller and the session id that came with the message. */
export interface Speaker {
  readonly caller: string;
  readonly sessionId: string;
}

const nameOf = ({ caller, sessionId }: Speaker) => `${sessionId}\n${caller}`;

export class Exchanges {
  readonly #underWay = new Map<string, Set<Server>>();

  get size(): number {
    return this.#underWay.size;
  }

  /** @returns call it when the exchange is over */
  begin(speaker: Speaker, server: Server): () => void {
    const name = nameOf(speaker);
    const servers = this.#underWay.get(name) ?? new Set();
    this.#underWay.set(name, servers.add(server));
    return () => {
      servers.delete(server);
      if (servers.size === 0 && this.#underWay.get(name) === servers) this.#underWay.delete(name);
    };
  }

  /** Hands a cancellation, or the answer to a server's own question, to all exchanges of its session; the one it means knows its id. */
  pass(speaker: Speaker, message: Readonly<Record<string, unknown>>): void {
    for (const { transport } of this.#underWay.get(nameOf(speaker)) ?? []) transport?.onmessage?.(message as never);
  }
}

/** Is this for an exchange under way rather than the beginning of one? */
export function isForAnother(message: Readonly<Record<string, unknown>>): boolean {
  const { method } = message;
  return method === 'notifications/cancelled' || (method === undefined && ('result' in message || 'error' in message));
}
