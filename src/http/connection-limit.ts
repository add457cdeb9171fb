// Connections at a time: of one address, and of the node, which needs descriptors for its database and files too.

import type { Server } from 'node:http';
import { LIMITS } from '../core/limits.ts';

interface ConnectionLimits {
  readonly perAddress: number;
  readonly perNode: number;
}

/**
 * Closes connections beyond the limits as soon as they are made.
 *
 * @param holderOf  whose connections are counted, by the address of a peer; undefined for those without a limit
 */
export function limitConnections(
  server: Server,
  holderOf: (remoteAddress: string | undefined) => string | undefined,
  { perAddress, perNode }: ConnectionLimits = LIMITS.connection,
): void {
  server.maxConnections = perNode;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const holder = holderOf(socket.remoteAddress);
    if (holder === undefined) return;
    const count = open.get(holder) ?? 0;
    if (count >= perAddress) {
      socket.destroy();
      return;
    }
    open.set(holder, count + 1);
    socket.once('close', () => {
      const rest = (open.get(holder) ?? 1) - 1;
      if (rest === 0) open.delete(holder);
      else open.set(holder, rest);
    });
  });
}
