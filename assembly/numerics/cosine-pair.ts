// Two cosines at once, with the bits of Math.cos.
//
// The operations are those of fdlibm's reduction by π/2 and of its two kernels, in their order, as AssemblyScript's
// std/assembly/math.ts (0.28.20) has them; both kernels run for both numbers, and a lane takes the one of its quadrant.
// Numbers that the first round of the reduction does not bring near enough, or that are too large for it, go to Math.cos:
// beside multiples of π/2, beyond 2^20 π/2, and in the sliver above π/4 that fdlibm does not reduce.
// Cody & Waite, Software Manual for the Elementary Functions (1980).
import './trigonometric';

const TABLE: usize = memory.data<f64>([
  0.6366197723675814, 1.5707963267341256, 6.077100506506192e-11, 0.0416666666666666, -0.001388888888887411,
  2.480158728947673e-5, -2.7557314351390663e-7, 2.087572321298175e-9, -1.1359647557788195e-11, -0.16666666666666632,
  0.00833333333332249, -0.0001984126982985795, 2.7557313707070068e-6, -2.5050760253406863e-8, 1.58969099521155e-10,
]);
/** |x| from which the reduction takes other roads, and the end of the sliver above π/4. */
const LIMIT: f64 = 1647099;
const SLIVER: f64 = 0.7853984832763672;
/** Below this part of x more digits of π/2 are needed. */
const CANCELLED: f64 = 1.52587890625e-5;

function constant(i: i32): v128 {
  return v128.load64_splat(TABLE + ((<usize>i) << 3));
}

export function cosinePair(x: v128): v128 {
  const size = f64x2.abs(x);
  const q = f64x2.nearest(f64x2.mul(x, constant(0)));
  const r = f64x2.sub(x, f64x2.mul(q, constant(1)));
  const w = f64x2.mul(q, constant(2));
  const y = f64x2.sub(r, w);
  const zero = f64x2.splat(0);
  const isPlain = v128.and(
    f64x2.lt(size, f64x2.splat(LIMIT)),
    v128.and(
      f64x2.ge(f64x2.abs(y), f64x2.mul(size, f64x2.splat(CANCELLED))),
      v128.or(f64x2.eq(q, zero), f64x2.ge(size, f64x2.splat(SLIVER))),
    ),
  );
  if (!i64x2.all_true(isPlain)) return oneByOne(x);
  const rest = f64x2.sub(f64x2.sub(r, y), w);
  const z = f64x2.mul(y, y);
  const z2 = f64x2.mul(z, z);
  const half = f64x2.splat(0.5);

  // cos: 1 − z/2 + …
  const low = f64x2.add(constant(3), f64x2.mul(z, f64x2.add(constant(4), f64x2.mul(z, constant(5)))));
  const high = f64x2.add(constant(6), f64x2.mul(z, f64x2.add(constant(7), f64x2.mul(z, constant(8)))));
  const even = f64x2.add(f64x2.mul(z, low), f64x2.mul(f64x2.mul(z2, z2), high));
  const hz = f64x2.mul(half, z);
  const one = f64x2.splat(1);
  const c = f64x2.sub(one, hz);
  const tail = f64x2.sub(f64x2.mul(z, even), f64x2.mul(y, rest));
  const cosine = f64x2.add(c, f64x2.add(f64x2.sub(f64x2.sub(one, c), hz), tail));

  // sin: y − …
  const inner = f64x2.add(constant(10), f64x2.mul(z, f64x2.add(constant(11), f64x2.mul(z, constant(12)))));
  const outer = f64x2.mul(f64x2.mul(z, z2), f64x2.add(constant(13), f64x2.mul(z, constant(14))));
  const odd = f64x2.add(inner, outer);
  const v = f64x2.mul(z, y);
  const bend = f64x2.sub(f64x2.mul(z, f64x2.sub(f64x2.mul(half, rest), f64x2.mul(v, odd))), rest);
  const sine = f64x2.sub(y, f64x2.sub(bend, f64x2.mul(v, constant(9))));

  // Quadrant q mod 4: sines in 1 and 3, a minus in 1 and 2.
  const quadrant = f64x2.sub(q, f64x2.mul(f64x2.splat(4), f64x2.floor(f64x2.mul(f64x2.splat(0.25), q))));
  const first = f64x2.eq(quadrant, one);
  const isOdd = v128.or(first, f64x2.eq(quadrant, f64x2.splat(3)));
  const isMinus = v128.or(first, f64x2.eq(quadrant, f64x2.splat(2)));
  const found = v128.bitselect(sine, cosine, isOdd);
  return v128.bitselect(f64x2.neg(found), found, isMinus);
}

function oneByOne(x: v128): v128 {
  const first = f64x2.splat(Math.cos(f64x2.extract_lane(x, 0)));
  return f64x2.replace_lane(first, 1, Math.cos(f64x2.extract_lane(x, 1)));
}
