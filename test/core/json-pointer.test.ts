// JSON Pointer: the examples of RFC 6901, and invalid or unresolved pointers.

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
])('%j resolves to %j and prints unchanged', (text, expected) => {
  const pointer = parsePointer(text);
  expect(resolvePointer(DOCUMENT, pointer)).toEqual(expected);
  expect(printPointer(pointer)).toBe(text);
});

test('~01 decodes to ~1, not to a slash', () => expect(parsePointer('/~01')).toEqual(['~1']));

describe('an invalid or unresolved pointer reports the position', () => {
  test.each(['foo', '/a~2', '/~', '#/foo'])('%j is rejected', (text) => {
    expect(() => parsePointer(text)).toThrow(/Invalid JSON pointer/);
  });

  test.each([
    ['/foo/2', '/foo/2 not found: its parent is an array of 2 elements'],
    ['/foo/-', '/foo/- not found'],
    ['/foo/00', '/foo/00 not found'],
    ['/foo/+1', '/foo/+1 not found'],
    ['/foo/length', '/foo/length not found'],
    ['/bar/x', '/bar not found: its parent object has no such key'],
    ['/a~1b/x', '/a~1b/x not found: its parent is a number'],
    ['/constructor', '/constructor not found'],
    ['/__proto__/x', '/__proto__ not found'],
  ])('%j: %s', (text, expected) => {
    expect(() => resolvePointer(DOCUMENT, parsePointer(text))).toThrow(expected);
  });
});
