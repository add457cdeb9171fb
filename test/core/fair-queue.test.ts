import { expect, test } from 'vitest';
import { FairQueue } from '../../src/core/fair-queue.ts';

/** Takes everything, one item at a time. */
function drain(queue: FairQueue<string>): string[] {
  const order: string[] = [];
  for (let item = queue.next(); item !== undefined; item = queue.next()) {
    order.push(item);
    queue.finish(ownerOf(item));
  }
  return order;
}

const ownerOf = (item: string) => item.slice(0, 1);

function queueOf(...items: string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.push(ownerOf(item), item);
  return queue;
}

test('owners take turns, and the items of one owner keep their order', () => {
  expect(drain(queueOf('a1', 'a2', 'a3', 'b1', 'b2', 'c1'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('an owner without a running item comes before one with many waiting', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'a4');
  expect([queue.next(), queue.next()]).toEqual(['a1', 'a2']);
  queue.push('b', 'b1');
  expect(queue.next()).toBe('b1');
});

test('after its turn an owner is behind all others that wait', () => {
  const queue = queueOf('a1', 'a2', 'a3');
  expect(queue.next()).toBe('a1');
  queue.push('b', 'b1');
  queue.finish('a');
  expect([queue.next(), queue.next()]).toEqual(['b1', 'a2']);
});

test('counts waiting and running items of an owner', () => {
  const queue = queueOf('a1', 'a2', 'b1');
  queue.next();
  expect([queue.countOf('a'), queue.countOf('b'), queue.countOf('c'), queue.size]).toEqual([2, 1, 0, 2]);
  queue.finish('a');
  expect(queue.remove('a', 'a2')).toBe(true);
  expect(queue.remove('a', 'a2')).toBe(false);
  expect([queue.countOf('a'), queue.size]).toEqual([0, 1]);
});

test('a full queue gives a place of the owner with most items to one with few', () => {
  const queue = queueOf('a1', 'a2', 'a3', 'b1');
  expect(queue.displaceFor('c')).toBe('a3');
  expect(queue.displaceFor('b')).toBeUndefined();
  expect(queue.displaceFor('a')).toBeUndefined();
  expect(drain(queue)).toEqual(['a1', 'b1', 'a2']);
});
