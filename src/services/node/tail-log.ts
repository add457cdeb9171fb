// Tails a growing log: first the rows after a cursor, then each new row.
//
// Rows are read only after the reader has consumed the previous ones, so a slow reader costs no memory. A reader beyond
// the backlog limit gets a `gap` frame that names the skipped rows, then the newest rows.

import { LIMITS } from '../../core/limits.ts';

/** One event of a channel. `seq` never decreases within a channel; a reader resumes after the last one it received. */
export interface Frame {
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Instead of `data`: its JSON, an object with fields, written once for all readers. */
  readonly json?: string;
}

export interface Log {
  /** `seq` of the newest row. */
  head(): number | Promise<number>;
  /** Rows with first <= seq <= last. */
  read(first: number, last: number): Iterable<Frame> | AsyncIterable<Frame>;
  /** Settles when the log may have grown beyond `head`, and when the signal aborts. */
  waitForGrowth(head: number, signal: AbortSignal): Promise<void>;
  /**
   * The row after `seen` with exactly `count` frames after it, up to and including `head`; undefined if fewer rows
   * match. Needed only by filtered logs; by default it is the row `head - count`.
   */
  seqBehind?(seen: number, head: number, count: number): Promise<number | undefined>;
}

/** @param since  cursor: the last row that the reader has received; a future row counts as the newest one */
export async function* tailLog(
  log: Log,
  since: number,
  signal: AbortSignal,
  backlog: number = LIMITS.stream.backlog,
): AsyncGenerator<Frame, void, void> {
  let seen = Math.min(since, await log.head());
  while (!signal.aborted) {
    const head = await log.head();
    if (head <= seen) {
      if (!signal.aborted) await log.waitForGrowth(seen, signal);
      continue;
    }
    if (head - seen > backlog) {
      const to = log.seqBehind ? await log.seqBehind(seen, head, backlog) : head - backlog;
      if (to !== undefined) {
        yield { seq: to, type: 'gap', data: { from: seen + 1, to } };
        seen = to;
      }
    }
    for await (const frame of log.read(seen + 1, head)) {
      if (signal.aborted) return;
      yield frame;
    }
    seen = head;
  }
}
