// News between nodes on one PostgreSQL: NOTIFY, on a connection of its own that also listens.
//
// NOTIFY inside every commit would cost most of the throughput (all notifying commits of a database take turns), so it
// is sent after the commit, and all that was committed while the one before was under way is sent together. What a lost
// connection swallowed is made good by `all`: after each reconnection, and every ten seconds in any case, because another
// node may have failed to say what it wrote.

import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { addNews, type EventBus, type Listener, LocalBus, type News } from './event-bus.ts';

export interface NotifyBusOptions {
  readonly databaseUrl: string;
  /** Where the tables live: nodes on other schemas of the database hear other news. */
  readonly schema?: string | undefined;
  /** Names this node among those that listen; without blanks. */
  readonly nodeId: string;
  readonly onFailed: (error: unknown) => void;
  /** How often the connection is looked after, and all listeners are told to look for themselves. */
  readonly checkMs?: number;
}

/** A payload of NOTIFY is shorter than 8000 bytes. */
const PAYLOAD_BYTES = 7_900;
/** Beyond so many payloads at once, `all` says as much. */
const MOST_PAYLOADS = 8;
const CHECK_MS = 10_000;
const TIMEOUT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
const NEWS = /^([0-9a-f-]{36}):(\d{1,15})-(\d{1,15})$/;

interface Link {
  readonly client: pg.Client;
  /** A connection whose other end is gone cannot be ended politely. */
  readonly socket: Socket;
}

export class NotifyBus implements EventBus {
  readonly #options: NotifyBusOptions;
  readonly #channel: string;
  readonly #local = new LocalBus();
  /** Hears what this node publishes, and is not told what others did. */
  readonly #sender: Listener = (news) => this.#queue(news);
  #unsent = new Map<string, News>();
  #owesAll = false;
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();
  #link: Link | undefined;
  #failures = 0;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  readonly #check: NodeJS.Timeout;

  constructor(options: NotifyBusOptions) {
    this.#options = options;
    this.#channel = channelOf(options.schema);
    this.#local.subscribe(this.#sender);
    this.#check = setInterval(() => void this.#look(), options.checkMs ?? CHECK_MS).unref();
  }

  /** The first try to connect; it is tried again by itself. Never rejects. */
  async start(): Promise<void> {
    await this.#connect();
  }

  publish(news: News): void {
    this.#local.publish(news);
  }

  subscribe(listener: Listener): () => void {
    return this.#local.subscribe(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#check);
    clearTimeout(this.#retry);
    await this.#local.close();
    await this.#sending;
    const link = this.#link;
    this.#link = undefined;
    await link?.client.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      application_name: this.#channel,
      stream: () => socket,
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    const link: Link = { client, socket };
    let isOver = false;
    const lost = (error: unknown) => {
      if (isOver) return;
      isOver = true;
      this.#lost(link, error);
    };
    client.on('error', lost);
    client.on('end', () => lost(new Error('The connection that hears of new rows has ended.')));
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''));
    try {
      await client.connect();
      // News need not outlive a crash: its commits wait for no disk.
      await client.query(`set synchronous_commit = off; listen ${this.#channel}`);
    } catch (error) {
      lost(error);
      return;
    }
    if (isOver) return;
    if (this.#isClosed) {
      await client.end().catch(() => undefined);
      return;
    }
    this.#link = link;
    this.#failures = 0;
    this.#local.tell('all', this.#sender);
    this.#send();
  }

  #lost(link: Link, error: unknown): void {
    if (this.#link === link) this.#link = undefined;
    link.socket.destroy();
    if (this.#isClosed) return;
    this.#options.onFailed(error);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, LONGEST_PAUSE_MS);
    this.#retry = setTimeout(() => void this.#connect(), pause).unref();
  }

  #queue(news: readonly News[] | 'all'): void {
    if (news === 'all') this.#owesAll = true;
    else for (const one of news) addNews(this.#unsent, one);
    this.#send();
  }

  /** One at a time; what comes meanwhile goes with the next one. */
  #send(): void {
    if (!this.#isSending) this.#sending = this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#link !== undefined && (this.#owesAll || this.#unsent.size > 0)) {
      const payloads = this.#payloads();
      this.#unsent = new Map();
      this.#owesAll = false;
      try {
        await this.#link.client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
          this.#channel,
          payloads,
        ]);
      } catch (error) {
        this.#owesAll = true;
        this.#link?.socket.destroy();
        this.#link = undefined;
        this.#options.onFailed(error);
      }
    }
    this.#isSending = false;
  }

  #payloads(): string[] {
    const { nodeId } = this.#options;
    const all = [`${nodeId} all`];
    if (this.#owesAll) return all;
    const payloads: string[] = [];
    let payload = '';
    for (const { machineId, first, last } of this.#unsent.values()) {
      const piece = ` ${machineId}:${first}-${last}`;
      if (payload !== '' && nodeId.length + payload.length + piece.length > PAYLOAD_BYTES) {
        payloads.push(`${nodeId}${payload}`);
        payload = '';
      }
      payload += piece;
    }
    payloads.push(`${nodeId}${payload}`);
    return payloads.length > MOST_PAYLOADS ? all : payloads;
  }

  #hear(payload: string): void {
    const [from, ...pieces] = payload.split(' ');
    if (from === this.#options.nodeId) return;
    this.#local.tell(newsOf(pieces) ?? 'all', this.#sender);
  }

  /** Is the other end still there? */
  async #look(): Promise<void> {
    this.#local.tell('all', this.#sender);
    const link = this.#link;
    // `lost` follows from the end of the socket.
    await link?.client.query('select 1').catch(() => link.socket.destroy());
  }
}

/** Also the name by which PostgreSQL shows the connection. A name of a channel is at most 63 bytes, as is that of a schema. */
export function channelOf(schema = 'public'): string {
  return `svc_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
}

/** Undefined for what is no list of news: another version of this service may say more. */
function newsOf(pieces: readonly string[]): News[] | undefined {
  const news: News[] = [];
  for (const piece of pieces) {
    const [, machineId, first, last] = NEWS.exec(piece) ?? [];
    if (machineId === undefined) return undefined;
    news.push({ machineId, first: Number(first), last: Number(last) });
  }
  return news.length === 0 ? undefined : news;
}
