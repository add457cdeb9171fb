import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from '../../../src/services/node/lifecycle.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a periodic task runs from start to stop, without overlap, and continues after a failure', async () => {
  const failures: unknown[] = [];
  const runs: PromiseWithResolvers<void>[] = [];
  const task = () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  };
  const lifecycle = repeat(100, task, (error) => failures.push(error));
  await vi.advanceTimersByTimeAsync(300);
  expect(runs).toHaveLength(0);
  lifecycle.start();
  await vi.advanceTimersByTimeAsync(300);
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('once'));
  await vi.advanceTimersByTimeAsync(100);
  expect(runs).toHaveLength(2);
  expect(failures).toEqual([new Error('once')]);
  let isStopped = false;
  const stopped = lifecycle.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(300);
  expect(isStopped).toBe(false);
  runs[1]?.resolve();
  await stopped;
  await vi.advanceTimersByTimeAsync(300);
  expect(runs).toHaveLength(2);
});

test('a task that was never started stops immediately', async () => {
  await repeat(
    100,
    async () => {},
    () => expect.unreachable(),
  ).stop();
});
