// Client for server-sent events: reads one event per call and records comments and retry delays.

import { type IncomingMessage, request } from 'node:http';

export interface Event {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventReader {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The next event, or undefined at the end of the stream. */
  next(): Promise<Event | undefined>;
  /** All events up to the end. */
  rest(): Promise<Event[]>;
  /** Blocks that are not events: comments and the retry delay. */
  readonly nonEvents: readonly string[];
  /** The body of a response that is not an event stream. */
  text(): Promise<string>;
  close(): void;
}

export interface RequestOptions {
  readonly method?: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export function openEvents(
  url: string,
  { method = 'GET', key, headers = {}, body }: RequestOptions = {},
): Promise<EventReader> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const allHeaders = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(content === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers: allHeaders, agent: false }, (response) =>
      resolve(createReader(response)),
    );
    outgoing.on('error', reject);
    outgoing.end(content);
  });
}

function createReader(response: IncomingMessage): EventReader {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const nonEvents: string[] = [];
  let text = '';
  async function next(): Promise<Event | undefined> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        const event = parseEvent(block);
        if (event) return event;
        nonEvents.push(block);
        continue;
      }
      const chunk = await chunks.next().catch(() => ({ done: true, value: undefined }));
      if (chunk.done || chunk.value === undefined) return undefined;
      text += chunk.value.toString('utf8');
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    nonEvents,
    next,
    async rest() {
      const events: Event[] = [];
      for (let event = await next(); event; event = await next()) events.push(event);
      return events;
    },
    async text() {
      for (;;) {
        const chunk = await chunks.next();
        if (chunk.done) return text;
        text += chunk.value.toString('utf8');
      }
    },
    close: () => response.destroy(),
  };
}

function parseEvent(block: string): Event | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { id: fields.get('id'), event: fields.get('event') ?? 'message', data: JSON.parse(data) };
}
