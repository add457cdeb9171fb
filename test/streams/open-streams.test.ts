import { expect, test, vi } from 'vitest';
import { OpenStreams } from '../../src/streams/open-streams.ts';

const MAX_STREAMS = { perCaller: 2, perNode: 3 };
const codeOf = (call: () => unknown) => {
  try {
    call();
    return 'none';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
const noop = () => {};

test('limits streams per caller; a released slot is available again', () => {
  const open = new OpenStreams(MAX_STREAMS);
  const first = open.acquire('a', noop);
  open.acquire('a', noop);
  expect(codeOf(() => open.acquire('a', noop))).toBe('RATE_LIMITED');
  first.release();
  first.release();
  expect(open.size).toBe(1);
  open.acquire('a', noop);
  expect(codeOf(() => open.acquire('a', noop))).toBe('RATE_LIMITED');
});

test('limits streams per node', () => {
  const open = new OpenStreams(MAX_STREAMS);
  for (const caller of ['a', 'b', 'c']) open.acquire(caller, noop);
  expect(codeOf(() => open.acquire('d', noop))).toBe('QUEUE_FULL');
});

test('a reassigned stream counts for its new caller, or stays with the old one if the limit is reached', () => {
  const open = new OpenStreams(MAX_STREAMS);
  const slot = open.acquire('address', noop);
  slot.reassign('key');
  slot.reassign('key');
  open.acquire('key', noop);
  const second = open.acquire('address', noop);
  expect(codeOf(() => second.reassign('key'))).toBe('RATE_LIMITED');
  slot.release();
  second.reassign('key');
  slot.release();
  second.release();
  expect(open.size).toBe(1);
});

test('a released slot cannot be reassigned', () => {
  const open = new OpenStreams(MAX_STREAMS);
  const released = open.acquire('address', noop);
  open.acquire('address', noop);
  released.release();
  released.reassign('key');
  for (const slot of [open.acquire('key', noop), open.acquire('key', noop)]) slot.release();
  open.acquire('address', noop);
  expect(codeOf(() => open.acquire('address', noop))).toBe('RATE_LIMITED');
});

test('close ends all streams, rejects new ones, and waits until they are released', async () => {
  const open = new OpenStreams(MAX_STREAMS);
  const ends = [vi.fn(), vi.fn()];
  const slots = ends.map((end, i) => open.acquire(`${i}`, end));
  let isClosed = false;
  const closed = open.close().then(() => {
    isClosed = true;
  });
  for (const end of ends) expect(end.mock.calls).toEqual([[expect.objectContaining({ code: 'SHUTTING_DOWN' })]]);
  expect(codeOf(() => open.acquire('late', noop))).toBe('SHUTTING_DOWN');
  slots[0]?.release();
  await Promise.resolve();
  expect(isClosed).toBe(false);
  slots[1]?.release();
  await closed;
});

test('close without streams resolves immediately', async () => {
  await new OpenStreams(MAX_STREAMS).close();
});
