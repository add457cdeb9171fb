// A poll that runs at once when asked: requests during a poll, failures, and its end.

import { expect, test } from 'vitest';
import { WakingPoll } from '../../../src/services/node/waking-poll.ts';

const NEVER_MS = 3_600_000;

/** Its runs end one by one, with `more` or an error. */
function createPoll() {
  const ends: ((outcome: boolean | Error) => void)[] = [];
  const errors: unknown[] = [];
  const work = () =>
    new Promise<boolean>((resolve, reject) => {
      ends.push((outcome) => (typeof outcome === 'boolean' ? resolve(outcome) : reject(outcome)));
    });
  const poll = new WakingPoll({ intervalMs: NEVER_MS, work, onError: (error) => errors.push(error) });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const end = async (outcome: boolean | Error) => {
    ends.at(-1)?.(outcome);
    await turn();
    return ends.length;
  };
  return { poll, end, errors };
}

test('goes on while there is more, and once more for a request that came meanwhile', async () => {
  const { poll, end } = createPoll();
  const polled = poll.poll();
  expect(await end(true)).toBe(2);
  poll.wake();
  expect(await end(false)).toBe(3);
  expect(await end(false)).toBe(3);
  await polled;
});

test('reports a failure, and polls again when it is asked', async () => {
  const { poll, end, errors } = createPoll();
  const failed = poll.poll();
  expect(await end(new Error('no answer'))).toBe(1);
  await failed;
  expect(errors).toEqual([new Error('no answer')]);
  poll.wake();
  expect(await end(false)).toBe(2);
});

test('stops after the work in progress, whatever is asked', async () => {
  const { poll, end } = createPoll();
  poll.wake();
  const stopped = poll.stop();
  poll.wake();
  expect(await end(true)).toBe(1);
  await stopped;
  expect(poll.isStopped).toBe(true);
});
