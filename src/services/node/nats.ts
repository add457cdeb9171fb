// The connection of this node to NATS: made in the background, made again when it breaks off. The only door to the NATS
// client, which is loaded if NATS_URL is set. https://docs.nats.io/nats-concepts/core-nats

import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';

export interface NatsOptions {
  /** Servers, separated by commas. */
  readonly url: string;
  /** Name of the connection, for those who look at the server. */
  readonly name: string;
  readonly onChange: (message: string) => void;
}

/** A message that has arrived. */
export interface NatsMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** Whether the sender waits for a reply. */
  readonly hasReply: boolean;
  header(name: string): string | undefined;
  /** One of any number of replies; nothing without a subject for them. */
  reply(text: string, headers?: Readonly<Record<string, string>>): void;
}

export interface Subscribed {
  readonly subject: string;
  /** Of the subscriptions with one name, one takes a message. */
  readonly group?: string;
  readonly take: (message: NatsMessage) => void;
}

export interface Answers {
  onPart(text: string): void;
  /** Nobody listens to the subject. */
  onNobody(): void;
  onFailed(error: Error): void;
}

const RECONNECT_MS = 500;
const CLOSE_MS = 2_000;
/** Status of a reply by the server itself: nobody listens to the subject. */
const NO_RESPONDERS = 503;

type Client = Awaited<typeof import('@nats-io/transport-node')>;

export class Nats {
  readonly #options: NatsOptions;
  readonly #closing = new AbortController();
  readonly #subscribed = new Map<Subscribed, Subscription | undefined>();
  readonly #onLost: (() => void)[] = [];
  #client: Client | undefined;
  #connection: NatsConnection | undefined;
  #isConnected = false;

  constructor(options: NatsOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** The longest message in bytes; 0 without a connection. */
  get maxBytes(): number {
    return this.#isConnected ? (this.#connection?.info?.max_payload ?? 0) : 0;
  }

  /** Calls `listener` when the connection breaks off: replies that were on their way are lost with it. */
  onLost(listener: () => void): void {
    this.#onLost.push(listener);
  }

  /** Connects, or goes on trying in the background. */
  async start(): Promise<void> {
    this.#client = await import('@nats-io/transport-node');
    const retry = () => {
      if (this.#closing.signal.aborted) return;
      setTimeout(() => void this.#connect().catch(retry), RECONNECT_MS).unref();
    };
    await this.#connect().catch((error) => {
      this.#options.onChange(`NATS cannot be reached (${messageOf(error)}); the node goes on trying.`);
      retry();
    });
  }

  async #connect(): Promise<void> {
    const { url, name } = this.#options;
    const connection = await this.#client?.connect({
      servers: url.split(','),
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      timeout: CLOSE_MS,
    });
    if (connection === undefined || this.#closing.signal.aborted) return connection?.close();
    this.#connection = connection;
    this.#isConnected = true;
    for (const subscribed of this.#subscribed.keys()) this.#subscribe(connection, subscribed);
    void this.#follow(connection);
  }

  /** Takes messages from now on, also after a reconnection. @returns takes those on their way, and no more */
  subscribe(subscribed: Subscribed): () => Promise<void> {
    this.#subscribed.set(subscribed, undefined);
    if (this.#connection !== undefined) this.#subscribe(this.#connection, subscribed);
    return async () => {
      const subscription = this.#subscribed.get(subscribed);
      this.#subscribed.delete(subscribed);
      if (this.#isConnected) await subscription?.drain();
    };
  }

  #subscribe(connection: NatsConnection, subscribed: Subscribed): void {
    const { subject, group, take } = subscribed;
    const subscription = connection.subscribe(subject, {
      ...(group === undefined ? {} : { queue: group }),
      callback: (error, message) => void (error ?? take(this.#messageOf(message))),
    });
    this.#subscribed.set(subscribed, subscription);
  }

  /** Sends a message that is answered in parts. @returns ends the wait for them */
  request(subject: string, text: string, answers: Answers): () => void {
    const connection = this.#connection;
    if (connection === undefined || this.#client === undefined) throw new Error('NATS is not connected.');
    const inbox = this.#client.createInbox();
    const replies = connection.subscribe(inbox, {
      callback: (error, reply) => {
        if (error) answers.onFailed(error);
        else if (reply.data.length === 0 && reply.headers?.code === NO_RESPONDERS) answers.onNobody();
        else answers.onPart(reply.string());
      },
    });
    connection.publish(subject, text, { reply: inbox });
    return () => {
      if (!replies.isClosed()) replies.unsubscribe();
    };
  }

  #messageOf(message: Msg): NatsMessage {
    return {
      subject: message.subject,
      bytes: message.data,
      hasReply: message.reply !== undefined && message.reply !== '',
      header: (name) => message.headers?.get(name) || undefined,
      reply: (text, headers) => {
        const sent = headers === undefined ? undefined : this.#client?.headers();
        for (const [name, value] of Object.entries(headers ?? {})) sent?.set(name, value);
        message.respond(text, sent === undefined ? {} : { headers: sent });
      },
    };
  }

  async #follow(connection: NatsConnection): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') {
        this.#isConnected = false;
        for (const listener of this.#onLost) listener();
        if (!this.#closing.signal.aborted) this.#options.onChange('NATS is gone; the node goes on trying.');
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
