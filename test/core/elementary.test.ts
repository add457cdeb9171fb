import { beforeAll, describe, expect, test } from 'vitest';
import { fromBits, littleEndianBytes, toBitsHex, ulpDistance } from '../../src/core/bits.ts';
import { cos, cosh, exp, expm1, log, sin } from '../../src/core/elementary.ts';
import { sha256Hex } from '../../src/core/sha256.ts';
import { loadHarness } from '../numerics/compile.ts';

const elementary = { sin, cos, exp, expm1, log, cosh };
type Elementary = typeof elementary;
const NAMES = ['sin', 'cos', 'exp', 'expm1', 'log', 'cosh'] as const;

/** Marsaglia's xorshift with 64 bits, so that every run tests the same points. */
function* xorshift(seed: bigint): Generator<bigint, never> {
  let state = seed;
  for (;;) {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    yield state;
  }
}

/** Random bit patterns, numbers of usual size, near 1, near multiples of π/2, and at the limits of exp, in turn. */
function points(count: number): Float64Array {
  const bits = xorshift(0x9e3779b97f4a7c15n);
  const unit = () => Number(bits.next().value >> 11n) / 2 ** 53;
  const kinds = [
    () => fromBits(bits.next().value),
    () => 40 * unit() - 20,
    () => 1600 * unit() - 800,
    () => 1 + 0.2 * (unit() - 0.5),
    () => unit() / 1000,
    () => 2e7 * (unit() - 0.5),
    () => Math.floor(unit() * 1e6) * (Math.PI / 2),
    () => 40 * unit() - 745.2,
  ];
  return Float64Array.from({ length: count }, (_, index) => kinds[index % kinds.length]?.() ?? 0);
}

const MAX = Number.MAX_VALUE;
const EDGES = [
  ...[0, -0, 1, -1, 0.5, 2, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 5e-324, -5e-324, MAX, -MAX],
  ...[709.782712893384, 709.7827128933841, -745.1332191019411, -745.1332191019412, 710.4758600739439, 710.475860073944],
  ...[1647099, 1647100.3, 2097152.1, 4194303.9, 4194304.9, 2 ** 52 + 1, 1e22, 2.2250738585072014e-308, Math.LN2],
];

describe('elementary functions', () => {
  let compiled: Elementary;
  beforeAll(async () => {
    compiled = await loadHarness<Elementary>('test/harness/elementary.ts');
  });

  test.each(NAMES)('%s has the same bits as in the kernels', (name) => {
    const all = [...EDGES, ...points(100_000)];
    const different = all.filter((x) => !Object.is(elementary[name](x), compiled[name](x)));
    expect(different.map((x) => [x, elementary[name](x), compiled[name](x)]).slice(0, 5)).toEqual([]);
  });

  // SHA-256 of the little-endian results for the first 10,000 points, with 0 for NaN. The WebAssembly module gives the
  // same hashes. They change only if the functions change.
  test.each([
    ['sin', '3255b734cb423c25714055008976bc2269e6de5ca7d260c2225e3c4216d4a866'],
    ['cos', '472af027ad665172392c2aa797464770284a610547f1d1d6859f1933f2ac97b1'],
    ['exp', 'dc9e4ab34d5e4ab156f4e9f92116eb9b1cbb531b12f15f5a1be3c7cf84fe0d22'],
    ['expm1', '5b922653dcfefd3fab56f82da9ab6ba9e3fb66f2542e98e3a4a42cd7a5a2b2d4'],
    ['log', 'b7bd4f83cd28df8faa1c8384d76073cedf48ed25cdebf8592fdd761dfdd34129'],
    ['cosh', 'cebce4c6f583d20bf391bfa3f740e982b11efa85c37bdb4d093cadb8be3157c2'],
  ] as const)('the results of %s match their golden hash', (name, hash) => {
    const results = points(10_000)
      .map((x) => elementary[name](x))
      .map((y) => (Number.isNaN(y) ? 0 : y));
    expect(sha256Hex(littleEndianBytes(results))).toBe(hash);
  });

  // Correctly rounded values, computed with 200 bits.
  test.each([
    ['sin', 1.0, 0.8414709848078965],
    ['sin', 0.5, 0.479425538604203],
    ['sin', 3.0, 0.1411200080598672],
    ['sin', 100.5, -0.030959966783271346],
    ['sin', 1647100.3, 0.8253572896467801],
    ['sin', 1e22, -0.8522008497671888],
    ['sin', 1e300, -0.8178819121159085],
    ['sin', Math.PI, 1.2246467991473532e-16],
    ['sin', -2.3561944901923453, -0.7071067811865472],
    ['cos', 1.0, 0.5403023058681398],
    ['cos', 1.5707963267948966, 6.123233995736766e-17],
    ['cos', -3.0, -0.9899924966004454],
    ['cos', 1000000.7, 0.9419395506984948],
    ['cos', 1e22, 0.523214785395139],
    ['cos', 2.5e-5, 0.9999999996875],
    ['exp', 1.0, Math.E],
    ['exp', -1.0, 0.36787944117144233],
    ['exp', 0.1, 1.1051709180756477],
    ['exp', -700.0, 9.85967654375977e-305],
    ['exp', -745.0, 5e-324],
    ['exp', 709.7, 1.6549840276802644e308],
    ['exp', 1e-10, 1.0000000001],
    ['expm1', 1e-5, 1.0000050000166668e-5],
    ['expm1', -0.3, -0.2591817793182821],
    ['expm1', 1.0, 1.7182818284590453],
    ['expm1', 50.0, 5.184705528587072e21],
    ['expm1', -20.0, -0.9999999979388464],
    ['expm1', 700.0, 1.0142320547350045e304],
    ['log', 2.0, Math.LN2],
    ['log', 0.99, -0.01005033585350145],
    ['log', 1.01, 0.009950330853168092],
    ['log', 10.0, Math.LN10],
    ['log', 5e-324, -744.4400719213812],
    ['log', 1e300, 690.7755278982137],
    ['log', 0.6875, -0.3746934494414107],
    ['cosh', 0.1, 1.0050041680558035],
    ['cosh', 1.0, 1.5430806348152437],
    ['cosh', -5.0, 74.20994852478785],
    ['cosh', 710.4, 1.6663642832806496e308],
  ] as const)('%s(%d) is within one ulp of the exact value', (name, x, truth) => {
    expect(ulpDistance(elementary[name](x), truth)).toBeLessThanOrEqual(1);
  });

  test('zeros, infinities and NaN behave as IEEE 754 recommends', () => {
    expect([sin(-0), expm1(-0)].map(toBitsHex)).toEqual(['8000000000000000', '8000000000000000']);
    const { POSITIVE_INFINITY: inf, NaN: nan } = Number;
    expect([exp(inf), exp(-inf), exp(710), exp(-746), expm1(-inf), cosh(-inf)]).toEqual([inf, 0, inf, 0, -1, inf]);
    expect([log(0), log(-0), log(inf), log(1)]).toEqual([-inf, -inf, inf, 0]);
    expect([sin(inf), cos(-inf), log(-1), log(-inf)]).toEqual([nan, nan, nan, nan]);
    expect(NAMES.map((name) => elementary[name](nan))).toEqual(NAMES.map(() => nan));
  });
});
