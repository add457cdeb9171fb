// The exact stiffness of a prismatic member under an axial force: stability functions by power series.
//
// E I w'''' + N w'' = 0 is solved by 1, x, x² c2(z), x³ c3(z) with c_k(z) = Σ (−z)^j / (2 j + k)! (Stumpff) and
// z = N x² / E I, which holds for compression, tension and none alike. Livesley & Chandler, Stability Functions for
// Structural Frameworks (1956); the series avoid their cancellation.

/** Above this |z| a member is divided, so that the series are short and no clamped piece buckles (z < 4 π²). */
export const MAX_Z = 2.5;

/** c0 … c3. */
function stumpff(z: number): readonly [number, number, number, number] {
  let [c2, c3] = [0, 0];
  let [a, b] = [0.5, 1 / 6];
  for (let j = 0; j < 20; j++) {
    c2 += a;
    c3 += b;
    a *= -z / ((2 * j + 3) * (2 * j + 4));
    b *= -z / ((2 * j + 4) * (2 * j + 5));
  }
  return [1 - z * c2, 1 - z * c3, c2, c3];
}

export interface Member {
  readonly length: number;
  readonly cosine: number;
  readonly sine: number;
  readonly EI: number;
  readonly EA: number;
  /** Compression positive. */
  readonly compression: number;
}

/** 6 × 6 entries for u, v and rotation of both ends, in the axes of the frame. */
export function memberStiffness({ length, cosine: c, sine: s, EI, EA, compression }: Member): Float64Array {
  const [c0, c1, c2, c3] = stumpff((compression * length * length) / EI);
  const det = c2 * c2 - c1 * c3;
  // Curvature A + B x at the start of w = w0 + θ0 x + A x² c2 + B x³ c3 for unit values of w1, θ1, w2, θ2.
  const ends = [
    [1, 0, 0, 0],
    [0, 1, 0, 0],
    [0, 0, 1, 0],
    [0, 0, 0, 1],
  ] as const;
  const bending = ends.map(([w1, a1, w2, a2]) => {
    const rise = (w2 - w1 - a1 * length) / (length * length);
    const turn = (a2 - a1) / length;
    const A = (c2 * rise - c3 * turn) / det;
    const B = (c2 * turn - c1 * rise) / det / length;
    const shear = EI * B + compression * a1;
    return [shear, -EI * A, -shear, EI * (A * c0 + B * length * c1)];
  });
  const local = new Float64Array(36);
  const axial = EA / length;
  for (const [i, row] of [0, 3].entries())
    for (const [j, column] of [0, 3].entries()) local[6 * row + column] = i === j ? axial : -axial;
  const place = [1, 2, 4, 5];
  for (const [j, forces] of bending.entries())
    for (const [i, force] of forces.entries()) local[6 * (place[i] ?? 0) + (place[j] ?? 0)] = force;
  return turned(local, c, s);
}

function turned(local: Float64Array, c: number, s: number): Float64Array {
  const turn = [c, s, 0, -s, c, 0, 0, 0, 1];
  const t = (i: number, j: number) =>
    Math.floor(i / 3) === Math.floor(j / 3) ? (turn[3 * (i % 3) + (j % 3)] ?? 0) : 0;
  const half = new Float64Array(36);
  for (let i = 0; i < 6; i++)
    for (let j = 0; j < 6; j++)
      for (let k = 0; k < 6; k++) half[6 * i + j] = (half[6 * i + j] ?? 0) + (local[6 * i + k] ?? 0) * t(k, j);
  const all = new Float64Array(36);
  for (let i = 0; i < 6; i++)
    for (let j = 0; j < 6; j++)
      for (let k = 0; k < 6; k++) all[6 * i + j] = (all[6 * i + j] ?? 0) + t(k, i) * (half[6 * k + j] ?? 0);
  return all;
}
