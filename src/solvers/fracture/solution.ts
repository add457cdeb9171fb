// Builds the solution from the runs on three lattices: the peak stress with its ±, curves, energies and the damage.

import { DomainError } from '../../core/errors.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Quantity, Solution } from '../definition.ts';
import { at, maxMagnitude } from '../parts/arrays.ts';
import { exactly, field, quantity, rounded, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { recordedSteps } from '../parts/sampling.ts';
import type { Plot } from '../plot.ts';
import type { FractureFace } from './face.ts';
import type { FractureInput } from './inputs.ts';
import { motionSolutionOf } from './motion-solution.ts';
import { placesOf } from './places.ts';
import { type Problem, problemOf } from './problem.ts';
import { barStrength, edgeCrackStrength, stripStrain } from './reference.ts';

/** The ± is this times the largest change to the two other lattices. */
const RESERVE = 2;
/** Equilibrium to 1e-8 of the grips' force; the stress follows within this. */
const RESIDUAL = 1e-6;
/** A bar is in equilibrium from the start. */
const ROUNDING = 2e-14;
/** Part of a cell by which sides and the notch's face and end may be out of place, on the shorter side. */
const MISPLACED = 0.25;
/** Largest relative ± of a converged value. */
const MAX_BOUND = 0.5;

export function solutionOf(outputs: readonly KernelOutput<FractureFace>[], input: FractureInput): Solution {
  return input.load === 'static' ? staticSolutionOf(outputs, input) : motionSolutionOf(outputs, input);
}

function staticSolutionOf(outputs: readonly KernelOutput<FractureFace>[], input: FractureInput): Solution {
  const problem = problemOf(input);
  const { isBar, lattices, spacing, horizon, s0, sf } = problem;
  const { E, strain, width } = input;
  const runs = lattices.map((_, i) => outputOf(outputs, i));
  if (runs.some(({ info }) => info !== INFO.ok))
    throw new DomainError('NUMERIC_OVERFLOW', 'The displacements left the range of numbers. Take a smaller strain.');
  const [own = Number.NaN, fine = Number.NaN, coarse = Number.NaN] = runs.map(
    ({ statistics }) => E * (statistics.peak ?? Number.NaN),
  );
  const { views, columns, statistics } = outputOf(outputs, 0);
  const rows = rowsOf(views.history ?? new Float64Array(), columns.history);
  const of = (name: FractureFace['columns']['history'][number], factor: number) =>
    rows.column(name).map((value) => factor * value);
  const reference = isBar ? barStrength(E, strain, s0) : fine;
  const change = Math.max(Math.abs(own - fine), Math.abs(own - coarse), Math.abs(own - reference));
  const budget = uncertain([
    bound('discretisation', RESERVE * change, 'two other lattices with the same horizon and other load steps'),
    ...(isBar
      ? []
      : [bound('model', (MISPLACED / Math.min(input.nx, input.ny)) * own, 'a quarter of a cell on the shorter side')]),
    bound('rounding', (isBar ? ROUNDING : RESIDUAL) * own, 'residual of the equilibrium'),
  ]);
  const open = runs.reduce((sum, run) => sum + (run.statistics.open ?? 0), 0);
  const relative = budget.uncertainty / own;
  const [strains, stress, lower] = [of('strain', 1), of('stress', E), of('lower', E)];
  // Per area of the plate in units of the lattice: the spacing and the number of points give J per m of thickness.
  const area = isBar ? spacing : spacing * spacing;
  const [energy, conjugate] = [of('energy', E * area), of('conjugate', E * area)];
  const work = worksOf(strains, conjugate);
  const dissipated = work.map((value, i) => value - at(energy, i));
  const tip = of('tip', spacing);
  const [columnsOf, rowsCount] = [lattices[0]?.columns ?? 0, lattices[0]?.rows ?? 0];
  const frameSteps = recordedSteps(input.loadSteps, lattices[0]?.frameEvery ?? 1);
  const unit = isBar ? 'J/m^2' : 'J/m';
  const length = isBar ? width : rowsCount * spacing;
  return {
    value: own,
    ...budget,
    bound: relative,
    converged: open === 0 && relative <= MAX_BOUND,
    witness: {
      method: isBar
        ? 'Hooke’s law up to s0'
        : 'the same plate on 5/4 of the points, with the same horizon in metres and one more load step',
      reference,
      scale: own,
    },
    invariants: open > 0 ? [] : invariantsOf(stress, lower, strains, energy, conjugate),
    series: [
      series('strain', '1', strains),
      series(
        'elongation',
        'm',
        strains.map((value) => value * length),
      ),
      series('stress', 'Pa', stress),
      series('strain_energy', unit, energy),
      series('work', unit, work),
      series('dissipated', unit, dissipated),
      ...(isBar ? [] : [series('x', 'm', placesOf(columnsOf, spacing)), series('crack_tip', 'm', tip)]),
      series('y', 'm', placesOf(rowsCount, spacing)),
      series(
        'frame_strain',
        '1',
        frameSteps.map((step) => at(strains, step)),
      ),
    ],
    fields: [
      field(
        'damage',
        '1',
        isBar ? [frameSteps.length, rowsCount] : [frameSteps.length, rowsCount, columnsOf],
        views.frames ?? new Float64Array(),
      ),
    ],
    plots: plotsOf(isBar),
    quantities: [
      quantity('peak_strain', statistics.peakStrain ?? Number.NaN, '1', (budget.uncertainty / own) * strain),
      rounded('s0', s0, '1'),
      rounded('sf', sf, '1'),
      exactly('horizon', horizon, 'm'),
      exactly('load_rounds', statistics.rounds ?? 0, '1'),
      ...lefmOf(problem, input, length),
    ],
    operatorInputs: {},
    functional: own,
    notes: notesOf(open, relative, own, strain, statistics.peakStrain ?? 0, input.loadSteps),
  };
}

/** Work of the grips: the trapezoidal rule over the mean strain. */
function worksOf(strains: Float64Array, conjugate: Float64Array): Float64Array {
  let sum = 0;
  return strains.map((strain, i) => {
    if (i > 0) sum += 0.5 * (strain - at(strains, i - 1)) * (at(conjugate, i) + at(conjugate, i - 1));
    return sum;
  });
}

/** In equilibrium both ends carry the same force, and the energy is half of the force by the way (Clapeyron). */
function invariantsOf(
  stress: Float64Array,
  lower: Float64Array,
  strains: Float64Array,
  energy: Float64Array,
  conjugate: Float64Array,
): Solution['invariants'] {
  const largest = Math.max(maxMagnitude(stress), Number.MIN_VALUE);
  const most = Math.max(maxMagnitude(energy), Number.MIN_VALUE);
  const forces = maxMagnitude(stress.map((value, i) => value - at(lower, i))) / largest;
  const halves = maxMagnitude(energy.map((value, i) => value - 0.5 * at(conjugate, i) * at(strains, i))) / most;
  return [
    { name: 'force_balance', label: 'both ends carry the same force', value: largest, drift: forces, bound: 1e-6 },
    { name: 'clapeyron', label: 'the energy is half of force by way', value: most, drift: halves, bound: 1e-6 },
  ];
}

/** Of the factor for a notch of up to 0.6 of the width, as its source says. */
const FACTOR_ERROR = 0.005;

function edgeCrackOf(E: number, surfaceEnergy: number, notch: number, width: number): Quantity {
  const strength = edgeCrackStrength(E, surfaceEnergy, notch, width);
  return quantity('sigma_free_ends', strength, 'Pa', (FACTOR_ERROR + 1e-13) * strength);
}

/** What linear fracture mechanics says of a brittle plate: a long crack between clamped ends, an edge crack with free ends. */
function lefmOf({ surfaceEnergy, notch }: Problem, { E, width }: FractureInput, height: number): Quantity[] {
  if (surfaceEnergy === undefined) return [];
  const known = [rounded('G0', surfaceEnergy, 'J/m^2')];
  if (notch === 0) return known;
  return [
    ...known,
    rounded('strain_clamped_strip', stripStrain(E, surfaceEnergy, height), '1'),
    edgeCrackOf(E, surfaceEnergy, notch, width),
  ];
}

function plotsOf(isBar: boolean): Plot[] {
  return [
    isBar
      ? { kind: 'line', title: 'Damage', x: 'y', y: ['damage'], time: 'frame_strain' }
      : { kind: 'field', title: 'Damage', x: 'x', y: 'y', time: 'frame_strain', values: 'damage' },
    { kind: 'line', title: 'Stress over mean strain', x: 'strain', y: ['stress'] },
    { kind: 'line', title: 'Energies', x: 'strain', y: ['work', 'strain_energy', 'dissipated'] },
    ...(isBar ? [] : [{ kind: 'line', title: 'Tip of the crack', x: 'strain', y: ['crack_tip'] } as const]),
  ];
}

function notesOf(
  open: number,
  relative: number,
  own: number,
  strain: number,
  peakStrain: number,
  loadSteps: number,
): string[] {
  const notes: string[] = [];
  if (open > 0) notes.push(`${open} load steps spent relaxIters without equilibrium. Take more.`);
  if (relative > MAX_BOUND) notes.push(`The ± is above ${100 * MAX_BOUND} % of the stress. Take more points.`);
  if (own > 0 && peakStrain > strain * (1 - 1e-9) && loadSteps > 1)
    notes.push('The stress still rises at the end; the plate or bar has not failed. Take a larger strain.');
  return notes;
}
