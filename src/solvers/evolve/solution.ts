// Builds the solution of a run: conserved energy and its witness, averages with errors, structure, diffusion.

import { blockAverage } from '../../core/block-average.ts';
import { log } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Field, Invariant, Solution } from '../definition.ts';
import { at, last, maxDeviation } from '../parts/arrays.ts';
import { unstableError } from '../parts/errors.ts';
import { field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Plot } from '../plot.ts';
import type { EvolveFace } from './face.ts';
import {
  chainQuantities,
  displacementsOf,
  distribution,
  frameTimes,
  type Histories,
  historiesOf,
  type Records,
  slopeOf,
  wrapped,
} from './observables.ts';
import { isRefined } from './plan.ts';
import { type EvolveInput, type Problem, problemOf } from './problem.ts';
import { configurationOf, kineticOf, lennardJones, tailCorrections } from './reference.ts';

const MAX_TRAJECTORY_NUMBERS = 200_000;
/** Maximum energy deviation per atom, over the larger of eps and kT; beyond it the step is too long. */
const MAX_ENERGY_DEVIATION = 0.02;

interface Run {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly records: Records;
  readonly frames: Records;
  readonly trajectory: Float64Array;
  readonly distances: Float64Array;
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
    statistics,
  };
}

export function solutionOf(outputs: readonly KernelOutput<EvolveFace>[], input: EvolveInput): Solution {
  const problem = problemOf(input);
  const { atoms, pair, box } = problem;
  const run = runOf(outputOf(outputs, 0), input.dtSim);
  const records = historiesOf(run.records, problem);
  const frames = historiesOf(run.frames, problem);
  const displacements = displacementsOf(run.trajectory, problem);

  // The value is the Hamiltonian of the integrated forces, per atom, at the end.
  const end = run.frames.count - 1;
  const energy = run.frames.at(end, 'energy');
  const kinetic = run.frames.at(end, 'kinetic');
  const value = (energy + kinetic) / atoms;
  const bonds = { chainLength: problem.chainLength, k: input.kBond, r0: input.r0Bond };
  const configuration = configurationOf(run.positions, box, pair, bonds);
  const reference = (configuration.energy + kineticOf(run.velocities)) / atoms;
  const scale = (Math.abs(energy) + kinetic) / atoms;
  const deviation = Math.max(maxDeviation(records.conserved), maxDeviation(frames.conserved));
  // Zero for atoms at rest out of range of each other: the state is constant.
  const magnitude = Math.max(Math.abs(reference), scale);
  const uncertainty = Math.max(deviation, Math.abs(value - reference), 1e-12 * scale);
  const error = bound('discretisation', uncertainty, 'swing of the conserved energy');

  const energyConservation = energyInvariant(frames.conserved, deviation, run.records, input, problem);
  const finer = isRefined(input) ? runOf(outputOf(outputs, 1), input.dtSim / 2) : undefined;
  const finerDeviation = finer ? maxDeviation(historiesOf(finer.records, problem).conserved) : 0;
  return {
    value,
    ...uncertain([error]),
    bound: magnitude > 0 ? uncertainty / magnitude : 0,
    converged: energyConservation.drift <= energyConservation.bound,
    witness: {
      method: 'energy of the last positions and velocities, summed over every pair and image without a list',
      reference,
      scale,
      ...(finerDeviation > 0 && deviation > 0 ? { observedOrder: log(deviation / finerDeviation) / Math.LN2 } : {}),
    },
    invariants: [energyConservation, momentumInvariant(run.statistics)],
    series: seriesOf(frames, displacements, problem, input),
    fields: fieldsOf(run, problem, input),
    plots: plotsOf(problem),
    quantities: quantitiesOf(run, records, displacements, problem, input),
    operatorInputs: {},
    functional: energy + kinetic,
    notes: notesOf(problem, input),
  };
}

/**
 * Velocity Verlet keeps H + Δt² (vᵀ∇∇U v / 12 − f² / 24), so H oscillates by about Δt² <f²> / 24. Both terms have
 * the same mean, larger at the start from a lattice (Hairer, Lubich & Wanner, Geometric Numerical Integration, chapter
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
  const force2 = records.column('force2').reduce((largest, squares) => Math.max(largest, squares), 0);
  const shadowDeviation = (input.dtSim * input.dtSim * force2) / (6 * atoms);
  const jump = pair.cutoff === 'force-shifted' ? 0 : Math.abs(lennardJones(pair, pair.rc).f * pair.rc);
  const crossing = jump * input.dtSim * Math.sqrt(problem.t0 * input.steps * input.dtSim);
  const maxDeviationAllowed = MAX_ENERGY_DEVIATION * Math.max(pair.eps, problem.t0);
  return {
    name: 'energy_per_atom',
    label: 'energy per atom',
    value: last(conserved),
    drift: deviation,
    bound: Math.min(shadowDeviation + crossing, maxDeviationAllowed) + 1e-12 * Math.max(pair.eps, problem.t0),
    unit: 'epsilon',
  };
}

function momentumInvariant({ momentum = 0, absoluteMomentum: magnitude = 0 }: Run['statistics']): Invariant {
  const drift = magnitude > 0 ? momentum / magnitude : 0;
  return { name: 'total_momentum', label: 'total momentum', value: momentum, drift, bound: 1e-12 };
}

const plotsOf = ({ pair }: Problem): Plot[] => [
  { kind: 'line', title: 'Temperature', x: 't', y: ['T'] },
  { kind: 'line', title: 'Energy per atom', x: 't', y: ['U', 'K', 'E', 'H'] },
  { kind: 'line', title: 'Pressure', x: 't', y: ['P'] },
  { kind: 'line', title: 'Mean squared displacement', x: 't', y: ['MSD'] },
  { kind: 'line', title: 'Pair distribution', x: 'r', y: ['g'] },
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
      positions[3 * atoms * index + k] = wrapped(run.trajectory[3 * atoms * frame + k] ?? 0, edges[k % 3] ?? 1);
    }
  }
  const times = frameTimes(problem, input);
  const storedTimes = storedFrames.map((k) => at(times, k));
  const { r, g } = distribution(run.distances, problem);
  return [
    field('positions', 'sigma', [storedFrames.length, atoms, 3], positions),
    series('position_times', 'tau', storedTimes),
    field('velocities', 'sigma/tau', [atoms, 3], run.velocities),
    series('box', 'sigma', edges),
    series('r', 'sigma', r),
    series('g', '1', g),
  ];
}

function quantitiesOf(run: Run, records: Histories, displacements: Float64Array, problem: Problem, input: EvolveInput) {
  const { atoms, pair, rho, box } = problem;
  // The second half of the run; the first half is equilibration.
  const half = <T extends Float64Array>(history: T): Float64Array => history.subarray(history.length >> 1);
  const temperature = blockAverage(half(records.temperature));
  const potential = blockAverage(half(records.potential));
  const pressure = blockAverage(half(records.pressure));
  const times = Float64Array.from(records.conserved, (_, i) => i * problem.recordEvery * input.dtSim);
  const production = <T extends Float64Array>(history: T): Float64Array => history.subarray(problem.histogramFrom);
  const slope = slopeOf(production(frameTimes(problem, input)), production(displacements));
  const tails = tailCorrections(pair, rho);
  const { momentum = 0, builds = 0, pairs = 0, ghosts = 0 } = run.statistics;
  return [
    quantity('temperature_mean', temperature.mean, 'epsilon/k_B'),
    quantity('temperature_error', temperature.error, 'epsilon/k_B'),
    quantity('potential_energy_mean', potential.mean, 'epsilon'),
    quantity('potential_energy_error', potential.error, 'epsilon'),
    quantity('pressure_mean', pressure.mean, 'epsilon/sigma^3'),
    quantity('pressure_error', pressure.error, 'epsilon/sigma^3'),
    quantity('tail_energy', pair.cutoff === 'truncated' ? tails.U : 0, 'epsilon'),
    quantity('tail_pressure', pair.cutoff === 'truncated' ? tails.P : 0, 'epsilon/sigma^3'),
    quantity('energy_drift', slopeOf(half(times), half(records.conserved)), 'epsilon/tau'),
    quantity('energy_swing', maxDeviation(records.conserved), 'epsilon'),
    quantity('diffusion_coefficient', slope / 6, 'sigma^2/tau'),
    quantity('momentum', momentum, 'm sigma/tau'),
    quantity('density', rho, 'sigma^-3'),
    quantity('shortest_edge', Math.min(box.x, box.y, box.z), 'sigma'),
    quantity('list_builds', builds, '1'),
    quantity('listed_partners', pairs / atoms, '1'),
    quantity('ghost_atoms', ghosts, '1'),
    ...(problem.chainLength > 0 ? chainQuantities(run.trajectory, problem) : []),
  ];
}

function notesOf(problem: Problem, input: EvolveInput): string[] {
  const { pair, box, vacancies, atoms } = problem;
  const notes = [
    'Unit mass and k_B = 1; eps and sig are the pair coefficients in the units epsilon and sigma of the answer.',
    'Means, their block errors, g(r) and the diffusion coefficient are over the second half of the run.',
  ];
  if (pair.cutoff === 'truncated') {
    notes.push(
      'U and E count truncated pairs in full; H and the value count them from their energy at rc, which is what the forces conserve.',
    );
  }
  if (input.thermostat === 'bussi') notes.push('H is less the heat taken from the thermostat; the value includes it.');
  const shortest = Math.min(box.x, box.y, box.z);
  if (shortest < 2 * pair.rc) {
    notes.push(
      `The box is ${shortest} across, less than 2 rc: atoms meet several images of one partner, and finite-size effects are strong.`,
    );
  }
  if (vacancies > 0) notes.push(`${vacancies} of ${vacancies + atoms} lattice sites are empty at the start.`);
  return notes;
}
