// JSON Pointer: the examples of RFC 6901, and pointers that lead nowhere.

import { describe, expect, test } from 'vitest';
import { parsePointer, printPointer, resolvePointer } from '../../src/core/json-pointer.ts';

/** RFC 6901 §5. */
const DOCUMENT = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

test.each([
  ['', DOCUMENT],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
])('%j leads to %j, and is printed as it was', (text, expected) => {
  const pointer = parsePointer(text);
  expect(resolvePointer(DOCUMENT, pointer)).toEqual(expected);
  expect(printPointer(pointer)).toBe(text);
});

test('~01 is ~1 and not a slash', () => expect(parsePointer('/~01')).toEqual(['~1']));

describe('a pointer that is none, or leads nowhere, says where', () => {
  test.each(['foo', '/a~2', '/~', '#/foo'])('%j is refused', (text) => {
    expect(() => parsePointer(text)).toThrow(/leads nowhere/);
  });

  test.each([
    ['/foo/2', '/foo/2 is not there: the list before it has 2 elements'],
    ['/foo/-', '/foo/- is not there'],
    ['/foo/00', '/foo/00 is not there'],
    ['/foo/+1', '/foo/+1 is not there'],
    ['/foo/length', '/foo/length is not there'],
    ['/bar/x', '/bar is not there: the object before it has no such name'],
    ['/a~1b/x', '/a~1b/x is not there: before it stands a number'],
    ['/constructor', '/constructor is not there'],
    ['/__proto__/x', '/__proto__ is not there'],
  ])('%j: %s', (text, expected) => {
    expect(() => resolvePointer(DOCUMENT, parsePointer(text))).toThrow(expected);
  });
});
