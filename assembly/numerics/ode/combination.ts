// Weighted sums of stages, the building block of all one-step methods.
import { splat } from '../simd';
import { get } from '../vector';

/**
 * out = base + h Σ w_j k_j over `count` stages, summed in their order.
 *
 * Two components at a time, in lanes that never meet; the last of an odd n by itself, since a load of two values waits
 * for stores of one.
 *
 * @param weights  f64[count], 1 to 7 of them; what follows up to the seventh is read and not used
 * @param k        f64[count, n], stage by stage
 * @param base     f64[n]; out may be base, but not a stage
 */
export function combine(base: usize, h: f64, weights: usize, k: usize, count: i32, n: i32, out: usize): void {
  const step = f64x2.splat(h);
  const zero = f64x2.splat(0); // 0 + w k: a sum of nothing but −0 is 0
  const w0 = splat(weights);
  const w1 = splat(weights + 8);
  const w2 = splat(weights + 16);
  const w3 = splat(weights + 24);
  const w4 = splat(weights + 32);
  const w5 = splat(weights + 40);
  const w6 = splat(weights + 48);
  const stride = (<usize>n) << 3;
  for (let i = 0; i + 1 < n; i += 2) {
    const offset = (<usize>i) << 3;
    let at = k + offset;
    let sum = f64x2.add(zero, f64x2.mul(w0, v128.load(at)));
    if (count > 1) {
      at += stride;
      sum = f64x2.add(sum, f64x2.mul(w1, v128.load(at)));
      if (count > 2) {
        at += stride;
        sum = f64x2.add(sum, f64x2.mul(w2, v128.load(at)));
        if (count > 3) {
          at += stride;
          sum = f64x2.add(sum, f64x2.mul(w3, v128.load(at)));
          if (count > 4) {
            at += stride;
            sum = f64x2.add(sum, f64x2.mul(w4, v128.load(at)));
            if (count > 5) {
              at += stride;
              sum = f64x2.add(sum, f64x2.mul(w5, v128.load(at)));
              if (count > 6) sum = f64x2.add(sum, f64x2.mul(w6, v128.load(at + stride)));
            }
          }
        }
      }
    }
    v128.store(out + offset, f64x2.add(v128.load(base + offset), f64x2.mul(step, sum)));
  }
  if ((n & 1) === 0) return;
  const last = (<usize>(n - 1)) << 3;
  let sum: f64 = 0;
  let at = k + last;
  for (let j = 0; j < count; j++) {
    sum += get(weights, j) * load<f64>(at);
    at += stride;
  }
  store<f64>(out + last, load<f64>(base + last) + h * sum);
}
