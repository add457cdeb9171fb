// Messages between nodes over NATS: requests on a subject of each node, with replies in parts; an empty one is the last.
// The only door to the NATS client, which is loaded if NATS_URL is set. https://docs.nats.io/nats-concepts/core-nats/reqreply

import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { withResolvers } from '../../../core/with-resolvers.ts';
import { type NodeAddress, type Receive, type Transport, Undelivered } from './transport.ts';

export interface NatsOptions {
  /** Servers, separated by commas. */
  readonly url: string;
  /** Id of this node. */
  readonly id: string;
  readonly receive: Receive;
  readonly onChange: (message: string) => void;
}

const RECONNECT_MS = 500;
const CLOSE_MS = 2_000;
/** Status of a reply by the server itself: nobody listens to the subject. */
const NO_RESPONDERS = 503;
const subjectOf = (id: string) => `svc.calls.${id}`;

export class NatsTransport implements Transport {
  readonly name = 'nats';
  readonly #options: NatsOptions;
  readonly #closing = new AbortController();
  readonly #pending = new Set<(error: Error) => void>();
  #connection: NatsConnection | undefined;
  #isConnected = false;
  #createInbox: () => string = () => '';

  constructor(options: NatsOptions) {
    this.#options = options;
  }

  /** Connects, or goes on trying in the background; meanwhile messages take the other way. */
  async start(): Promise<void> {
    const { connect, createInbox } = await import('@nats-io/transport-node');
    this.#createInbox = createInbox;
    const { url, id, onChange } = this.#options;
    const attempt = async () => {
      const connection = await connect({
        servers: url.split(','),
        name: `svc ${id}`,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_MS,
        timeout: CLOSE_MS,
      });
      if (this.#closing.signal.aborted) return connection.close();
      this.#connection = connection;
      this.#isConnected = true;
      connection.subscribe(subjectOf(id), { callback: (error, message) => void (error ?? this.#take(message)) });
      void this.#follow(connection);
    };
    const retry = () => {
      if (this.#closing.signal.aborted) return;
      setTimeout(() => void attempt().catch(retry), RECONNECT_MS).unref();
    };
    await attempt().catch((error) => {
      onChange(`NATS cannot be reached (${messageOf(error)}); calls between nodes go over HTTP until it can.`);
      retry();
    });
  }

  canSend(bytes: number): boolean {
    return this.#isConnected && bytes <= (this.#connection?.info?.max_payload ?? 0);
  }

  async send(to: NodeAddress, message: string, onPart: (part: string) => void, signal: AbortSignal): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined || !this.#isConnected) throw new Undelivered('NATS is not connected.');
    const inbox = this.#createInbox();
    const { promise, resolve, reject } = withResolvers<void>();
    const take = (reply: Msg) => {
      try {
        onPart(reply.string());
      } catch (error) {
        reject(error);
      }
    };
    const replies = connection.subscribe(inbox, {
      callback: (error, reply) => {
        if (error) reject(error);
        else if (reply.data.length > 0) take(reply);
        else if (reply.headers?.code === NO_RESPONDERS) reject(new Undelivered(`Node ${to.id} is not on NATS.`));
        else resolve();
      },
    });
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    this.#pending.add(reject);
    try {
      connection.publish(subjectOf(to.id), message, { reply: inbox });
      await promise;
    } finally {
      this.#pending.delete(reject);
      signal.removeEventListener('abort', abort);
      if (!replies.isClosed()) replies.unsubscribe();
    }
  }

  async #take(message: Msg): Promise<void> {
    await this.#options.receive(message.string(), (part) => void message.respond(part));
    message.respond();
  }

  /** Follows the connection: replies that were on their way are lost with it. */
  async #follow(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        this.#isConnected = false;
        for (const reject of this.#pending) reject(new Error('NATS broke off.'));
        if (!this.#closing.signal.aborted)
          this.#options.onChange('NATS is gone; calls between nodes go over HTTP until it is back.');
      } else if (type === 'reconnect') {
        this.#isConnected = true;
        this.#options.onChange('NATS is back.');
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#isConnected = false;
    await this.#connection?.close().catch(() => undefined);
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
