// The remainder of the Riemann–Siegel formula: its corrections C0 … C4, and what is left after them.
//
// With Ψ(p) = cos 2π(p² − p − 1/16) / cos 2πp the corrections are Edwards's (Riemann's Zeta Function, 1974, §7.4); the
// tables are their power series in z = 2p − 1, computed with 80 digits: C0, C2 and C4 in z², C1 and C3 z times a series
// in z². What is cut off is below 1e-17 of Z from t = 200 on.

/** Corrections there are: C0 … C4. */
export const CORRECTIONS: i32 = 5;

// biome-ignore-start format: tables, the highest power first
const C0: usize = memory.data<f64>(
  [
    -3.4124265228117265e-17, -3.350673072744264e-16, 5.221843015978137e-15, 9.327423259201725e-14,
    -3.7851093185412205e-13, -1.6326633902565907e-11, -3.391414389927036e-11, 1.7881083857954906e-9,
    1.2357927083861738e-8, -1.0354847112312946e-7, -1.4327251630955106e-6, 4.6556124614504504e-7, 7.94330087952147e-5,
    0.0002970535373337969, -0.0016237253231444653, -0.013567621970103581, -0.013605026047674188, 0.1323765754803435,
    0.43724046807752043, 0.3826834323650898,
  ],
  16,
);
const C1: usize = memory.data<f64>(
  [
    -2.878630525813192e-16, 1.4583781161108306e-14, 1.211994157372379e-13, -1.5830172789987521e-12,
    -2.343762601089369e-11, 7.785288654315851e-11, 2.7096350821772744e-9, 4.4670875627178334e-9, -1.8334733722714413e-7,
    -9.641322456169826e-7, 5.980242585373449e-6, 5.9227487018471416e-5, -1.3207940624876963e-5, -0.0014647808577954152,
    -0.0033107597608584044, 0.009871066299062077, 0.03849125048223508, 0.013784773426351853, -0.026825102628375348,
  ],
  16,
);
const C2: usize = memory.data<f64>(
  [
    1.9750142196969516e-14, 5.398265295542595e-14, -2.3806962496667617e-12, -1.6164072455353832e-11,
    1.781564958329235e-10, 2.0911514859478188e-9, -5.907803698206668e-9, -1.5161199700940684e-7, -1.6423838362436276e-7,
    5.927665493096536e-6, 2.0888392216992754e-5, -0.00010229972547935857, -0.0005910648427470583, 0.0003439914407620834,
    0.00519663740886233, 0.0022330457419581446, -0.011335941078229373, 0.00030946583880634744, 0.005188542830293168,
  ],
  16,
);
const C3: usize = memory.data<f64>(
  [
    1.7639809550821582e-14, -3.6276868657352434e-14, -2.242673850561735e-12, -4.4378376793233995e-12,
    1.8763137453470662e-10, 9.57011621088348e-10, -9.414685081295262e-9, -7.890884245681494e-8, 2.1919289102435082e-7,
    3.331659851239947e-6, 5.985366791538599e-7, -6.865733449299826e-5, -0.00010128858286776622, 0.0006010038458963604,
    0.0009548499998506731, -0.0022654660765471786, -0.0013303178919321468, 0.003744215136379394, -0.0013397160907194568,
  ],
  16,
);
const C4: usize = memory.data<f64>(
  [
    -8.915417681447087e-14, -1.519154453370392e-12, 3.513770042430486e-12, 1.344062675422562e-10,
    1.3312279416258429e-10, -7.505214207035756e-9, -2.3915824767344323e-8, 2.445656142248458e-7, 1.1781113640371294e-6,
    -4.107464438915745e-6, -2.5579062517949524e-5, 3.2602144243865195e-5, 0.0002321229049106873,
    -0.00020365286803084818, -0.0007657861071755644, 0.0010283086149702322, 0.00024044856573725794,
    -0.001005660736534047, 0.00046483389361763383,
  ],
  16,
);

/** Gabcke's bounds of the remainder after C0 … Ck for t >= 200 are BOUNDS[k] t^(−3/4 − k/2) (dissertation, Göttingen 1979, p. 84). */
const BOUNDS: usize = memory.data<f64>([0.127, 0.053, 0.011, 0.031, 0.017]);
// biome-ignore-end format: tables, the highest power first

function series(table: usize, terms: i32, s: f64): f64 {
  let value = load<f64>(table);
  for (let i = 1; i < terms; i++) value = value * s + load<f64>(table + ((<usize>i) << 3));
  return value;
}

/**
 * Σ C_k(p) a^(−k) for k below `corrections`. @param p  the fraction of a. @param a  √(t/2π)
 */
export function correction(p: f64, a: f64, corrections: i32): f64 {
  const z = 2 * p - 1;
  const s = z * z;
  const r = 1 / a;
  let value: f64 = 0;
  if (corrections > 4) value = r * series(C4, 19, s);
  if (corrections > 3) value = r * (value + z * series(C3, 19, s));
  if (corrections > 2) value = r * (value + series(C2, 19, s));
  if (corrections > 1) value = r * (value + z * series(C1, 19, s));
  return value + series(C0, 20, s);
}

/** A bound of what is left of Z(t) after some corrections, for t >= 200. */
export function remainderBound(t: f64, corrections: i32): f64 {
  const root = Math.sqrt(t);
  let power = root * Math.sqrt(root);
  for (let k = 1; k < corrections; k++) power *= root;
  return load<f64>(BOUNDS + ((<usize>(corrections - 1)) << 3)) / power;
}
