import { expect, test, vi } from 'vitest';
import { OpenStreams } from '../../src/streams/open-streams.ts';

const CAPS = { perCaller: 2, perNode: 3 };
const codeOf = (call: () => unknown) => {
  try {
    call();
    return 'none';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
const nothing = () => {};

test('one caller has only so many streams, and a place that is left is free again', () => {
  const open = new OpenStreams(CAPS);
  const first = open.enter('a', nothing);
  open.enter('a', nothing);
  expect(codeOf(() => open.enter('a', nothing))).toBe('RATE_LIMITED');
  first.leave();
  first.leave();
  expect(open.size).toBe(1);
  open.enter('a', nothing);
  expect(codeOf(() => open.enter('a', nothing))).toBe('RATE_LIMITED');
});

test('all callers together have only so many', () => {
  const open = new OpenStreams(CAPS);
  for (const caller of ['a', 'b', 'c']) open.enter(caller, nothing);
  expect(codeOf(() => open.enter('d', nothing))).toBe('QUEUE_FULL');
});

test('a stream that moves is counted where it is, and stays where it was when there is no room', () => {
  const open = new OpenStreams(CAPS);
  const place = open.enter('address', nothing);
  place.move('key');
  place.move('key');
  open.enter('key', nothing);
  const late = open.enter('address', nothing);
  expect(codeOf(() => late.move('key'))).toBe('RATE_LIMITED');
  place.leave();
  late.move('key');
  place.leave();
  late.leave();
  expect(open.size).toBe(1);
});

test('a place that was left does not move', () => {
  const open = new OpenStreams(CAPS);
  const gone = open.enter('address', nothing);
  open.enter('address', nothing);
  gone.leave();
  gone.move('key');
  for (const place of [open.enter('key', nothing), open.enter('key', nothing)]) place.leave();
  open.enter('address', nothing);
  expect(codeOf(() => open.enter('address', nothing))).toBe('RATE_LIMITED');
});

test('closing asks all to end, takes no more, and waits until they have left', async () => {
  const open = new OpenStreams(CAPS);
  const ends = [vi.fn(), vi.fn()];
  const places = ends.map((end, i) => open.enter(`${i}`, end));
  let isClosed = false;
  const closed = open.close().then(() => {
    isClosed = true;
  });
  for (const end of ends) expect(end.mock.calls).toEqual([[expect.objectContaining({ code: 'SHUTTING_DOWN' })]]);
  expect(codeOf(() => open.enter('late', nothing))).toBe('SHUTTING_DOWN');
  places[0]?.leave();
  await Promise.resolve();
  expect(isClosed).toBe(false);
  places[1]?.leave();
  await closed;
});

test('closing without streams is done at once', async () => {
  await new OpenStreams(CAPS).close();
});
