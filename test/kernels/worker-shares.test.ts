import { expect, test } from 'vitest';
import { WorkerShares } from '../../src/kernels/worker-shares.ts';

function sharesOf(processors: number) {
  let now = 0;
  const shares = new WorkerShares(processors, () => now);
  /** Starts as many of `count` tasks as the owner may run. @returns how many */
  const startAll = (owner: string, count: number): number => {
    let started = 0;
    for (let i = 0; i < count; i++) shares.enter(owner);
    for (; started < count && shares.mayStart(owner); started++) shares.start(owner);
    return started;
  };
  return {
    shares,
    startAll,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test('an owner alone uses every processor', () => {
  expect(sharesOf(4).startAll('a', 9)).toBe(4);
});

test('while others are present, each has its share, and at least one task', () => {
  const { shares, startAll } = sharesOf(4);
  for (const other of ['b', 'c']) shares.enter(other);
  expect(startAll('a', 9)).toBe(2);
  for (const other of ['d', 'e', 'f', 'g']) shares.enter(other);
  expect(startAll('h', 9)).toBe(1);
});

test('an owner that was served a moment ago keeps its share free, and loses it later', () => {
  const { shares, startAll, wait } = sharesOf(2);
  startAll('quiet', 1);
  shares.leave('quiet', true);
  expect(startAll('noisy', 9)).toBe(1);
  wait(200);
  expect(shares.mayStart('noisy')).toBe(false);
  wait(200);
  expect(shares.mayStart('noisy')).toBe(true);
});

test('the end of a task in one pool lets every pool start another', () => {
  const { shares, startAll } = sharesOf(1);
  const dispatched: string[] = [];
  shares.join(() => dispatched.push(`kernels ${shares.mayStart('a')}`));
  shares.join(() => dispatched.push(`answers ${shares.mayStart('a')}`));
  startAll('a', 2);
  shares.leave('a', true);
  expect(dispatched).toEqual(['kernels true', 'answers true']);
});
