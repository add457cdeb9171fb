// Builds the solution of a run: energy and its witness, averages with their ±, structure, correlations.

import { correlatedMean } from '../../core/correlated-mean.ts';
import { log } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Field, Invariant, Quantity, Solution } from '../definition.ts';
import { at, last, maxDeviation } from '../parts/arrays.ts';
import { unstableError } from '../parts/errors.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Plot } from '../plot.ts';
import { averageQuantities, averagesOf, productionOf, uncertaintyOf } from './averages.ts';
import type { EvolveFace } from './face.ts';
import {
  displacementsOf,
  distribution,
  frameTimes,
  type Histories,
  historiesOf,
  type Records,
  slopeOf,
  velocityAutocorrelation,
  wrapped,
} from './observables.ts';
import { finerSteps, isRefined } from './plan.ts';
import { type EvolveInput, frameStep, type Problem, problemOf } from './problem.ts';
import { configurationOf, kineticOf, lennardJones, tailCorrections } from './reference.ts';
import { structureFactor } from './structure-factor.ts';

const MAX_TRAJECTORY_NUMBERS = 200_000;
/** Maximum energy deviation per atom, over the larger of eps and kT; beyond it the step is too long. */
const MAX_ENERGY_DEVIATION = 0.02;
/** Relative rounding of sums over atoms and pairs, and of a total momentum. */
const ROUNDING = 1e-12;
/** Curvature of the energy about an atom of a liquid, its Einstein frequency squared, in eps / sig². */
const STIFFNESS = 400;
/** A mean needs a history worth so many independent values, and quarters that agree within so many errors. */
const MIN_INDEPENDENT = 2;
const MAX_DEVIATIONS = 4;
const MEAN_NEEDS = `it needs ${MIN_INDEPENDENT} independent values, and last quarters that agree within ${MAX_DEVIATIONS} errors`;
const NOT_CANONICAL = `The run has not reached T0: its mean temperature differs by more than ${MAX_DEVIATIONS} errors. Take more steps, or a shorter tau.`;
/** Atoms of two runs are elsewhere once they are apart by this, in units of sig. */
const APART = 0.1;
/** The error of a step over its distance from a step of two thirds: 9 / 5 at second order, 3 at first; with a reserve. */
const STEP_ERROR = 4;

interface Run {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly records: Records;
  readonly frames: Records;
  readonly trajectory: Float64Array;
  readonly distances: Float64Array;
  readonly correlations: Float64Array;
  readonly statistics: KernelOutput<EvolveFace>['statistics'];
}

/** @throws DomainError UNSTABLE_SCHEME if the run diverged, BUDGET_EXCEEDED if the neighbour list overflowed */
function runOf(output: KernelOutput<EvolveFace>, dt: number): Run {
  if (output.info === INFO.nonFinite) {
    const message = `The run was no longer finite after step ${output.steps}: dtSim ${dt} is too long for this start.`;
    throw unstableError('dtSim', message, 'STEP_TOO_LONG');
  }
  if (output.info !== INFO.ok) {
    const message = `Neighbour list overflowed after step ${output.steps}: the atoms are denser than the list has memory for.`;
    throw new DomainError('BUDGET_EXCEEDED', message);
  }
  const { views, statistics, columns } = output;
  const none = new Float64Array();
  return {
    positions: views.positions ?? none,
    velocities: views.velocities ?? none,
    records: rowsOf(views.records ?? none, columns.record),
    frames: rowsOf(views.frames ?? none, columns.record),
    trajectory: views.trajectory ?? none,
    distances: views.distances ?? none,
    correlations: views.correlations ?? none,
    statistics,
  };
}

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

type Answer = Pick<Solution, 'value' | 'uncertainty' | 'budget' | 'bound' | 'witness'> & {
  readonly isSupported: boolean;
};

/**
 * At constant energy the exact motion keeps the energy of the start, which is known without any step: the sum over all
 * pairs and images, and the kinetic energy that was given or drawn.
 */
function constantEnergy(run: Run, finer: Run | undefined, deviation: number, problem: Problem): Answer {
  const { atoms, box, pair, bonds, positions, velocities, t0 } = problem;
  const at0 = velocities ? kineticOf(velocities) : 1.5 * (atoms - 1) * t0;
  const start = configurationOf(positions, box, pair, bonds).energy;
  const reference = (start + at0) / atoms;
  const [energy, kinetic] = energiesAtEnd(run);
  const value = (energy + kinetic) / atoms;
  const scale = (Math.abs(energy) + kinetic) / atoms;
  const finerDeviation = finer ? maxDeviation(historiesOf(finer.records, problem).conserved) : 0;
  const distance = finer ? Math.abs(value - energiesAtEnd(finer).reduce((sum, part) => sum + part) / atoms) : 0;
  const stepError = Math.max(deviation, Math.abs(value - reference), distance);
  const rounding = ROUNDING * Math.max(scale, (Math.abs(start) + at0) / atoms, pair.eps);
  const uncertainty = uncertain([
    bound('discretisation', stepError, 'largest deviation of the energy from that of the start, and between two steps'),
    bound('rounding', rounding, 'rounding of the sums over atoms and pairs'),
  ]);
  const ratio = finer ? log(deviation / finerDeviation) / log(1.5) : 0;
  return {
    value,
    ...uncertainty,
    bound: uncertainty.uncertainty / Math.max(Math.abs(reference), scale, rounding),
    isSupported: true,
    witness: {
      method: 'energy of the start, summed over every pair and image without a list and without a step',
      reference,
      scale,
      ...(finerDeviation > 0 && deviation > 0 ? { observedOrder: ratio } : {}),
    },
  };
}

/** With a thermostat the state at the end is one of many; the answer is the mean energy of the production half. */
function meanEnergy(run: Run, averages: ReturnType<typeof averagesOf>, problem: Problem): Answer {
  const { atoms, box, pair, bonds } = problem;
  const average = averages.energy();
  const { potential, kinetic } = historiesOf(run.records, problem);
  const total = productionOf(potential.map((part, i) => part + (kinetic[i] ?? 0)));
  const [early, late] = [correlatedMean(total.subarray(0, total.length >> 1)), correlatedMean(productionOf(total))];
  const value = average.mean;
  const reference = late.mean;
  const [listed] = energiesAtEnd(run);
  const summed = configurationOf(run.positions, box, pair, bonds).energy;
  const listError = Math.abs(listed - summed) / atoms;
  const scale = Math.abs(value) + last(kinetic);
  const own = uncertaintyOf(average);
  const uncertainty = uncertain([...own.budget, bound('rounding', listError, 'last state, summed without a list')]);
  const agree =
    Math.abs(early.mean - late.mean) <= MAX_DEVIATIONS * Math.sqrt(early.error * early.error + late.error * late.error);
  return {
    value,
    ...uncertainty,
    bound: Math.max(uncertainty.uncertainty, Math.abs(value - reference)) / Math.max(Math.abs(reference), scale),
    isSupported: agree && average.independent >= MIN_INDEPENDENT && listError <= 1e-9 * scale,
    witness: { method: 'mean energy of the last quarter of the run', reference, scale },
  };
}

const energiesAtEnd = ({ frames }: Run): readonly [number, number] => [
  frames.at(frames.count - 1, 'energy'),
  frames.at(frames.count - 1, 'kinetic'),
];

/**
 * Velocity Verlet keeps H + Δt² (vᵀ∇∇U v / 12 − f² / 24), so H oscillates by about Δt² <f²> / 24. Both terms have
 * the same mean, larger at the start from a lattice; few atoms, or a short run, have one without the other (Hairer, Lubich & Wanner, Geometric Numerical Integration, chapter
 * IX). A force that jumps at rc adds the work of half a step at each of the pairs that crossed it.
 */
function energyInvariant(
  conserved: Float64Array,
  deviation: number,
  records: Records,
  input: EvolveInput,
  problem: Problem,
): Invariant {
  const { atoms, pair } = problem;
  const maxOf = (column: 'force2' | 'kinetic') => records.column(column).reduce((max, sum) => Math.max(max, sum), 0);
  const stiffness = STIFFNESS * (pair.eps / (pair.sig * pair.sig)) + 4 * (problem.chainLength > 0 ? input.kBond : 0);
  const squares = maxOf('force2') + stiffness * maxOf('kinetic');
  const shadowDeviation = (input.dtSim * input.dtSim * squares) / (6 * atoms);
  const jump = pair.cutoff === 'force-shifted' ? 0 : Math.abs(lennardJones(pair, pair.rc).f * pair.rc);
  const crossing = jump * input.dtSim * Math.sqrt(problem.t0 * input.steps * input.dtSim);
  const maxDeviationAllowed = MAX_ENERGY_DEVIATION * Math.max(pair.eps, problem.t0);
  return {
    name: 'energy_per_atom',
    label: 'energy per atom',
    value: last(conserved),
    drift: deviation,
    bound:
      Math.min(shadowDeviation + crossing, maxDeviationAllowed) +
      ROUNDING * Math.max(pair.eps, problem.t0, Math.abs(last(conserved))),
    unit: 'epsilon',
  };
}

/**
 * The mean kinetic energy of the canonical ensemble is known exactly, whatever the atoms do: kT / 2 for each degree of
 * freedom. It judges the start, the length of the run and the thermostat by nothing that the run itself says about them:
 * a thermostat that is slower than the run keeps the temperature of the start, at which all averages look converged.
 */
function equipartitionInvariant({ shown: [thermal] }: ReturnType<typeof averagesOf>, { t0 }: Problem): Invariant {
  const { mean, error, step, rounding } = thermal;
  return {
    name: 'equipartition',
    label: 'mean temperature, beside T0',
    value: mean,
    drift: Math.abs(mean - t0),
    bound: MAX_DEVIATIONS * error + step + rounding,
    unit: 'epsilon/k_B',
  };
}

/** Relative to the momenta of the atoms, or of atoms with the energy eps: those of a crystal at rest are rounding. */
function momentumInvariant({ velocities, statistics }: Run, { atoms, pair, momentum: start }: Problem): Invariant {
  const { momentum = 0, absoluteMomentum = 0 } = statistics;
  const change = [0, 1, 2].map((d) => {
    let sum = 0;
    for (let k = d; k < velocities.length; k += 3) sum += velocities[k] ?? 0;
    return sum - (start[d] ?? 0);
  });
  const scale = Math.max(absoluteMomentum, atoms * Math.sqrt(pair.eps));
  const drift = Math.sqrt(change.reduce((sum, p) => sum + p * p, 0)) / scale;
  return { name: 'total_momentum', label: 'total momentum', value: momentum, drift, bound: ROUNDING };
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
