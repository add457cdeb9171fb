import { expect, test, vi } from 'vitest';
import { OpenStreams } from '../../src/streams/open-streams.ts';

const MAX_STREAMS = { perCaller: 2, perTenant: 3, perNode: 3 };
const holder = (caller: string, tenant = `tenant of ${caller}`) => ({ caller, tenant });
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
  const first = open.acquire(holder('a'), noop);
  open.acquire(holder('a'), noop);
  expect(codeOf(() => open.acquire(holder('a'), noop))).toBe('RATE_LIMITED');
  first.release();
  first.release();
  expect(open.size).toBe(1);
  open.acquire(holder('a'), noop);
  expect(codeOf(() => open.acquire(holder('a'), noop))).toBe('RATE_LIMITED');
});

test('limits streams per node', () => {
  const open = new OpenStreams(MAX_STREAMS);
  for (const caller of ['a', 'b', 'c']) open.acquire(holder(caller), noop);
  expect(codeOf(() => open.acquire(holder('d'), noop))).toBe('QUEUE_FULL');
});

test('limits streams per tenant, over all its callers', () => {
  const open = new OpenStreams({ ...MAX_STREAMS, perNode: 9 });
  const first = open.acquire(holder('a', 't'), noop);
  for (const caller of ['b', 'c']) open.acquire(holder(caller, 't'), noop);
  expect(codeOf(() => open.acquire(holder('d', 't'), noop))).toBe('RATE_LIMITED');
  const other = open.acquire(holder('e', 'u'), noop);
  expect(codeOf(() => other.reassign(holder('d', 't')))).toBe('RATE_LIMITED');
  first.release();
  other.reassign(holder('d', 't'));
  expect(codeOf(() => open.acquire(holder('a', 't'), noop))).toBe('RATE_LIMITED');
  for (const caller of ['f', 'g', 'h']) open.acquire(holder(caller, 'u'), noop);
});

test('a reassigned stream counts for its new caller, or stays with the old one if the limit is reached', () => {
  const open = new OpenStreams(MAX_STREAMS);
  const slot = open.acquire(holder('address'), noop);
  slot.reassign(holder('key'));
  slot.reassign(holder('key'));
  open.acquire(holder('key'), noop);
  const second = open.acquire(holder('address'), noop);
  expect(codeOf(() => second.reassign(holder('key')))).toBe('RATE_LIMITED');
  slot.release();
  second.reassign(holder('key'));
  slot.release();
  second.release();
  expect(open.size).toBe(1);
});

test('a released slot cannot be reassigned', () => {
  const open = new OpenStreams(MAX_STREAMS);
  const released = open.acquire(holder('address'), noop);
  open.acquire(holder('address'), noop);
  released.release();
  released.reassign(holder('key'));
  for (const slot of [open.acquire(holder('key'), noop), open.acquire(holder('key'), noop)]) slot.release();
  open.acquire(holder('address'), noop);
  expect(codeOf(() => open.acquire(holder('address'), noop))).toBe('RATE_LIMITED');
});

test('close ends all streams, rejects new ones, and waits until they are released', async () => {
  const open = new OpenStreams(MAX_STREAMS);
  const ends = [vi.fn(), vi.fn()];
  const slots = ends.map((end, i) => open.acquire(holder(`${i}`), end));
  let isClosed = false;
  const closed = open.close().then(() => {
    isClosed = true;
  });
  for (const end of ends) expect(end.mock.calls).toEqual([[expect.objectContaining({ code: 'SHUTTING_DOWN' })]]);
  expect(codeOf(() => open.acquire(holder('late'), noop))).toBe('SHUTTING_DOWN');
  slots[0]?.release();
  await Promise.resolve();
  expect(isClosed).toBe(false);
  slots[1]?.release();
  await closed;
});

test('close without streams resolves immediately', async () => {
  await new OpenStreams(MAX_STREAMS).close();
});
