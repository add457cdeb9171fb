// Poses of a rigid body: the position of its centroid and a unit quaternion, with steps in the tangent space.
//
// A pose is f64[7]: x, y, z, then q0 (scalar), q1, q2, q3. A step is f64[6]: a displacement, and a rotation vector times
// the lever, so that all six are lengths; it turns the body about its centroid in the frame of the receptor, which has no
// singular orientation. Uniform orientations: Shoemake, Graphics Gems III (1992), pp. 124–132.
import '../../numerics/trigonometric';
import { get, set } from '../../numerics/vector';
import { ATOM_COLUMNS, Bodies } from './bodies';

export const POSE: i32 = 7;
export const FREEDOM: i32 = 6;

/** The orientation of three uniform deviates in (0, 1). */
export function setUniformOrientation(pose: usize, u: f64, v: f64, w: f64): void {
  const a = Math.sqrt(1 - u);
  const b = Math.sqrt(u);
  set(pose, 3, a * Math.sin(2 * Math.PI * v));
  set(pose, 4, a * Math.cos(2 * Math.PI * v));
  set(pose, 5, b * Math.sin(2 * Math.PI * w));
  set(pose, 6, b * Math.cos(2 * Math.PI * w));
  normalise(pose);
}

function normalise(pose: usize): void {
  let square: f64 = 0;
  for (let k = 3; k < POSE; k++) square += get(pose, k) * get(pose, k);
  const scale = 1 / Math.sqrt(square);
  for (let k = 3; k < POSE; k++) set(pose, k, get(pose, k) * scale);
}

/** to = from moved by `factor` times the step. `to` may be `from`. */
export function movePose(to: usize, from: usize, step: usize, factor: f64): void {
  for (let d = 0; d < 3; d++) set(to, d, get(from, d) + factor * get(step, d));
  const scale = (0.5 * factor) / Bodies.lever;
  const ax = get(step, 3) * scale;
  const ay = get(step, 4) * scale;
  const az = get(step, 5) * scale;
  const half = Math.sqrt(ax * ax + ay * ay + az * az);
  const c = Math.cos(half);
  const s = half < 1e-9 ? 1 - (half * half) / 6 : Math.sin(half) / half;
  const x = s * ax;
  const y = s * ay;
  const z = s * az;
  const q0 = get(from, 3);
  const q1 = get(from, 4);
  const q2 = get(from, 5);
  const q3 = get(from, 6);
  set(to, 3, c * q0 - x * q1 - y * q2 - z * q3);
  set(to, 4, c * q1 + x * q0 + y * q3 - z * q2);
  set(to, 5, c * q2 + y * q0 + z * q1 - x * q3);
  set(to, 6, c * q3 + z * q0 + x * q2 - y * q1);
  normalise(to);
}

/** Writes the positions of the ligand's atoms in a pose. */
export function placeLigand(pose: usize): void {
  const q0 = get(pose, 3);
  const q1 = get(pose, 4);
  const q2 = get(pose, 5);
  const q3 = get(pose, 6);
  const xx = 1 - 2 * (q2 * q2 + q3 * q3);
  const xy = 2 * (q1 * q2 - q0 * q3);
  const xz = 2 * (q1 * q3 + q0 * q2);
  const yx = 2 * (q1 * q2 + q0 * q3);
  const yy = 1 - 2 * (q1 * q1 + q3 * q3);
  const yz = 2 * (q2 * q3 - q0 * q1);
  const zx = 2 * (q1 * q3 - q0 * q2);
  const zy = 2 * (q2 * q3 + q0 * q1);
  const zz = 1 - 2 * (q1 * q1 + q2 * q2);
  const px = get(pose, 0);
  const py = get(pose, 1);
  const pz = get(pose, 2);
  let atom = Bodies.ligand;
  let place = Bodies.placed;
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    const x = load<f64>(atom);
    const y = load<f64>(atom, 8);
    const z = load<f64>(atom, 16);
    store<f64>(place, px + xx * x + xy * y + xz * z);
    store<f64>(place, py + yx * x + yy * y + yz * z, 8);
    store<f64>(place, pz + zx * x + zy * y + zz * z, 16);
    atom += (<usize>ATOM_COLUMNS) << 3;
    place += 24;
  }
}

/** The gradient by a step, from the gradients by the positions of the atoms: a force and a torque over the lever. */
export function gatherGradient(pose: usize, gradient: usize): void {
  let fx: f64 = 0;
  let fy: f64 = 0;
  let fz: f64 = 0;
  let tx: f64 = 0;
  let ty: f64 = 0;
  let tz: f64 = 0;
  const px = get(pose, 0);
  const py = get(pose, 1);
  const pz = get(pose, 2);
  let place = Bodies.placed;
  let slope = Bodies.slopes;
  for (let i = 0; i < Bodies.ligandAtoms; i++) {
    const gx = load<f64>(slope);
    const gy = load<f64>(slope, 8);
    const gz = load<f64>(slope, 16);
    const x = load<f64>(place) - px;
    const y = load<f64>(place, 8) - py;
    const z = load<f64>(place, 16) - pz;
    fx += gx;
    fy += gy;
    fz += gz;
    tx += y * gz - z * gy;
    ty += z * gx - x * gz;
    tz += x * gy - y * gx;
    place += 24;
    slope += 24;
  }
  const scale = 1 / Bodies.lever;
  set(gradient, 0, fx);
  set(gradient, 1, fy);
  set(gradient, 2, fz);
  set(gradient, 3, tx * scale);
  set(gradient, 4, ty * scale);
  set(gradient, 5, tz * scale);
}
