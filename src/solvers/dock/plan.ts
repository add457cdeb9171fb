// The kernel runs of a problem and their estimated cost: two searches that share no random number.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { DOCK_FACE, type DockFace } from './face.ts';
import type { DockInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

/** Of a minimisation, and of its evaluations in the mean. */
const ITERATIONS = { lj: 400, vina: 200 } as const;
const EVALUATIONS = { lj: 60, vina: 110 } as const;
/** Nanoseconds of a pair of atoms of lj, of an atom of vina by the receptor atoms near it, and of an evaluation. */
const PAIR_NS = 3;
const NEAR_NS = 5;
const NEAR_ATOMS = 600;
const EVALUATION_NS = 400;
/** Radians of a hop. */
const HOP_ANGLE = 0.8;
const HOP_LENGTH = { lj: 0.4, vina: 1 } as const;
const TEMPERATURE = { lj: 0.8, vina: 1.2 } as const;
const MAX_STEP = { lj: 0.3, vina: 0.5 } as const;
const TOLERANCE = { lj: 1e-9, vina: 1e-4 } as const;

/** A displacement, and a quaternion of unit length: 0.028 radians. */
const BESIDE = [0.02, -0.015, 0.01, 0.9999, 0.008, 0.006, 0.00999949998749576] as const;

export function planOf(input: DockInput): Plan<DockFace> {
  const problem = problemOf(input);
  const searches = input.mode === 'score' ? [0] : [0, 1];
  const runs = searches.map((search) => runOf(input, problem, search));
  const { receptor, ligand, isVina } = problem;
  const rows = runs.reduce((sum, { steps }) => sum + steps, 0);
  const [n, m] = [receptor.scored.length, ligand.scored.length];
  const pass = isVina ? m * (100 + Math.min(n, NEAR_ATOMS) * NEAR_NS) : m * n * PAIR_NS;
  const evaluations = input.mode === 'score' ? 30 : isVina ? EVALUATIONS.vina : EVALUATIONS.lj;
  const certificate = (isVina ? 700 * m * n * 4 : 120 * pass) * runs.length;
  const minimisation = evaluations * (pass + EVALUATION_NS) + 4 * n * m;
  const sorting = rows * 2_000 + 400 * (receptor.atoms.length + ligand.atoms.length);
  return {
    runs,
    estimateNs: 300_000 + rows * minimisation + certificate + sorting,
    estimateBytes:
      INSTANCE_BYTES +
      8 * ((rows / runs.length) * DOCK_FACE.columns.history.length + 14 * n + 11 * m) +
      (isVina ? 500_000 : 0),
  };
}

function runOf(input: DockInput, problem: Problem, search: number): KernelRun<DockFace> {
  const { receptor, ligand, isVina, box, factor, isBoxed } = problem;
  const scoring = isVina ? 'vina' : 'lj';
  const isSearch = input.mode === 'dock';
  const [chains, hops] = isSearch ? [problem.chains, problem.hops] : [1, 0];
  // The second minimisation of a given pose starts beside it.
  const beside = search === 1 ? BESIDE : [0, 0, 0, 1, 0, 0, 0];
  const given = beside.map((one, k) => one + (k < 3 ? (ligand.centroid[k] ?? 0) - (receptor.centroid[k] ?? 0) : 0));
  return {
    parameters: {
      receptorAtoms: receptor.scored.length,
      ligandAtoms: ligand.scored.length,
      isVina: Number(isVina),
      factor,
      chains,
      hops,
      iterations: input.mode === 'score' ? 0 : ITERATIONS[scoring],
      isGiven: Number(!isSearch),
      // A pose of the caller is not moved for a box.
      isBoxed: Number(isBoxed && isSearch),
      centreX: box.centre[0],
      centreY: box.centre[1],
      centreZ: box.centre[2],
      halfX: box.half[0],
      halfY: box.half[1],
      halfZ: box.half[2],
      temperature: TEMPERATURE[scoring],
      hopLength: HOP_LENGTH[scoring],
      hopAngle: HOP_ANGLE,
      maxStep: MAX_STEP[scoring],
      tolerance: TOLERANCE[scoring],
      seed: input.seed,
      search,
    },
    inputs: {
      receptor: receptor.data,
      ligand: ligand.data,
      given: Float64Array.from(given),
    },
    steps: chains * (hops + 1),
    outputs: ['history', 'best', 'curvatures'],
    statistics: DOCK_FACE.statistics,
  };
}
