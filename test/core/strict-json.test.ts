// JSON from outside: what is kept is what JSON.parse makes of it, and what it would change is refused.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { parseStrictJson } from '../../src/core/strict-json.ts';
import { yardsticksOf } from '../suites/yardstick.ts';

function faultOf(text: string): { readonly path: string; readonly code: string; readonly message: string } | undefined {
  try {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text));
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.code).toBe('VALIDATION_FAILED');
    return error.details[0];
  }
}

describe('kept', () => {
  test.each([
    ['0.1', 'a decimal is the nearest double'],
    ['0.1000000000000000055511151231257827', 'however many digits it has'],
    ['6.02214076e23', 'also without an exact double'],
    ['1e22', 'a power of ten'],
    ['5e-324', 'the smallest double'],
    ['1.7976931348623157e308', 'the largest double'],
    ['-0', 'minus zero'],
    ['1e308', 'a large power'],
    ['0e-999', 'zero with any exponent'],
    ['0.000', 'zero with a point'],
    ['9007199254740991', '2^53 − 1'],
    ['9007199254740992', '2^53'],
    ['9007199254740994', 'an even integer above'],
    ['-9007199254740994', 'a negative one'],
    ['1152921504606846976', '2^60, exactly'],
    ['1152921504606847000', '2^60, as JSON.stringify writes it'],
    ['10000000000000000000000', '10^22, exactly'],
    [`"${'9'.repeat(40)}"`, 'digits in a text'],
    ['{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}', 'one key in several objects'],
    ['{"": 1, "a": ["a", "a"]}', 'an empty key, and equal texts in a list'],
    ['"\\ud83d\\ude00 \\\\ud800"', 'a pair of surrogates, and an escaped backslash'],
    ['{"\\"": "\\\\", "\\\\": 1}', 'quotes and backslashes'],
    ['[]', 'nothing'],
  ])('%s: %s', (text) => {
    expect(faultOf(text)).toBeUndefined();
  });
});

describe('refused', () => {
  test.each([
    ['9007199254740993', '', 'NOT_EXACT'],
    ['{"inputs": {"n": -9007199254740993}}', 'inputs.n', 'NOT_EXACT'],
    ['[1, [2, 12345678901234567890]]', '1.1', 'NOT_EXACT'],
    ['{"a": [0, {"b": 1e400}]}', 'a.1.b', 'OUT_OF_RANGE'],
    [`[${'9'.repeat(400)}]`, '0', 'OUT_OF_RANGE'],
    ['[1e309]', '0', 'OUT_OF_RANGE'],
    ['[1E+999]', '0', 'OUT_OF_RANGE'],
    [`[1${'0'.repeat(150)}.5e+199]`, '0', 'OUT_OF_RANGE'],
    ['[-1e-400]', '0', 'OUT_OF_RANGE'],
    ['[0.01e-330]', '0', 'OUT_OF_RANGE'],
    ['{"a": 1, "b": {"c": 1, "d": 2, "c": 1}}', 'b.c', 'DUPLICATE'],
    ['{"a": 1, "\\u0061": 2}', 'a', 'DUPLICATE'],
    ['{"a": [], "a": {}}', 'a', 'DUPLICATE'],
    ['{"a": "\\ud800"}', 'a', 'LONE_SURROGATE'],
    ['["\\ude00\\ud83d"]', '0', 'LONE_SURROGATE'],
    ['{"\\ud800": 1}', '', 'LONE_SURROGATE'],
    ['["\ud800"]', '', 'LONE_SURROGATE'],
  ])('%s at %j', (text, path, code) => {
    expect(faultOf(text)).toMatchObject({ path, code });
  });

  test('with the given number, and the nearest that is kept', () => {
    expect(faultOf('{"inputs": {"n": 9007199254740993}}')?.message).toBe(
      'inputs.n is 9007199254740993; an integer that a double holds is expected, like 9007199254740992, or the digits as a text.',
    );
    expect(faultOf(`[${'9'.repeat(100_000)}]`)?.message.length).toBeLessThan(250);
    expect(faultOf(`{"${'k'.repeat(100_000)}": 1e999}`)?.path.length).toBeLessThan(100);
  });
});

test.each(['', '{', '[1,]', '01', '1e', 'NaN', '"\n"', '{a: 1}'])('%j is a syntax error, as for JSON.parse', (text) => {
  expect(() => parseStrictJson(text)).toThrow(SyntaxError);
});

describe('for any JSON', () => {
  const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

  test('what a program writes is kept, with any white space', () => {
    const value = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' });
    fc.assert(
      fc.property(value, fc.nat(4), (json, indent) => {
        expect(faultOf(JSON.stringify(json, null, indent))).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  test('every double is kept', () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (number) => {
        expect(faultOf(`[${JSON.stringify(number)}]`)).toBeUndefined();
        expect(faultOf(`[${number.toExponential()}]`)).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });

  test('an integer is kept if and only if its double has the same value or the same digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (integer) => {
        const double = Number(integer);
        const isKept = BigInt(double) === integer || String(double) === String(integer);
        expect(faultOf(`{"n":${integer}}`) === undefined).toBe(isKept);
      }),
      { numRuns: 5_000 },
    );
  });

  test('a repeated key is refused wherever it stands', () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(keys, fc.nat(), fc.nat(), fc.jsonValue(), space, (names, from, to, json, blank) => {
        const members = names.map((name) => `${blank}${JSON.stringify(name)}${blank}:${JSON.stringify(json)}`);
        expect(faultOf(`[{${members.join(',')}}]`)).toBeUndefined();
        const repeated = members.toSpliced(to % (members.length + 1), 0, members[from % members.length] ?? '');
        expect(faultOf(`[{${repeated.join(',')}}]`)).toMatchObject({ code: 'DUPLICATE' });
      }),
    );
  });

  test('what it accepts is what JSON.parse accepts, for texts of JSON characters', () => {
    const text = fc.string({ unit: fc.constantFrom(...'{}[]",:0189.eE+-tn\\u ad'), maxLength: 24 });
    fc.assert(
      fc.property(text, (given) => {
        let parsed: unknown;
        try {
          parsed = JSON.parse(given);
        } catch {
          expect(() => parseStrictJson(given)).toThrow(SyntaxError);
          return;
        }
        try {
          expect(parseStrictJson(given)).toEqual(parsed);
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      }),
      { numRuns: 20_000 },
    );
  });
});

test('a megabyte of brackets, quotes or digits takes linear time', () => {
  for (const text of [
    '['.repeat(500_000) + ']'.repeat(500_000),
    `"${'\\\\'.repeat(500_000)}"`,
    `"${'\\"'.repeat(500_000)}"`,
    `[${'1'.repeat(1_000_000)}]`,
    `[0.${'0'.repeat(1_000_000)}]`,
  ]) {
    const parse = () => {
      try {
        parseStrictJson(text);
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
      }
    };
    expect(yardsticksOf(parse, 2)).toBeLessThan(5_000);
  }
});
