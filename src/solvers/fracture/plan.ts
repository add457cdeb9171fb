// The kernel runs of a problem on three lattices or more, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import type { FractureFace } from './face.ts';
import type { FractureInput } from './inputs.ts';
import { bondsOf, LOADS, type MotionProblem, type MovingLattice, motionOf, profileOf } from './motion.ts';
import { type Lattice, problemOf } from './problem.ts';
import { gripRows } from './stencil.ts';

/** What the runs in equilibrium report, in the order that their receipts hold. */
const STATIC_STATISTICS = ['peak', 'peakStrain', 'open', 'rounds', 'iterations'] as const;
const MOTION_STATISTICS = [...STATIC_STATISTICS, 'peakStep', 'firstStep', 'firstY', 'stiffest'] as const;
/** Columns of a row of the motion. */
const MOTION_COLUMNS = 12;
/** Nanoseconds of a bond in an iteration and in a time step, measured (bench/fracture.ts). */
const ITERATION_NS = 4;
const STEP_NS = 7;

export function planOf(input: FractureInput): Plan<FractureFace> {
  return input.load === 'static' ? staticPlan(input) : motionPlan(input, motionOf(input));
}

function staticPlan(input: FractureInput): Plan<FractureFace> {
  const { lattices, s0, sf } = problemOf(input);
  const work = lattices.map(
    (lattice) => lattice.loadSteps * iterationsOf(lattice, input.relaxIters) * bondsOf(lattice, true),
  );
  return {
    runs: lattices.map((lattice, i) => ({
      parameters: { ...shapeOf(lattice), strain: input.strain, s0, sf, maxIterations: input.relaxIters },
      ...segmentsOf(lattice),
      steps: lattice.loadSteps * input.relaxIters,
      outputs: i === 0 ? ['history', 'frames'] : ['history'],
      statistics: STATIC_STATISTICS,
    })),
    estimateNs: 300_000 + ITERATION_NS * work.reduce((sum, one) => sum + one, 0),
    estimateBytes: INSTANCE_BYTES + Math.max(...lattices.map(staticBytes)),
  };
}

function shapeOf({ columns, rows, horizon, notch, loadSteps, frameEvery, segments }: Lattice) {
  const shape = { columns, rows, horizon, notch, loadSteps, frameEvery };
  return segments.length === 0 ? shape : { ...shape, notches: segments.length / 4 };
}

const segmentsOf = ({ segments }: Lattice) => (segments.length === 0 ? {} : { inputs: { segments } });

function motionPlan(input: FractureInput, problem: MotionProblem): Plan<FractureFace> {
  const { lattices, work, hasGrips } = problem;
  const waiting = input.load === 'release' ? input.relaxIters : 0;
  const search = lattices.reduce(
    (sum, lattice) => sum + Math.min(waiting, iterationsOf(lattice, input.relaxIters)) * bondsOf(lattice, hasGrips),
    0,
  );
  return {
    runs: lattices.map((lattice, i) => motionRun(input, problem, lattice, waiting, i === 0)),
    estimateNs: 300_000 + STEP_NS * work + ITERATION_NS * search,
    estimateBytes: INSTANCE_BYTES + Math.max(...lattices.map((lattice) => motionBytes(lattice, hasGrips))),
  };
}

function motionRun(
  input: FractureInput,
  { s0, speed, ramp }: MotionProblem,
  lattice: MovingLattice,
  waiting: number,
  isOwn: boolean,
): KernelRun<FractureFace> {
  const second = speed / lattice.spacing;
  const isWave = input.load === 'wave';
  return {
    parameters: {
      ...shapeOf(lattice),
      strain: input.strain,
      // The bonds of a ring do not break.
      s0: isWave ? 1 : s0,
      sf: isWave ? 1 : s0,
      maxIterations: input.relaxIters,
      load: LOADS.indexOf(input.load),
      dt: lattice.dt * second,
      steps: lattice.steps,
      ramp: Math.min(ramp * second, lattice.dt * second * lattice.steps),
      stress: input.stress / input.E,
      historyEvery: lattice.historyEvery,
    },
    inputs: {
      ...(lattice.segments.length === 0 ? {} : { segments: lattice.segments }),
      ...(isWave ? { profile: profileOf(lattice, input.waves) } : {}),
    },
    steps: waiting + lattice.steps,
    outputs: isOwn ? ['motion', 'frames'] : ['motion'],
    statistics: MOTION_STATISTICS,
  };
}

const pointsOf = (lattice: Lattice, hasGrips: boolean): number =>
  lattice.columns * (lattice.rows + gripRows(lattice, hasGrips));

/** Three numbers a bond, nine a point, and what is recorded. */
function staticBytes(lattice: Lattice): number {
  const { loadSteps, frameEvery, rows, columns } = lattice;
  const recorded = 6 * (1 + loadSteps) + rows * columns * (2 + Math.ceil(loadSteps / frameEvery));
  return 8 * (3 * bondsOf(lattice, true) + 9 * pointsOf(lattice, true) + recorded);
}

/** Two numbers a bond, up to fourteen a point, and what is recorded. */
function motionBytes(lattice: MovingLattice, hasGrips: boolean): number {
  const { steps, historyEvery, frameEvery, rows, columns } = lattice;
  const recorded =
    MOTION_COLUMNS * (1 + Math.ceil(steps / historyEvery)) + rows * columns * (2 + Math.ceil(steps / frameEvery));
  return 8 * (2 * bondsOf(lattice, hasGrips) + 14 * pointsOf(lattice, hasGrips) + recorded);
}

/** Some rounds of conjugate gradients, each about the points along the longer side. */
function iterationsOf({ columns, rows }: Lattice, most: number): number {
  return Math.min(most, 12 * Math.max(columns, rows));
}
