import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DomainError } from '../../../src/core/errors.ts';
import { RefusalDelay } from '../../../src/services/access/refusal-delay.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const refused = new DomainError('RATE_LIMITED', 'Limit reached.', { retryAfterSeconds: 1 });

function delayed() {
  let now = 0;
  const delay = new RefusalDelay({ perSecond: 2, held: 3, delayMs: 500 }, { now: () => BigInt(now) * 1_000_000n });
  const sent: string[] = [];
  return {
    sent,
    refuse: async (name: string, tenant = 'noisy', error: unknown = refused) => {
      void delay.wait(error, () => tenant).then(() => sent.push(name));
      await vi.advanceTimersByTimeAsync(0);
    },
    wait: async (ms: number) => {
      now += ms;
      await vi.advanceTimersByTimeAsync(ms);
    },
  };
}

test('the first refusals of a second are sent at once, those after them later', async () => {
  const { sent, refuse, wait } = delayed();
  for (const name of ['1', '2', '3', '4']) await refuse(name);
  expect(sent).toEqual(['1', '2']);
  await wait(500);
  expect(sent).toEqual(['1', '2', '3', '4']);
  await wait(600);
  await refuse('5');
  expect(sent).toContain('5');
});

test('another tenant, and an error that is no refusal, never wait', async () => {
  const { sent, refuse } = delayed();
  for (const name of ['1', '2', '3']) await refuse(name);
  await refuse('quiet', 'quiet');
  await refuse('fault', 'noisy', new DomainError('NOT_FOUND', 'Not found.'));
  expect(sent).toEqual(['1', '2', 'quiet', 'fault']);
});

test('only so many wait, also from one second to the next', async () => {
  const { sent, refuse, wait } = delayed();
  for (const name of ['1', '2', '3', '4', '5', '6']) await refuse(name);
  expect(sent).toEqual(['1', '2', '6']);
  await wait(500);
  expect(sent).toHaveLength(6);
});
