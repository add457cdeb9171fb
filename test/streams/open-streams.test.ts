import { expect, test, vi } from 'vitest';
import { OpenStreams } from '../../src/streams/open-streams.ts';

const MAX_STREAMS = { perCaller: 2, perTenant: 3, perNode: 3 };
const holder = (caller: string, tenant = `tenant of ${caller}`) => ({ caller, tenant });
const codeOf = (call: () => Promise<unknown>) =>
  call().then(
    () => 'none',
    ({ code }: { code?: string }) => code,
  );
const noop = () => {};

test('limits streams per caller; a released slot is available again', async () => {
  const open = new OpenStreams(undefined, MAX_STREAMS);
  const first = await open.acquire(holder('a'), noop);
  await open.acquire(holder('a'), noop);
  expect(await codeOf(() => open.acquire(holder('a'), noop))).toBe('RATE_LIMITED');
  first.release();
  first.release();
  expect(open.size).toBe(1);
  await open.acquire(holder('a'), noop);
  expect(await codeOf(() => open.acquire(holder('a'), noop))).toBe('RATE_LIMITED');
});

test('limits streams per node', async () => {
  const open = new OpenStreams(undefined, MAX_STREAMS);
  for (const caller of ['a', 'b', 'c']) await open.acquire(holder(caller), noop);
  expect(await codeOf(() => open.acquire(holder('d'), noop))).toBe('QUEUE_FULL');
});

test('limits streams per tenant, over all its callers', async () => {
  const open = new OpenStreams(undefined, { ...MAX_STREAMS, perNode: 9 });
  const first = await open.acquire(holder('a', 't'), noop);
  for (const caller of ['b', 'c']) await open.acquire(holder(caller, 't'), noop);
  expect(await codeOf(() => open.acquire(holder('d', 't'), noop))).toBe('RATE_LIMITED');
  const other = await open.acquire(holder('e', 'u'), noop);
  expect(await codeOf(() => other.reassign(holder('d', 't')))).toBe('RATE_LIMITED');
  first.release();
  await other.reassign(holder('d', 't'));
  expect(await codeOf(() => open.acquire(holder('a', 't'), noop))).toBe('RATE_LIMITED');
  for (const caller of ['f', 'g', 'h']) await open.acquire(holder(caller, 'u'), noop);
});

test('a reassigned stream counts for its new caller, or stays with the old one if the limit is reached', async () => {
  const open = new OpenStreams(undefined, MAX_STREAMS);
  const slot = await open.acquire(holder('address'), noop);
  await slot.reassign(holder('key'));
  await slot.reassign(holder('key'));
  await open.acquire(holder('key'), noop);
  const second = await open.acquire(holder('address'), noop);
  expect(await codeOf(() => second.reassign(holder('key')))).toBe('RATE_LIMITED');
  slot.release();
  await second.reassign(holder('key'));
  slot.release();
  second.release();
  expect(open.size).toBe(1);
});

test('a released slot cannot be reassigned', async () => {
  const open = new OpenStreams(undefined, MAX_STREAMS);
  const released = await open.acquire(holder('address'), noop);
  await open.acquire(holder('address'), noop);
  released.release();
  await released.reassign(holder('key'));
  for (const slot of [await open.acquire(holder('key'), noop), await open.acquire(holder('key'), noop)]) slot.release();
  await open.acquire(holder('address'), noop);
  expect(await codeOf(() => open.acquire(holder('address'), noop))).toBe('RATE_LIMITED');
});

test('close ends all streams, rejects new ones, and waits until they are released', async () => {
  const open = new OpenStreams(undefined, MAX_STREAMS);
  const ends = [vi.fn(), vi.fn()];
  const slots = await Promise.all(ends.map((end, i) => open.acquire(holder(`${i}`), end)));
  let isClosed = false;
  const closed = open.close().then(() => {
    isClosed = true;
  });
  for (const end of ends) expect(end.mock.calls).toEqual([[expect.objectContaining({ code: 'SHUTTING_DOWN' })]]);
  expect(await codeOf(() => open.acquire(holder('late'), noop))).toBe('SHUTTING_DOWN');
  slots[0]?.release();
  await Promise.resolve();
  expect(isClosed).toBe(false);
  slots[1]?.release();
  await closed;
});

test('close without streams resolves immediately', async () => {
  await new OpenStreams(undefined, MAX_STREAMS).close();
});
