import { expect, test } from 'vitest';
import { Lanes } from '../../../src/storage/machines/lanes.ts';

function lanesOf(...items: string[]): Lanes<string> {
  const lanes = new Lanes<string>();
  for (const item of items) lanes.push(item.slice(0, 1), item);
  return lanes;
}

test('a batch takes one item of each lane in turn, in the order of each lane', () => {
  const lanes = lanesOf('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1');
  expect(lanes.take(5)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
  expect(lanes.size).toBe(2);
  expect(lanes.take(5)).toEqual(['a3', 'a4']);
  expect(lanes.take(5)).toEqual([]);
});

test('the next batch begins with the lane that waited longest', () => {
  const lanes = lanesOf('a1', 'a2', 'a3', 'b1', 'c1');
  expect(lanes.take(2)).toEqual(['a1', 'b1']);
  lanes.push('b', 'b2');
  expect(lanes.take(4)).toEqual(['c1', 'a2', 'b2', 'a3']);
});

test('an item that is put back comes before the others of its lane', () => {
  const lanes = lanesOf('a2', 'b1');
  lanes.putBack('a', 'a1');
  lanes.putBack('c', 'c1');
  expect(lanes.take(9)).toEqual(['a1', 'b1', 'c1', 'a2']);
});
