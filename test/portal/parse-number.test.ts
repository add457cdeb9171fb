import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseNumber } from '../../src/portal/kit/parse-number.ts';

const real = (text: string) => parseNumber(text, { name: 'x', isWhole: false });
const whole = (text: string) => parseNumber(text, { name: 'x', isWhole: true });

describe('a typed number', () => {
  test.each([
    ['2.5', 2.5],
    ['2,5', 2.5],
    [' −2,5 ', -2.5],
    ['1,0000', 1],
    ['1234,567', 1234.567],
    ['1,5e3', 1500],
    [',5', 0.5],
    ['0,125', 0.125],
    ['1e-12', 1e-12],
    ['+3', 3],
  ])('%s is accepted', (text, value) => expect(real(text)).toEqual({ value }));

  test.each([
    ['1,000', 'x is "1,000", which may be 1 or 1000; write 1.0 or 1000.'],
    ['−1,250', 'x is "−1,250", which may be -1.25 or -1250; write -1.25 or -1250.'],
    ['1,000e3', 'x is "1,000e3", which may be 1e3 or 1000e3; write 1.0e3 or 1000e3.'],
    ['1,000,000', 'x is "1,000,000"; 1000000 is expected, without commas.'],
    ['1,000.5', 'x is "1,000.5"; 1000.5 is expected, without commas.'],
    ['1,2,3', 'x is "1,2,3"; a number is expected.'],
    ['1.000,5', 'x is "1.000,5"; digits without groups are expected: write 1000.5.'],
    ['1 000', 'x is "1 000"; digits without groups are expected: write 1000.'],
    ['−12\u202f345,6', 'x is "−12\u202f345,6"; digits without groups are expected: write -12345.6.'],
    ["1'000'000", 'x is "1\'000\'000"; digits without groups are expected: write 1000000.'],
    ['1 00', 'x is "1 00"; a number is expected.'],
    ['one', 'x is "one"; a number is expected.'],
    [' ', 'x is " "; a number is expected.'],
  ])('%s is rejected', (text, fault) => expect(real(text)).toEqual({ fault }));

  test.each(['20,000', '2,5', '1,000,000', '1,0', ','])('%s is not a whole number', (text) =>
    expect(whole(text)).toEqual({ fault: `x is "${text}"; a whole number is expected, without commas.` }),
  );

  test('a number with thousands separators is always rejected', () => {
    fc.assert(
      fc.property(fc.double({ min: 1_000, max: 1e15, noNaN: true }), (value) => {
        const text = value.toLocaleString('en', { maximumFractionDigits: 20 });
        expect(real(text)).toHaveProperty('fault');
        expect(whole(text)).toHaveProperty('fault');
      }),
    );
  });

  test('the suggested spellings parse to the named values', () => {
    fc.assert(
      fc.property(fc.integer({ min: -999, max: 999 }), fc.integer({ min: 0, max: 999 }), (head, tail) => {
        fc.pre(head !== 0);
        const parsed = real(`${head},${String(tail).padStart(3, '0')}`);
        const [, decimal = '', thousands = ''] =
          /which may be (\S+) or (\S+);/.exec('fault' in parsed ? parsed.fault : '') ?? [];
        const [, first = '', second = ''] = /write (\S+) or (\S+)\.$/.exec('fault' in parsed ? parsed.fault : '') ?? [];
        expect([real(first), real(second)]).toEqual([{ value: Number(decimal) }, { value: Number(thousands) }]);
      }),
    );
  });
});
