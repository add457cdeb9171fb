// Server-sent events: the data of each event, as it arrives.
// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

/** Comments, names, ids and events without data are passed over. */
export async function* eventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, void> {
  let rest = '';
  let data: string[] = [];
  for await (const text of body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      if (line !== '') continue;
      if (data.some((part) => part !== '')) yield data.join('\n');
      data = [];
    }
  }
}
