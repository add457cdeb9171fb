// Reading a log that grows: first what the reader has missed, then each row as it comes.
//
// The next rows are read when the reader has taken the last ones, so that a slow reader costs no memory. One who falls
// too far behind is told which rows were left out, and goes on with the newest.

import { LIMITS } from '../../core/limits.ts';

/** One thing that happened. `seq` rises within a channel; whoever has seen it asks for what came after it. */
export interface Frame {
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Log {
  /** `seq` of the newest row. */
  head(): number | Promise<number>;
  /** Rows with first <= seq <= last. */
  read(first: number, last: number): Iterable<Frame> | AsyncIterable<Frame>;
  /** Settles when there may be a row after `head`, and when the signal aborts. */
  growth(head: number, signal: AbortSignal): Promise<void>;
  /**
   * The row after `seen` that `count` frames follow, up to and including `head`; undefined if there are no more. Only
   * where rows are passed over: else it is the row `head - count`.
   */
  behind?(seen: number, head: number, count: number): Promise<number | undefined>;
}

/** @param since  the last row that the reader has seen; one that is still to come counts as the newest */
export async function* follow(
  log: Log,
  since: number,
  signal: AbortSignal,
  backlog: number = LIMITS.stream.backlog,
): AsyncGenerator<Frame, void, void> {
  let seen = Math.min(since, await log.head());
  while (!signal.aborted) {
    const head = await log.head();
    if (head <= seen) {
      if (!signal.aborted) await log.growth(seen, signal);
      continue;
    }
    if (head - seen > backlog) {
      const to = log.behind ? await log.behind(seen, head, backlog) : head - backlog;
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
