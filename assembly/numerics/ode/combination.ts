// Weighted sums of stages, the building block of all one-step methods.
import { get, set } from '../vector';

/**
 * out = base + h Σ w_j k_j over `count` stages, summed in their order.
 *
 * @param weights  f64[count]
 * @param k        f64[count, n], stage by stage
 * @param base     f64[n]; out may be base, but not a stage
 */
export function combine(base: usize, h: f64, weights: usize, k: usize, count: i32, n: i32, out: usize): void {
  for (let i = 0; i < n; i++) {
    let sum: f64 = 0;
    let at = k + ((<usize>i) << 3);
    for (let j = 0; j < count; j++) {
      sum += get(weights, j) * load<f64>(at);
      at += (<usize>n) << 3;
    }
    set(out, i, get(base, i) + h * sum);
  }
}
