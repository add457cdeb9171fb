import { describe, expect, test } from 'vitest';
import { multiLine, singleLine, unmarked } from '../../src/core/text-schema.ts';

describe('a byte order mark', () => {
  test.each([
    ['a name', singleLine(100), '\ufeff'],
    ['a name', singleLine(100), '\ufeffname'],
    ['a stored text', unmarked(multiLine(100)), '\ufeff'],
  ])('%s does not begin with a byte order mark: %#', (_, schema, text) => {
    const { success, error } = schema.safeParse(text);
    expect(success).toBe(false);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'a byte order mark (U+FEFF) at the start is not allowed',
    ]);
  });

  test('may stand elsewhere in a name, and a file may begin with it', () => {
    expect(singleLine(100).safeParse('a\ufeffb').success).toBe(true);
    expect(multiLine(100).safeParse('\ufeffp cnf 1 1').success).toBe(true);
  });
});
