// Statements in turns: reads in the background take a few connections of the pool, and leave the others to changes.

import type { Executor } from './sql.ts';

/** Runs statements of `on` in the order in which they come, at most `width` at a time. */
export function inTurns(on: Executor, width: number): Executor {
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = async <Result>(statement: () => PromiseLike<Result>): Promise<Result> => {
    if (running >= width) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await statement();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
  const raw = (...statement: Parameters<Executor['raw']>) => turn(() => on.raw(...statement));
  return { raw: raw as unknown as Executor['raw'] };
}
