import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cacheCanonical, canonicalCopy, canonicalJson } from '../../src/core/canonical-json.ts';

// RFC 8785 §3.2.2, the worked example.
test('the example of RFC 8785 has its canonical form', () => {
  const text = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(JSON.parse(text))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

// RFC 8785 §3.2.3: keys are sorted as UTF-16 code units, so an emoji comes before U+FB33.
test('keys are sorted by UTF-16 code units', () => {
  const keys = ['€', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', 'ö'];
  const sorted = ['\r', '1', '\u0080', 'ö', '€', '\u{1f600}', '\ufb33'];
  expect(canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])))).toBe(
    `{${sorted.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`,
  );
});

// RFC 8785 appendix B.
test.each([
  [-0, '0'],
  [5e-324, '5e-324'],
  [-5e-324, '-5e-324'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
  [9007199254740992, '9007199254740992'],
  [295147905179352830000, '295147905179352830000'],
  [9.999999999999997e22, '9.999999999999997e+22'],
  [1e23, '1e+23'],
  [999999999999999900000, '999999999999999900000'],
  [1e21, '1e+21'],
  [9.999999999999997e-7, '9.999999999999997e-7'],
  [0.000001, '0.000001'],
  [333333333.3333332, '333333333.3333332'],
  [1424953923781206.2, '1424953923781206.2'],
])('the number %d is serialised as %s', (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test.each([[Number.NaN], [Number.POSITIVE_INFINITY], ['\ud800'], [{ '\udc00': 1 }], [undefined]])(
  'values without JSON are rejected: %o',
  (value) => {
    expect(() => canonicalJson(value)).toThrow();
    expect(() => canonicalJson(value === undefined ? value : [value])).toThrow();
  },
);

test('a cycle is rejected', () => {
  const loop: unknown[] = [];
  loop.push(loop);
  expect(() => canonicalJson(loop)).toThrow();
});

test('an undefined field is omitted', () => {
  expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
});

test('the text parses to the same value and is already canonical', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test('the text equals that of the reference library for random values and key orders', () => {
  const keys = fc.string({ unit: 'binary', maxLength: 40 });
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false, -0),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'binary' }),
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(keys, tie('tree'), { maxKeys: 6 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value));
    }),
    { numRuns: 500 },
  );
});

test('a cached object has the same text as without the cache, and is frozen', () => {
  const law = { id: 'X', where: { b: [1, 2], a: 'é' }, value: -0 };
  const parent = { z: 1, law: structuredClone(law), a: [structuredClone(law)] };
  const expected = canonicalJson(parent);
  cacheCanonical(law);
  expect(canonicalJson({ z: 1, law, a: [law] })).toBe(expected);
  expect(() => {
    law.where.b[0] = 7;
  }).toThrow(TypeError);
});

test('a text that is written again, or as the name of a field, is written as the first time', () => {
  const texts = [
    '',
    'a',
    '"',
    '\\',
    'π',
    '\n',
    '\u007f',
    'm^2/s',
    `${'x'.repeat(31)}"`,
    'x'.repeat(32),
    'x'.repeat(33),
    'é'.repeat(99),
  ];
  for (const text of [...texts, ...texts]) {
    expect(canonicalJson(text)).toBe(JSON.stringify(text));
    expect(canonicalJson({ [text]: text })).toBe(JSON.stringify({ [text]: text }));
  }
  for (let again = 0; again < 2; again++) expect(() => canonicalJson('\ud800')).toThrow(TypeError);
});

test('more texts than are kept are written alike', () => {
  const texts = Array.from({ length: 3_000 }, (_, i) => `text "${i}"`);
  for (let again = 0; again < 2; again++) expect(canonicalJson(texts)).toBe(JSON.stringify(texts));
});

test('nesting is limited, so that a hostile input cannot exhaust the stack', () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  expect(canonicalJson(nested(64))).toHaveLength(128);
  expect(() => canonicalJson(nested(65))).toThrow(TypeError);
  expect(() => canonicalJson(nested(5000))).toThrow(TypeError);
});

test('a copy is what the canonical JSON says, or is refused as it is', () => {
  const strange = [-0, Number.NaN, '\ud800', undefined];
  const value = fc.anything({ values: [fc.constantFrom(...strange), fc.double(), fc.string()], maxDepth: 3 });
  fc.assert(
    fc.property(fc.record({ value }), (record) => {
      const attempt = (work: () => unknown) => {
        try {
          return { found: work() };
        } catch (error) {
          return { isTypeError: error instanceof TypeError };
        }
      };
      const parsed = attempt(() => JSON.parse(canonicalJson(record)));
      const copied = attempt(() => canonicalCopy(record));
      expect(copied).toStrictEqual(parsed);
      if ('found' in copied) expect(JSON.stringify(copied.found)).toBe(JSON.stringify(parsed.found));
    }),
  );
});
