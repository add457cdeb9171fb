// Parser of server-sent event streams.
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

export interface ServerEvent {
  /** Of this event, or of the last earlier one that had an id. */
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Yields events as they arrive. Skips comments and events without data. */
export async function* parseServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void, void> {
  let rest = '';
  let data: string[] = [];
  let event = 'message';
  let id: string | undefined;
  for await (const text of body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, name = '', value = ''] = /^(data|event|id): ?(.*)$/s.exec(line) ?? [];
      if (name === 'data') data.push(value);
      else if (name === 'event') event = value;
      else if (name === 'id') id = value;
      if (line !== '') continue;
      if (data.some((part) => part !== '')) yield { id, event, data: data.join('\n') };
      data = [];
      event = 'message';
    }
  }
}

/** Yields the data of each event. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  for await (const { data } of parseServerEvents(body)) yield data;
}
