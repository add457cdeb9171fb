import { describe, expect, test } from 'vitest';
import { bitsText, conciseOf, groupDigits } from '../../src/portal/kit/concise.ts';

describe('a number with the digits that ± supports', () => {
  test.each([
    [0.047671679, 0.000000005, ['0.047', '671', '679', '0'], '50', undefined],
    [625, 28, ['625'], '28', undefined],
    [12.345, 1.4, ['12.3'], '14', undefined],
    [1234567.8, 0.5, ['1', '234', '567.80'], '50', undefined],
    [-48213, 120, ['−48', '210'], '120', undefined],
    [53603436.5, 13921000, ['5.4'], '14', '7'],
    [-250000, 8700, ['−250', '000'], '8700', undefined],
    [-250000, 98700, ['−2.50'], '99', '5'],
    [8.676e-20, 3.5e-22, ['8.676'], '35', '-20'],
    [625, 4.8e-13, ['625'], undefined, undefined],
    [625, 0, ['625'], undefined, undefined],
    [Number.NaN, 1, ['NaN'], undefined, undefined],
  ])('%d ± %d', (value, uncertainty, groups, lastDigits, exponent) => {
    expect(conciseOf(value, uncertainty)).toEqual({ groups, lastDigits, exponent });
  });

  test('the groups together are the number', () => {
    for (const text of ['0.5', '1234', '12345', '0.123456789', '-1234567.1234'])
      expect(groupDigits(text).join('')).toBe(text.replace('-', '−'));
  });

  test('the bits are those of the double', () => {
    expect(bitsText(1)).toBe('0x3ff0000000000000');
    expect(bitsText(-2)).toBe('0xc000000000000000');
  });
});
