// Clients that use a service without a pause, and count what they sent and what they were answered.

import { connectSocket } from '../streams/socket-client.ts';
import { openEvents } from '../streams/sse-reader.ts';

/** An event that the service has acknowledged. */
export interface Acknowledged {
  readonly slug: string;
  readonly name: string;
}

export interface LoadOptions {
  readonly url: string;
  readonly key: string;
  readonly slugs: readonly string[];
}

/** What a reader of a stream has seen of one machine. */
export interface Seen {
  readonly kind: 'sse' | 'socket';
  readonly slug: string;
  /** Numbers of rows, in the order of their arrival. */
  readonly rows: number[];
  connections: number;
}

/** Then the load ends, and the test fails. */
const MAX_FAILURES = 10;
const HEAT = { dim: 1, nx: 16, steps: 10 };

export class Load {
  readonly acknowledged: Acknowledged[] = [];
  readonly failed: string[] = [];
  readonly seen: Seen[] = [];
  readonly counts = { events: 0, reads: 0, runs: 0 };
  readonly #options: LoadOptions;
  readonly #readers = new Set<() => void>();
  #isOver = false;
  #clients: Promise<void>[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  start(): void {
    const { slugs } = this.#options;
    this.#clients = [
      ...slugs.map((slug, i) => this.#repeat((n) => this.#append(slug, `w${i}_${n}`))),
      ...slugs.slice(0, 2).map((slug) => this.#repeat(() => this.#read(slug))),
      this.#repeat(() => this.#compute()),
      ...slugs.map((slug, i) => this.#follow(slug, i % 2 === 0 ? 'sse' : 'socket')),
    ];
  }

  /** Requests and connections of streams so far. */
  get requests(): number {
    const { events, reads, runs } = this.counts;
    return events + reads + runs + this.seen.reduce((sum, { connections }) => sum + connections, 0);
  }

  /** Ends the requests, then the streams when they have seen the last row of their machine. */
  async stop(lastRowOf: (slug: string) => Promise<number>): Promise<void> {
    this.#isOver = true;
    const [requests, streams] = [this.#clients.slice(0, -this.seen.length), this.#clients.slice(-this.seen.length)];
    await Promise.all(requests);
    for (const { slug, rows } of this.seen) {
      const last = await lastRowOf(slug);
      while ((rows.at(-1) ?? -1) < last && this.failed.length < MAX_FAILURES)
        await new Promise((go) => setTimeout(go, 20));
    }
    for (const close of this.#readers) close();
    await Promise.all(streams);
  }

  async #repeat(request: (n: number) => Promise<void>): Promise<void> {
    for (let n = 0; !this.#isOver && this.failed.length < MAX_FAILURES; n++)
      await request(n).catch((error) => this.#fail('request', error));
  }

  async #append(slug: string, name: string): Promise<void> {
    const answer = await this.#send('POST', `/api/chain/${slug}/event`, { name });
    this.counts.events++;
    if (answer === 201) this.acknowledged.push({ slug, name });
    else this.#fail('event', answer);
  }

  async #read(slug: string): Promise<void> {
    const answer = await this.#send('GET', `/api/chain/${slug}/state`);
    this.counts.reads++;
    if (answer !== 200) this.#fail('read', answer);
  }

  async #compute(): Promise<void> {
    const answer = await this.#send('POST', '/api/svc/heat', HEAT);
    this.counts.runs++;
    if (answer !== 200) this.#fail('run', answer);
  }

  /** @returns the status, with the body if it is a refusal */
  async #send(method: string, path: string, body?: unknown): Promise<number | string> {
    const { url, key } = this.#options;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return response.ok ? response.status : `${response.status} ${text}`;
  }

  #fail(what: string, reason: unknown): void {
    this.failed.push(`${what}: ${reason instanceof Error ? `${reason.message} ${reason.cause}` : reason}`);
  }

  /** Reads a stream of one machine, and connects again where it left off whenever it ends. */
  async #follow(slug: string, kind: Seen['kind']): Promise<void> {
    const seen: Seen = { kind, slug, rows: [], connections: 0 };
    this.seen.push(seen);
    const connect = kind === 'sse' ? () => this.#readEvents(seen) : () => this.#readSocket(seen);
    let isClosed = false;
    this.#readers.add(() => {
      isClosed = true;
    });
    while (!isClosed && this.failed.length < MAX_FAILURES) {
      seen.connections++;
      await connect().catch((error) => this.#fail(kind, error));
    }
  }

  async #readEvents({ slug, rows }: Seen): Promise<void> {
    const { url, key } = this.#options;
    const headers = { 'last-event-id': String(rows.at(-1) ?? 0) };
    const stream = await openEvents(`${url}/api/chain/${slug}/explore/sse`, { key, headers });
    if (stream.status !== 200) throw new Error(`${stream.status} ${await stream.text()}`);
    this.#readers.add(() => stream.close());
    for (let event = await stream.next(); event; event = await stream.next())
      if (event.event === 'event') rows.push(Number(event.id));
  }

  async #readSocket({ slug, rows }: Seen): Promise<void> {
    const { url, key } = this.#options;
    const client = await connectSocket(url);
    this.#readers.add(() => client.socket.close());
    client.send({ op: 'auth', key });
    client.send({ op: 'subscribe', channel: 'explorer', since: rows.at(-1) ?? 0, parameters: { slug } });
    for (;;) {
      const message = await client.receive().catch(() => undefined);
      if (message === undefined) break;
      if (message.type === 'event') rows.push(Number(message.seq));
      else if (message.ok === false && message.code !== 'SHUTTING_DOWN') throw new Error(JSON.stringify(message));
    }
    const { code } = await client.closed();
    // 1001 as the node that stops says; 1005 as this client does.
    if (code !== 1001 && code !== 1005) throw new Error(`The socket was closed with ${code}.`);
  }
}
