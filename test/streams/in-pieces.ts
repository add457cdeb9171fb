// A reader that breaks off again and again, and comes back where it was.

import { type Event, openEvents } from './sse-reader.ts';

/**
 * Rows from the first one on until there are so many: from each connection as many as `pieces` says, one after the other
 * and round again.
 *
 * @param urlOf  the channel, for the connection of this number
 */
export async function readInPieces(
  urlOf: (connection: number) => string,
  pieces: readonly number[],
  rows: number,
  key?: string,
): Promise<Event[]> {
  const seen: Event[] = [];
  for (let connection = 0; seen.length < rows; connection++) {
    const last = seen.at(-1)?.id ?? '0';
    const stream = await openEvents(urlOf(connection), { key, headers: { 'last-event-id': last } });
    if (stream.status !== 200) throw new Error(`${stream.status} ${await stream.text()}`);
    const most = pieces[connection % pieces.length] ?? 1;
    const begin = await stream.next();
    if (begin?.event !== 'begin' || begin.id !== last) throw new Error(`It began with ${JSON.stringify(begin)}.`);
    for (let count = 0; count < most && seen.length < rows; count++) {
      const event = await stream.next();
      if (event === undefined) break;
      seen.push(event);
    }
    stream.hangUp();
  }
  return seen;
}
