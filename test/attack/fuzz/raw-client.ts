// An HTTP client that sends bytes as they are, on connections that it keeps. Others refuse to write what attackers send.

import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Of an event stream only what came with its headers, unless it is read to its end. */
  readonly text: string;
}

export interface RawRequest {
  readonly bytes: Buffer;
  readonly isHead?: boolean;
  /** Nothing comes after the bytes: the client closes its side. */
  readonly isLast?: boolean;
  readonly readsStreams?: boolean;
}

/** A request without an answer after so long has failed. */
const PATIENCE_MS = 60_000;

/** One request at a time. */
export class RawClient {
  readonly #url: URL;
  /** Bytes of the current answer at its start; it grows by doubling, since some answers are megabytes in small pieces. */
  #buffer = Buffer.allocUnsafe(65_536);
  #socket: Socket | undefined;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  send(request: RawRequest): Promise<RawAnswer> {
    const socket = this.#open();
    return new Promise((resolve, reject) => {
      let length = 0;
      const received = () => this.#buffer.subarray(0, length);
      const timer = setTimeout(() => finish(() => reject(new Error('No answer.')), false), PATIENCE_MS);
      const finish = (done: () => void, isReusable: boolean) => {
        clearTimeout(timer);
        socket.removeAllListeners('data').removeAllListeners('close');
        if (!isReusable) this.close();
        done();
      };
      socket.on('data', (chunk) => {
        if (length + chunk.length > this.#buffer.length)
          this.#buffer = Buffer.concat([received()], 2 * (length + chunk.length));
        length += chunk.copy(this.#buffer, length);
        const parsed = parse(received(), request, false);
        if (parsed === undefined) return;
        const isReusable = !request.isLast && parsed.isComplete && parsed.headers.get('connection') !== 'close';
        finish(() => resolve(parsed), isReusable);
      });
      socket.on('close', () => {
        const parsed = parse(received(), request, true);
        finish(() => resolve(parsed ?? { status: 0, headers: new Map(), text: '' }), false);
      });
      if (request.isLast) socket.end(request.bytes);
      else socket.write(request.bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed && this.#socket.readyState !== 'readOnly')
      return this.#socket;
    const socket = connect(Number(this.#url.port), this.#url.hostname);
    socket.setNoDelay(true);
    // A connection that is reset closes, and that is seen.
    socket.on('error', () => {});
    this.#socket = socket;
    return socket;
  }
}

type Parsed = RawAnswer & { readonly isComplete: boolean };

/** @returns undefined while more has to come */
function parse(bytes: Buffer, request: RawRequest, isClosed: boolean): Parsed | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  if (status === 100) return parse(bytes.subarray(end + 4), request, isClosed);
  const headers = new Map(
    lines.map((line): [string, string] => [line.split(':', 1)[0]?.toLowerCase() ?? '', after(line)]),
  );
  const body = bytes.subarray(end + 4);
  const answer = (text: Buffer, isComplete: boolean): Parsed => ({
    status,
    headers,
    text: text.toString(),
    isComplete,
  });
  if (request.isHead || status === 204 || status === 304) return answer(Buffer.alloc(0), true);
  if (headers.get('content-type') === 'text/event-stream' && !request.readsStreams) return answer(body, false);
  if (headers.has('transfer-encoding')) {
    const text = dechunked(body);
    if (text !== undefined) return answer(text, true);
  } else if (headers.has('content-length')) {
    const length = Number(headers.get('content-length'));
    if (body.length >= length) return answer(body.subarray(0, length), true);
  }
  return isClosed ? answer(body, false) : undefined;
}

const after = (line: string) => line.slice(line.indexOf(':') + 1).trim();

function dechunked(body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(body.toString('latin1', at, end), 16);
    if (body.length < end + 2 + size + 2) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(body.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
