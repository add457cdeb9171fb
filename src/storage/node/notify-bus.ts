// Event bus between nodes on one PostgreSQL: NOTIFY, on a connection of its own that also listens.
//
// NOTIFY inside every commit would cost most of the throughput, because PostgreSQL runs the notifying commits of a
// database one after the other. It is sent after the commit instead, with everything that was committed while the one
// before was being sent. A lost connection loses notices, so listeners are told `all` after each reconnection. They are
// told `all` every ten seconds as well, because another node may have failed to send a notice.

import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import pg from 'pg';
import { type CommitNotice, type EventBus, type Listener, LocalBus, mergeNotice } from './event-bus.ts';

export interface NotifyBusOptions {
  readonly databaseUrl: string;
  /** Schema of the tables; nodes on other schemas of the database use other channels. */
  readonly schema?: string | undefined;
  /** Identifies this node among the listeners; must not contain a space. */
  readonly nodeId: string;
  readonly onFailed: (error: unknown) => void;
  /** Interval at which the connection is tested and listeners are told `all`. */
  readonly checkMs?: number;
}

/** PostgreSQL limits a payload of NOTIFY to fewer than 8000 bytes. */
const MAX_PAYLOAD_BYTES = 7_900;
/** More payloads than this at once are replaced by `all`. */
const MAX_PAYLOADS = 8;
const CHECK_MS = 10_000;
const TIMEOUT_MS = 5_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** The server notices within 25 s that a node vanished without closing its connections, and frees what it held. */
const KEEP_ALIVE = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';
/** In place of notices: keys have changed. */
const KEY_CHANGE = 'keys';
const NOTICE = /^([0-9a-f-]{36}):(\d{1,15})-(\d{1,15})$/;

interface Connection {
  readonly client: pg.Client;
  /** To destroy the connection when its other end is gone: `client.end()` would wait for an answer. */
  readonly socket: Socket;
}

export class NotifyBus implements EventBus {
  readonly #options: NotifyBusOptions;
  readonly #channel: string;
  readonly #local = new LocalBus();
  /** Receives what this node publishes, but not what other nodes did. */
  readonly #sender: Listener = (notices) => this.#enqueue(notices);
  #unsent = new Map<string, CommitNotice>();
  #mustSendAll = false;
  #mustSendKeyChange = false;
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();
  #connection: Connection | undefined;
  #failures = 0;
  #isClosed = false;
  #retry: NodeJS.Timeout | undefined;
  readonly #check: NodeJS.Timeout;

  constructor(options: NotifyBusOptions) {
    this.#options = options;
    this.#channel = channelOf(options.schema);
    this.#local.subscribe(this.#sender);
    this.#check = setInterval(() => void this.#checkConnection(), options.checkMs ?? CHECK_MS).unref();
  }

  /** Tries to connect; later attempts follow by themselves. Never rejects. */
  async start(): Promise<void> {
    await this.#connect();
  }

  publish(notice: CommitNotice): void {
    this.#local.publish(notice);
  }

  subscribe(listener: Listener): () => void {
    return this.#local.subscribe(listener);
  }

  publishKeyChange(): void {
    this.#mustSendKeyChange = true;
    this.#send();
  }

  onKeyChange(listener: () => void): void {
    this.#local.onKeyChange(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#check);
    clearTimeout(this.#retry);
    await this.#local.close();
    await this.#sending;
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.client.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const socket = new Socket();
    const client = new pg.Client({
      connectionString: this.#options.databaseUrl,
      application_name: sessionNameOf(this.#options.nodeId, this.#options.schema),
      stream: () => socket,
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    const connection: Connection = { client, socket };
    let isLost = false;
    const onLost = (error: unknown) => {
      if (isLost) return;
      isLost = true;
      this.#reconnect(connection, error);
    };
    client.on('error', onLost);
    client.on('end', () => onLost(new Error('The connection that listens for new rows has ended.')));
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    try {
      await client.connect();
      // Notices need not survive a crash, so their commits do not wait for the disk.
      await client.query(`set synchronous_commit = off; ${KEEP_ALIVE}; listen ${this.#channel}`);
    } catch (error) {
      onLost(error);
      return;
    }
    if (isLost) return;
    if (this.#isClosed) {
      await client.end().catch(() => undefined);
      return;
    }
    this.#connection = connection;
    this.#failures = 0;
    this.#local.notify('all', this.#sender);
    this.#local.notifyKeyChange();
    this.#send();
  }

  #reconnect(lost: Connection, error: unknown): void {
    if (this.#connection === lost) this.#connection = undefined;
    lost.socket.destroy();
    if (this.#isClosed) return;
    this.#options.onFailed(error);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures++, MAX_PAUSE_MS);
    this.#retry = setTimeout(() => void this.#connect(), pause).unref();
  }

  #enqueue(notices: readonly CommitNotice[] | 'all'): void {
    if (notices === 'all') this.#mustSendAll = true;
    else for (const notice of notices) mergeNotice(this.#unsent, notice);
    this.#send();
  }

  /** Sends one statement at a time; notices that arrive meanwhile go with the next. */
  #send(): void {
    if (!this.#isSending) this.#sending = this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#connection !== undefined && (this.#mustSendAll || this.#mustSendKeyChange || this.#unsent.size > 0)) {
      const payloads = this.#payloads();
      this.#unsent = new Map();
      this.#mustSendAll = false;
      this.#mustSendKeyChange = false;
      try {
        await this.#connection.client.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
          this.#channel,
          payloads,
        ]);
      } catch (error) {
        this.#mustSendAll = true;
        this.#mustSendKeyChange = true;
        this.#connection?.socket.destroy();
        this.#connection = undefined;
        this.#options.onFailed(error);
      }
    }
    this.#isSending = false;
  }

  #payloads(): string[] {
    const { nodeId } = this.#options;
    const keys = this.#mustSendKeyChange ? [`${nodeId} ${KEY_CHANGE}`] : [];
    const all = [...keys, `${nodeId} all`];
    if (this.#mustSendAll) return all;
    if (this.#unsent.size === 0) return keys;
    const payloads: string[] = [...keys];
    let payload = '';
    for (const { machineId, first, last } of this.#unsent.values()) {
      const piece = ` ${machineId}:${first}-${last}`;
      if (payload !== '' && nodeId.length + payload.length + piece.length > MAX_PAYLOAD_BYTES) {
        payloads.push(`${nodeId}${payload}`);
        payload = '';
      }
      payload += piece;
    }
    payloads.push(`${nodeId}${payload}`);
    return payloads.length > MAX_PAYLOADS ? all : payloads;
  }

  #receive(payload: string): void {
    const [from, ...pieces] = payload.split(' ');
    if (from === this.#options.nodeId) return;
    if (pieces[0] === KEY_CHANGE) {
      this.#local.notifyKeyChange();
      return;
    }
    this.#local.notify(parseNotices(pieces) ?? 'all', this.#sender);
  }

  async #checkConnection(): Promise<void> {
    this.#local.notify('all', this.#sender);
    this.#local.notifyKeyChange();
    const connection = this.#connection;
    // Destroying the socket emits `end`, which reconnects.
    await connection?.client.query('select 1').catch(() => connection.socket.destroy());
  }
}

/** Name of the session that listens for a node: it lives as long as the node. At most 63 bytes. */
export function sessionNameOf(nodeId: string, schema?: string): string {
  return `${channelOf(schema)}/${nodeId}`;
}

/** Channel of a schema. Limited to 63 bytes, as is the schema's name. */
export function channelOf(schema = 'public'): string {
  return `svc_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`;
}

/** @returns undefined for anything but a list of notices, since another version of the service may send more */
function parseNotices(pieces: readonly string[]): CommitNotice[] | undefined {
  const notices: CommitNotice[] = [];
  for (const piece of pieces) {
    const [, machineId, first, last] = NOTICE.exec(piece) ?? [];
    if (machineId === undefined) return undefined;
    notices.push({ machineId, first: Number(first), last: Number(last) });
  }
  return notices.length === 0 ? undefined : notices;
}
