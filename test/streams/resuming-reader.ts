// A client that reads an event stream over many connections and resumes each time.

import { type Event, openEvents } from './sse-reader.ts';

/**
 * Reads the first `rows` rows, reconnecting after each count in `framesPerConnection`, which is repeated cyclically.
 *
 * @param urlOf  URL of the channel for the given connection number
 */
export async function readWithReconnects(
  urlOf: (connection: number) => string,
  framesPerConnection: readonly number[],
  rows: number,
  key?: string,
): Promise<Event[]> {
  const received: Event[] = [];
  for (let connection = 0; received.length < rows; connection++) {
    const last = received.at(-1)?.id ?? '0';
    const stream = await openEvents(urlOf(connection), { key, headers: { 'last-event-id': last } });
    if (stream.status !== 200) throw new Error(`${stream.status} ${await stream.text()}`);
    const max = framesPerConnection[connection % framesPerConnection.length] ?? 1;
    const begin = await stream.next();
    if (begin?.event !== 'begin' || begin.id !== last)
      throw new Error(`unexpected first frame ${JSON.stringify(begin)}`);
    for (let count = 0; count < max && received.length < rows; count++) {
      const event = await stream.next();
      if (event === undefined) break;
      received.push(event);
    }
    stream.close();
  }
  return received;
}
