import { expect, test, vi } from 'vitest';
import { parseJsonObject } from '../../src/core/json-object.ts';

test('a long list is read without a text for each of its places', () => {
  const numbers = Array.from({ length: 1_000 }, (_, i) => i);
  const entries = vi.spyOn(Object, 'entries');
  const value = parseJsonObject(Buffer.from(JSON.stringify({ numbers, deep: [[{ a: numbers }]] })), 'The body');
  const listed = entries.mock.calls.filter(([one]) => Array.isArray(one));
  entries.mockRestore();
  expect(value.numbers).toEqual(numbers);
  expect(listed).toEqual([]);
});

test.each([
  ['{"list": [[{"__proto__": 1}]]}', /The key "__proto__" is not allowed/],
  [`{"list": ${'['.repeat(32)}${']'.repeat(32)}}`, /nested deeper than 32 levels/],
  [`{"list": [${'{"a": 1, "b": 2},'.repeat(2_000)}{}]}`, /more than 4000 keys/],
])('what lists hold is checked as well: %#', (text, message) => {
  expect(() => parseJsonObject(Buffer.from(text), 'The body')).toThrow(message);
});
