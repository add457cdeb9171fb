// Builds the solution from the kernel outputs: energies with errors, expectation values, wave functions.

import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Field, Solution } from '../definition.ts';
import { validationError } from '../parts/errors.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { Plot } from '../plot.ts';
import type { SchrodingerFace } from './face.ts';
import { type GridResult, gridResultOf, gridsOf } from './grids.ts';
import type { SchrodingerInput } from './inputs.ts';
import { invariantsOf } from './invariants.ts';
import { KIND } from './potential.ts';
import { type Problem, problemOf } from './problem.ts';
import { type MainGrid, reportOf, type StateReport } from './report.ts';
import { ELECTRON_KG } from './units.ts';

/** Maximum relative error bound of a converged solution. */
const MAX_BOUND = 1e-3;
/** Standard, twice: of ħ²/2m_e in eV nm², CODATA 2022. */
const KINETIC_UNCERTAINTY = 6.2e-10;

export function solutionOf(outputs: readonly KernelOutput<SchrodingerFace>[], input: SchrodingerInput): Solution {
  const problem = problemOf(input);
  const grids = gridsOf(input.N, input.richardson);
  for (const output of outputs) assertFinite(output);
  const gridResults = grids.map((nodes, i) => gridResultOf(outputOf(outputs, i), nodes));
  const main = outputOf(outputs, 1);
  const { x = new Float64Array(), V = new Float64Array(), psi = new Float64Array() } = main.views;
  const mainGrid = { x, V, psi };
  const states = Array.from({ length: input.states }, (_, n) => reportOf(problem, mainGrid, gridResults, n));
  const [ground] = states;
  if (!ground) throw new Error('The solution has no state.');

  // Walls that perturb the state are part of its problem; distant walls only add to its uncertainty.
  const { reference, method } = witnessOf(ground.isUnperturbed ? problem.exact : undefined, ground);
  const scale = Math.max(Math.abs(reference), ground.kinetic);
  const { uncertainty, budget } = ground;
  const bound = uncertainty / scale;
  const isComplete = outputs.every(({ info, statistics }) => info === INFO.ok && statistics.isComplete === 1);
  const isMirrored = main.statistics.isMirrored === 1;
  return {
    value: ground.energy,
    uncertainty,
    budget,
    bound,
    converged: isComplete && bound <= MAX_BOUND,
    witness: {
      method,
      reference,
      scale: ground.kinetic,
      ...(ground.order === undefined ? {} : { observedOrder: ground.order }),
    },
    invariants: invariantsOf(input, problem, { states, mainGrid, gridResults, isMirrored }),
    series: seriesOf(problem, states),
    fields: fieldsOf(problem, states, mainGrid),
    plots: PLOTS,
    quantities: quantitiesOf(input, problem, states, gridResults),
    operatorInputs: { QM5: boxOperatorInputs(input, problem) },
    functional: ground.energy,
    notes: notesOf(input, problem, states),
  };
}

/** @throws DomainError if the expression has no finite value at a node */
function assertFinite({ info, statistics }: KernelOutput<SchrodingerFace>): void {
  if (info !== INFO.nonFinite && info !== INFO.capacity) return;
  const x0 = statistics.nonFiniteX ?? Number.NaN;
  const message =
    info === INFO.capacity
      ? `The potential could not be evaluated at x = ${x0}: a sum is too long or its bounds are not integers.`
      : `The potential is not finite at x = ${x0}.`;
  throw validationError('expression', message, 'NOT_FINITE', { x: x0 });
}

function witnessOf(exact: Problem['exact'], ground: StateReport): { method: string; reference: number } {
  const [exactEnergy] = exact ?? [];
  if (exactEnergy !== undefined) return { method: 'closed form', reference: exactEnergy };
  return { method: 'refined grid: the next order of extrapolation', reference: ground.refined };
}

function seriesOf({ units, kinetic, exact }: Problem, states: readonly StateReport[]): Field[] {
  const { energy, length } = units;
  const column = (name: string, unit: string, of: (state: StateReport) => number): Field =>
    series(name, unit, states.map(of));
  const ground = states[0]?.energy ?? 0;
  const columns = [
    column('n', '1', ({ n }) => n),
    column('E', energy, (state) => state.energy),
    column('E_uncertainty', energy, (state) => state.uncertainty),
    column('is_bound', '1', ({ isBound }) => Number(isBound)),
    column('nodes', '1', ({ nodes }) => nodes),
    column('excitation', energy, (state) => state.energy - ground),
    column('mean_x', length, ({ moment }) => moment('x')),
    column('mean_x2', `${length}^2`, ({ moment }) => moment('xx')),
    column('mean_p2', `hbar^2/${length}^2`, (state) => state.kinetic / kinetic),
    column('delta_x', length, ({ deltaX }) => deltaX),
    column('delta_x_delta_p', 'hbar', (state) => state.deltaX * Math.sqrt(state.kinetic / kinetic)),
    column('mean_T', energy, (state) => state.kinetic),
    column('mean_V', energy, ({ moment }) => moment('potential')),
    column('virial_defect', '1', ({ virial }) => virial),
  ];
  if (exact && exact.length === states.length && states.every(({ isBound }) => isBound)) {
    columns.push(column('E_exact', energy, ({ n }) => exact[n] ?? Number.NaN));
  }
  return columns;
}

function fieldsOf({ units }: Problem, states: readonly StateReport[], { x, V, psi }: MainGrid): Field[] {
  const k = states.length;
  const transitions = states.flatMap((upper) => states.map((lower) => upper.energy - lower.energy));
  return [
    series('x', units.length, x),
    series('V', units.energy, V),
    field('psi', `${units.length}^-0.5`, [k, x.length], psi),
    field('transition_energy', units.energy, [k, k], Float64Array.from(transitions)),
  ];
}

const PLOTS: readonly Plot[] = [
  {
    kind: 'levels',
    title: 'Wave functions on the potential',
    x: 'x',
    potential: 'V',
    waves: 'psi',
    levels: 'E',
    uncertainty: 'E_uncertainty',
    bound: 'is_bound',
  },
  { kind: 'line', title: 'Energy levels', x: 'n', y: ['E'], marks: 'points' },
  { kind: 'line', title: 'Uncertainty product', x: 'n', y: ['delta_x_delta_p'], marks: 'points' },
];

function quantitiesOf(
  input: SchrodingerInput,
  problem: Problem,
  states: readonly StateReport[],
  gridResults: readonly GridResult[],
): Solution['quantities'] {
  const { units, xmin, xmax } = problem;
  const [ground, excited] = states;
  const gridEnergy = gridResults[1]?.energies[0] ?? Number.NaN;
  const gridError = Math.abs(gridEnergy - (ground?.energy ?? Number.NaN)) + (ground?.uncertainty ?? Number.NaN);
  const wallShift = ground?.isBound ? ground.wallShift : 0;
  const constant = units.photon === undefined ? 0 : KINETIC_UNCERTAINTY * problem.kinetic;
  return [
    exactly('xmin', xmin, units.length),
    exactly('xmax', xmax, units.length),
    exactly('bound_states_found', states.filter(({ isBound }) => isBound).length, '1'),
    ...(ground && excited ? splittingOf(units, ground, excited) : []),
    quantity('E_grid', gridEnergy, units.energy, gridError),
    // A first-order estimate.
    quantity('wall_shift', wallShift, units.energy, wallShift),
    quantity('kinetic_coefficient', problem.kinetic, `${units.energy} ${units.length}^2`, constant),
    exactly('mean_cell', (xmax - xmin) / (input.N + 1), units.length),
  ];
}

/** Distance of the lowest two levels. Where it drowns in its ±, it is anywhere from 0 to its bound. */
function splittingOf(units: Problem['units'], ground: StateReport, excited: StateReport): Solution['quantities'] {
  const difference = {
    value: excited.energy - ground.energy,
    uncertainty: excited.uncertainty + ground.uncertainty,
  };
  const { value, uncertainty } = fromZero(excited.gap ?? difference);
  const splitting = quantity('splitting', value, units.energy, uncertainty);
  if (units.photon === undefined || value <= uncertainty) return [splitting];
  // The hyperbola is steeper below.
  const wavelength = units.photon / value;
  return [splitting, quantity('wavelength_0_1', wavelength, 'nm', units.photon / (value - uncertainty) - wavelength)];
}

/** An interval of a number that is not negative, without its negative part. */
function fromZero(interval: { readonly value: number; readonly uncertainty: number }): typeof interval {
  if (interval.value > interval.uncertainty) return interval;
  const half = (interval.value + interval.uncertainty) / 2;
  return { value: half, uncertainty: half };
}

/** Inputs of QM5: the ground state of the empty box between the walls. */
function boxOperatorInputs(input: SchrodingerInput, { units, hbar, xmin, xmax }: Problem): Record<string, number> {
  // With a custom ħ, m is the mass that has the same kinetic term under the physical ħ.
  const ratio = hbar / units.hbar;
  return {
    n: 1,
    m: (input.mass / (ratio * ratio)) * ELECTRON_KG,
    L: (xmax - xmin) * units.metres,
  };
}

function notesOf(
  input: SchrodingerInput,
  { kind, units, exact, isPhysicalWall }: Problem,
  states: readonly StateReport[],
): string[] {
  const notes = [
    `Energies are in ${units.energy}, lengths in ${units.length}${units.photon ? ', frequencies in rad/fs' : ''}.`,
  ];
  if (kind !== KIND.box) notes.push('QM5 shows the ground state of the empty box between the walls.');
  if (kind === KIND.coulomb) notes.push('x is the radius r and psi is r R(r); the levels are those of this l.');
  if (kind !== KIND.expression && !isPhysicalWall[1] && input.xmax === undefined) {
    notes.push('xmax was chosen so that the highest bound state asked for has decayed.');
  }
  if (exact && exact.length < states.length) {
    notes.push(`The potential holds ${exact.length} bound states; higher levels belong to the box between the walls.`);
  }
  const unbound = states.filter(({ isBound }) => !isBound).map(({ n }) => n);
  if (unbound.length > 0) notes.push(`Not bound by the potential: the walls hold ${unbound.join(', ')}.`);
  const truncated = states.filter(({ isBound, wallShift, kinetic }) => isBound && wallShift > 1e-8 * kinetic);
  if (truncated.length > 0) {
    notes.push(`The walls cut the tails of ${truncated.map(({ n }) => n).join(', ')}; E_uncertainty includes it.`);
  }
  const irregular = states.filter(({ order }) => order !== undefined && Math.abs(order - 2) > 0.5);
  if (irregular.length > 0) {
    const list = irregular.map(({ n, order }) => `${n} (order ${order?.toFixed(1)})`).join(', ');
    notes.push(`The grid does not resolve the potential for ${list}; extrapolation is not trusted there.`);
  }
  return notes;
}
