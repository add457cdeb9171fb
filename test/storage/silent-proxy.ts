// A TCP proxy on loopback before PostgreSQL that can go silent: it keeps every connection open and forwards nothing. It can
// also cut off each connection that sends a certain text, such as a commit.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  /** Address of the database through the proxy. */
  readonly databaseUrl: string;
  /** From now on nothing is forwarded, and new connections are accepted but not answered. */
  silence(): void;
  /** New connections are forwarded again. The silent ones stay silent, as after a lost route. */
  resume(): void;
  /** Each connection that sends the text is cut off; undefined ends that. */
  cutOff(cut: Cut | undefined): void;
  /** Number of connections that were cut off. */
  readonly cuts: () => number;
  /** Resets all connections that went silent, on both sides. */
  resetSilent(): void;
  close(): Promise<void>;
}

export interface Cut {
  readonly text: Buffer;
  /** Before the database hears of it, or after it has answered. */
  readonly at: 'before' | 'after';
  /** A silent connection stays open, and nothing that is sent later arrives. */
  readonly by: 'closing' | 'silence';
}

export async function silentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let cut: Cut | undefined;
  let cuts = 0;
  const silent = new Set<Socket>();
  const server = createServer((client) => {
    add(client);
    if (isSilent) return void silent.add(client);
    const upstream = connect(Number(target.port || 5432), target.hostname);
    add(upstream);
    client.on('data', (bytes) => {
      if (cut === undefined || !bytes.includes(cut.text)) return void upstream.write(bytes);
      cuts++;
      const { at, by } = cut;
      if (by === 'closing' && at === 'before') return void upstream.destroy();
      if (by === 'silence') mute(client, upstream);
      // The answer goes to nobody.
      else
        upstream
          .removeAllListeners('data')
          .resume()
          .once('data', () => client.destroy());
      if (at === 'after') upstream.write(bytes);
    });
    client.on('end', () => upstream.end());
    upstream.once('close', () => client.destroy());
    forward(upstream, client);
  });
  function mute(...connection: readonly Socket[]): void {
    for (const socket of connection) {
      silent.add(socket);
      // A proxy that went silent still reads, and tells neither side that the other has left.
      socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close').resume();
      socket.once('close', () => forget(socket));
    }
  }
  function forget(socket: Socket): void {
    sockets.delete(socket);
    silent.delete(socket);
  }
  function add(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => forget(socket));
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
      mute(...sockets);
    },
    resume: () => {
      isSilent = false;
    },
    cutOff: (next) => {
      cut = next;
    },
    cuts: () => cuts,
    resetSilent: () => {
      for (const socket of silent) socket.resetAndDestroy();
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Text of the statement, as the protocol ends it. */
export const COMMIT = Buffer.from('commit\0');

function forward(from: Socket, to: Socket): void {
  from.on('data', (bytes) => to.write(bytes));
  from.on('end', () => to.end());
}
