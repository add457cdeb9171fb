// A TCP proxy on loopback before PostgreSQL that can go silent: it keeps every connection open and forwards nothing. It can
// also break off at each commit.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  /** Address of the database through the proxy. */
  readonly databaseUrl: string;
  /** From now on nothing is forwarded, and new connections are accepted but not answered. */
  silence(): void;
  /** New connections are forwarded again. The silent ones stay silent, as after a lost route. */
  resume(): void;
  /** Each connection that commits is broken off, `before` the database hears of it or `after`; undefined ends that. */
  breakCommits(at: 'before' | 'after' | undefined): void;
  /** Number of commits that were broken off. */
  readonly brokenCommits: () => number;
  close(): Promise<void>;
}

export async function silentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let breaksCommits: 'before' | 'after' | undefined;
  let brokenCommits = 0;
  const server = createServer((client) => {
    add(client);
    if (isSilent) return;
    const upstream = connect(Number(target.port || 5432), target.hostname);
    add(upstream);
    client.on('data', (bytes) => {
      if (breaksCommits === undefined || !bytes.includes(COMMIT)) return void upstream.write(bytes);
      brokenCommits++;
      if (breaksCommits === 'before') return void upstream.destroy();
      // The answer goes to nobody.
      upstream.removeAllListeners('data').resume();
      upstream.write(bytes);
      upstream.once('data', () => client.destroy());
    });
    client.on('end', () => upstream.end());
    upstream.once('close', () => client.destroy());
    forward(upstream, client);
  });
  function add(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    databaseUrl: url.href,
    silence: () => {
      isSilent = true;
      for (const socket of sockets) socket.removeAllListeners('data').removeAllListeners('end');
      // A proxy that went silent still reads.
      for (const socket of sockets) socket.resume();
    },
    resume: () => {
      isSilent = false;
    },
    breakCommits: (at) => {
      breaksCommits = at;
    },
    brokenCommits: () => brokenCommits,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Text of the statement, as the protocol ends it. */
const COMMIT = Buffer.from('commit\0');

function forward(from: Socket, to: Socket): void {
  from.on('data', (bytes) => to.write(bytes));
  from.on('end', () => to.end());
}
