// The log: a failure that repeats is written once, then counted.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from '../src/log.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const lines: Record<string, unknown>[] = [];
  const log = openLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { log, lines, messages: () => lines.map(({ msg, repeated }) => [msg, repeated]) };
}

const full = () => new Error('could not extend file: No space left on device');

test('the same failure five times a second is one line, and one a minute with the number', () => {
  const { log, lines, messages } = open();
  for (let i = 0; i < 300; i++) {
    log.warn({ err: full() }, 'refusals could not be written');
    vi.advanceTimersByTime(200);
  }
  for (let i = 0; i < 299; i++) {
    log.warn({ err: full() }, 'refusals could not be written');
    vi.advanceTimersByTime(200);
  }
  vi.advanceTimersByTime(200);
  expect(messages()).toEqual([
    ['refusals could not be written', undefined],
    ['refusals could not be written', 299],
    ['refusals could not be written', 299],
  ]);
  expect(lines[1]).toMatchObject({ level: 40, err: { message: full().message } });
});

test('what is over is a line again, and leaves no timer', () => {
  const { log, messages } = open();
  log.warn({ err: full() }, 'failed');
  vi.advanceTimersByTime(60_000);
  expect(vi.getTimerCount()).toBe(0);
  log.warn({ err: full() }, 'failed');
  expect(messages()).toEqual([
    ['failed', undefined],
    ['failed', undefined],
  ]);
});

test('other errors, other messages and lines of requests are not left out', () => {
  const { log, lines } = open();
  log.warn({ err: full() }, 'a');
  log.warn({ err: new Error('other') }, 'a');
  log.warn({ err: full() }, 'b');
  for (const request_id of ['1', '2']) log.error({ request_id, err: full() }, 'a');
  for (let i = 0; i < 2; i++) log.warn('the time is not trusted');
  expect(lines).toHaveLength(7);
});
