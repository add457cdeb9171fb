// Builds the solution of a run: energy and its witness, averages with their ±, structure, correlations.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Field, Quantity, Solution } from '../definition.ts';
import { at, last, maxDeviation } from '../parts/arrays.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Plot } from '../plot.ts';
import { constantEnergy, MEAN_NEEDS, meanEnergy } from './answer.ts';
import { averageQuantities, averagesOf, productionOf } from './averages.ts';
import type { EvolveFace } from './face.ts';
import { energyInvariant, equipartitionInvariant, MAX_DEVIATIONS, momentumInvariant } from './invariants.ts';
import {
  displacementsOf,
  distribution,
  frameTimes,
  type Histories,
  historiesOf,
  slopeOf,
  velocityAutocorrelation,
  wrapped,
} from './observables.ts';
import { finerSteps, isRefined } from './plan.ts';
import { type EvolveInput, frameStep, type Problem, problemOf } from './problem.ts';
import { tailCorrections } from './reference.ts';
import { ROUNDING, type Run, runOf } from './run.ts';
import { structureFactor } from './structure-factor.ts';

const MAX_TRAJECTORY_NUMBERS = 200_000;
const NOT_CANONICAL = `The run has not reached T0: its mean temperature differs by more than ${MAX_DEVIATIONS} errors. Take more steps, or a shorter tau.`;
/** Atoms of two runs are elsewhere once they are apart by this, in units of sig. */
const APART = 0.1;
/** The error of a step over its distance from a step of two thirds: 9 / 5 at second order, 3 at first; with a reserve. */
const STEP_ERROR = 4;

export function solutionOf(outputs: readonly KernelOutput<EvolveFace>[], input: EvolveInput): Solution {
  const problem = problemOf(input);
  const run = runOf(outputOf(outputs, 0), input.dtSim);
  const finer = isRefined(problem, input) ? runOf(outputOf(outputs, 1), input.dtSim) : undefined;
  const records = historiesOf(run.records, problem);
  const frames = historiesOf(run.frames, problem);
  const displacements = displacementsOf(run.trajectory, problem);
  const averages = averagesOf(run.records, run.trajectory, problem, input);

  const deviation = Math.max(maxDeviation(records.conserved), maxDeviation(frames.conserved));
  const energyConservation = energyInvariant(frames.conserved, deviation, run.records, input, problem);
  const answer =
    input.thermostat === 'none' ? constantEnergy(run, finer, deviation, problem) : meanEnergy(run, averages, problem);
  const { value, isSupported, ...rest } = answer;
  const equipartition = input.thermostat === 'none' ? [] : [equipartitionInvariant(averages, problem)];
  const isCanonical = equipartition.every(({ drift, bound: limit }) => drift <= limit);
  return {
    value,
    ...rest,
    converged: isSupported && isCanonical && energyConservation.drift <= energyConservation.bound,
    invariants: [energyConservation, momentumInvariant(run, problem), ...equipartition],
    series: seriesOf(frames, displacements, problem, input),
    fields: fieldsOf(run, problem, input),
    plots: plotsOf(problem),
    quantities: [...averageQuantities(averages, problem), ...quantitiesOf(run, finer, records, problem, input)],
    operatorInputs: {},
    functional: value * problem.atoms,
    notes: [
      ...notesOf(problem, input),
      ...(isSupported ? [] : [`The mean is not converged: ${MEAN_NEEDS}.`]),
      ...(isCanonical ? [] : [NOT_CANONICAL]),
      predictability(run, finer, problem, input),
    ],
  };
}

const plotsOf = ({ pair }: Problem): Plot[] => [
  { kind: 'line', title: 'Temperature', x: 't', y: ['T'] },
  { kind: 'line', title: 'Energy per atom', x: 't', y: ['U', 'K', 'E', 'H'] },
  { kind: 'line', title: 'Pressure', x: 't', y: ['P'] },
  { kind: 'line', title: 'Mean squared displacement', x: 't', y: ['MSD'] },
  { kind: 'line', title: 'Pair distribution', x: 'r', y: ['g'] },
  { kind: 'line', title: 'Structure factor', x: 'k', y: ['S'] },
  { kind: 'line', title: 'Velocity autocorrelation', x: 'VACF_t', y: ['VACF'] },
  {
    kind: 'particles',
    title: 'Trajectory',
    positions: 'positions',
    box: 'box',
    time: 'position_times',
    diameter: pair.sig,
  },
];

function seriesOf(frames: Histories, displacements: Float64Array, problem: Problem, input: EvolveInput): Field[] {
  const sum = frames.potential.map((potential, i) => potential + (frames.kinetic[i] ?? 0));
  return [
    series('t', 'tau', frameTimes(problem, input)),
    series('T', 'epsilon/k_B', frames.temperature),
    series('U', 'epsilon', frames.potential),
    series('K', 'epsilon', frames.kinetic),
    series('E', 'epsilon', sum),
    series('H', 'epsilon', frames.conserved),
    series('P', 'epsilon/sigma^3', frames.pressure),
    series('MSD', 'sigma^2', displacements),
  ];
}

function fieldsOf(run: Run, problem: Problem, input: EvolveInput): Field[] {
  const { atoms, box, frames } = problem;
  const edges = [box.x, box.y, box.z] as const;
  // Every stride-th frame, including the last.
  const stride = Math.ceil((3 * atoms * frames) / MAX_TRAJECTORY_NUMBERS);
  const storedFrames = Array.from({ length: frames }, (_, frame) => frame).filter(
    (frame) => (frames - 1 - frame) % stride === 0,
  );
  const positions = new Float64Array(3 * atoms * storedFrames.length);
  for (const [index, frame] of storedFrames.entries()) {
    for (let k = 0; k < 3 * atoms; k++) {
      const x = run.trajectory[3 * atoms * frame + k] ?? 0;
      positions[3 * atoms * index + k] = problem.isFree ? x : wrapped(x, edges[k % 3] ?? 1);
    }
  }
  const times = frameTimes(problem, input);
  const storedTimes = storedFrames.map((frame) => at(times, frame));
  const { r, g } = distribution(run.distances, problem);
  const { k, s } = structureFactor(run.trajectory, problem);
  const correlation = velocityAutocorrelation(run.correlations, problem, input);
  return [
    field('positions', 'sigma', [storedFrames.length, atoms, 3], positions),
    series('position_times', 'tau', storedTimes),
    field('velocities', 'sigma/tau', [atoms, 3], run.velocities),
    series('box', 'sigma', edges),
    series('r', 'sigma', r),
    series('g', '1', g),
    series('k', 'sigma^-1', k),
    series('S', '1', s),
    series('VACF_t', 'tau', correlation.times),
    series('VACF', 'sigma^2/tau^2', correlation.values),
  ];
}

function quantitiesOf(
  run: Run,
  finer: Run | undefined,
  records: Histories,
  problem: Problem,
  input: EvolveInput,
): Quantity[] {
  const { atoms, pair, rho, box, isFree } = problem;
  const times = Float64Array.from(records.conserved, (_, i) => i * problem.recordEvery * input.dtSim);
  const [from = 0, to = 0] = [at(productionOf(times), 0), last(times)];
  const swing = maxDeviation(records.conserved);
  const tails = tailCorrections(pair, rho);
  const tail = (name: string, value: number, unit: string): Quantity =>
    quantity(
      name,
      pair.cutoff === 'truncated' ? value : 0,
      unit,
      pair.cutoff === 'truncated' ? 1e-14 * Math.abs(value) : 0,
    );
  const { momentum = 0, absoluteMomentum = 0, builds = 0, pairs = 0, ghosts = 0 } = run.statistics;
  const separations = [run, ...(finer ? [finer] : [])].map(({ positions }) => separationOf(positions));
  return [
    tail('tail_energy', tails.U, 'epsilon'),
    tail('tail_pressure', tails.P, 'epsilon/sigma^3'),
    // The exact motion has neither; a least-squares slope of values within ± swing is at most this.
    quantity(
      'energy_drift',
      slopeOf(productionOf(times), productionOf(records.conserved)),
      'epsilon/tau',
      (3 * swing) / (to - from),
    ),
    quantity('energy_swing', swing, 'epsilon', swing),
    ...(atoms === 2 && isFree && finer
      ? [quantity('separation', at(separations, 0), 'sigma', separationError(separations))]
      : []),
    quantity('momentum', momentum, 'm sigma/tau', ROUNDING * Math.max(absoluteMomentum, atoms * Math.sqrt(pair.eps))),
    exactly('density', rho, 'sigma^-3'),
    exactly('shortest_edge', Math.min(box.x, box.y, box.z), 'sigma'),
    exactly('list_builds', builds, '1'),
    exactly('listed_partners', pairs / atoms, '1'),
    exactly('ghost_atoms', ghosts, '1'),
  ];
}

/** Distance of the first two atoms. */
function separationOf(positions: Float64Array): number {
  let squares = 0;
  for (let d = 0; d < 3; d++) {
    const x = at(positions, d) - at(positions, 3 + d);
    squares += x * x;
  }
  return Math.sqrt(squares);
}

const separationError = ([coarse = 0, fine = 0]: readonly number[]): number =>
  STEP_ERROR * Math.abs(coarse - fine) + ROUNDING * coarse;

/** From when on the run does not tell where the atoms are. */
function predictability(run: Run, finer: Run | undefined, problem: Problem, input: EvolveInput): string {
  if (!finer)
    return 'Atoms of a liquid go elsewhere after a few tau if anything changes by a rounding: positions are one possible motion, averages are not.';
  const { atoms, frames, pair } = problem;
  const max = APART * pair.sig;
  const isApart = (frame: number): boolean => {
    const [a, b] = [run, finer].map(({ trajectory }) =>
      trajectory.subarray(3 * atoms * frame, 3 * atoms * (frame + 1)),
    );
    for (let k = 0; k < 3 * atoms; k++) if (Math.abs((a?.[k] ?? 0) - (b?.[k] ?? 0)) > max) return true;
    return false;
  };
  for (let frame = 0; frame < frames; frame++) {
    if (!isApart(frame)) continue;
    const time = frameStep(frame, frames, input.steps) * input.dtSim;
    return `A run with ${finerSteps(input)} steps has an atom more than ${max} elsewhere from t = ${time} on: later positions are one possible motion.`;
  }
  return `A run with ${finerSteps(input)} steps has every atom within ${max} of the same place, to the end.`;
}

function notesOf(problem: Problem, input: EvolveInput): string[] {
  const { pair, box, vacancies, atoms } = problem;
  const notes = [
    'Unit mass and k_B = 1; eps and sig are the pair coefficients in the units epsilon and sigma of the answer.',
    'Means, g(r), S(k), the velocity autocorrelation and the diffusion coefficient are over the second half of the run.',
  ];
  if (pair.cutoff === 'truncated') {
    notes.push(
      'U and E count truncated pairs in full; H and the value count them from their energy at rc, which is what the forces conserve.',
    );
  }
  if (input.thermostat === 'bussi')
    notes.push('The value is the mean of E over the second half; H is less the heat of the thermostat.');
  if (problem.isFree) notes.push('Free space: the box is so large that no atom can meet an image.');
  const shortest = Math.min(box.x, box.y, box.z);
  if (!problem.isFree && shortest < 2 * pair.rc) {
    notes.push(
      `The box is ${shortest} across, less than 2 rc: atoms meet several images of one partner, and finite-size effects are strong.`,
    );
  }
  if (vacancies > 0) notes.push(`${vacancies} of ${vacancies + atoms} lattice sites are empty at the start.`);
  return notes;
}
