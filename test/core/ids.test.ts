import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uuidV7 } from '../../src/core/ids.ts';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const randomBytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const unixMs = fc.integer({ min: 0, max: 2 ** 48 - 1 });

// RFC 9562, appendix A.6.
test('reproduces the example of RFC 9562', () => {
  const random = Uint8Array.of(0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f);
  expect(uuidV7(0x017f22e279b0, random)).toBe('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
});

test('sets version and variant', () => {
  fc.assert(
    fc.property(unixMs, randomBytes, (ms, random) => {
      expect(uuidV7(ms, random)).toMatch(FORM);
    }),
  );
});

test('a later millisecond sorts after an earlier one, for any random bytes', () => {
  fc.assert(
    fc.property(unixMs, unixMs, randomBytes, randomBytes, (a, b, one, two) => {
      fc.pre(a !== b);
      expect(uuidV7(a, one) < uuidV7(b, two)).toBe(a < b);
    }),
  );
});
