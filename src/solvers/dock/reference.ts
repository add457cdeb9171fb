// The energy of a pose a second way: every pair in the plainest TypeScript, in a frame that is turned and moved, with the
// ligand turned by products of quaternions, the powers by repeated division, and no table.

import { exp } from '../../core/elementary.ts';
import { BITS } from './chemistry.ts';
import type { Body, Problem, Vector } from './problem.ts';

type Quaternion = readonly [number, number, number, number];

/** x, y, z and a quaternion, of the ligand about the centroid of the receptor. */
export type Pose = ArrayLike<number>;

export interface PlainEnergy {
  readonly energy: number;
  /** Sum of the magnitudes of all terms. */
  readonly magnitude: number;
  /** Weighted: repulsion and attraction, or Vina's five. */
  readonly terms: readonly number[];
}

/** Trott & Olson, J. Comput. Chem. 31 (2010) 455: gauss 1, gauss 2, repulsion, hydrophobic, hydrogen bond. */
const WEIGHTS = [-0.035579, -0.005156, 0.840245, -0.035069, -0.587439] as const;
const CUTOFF = 8;
/** The frame of the second way: any turn and any place. */
const TURN: Quaternion = [0.5, -0.1, 0.7, 0.5];
const PLACE: Vector = [0.3, -1.1, 0.7];

function times(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** q v q*. */
function turned(q: Quaternion, v: Vector): Vector {
  const [, x, y, z] = times(times(q, [0, ...v]), [q[0], -q[1], -q[2], -q[3]]);
  return [x, y, z];
}

const quaternionOf = (pose: Pose): Quaternion => [
  pose[3] ?? Number.NaN,
  pose[4] ?? Number.NaN,
  pose[5] ?? Number.NaN,
  pose[6] ?? Number.NaN,
];

/** A place of the ligand, about its own centroid, in a pose. */
export function placed(pose: Pose, own: Vector): Vector {
  const [x, y, z] = turned(quaternionOf(pose), own);
  return [x + (pose[0] ?? 0), y + (pose[1] ?? 0), z + (pose[2] ?? 0)];
}

function rowsOf({ data }: Body) {
  return Array.from({ length: data.length / 5 }, (_, i) => ({
    place: [data[5 * i] ?? 0, data[5 * i + 1] ?? 0, data[5 * i + 2] ?? 0] as const,
    radius: data[5 * i + 3] ?? 0,
    bits: data[5 * i + 4] ?? 0,
  }));
}

export function plainEnergy({ receptor, ligand, isVina, factor }: Problem, pose: Pose): PlainEnergy {
  const norm = Math.sqrt(TURN.reduce((sum, one) => sum + one * one, 0));
  const turn = TURN.map((one) => one / norm) as unknown as Quaternion;
  const moved = (place: Vector): Vector => {
    const [x, y, z] = turned(turn, place);
    return [x + PLACE[0], y + PLACE[1], z + PLACE[2]];
  };
  const fixed = rowsOf(receptor).map((row) => ({ ...row, place: moved(row.place) }));
  const sums = [0, 0, 0, 0, 0];
  const add = (term: number, value: number) => {
    sums[term] = (sums[term] ?? 0) + value;
  };
  for (const own of rowsOf(ligand)) {
    const [x, y, z] = moved(placed(pose, own.place));
    for (const { place, radius, bits } of fixed) {
      const [dx, dy, dz] = [x - place[0], y - place[1], z - place[2]];
      const r2 = dx * dx + dy * dy + dz * dz;
      if (!isVina) {
        const sixth = 1 / r2 / r2 / r2;
        add(0, 4 * sixth * sixth);
        add(1, -4 * sixth);
      } else if (r2 < CUTOFF * CUTOFF) addVina(Math.sqrt(r2) - own.radius - radius, own.bits, bits, add);
    }
  }
  const terms = (isVina ? sums.map((sum, k) => factor * (WEIGHTS[k] ?? 0) * sum) : sums.slice(0, 2)) as number[];
  return {
    energy: terms.reduce((sum, one) => sum + one, 0),
    magnitude: terms.reduce((sum, one) => sum + Math.abs(one), 0),
    terms,
  };
}

function addVina(d: number, a: number, b: number, add: (term: number, value: number) => void): void {
  add(0, exp(-(d / 0.5) * (d / 0.5)));
  add(1, exp(-((d - 3) / 2) * ((d - 3) / 2)));
  if (d < 0) add(2, d * d);
  if ((a & b & BITS.hydrophobic) !== 0) add(3, Math.min(1, Math.max(0, 1.5 - d)));
  const isBond =
    ((a & BITS.donor) !== 0 && (b & BITS.acceptor) !== 0) || ((a & BITS.acceptor) !== 0 && (b & BITS.donor) !== 0);
  if (isBond) add(4, Math.min(1, Math.max(0, -d / 0.7)));
}

/** AutoDock Vina 1.2 tabulates a pair in steps of 1/32 Å² of its squared distance, and damps the repulsion of an atom. */
const STEPS = 32;
const DAMPING = 1000;

/** What AutoDock Vina 1.2 prints for a pose: of each pair the mean at both ends of its step, of each atom e / (1 + e / 1000). */
export function tabulatedScore({ receptor, ligand, factor }: Problem, pose: Pose): number {
  const fixed = rowsOf(receptor);
  let score = 0;
  for (const own of rowsOf(ligand)) {
    const [x, y, z] = placed(pose, own.place);
    let sum = 0;
    const add = (term: number, value: number) => {
      sum += 0.5 * (WEIGHTS[term] ?? 0) * value;
    };
    for (const { place, radius, bits } of fixed) {
      const [dx, dy, dz] = [x - place[0], y - place[1], z - place[2]];
      const r2 = dx * dx + dy * dy + dz * dz;
      if (!(r2 < CUTOFF * CUTOFF)) continue;
      const step = Math.floor(STEPS * r2);
      for (const end of [step, step + 1]) addVina(Math.sqrt(end / STEPS) - own.radius - radius, own.bits, bits, add);
    }
    score += sum > 0 ? (sum * DAMPING) / (DAMPING + sum) : sum;
  }
  return factor * score;
}

/** The Lennard-Jones energy inside a body. */
export function internalEnergy({ data }: Body): number {
  let sum = 0;
  for (let i = 0; i < data.length; i += 5)
    for (let j = 0; j < i; j += 5) {
      const [x, y, z] = [0, 1, 2].map((d) => (data[i + d] ?? 0) - (data[j + d] ?? 0)) as [number, number, number];
      const sixth = 1 / (x * x + y * y + z * z);
      const cube = sixth * sixth * sixth;
      sum += 4 * (cube * cube - cube);
    }
  return sum;
}
