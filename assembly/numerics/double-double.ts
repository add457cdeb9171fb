// Numbers of twice the precision: the unevaluated sum of a double and a smaller one, about 31 digits.
//
// A function returns the high part and leaves the low part in `Low.part`; callers read it before the next call.
// Without a fused multiply-add, products are made exact by splitting (Dekker 1971; Knuth 1969 for sums). Operands must
// stay below 2^990, and products above 2^-960.

/** The low part of the last result. */
export namespace Low {
  export let part: f64 = 0;
}

/** The upper 26 bits of x; x minus them has 27. */
export function upperHalf(x: f64): f64 {
  return reinterpret<f64>(reinterpret<u64>(x) & 0xfffffffff8000000);
}

/** a + b, exactly. */
export function twoSum(a: f64, b: f64): f64 {
  const sum = a + b;
  const rest = sum - a;
  Low.part = a - (sum - rest) + (b - rest);
  return sum;
}

/** a + b, exactly, for |a| >= |b| or a = 0. */
export function quickSum(a: f64, b: f64): f64 {
  const sum = a + b;
  Low.part = b - (sum - a);
  return sum;
}

/** a b, exactly. */
export function twoProduct(a: f64, b: f64): f64 {
  const product = a * b;
  const a1 = upperHalf(a);
  const a2 = a - a1;
  const b1 = upperHalf(b);
  const b2 = b - b1;
  Low.part = a1 * b1 - product + a1 * b2 + a2 * b1 + a2 * b2;
  return product;
}

/** (a + a0) + (b + b0) */
export function sum(a: f64, a0: f64, b: f64, b0: f64): f64 {
  const high = twoSum(a, b);
  return quickSum(high, Low.part + (a0 + b0));
}

/** (a + a0) (b + b0) */
export function product(a: f64, a0: f64, b: f64, b0: f64): f64 {
  const high = twoProduct(a, b);
  return quickSum(high, Low.part + (a * b0 + a0 * b));
}

/** (a + a0) / (b + b0) */
export function quotient(a: f64, a0: f64, b: f64, b0: f64): f64 {
  const first = a / b;
  const back = twoProduct(first, b);
  const rest = a - back - Low.part + a0 - first * b0;
  return quickSum(first, rest / b);
}

const LN2: f64 = Math.LN2;
const LN2_LOW: f64 = 2.3190468138462996e-17;
const THIRD: f64 = 0.3333333333333333;
const THIRD_LOW: f64 = 1.850371707708594e-17;

/** ln(1 + j/64) for j from 0 to 63, high and low part. */
// biome-ignore format: a table
const LOGARITHMS: usize = memory.data<f64>([
  0.0, 0.0, 0.015504186535965254, -3.278321022892429e-19, 0.030771658666753687, 1.0431732029005968e-18,
  0.0458095360312942, 1.902959866474257e-18, 0.06062462181643484, 2.6424025938726934e-18, 0.07522342123758753,
  -5.930604196293241e-18, 0.08961215868968714, -5.4268129336647135e-18, 0.10379679368164356, 5.47772415726659e-18,
  0.11778303565638346, -1.1971685747593677e-18, 0.13157635778871926, 1.1123000879729588e-17, 0.1451820098444979,
  8.242418783022475e-18, 0.15860503017663857, 1.1257003872182592e-17, 0.17185025692665923, -6.0224538210113705e-18,
  0.184922338494012, 3.0236614153574064e-18, 0.19782574332991987, 1.2821194372980142e-17, 0.21056476910734964,
  -4.249405314729895e-18, 0.22314355131420976, -9.091270597324799e-18, 0.2355660713127669, -2.3943371495187355e-18,
  0.24783616390458127, -1.2432209578702523e-17, 0.25995752443692605, 2.069806938978935e-17, 0.27193371548364176,
  7.83319637697442e-19, 0.2837681731306446, -2.032665581126656e-17, 0.2954642128938359, -2.16461086040599e-17,
  0.3070250352949119, -1.2319916200101964e-17, 0.3184537311185346, 2.7114779367326236e-17, 0.329753286372468,
  2.122020616196946e-18, 0.3409265869705932, 1.7467136443544747e-17, 0.3519764231571782, -1.2953893030191963e-17,
  0.3629054936893685, -2.1492361455310972e-17, 0.37371640979358406, 2.1836211281198184e-17, 0.38441169891033206,
  -1.612149700764673e-17, 0.394993808240869, -1.5113724418336168e-17, 0.4054651081081644, -2.8811380259626426e-18,
  0.415827895143711, -2.48753990369597e-17, 0.4260843953109001, -2.499176776547466e-17, 0.43623676677491807,
  -1.8379648230620457e-18, 0.44628710262841953, -1.8182541194649598e-17, 0.4562374334815876, 2.122222784062318e-17,
  0.46608972992459924, -1.4116523239904406e-17, 0.4758459048699639, -6.181952722542219e-18, 0.4855078157817008,
  -1.6618350693852048e-17, 0.4950772667978515, -8.307950959627356e-18, 0.5045560107523953, -2.4888518873597905e-17,
  0.5139457511022343, 3.397548559332142e-17, 0.5232481437645479, -3.1833882216350925e-17, 0.5324647988694718,
  -9.149239241180804e-19, 0.5415972824327444, -3.748764246125639e-17, 0.5506471179526623, -2.239429485856908e-17,
  0.5596157879354227, 2.685492580212308e-17, 0.5685047353526688, -5.4267346029482773e-17, 0.5773153650348236,
  -8.903591846974013e-18, 0.5860490450035782, -3.058363205263577e-17, 0.5947071077466928, 1.3751689964323675e-17,
  0.6032908514380843, 9.9400563470175e-18, 0.6118015411059929, -3.7397759448726e-17, 0.6202404097518576,
  -3.989161064307651e-17, 0.6286086594223741, 4.3538742607970387e-17, 0.6369074622370692, 5.422955873465247e-17,
  0.6451379613735847, 9.346960920120906e-19, 0.6533012720127457, -4.306892322029408e-17, 0.661398482245365,
  -7.603333785634003e-18, 0.6694306539426292, 2.823733943928343e-17, 0.6773988235918061, -2.0978183882652005e-18,
  0.6853040030989194, 4.893484946270261e-17,
], 16);

/**
 * ln x for a positive normal x: x = 2^k m with m from 127/128 on, c the nearest of 1 + j/64 to m, and the odd series of
 * ln(m / c) = 2 artanh((m − c) / (m + c)), whose argument is at most 1/256. Absolute error below 1e-29 (1 + |ln x|).
 */
export function logarithm(x: f64): f64 {
  const bits = reinterpret<u64>(x);
  let k = <f64>(<i32>(bits >> 52) - 1023);
  let m = reinterpret<f64>((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  let j = <i32>Math.round((m - 1) * 64);
  if (j === 64) {
    k += 1;
    m *= 0.5;
    j = 0;
  }
  const c = 1 + <f64>j / 64;
  const below = twoSum(m, c);
  const r = quotient(m - c, 0, below, Low.part);
  const r0 = Low.part;
  const s = product(r, r0, r, r0);
  const s0 = Low.part;
  const third = product(s, s0, THIRD, THIRD_LOW);
  const u = quickSum(third, Low.part + s * s * (1.0 / 5 + s * (1.0 / 7 + s * (1.0 / 9 + s * (1.0 / 11)))));
  const series = product(r, r0, u, Low.part);
  const artanh = sum(r, r0, series, Low.part);
  const artanh0 = Low.part;
  const power = product(k, 0, LN2, LN2_LOW);
  const power0 = Low.part;
  const entry = LOGARITHMS + ((<usize>j) << 4);
  const whole = sum(power, power0, load<f64>(entry), load<f64>(entry, 8));
  return sum(whole, Low.part, 2 * artanh, 2 * artanh0);
}
