import { describe, expect, test } from 'vitest';
import { multiLine, singleLine } from '../../src/core/text-schema.ts';

describe('a name', () => {
  test.each(['\ufeff', '\ufeffname'])('does not begin with a byte order mark: %j', (name) => {
    const { success, error } = singleLine(100).safeParse(name);
    expect(success).toBe(false);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      'a byte order mark (U+FEFF) at the start is not allowed',
    ]);
  });

  test('may hold the mark elsewhere, and a file may begin with it', () => {
    expect(singleLine(100).safeParse('a\ufeffb').success).toBe(true);
    expect(multiLine(100).safeParse('\ufeffp cnf 1 1').success).toBe(true);
  });
});
