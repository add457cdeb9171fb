// Rows of random numbers: those of random.ts bit for bit, eight counters at a time.
import { key0, key1, MULTIPLIER_0, MULTIPLIER_1, ROUNDS, WEYL_0, WEYL_1 } from './random';
import { splat } from './simd';

// Constants in memory, as simd.ts says. Both multipliers in all lanes.
// biome-ignore format: a table
const MULTIPLIERS: usize = memory.data<u32>([
  <u32>MULTIPLIER_0, <u32>MULTIPLIER_0, <u32>MULTIPLIER_0, <u32>MULTIPLIER_0,
  <u32>MULTIPLIER_1, <u32>MULTIPLIER_1, <u32>MULTIPLIER_1, <u32>MULTIPLIER_1,
], 16);
/** 1, half of a cell. */
const FRACTION: usize = memory.data<f64>([1, 1.0 / 9007199254740992.0], 16);

/** Both keys of each round in all lanes. */
const KEYS: usize = memory.data(32 * 10, 16);

function expandKeys(): void {
  for (let round = 0; round < ROUNDS; round++) {
    v128.store(KEYS + (round << 5), i32x4.splat(<i32>(key0 + <u32>round * WEYL_0)));
    v128.store(KEYS + (round << 5), i32x4.splat(<i32>(key1 + <u32>round * WEYL_1)), 16);
  }
}

/**
 * `uniformPair` of `half` indices in a row: the first deviates to `out`, the second ones to `out` + 8 `half`.
 *
 * @param half   number of indices, a multiple of 8
 * @param index  the first of them, a multiple of 8
 */
export function uniformRow(out: usize, half: i32, stream: u32, index: u64): void {
  expandKeys();
  const multiplier0 = v128.load(MULTIPLIERS);
  const multiplier1 = v128.load(MULTIPLIERS, 16);
  const second = (<usize>half) << 3;
  const end = KEYS + 32 * ROUNDS;
  for (let k = 0; k < half; k += 8) {
    const first = index + <u64>k;
    let a0 = i32x4.add(i32x4.splat(<i32>first), i32x4(0, 1, 2, 3));
    let a1 = i32x4.splat(<i32>(first >> 32));
    let a2 = i32x4.splat(<i32>stream);
    let a3 = i32x4.splat(0);
    let b0 = i32x4.add(i32x4.splat(<i32>first), i32x4(4, 5, 6, 7));
    let b1 = a1;
    let b2 = a2;
    let b3 = a3;
    for (let key = KEYS; key < end; key += 32) {
      const low0 = i64x2.extmul_low_i32x4_u(a0, multiplier0);
      const high0 = i64x2.extmul_high_i32x4_u(a0, multiplier0);
      const low1 = i64x2.extmul_low_i32x4_u(a2, multiplier1);
      const high1 = i64x2.extmul_high_i32x4_u(a2, multiplier1);
      const low2 = i64x2.extmul_low_i32x4_u(b0, multiplier0);
      const high2 = i64x2.extmul_high_i32x4_u(b0, multiplier0);
      const low3 = i64x2.extmul_low_i32x4_u(b2, multiplier1);
      const high3 = i64x2.extmul_high_i32x4_u(b2, multiplier1);
      const k0 = v128.load(key);
      const k1 = v128.load(key, 16);
      a0 = v128.xor(v128.xor(v128.shuffle<i32>(low1, high1, 1, 3, 5, 7), a1), k0);
      a1 = v128.shuffle<i32>(low1, high1, 0, 2, 4, 6);
      a2 = v128.xor(v128.xor(v128.shuffle<i32>(low0, high0, 1, 3, 5, 7), a3), k1);
      a3 = v128.shuffle<i32>(low0, high0, 0, 2, 4, 6);
      b0 = v128.xor(v128.xor(v128.shuffle<i32>(low3, high3, 1, 3, 5, 7), b1), k0);
      b1 = v128.shuffle<i32>(low3, high3, 0, 2, 4, 6);
      b2 = v128.xor(v128.xor(v128.shuffle<i32>(low2, high2, 1, 3, 5, 7), b3), k1);
      b3 = v128.shuffle<i32>(low2, high2, 0, 2, 4, 6);
    }
    const at = out + ((<usize>k) << 3);
    storeFractions(at, a0, a1);
    storeFractions(at + 32, b0, b1);
    storeFractions(at + second, a2, a3);
    storeFractions(at + second + 32, b2, b3);
  }
}

/** The fractions of random.ts, f64[4]: 52 bits behind the exponent of 1. */
function storeFractions(at: usize, high: v128, low: v128): void {
  const one = splat(FRACTION);
  const middle = splat(FRACTION + 8);
  const rest = i32x4.shr_u(low, 12);
  const first = v128.or(i64x2.shl(i64x2.extend_low_i32x4_u(high), 20), i64x2.extend_low_i32x4_u(rest));
  const second = v128.or(i64x2.shl(i64x2.extend_high_i32x4_u(high), 20), i64x2.extend_high_i32x4_u(rest));
  v128.store(at, f64x2.add(f64x2.sub(v128.or(first, one), one), middle));
  v128.store(at, f64x2.add(f64x2.sub(v128.or(second, one), one), middle), 16);
}
