// Builds the solution from the histories of the kernel: mean plaquette, witness, Polyakov loop and Wilson loops.

import { type CorrelatedMean, correlatedMean } from '../../core/correlated-mean.ts';
import { bound, standard, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { type Rows, rowsOf } from '../../kernels/rows.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { GaugeFace } from './face.ts';
import type { GaugeInput } from './inputs.ts';
import { picturesOf } from './pictures.ts';
import { type Problem, problemOf } from './problem.ts';
import { planeLoop, REFERENCE_ERROR } from './reference.ts';
import { correlationTime, Loops, meanOf } from './statistics.ts';

/** Standard errors within which the second way has to agree, and beyond which a sampled identity is broken. */
const AGREES = 4;
const BROKEN = 6;
/** Independent sweeps without which an error is not known. */
const MIN_INDEPENDENT = 20;
/** Relative rounding of a mean over the lattice and the sweeps. */
const ROUNDING = 1e-13;
const CLOSED_LOOP = 1e-11;

type History = Rows<GaugeFace['columns']['history'][number]>;

export function solutionOf(outputs: readonly KernelOutput<GaugeFace>[], input: GaugeInput): Solution {
  const problem = problemOf(input);
  const { views, columns, info, statistics } = outputOf(outputs, 0);
  const history = rowsOf(views.history ?? new Float64Array(), columns.history);
  const quantum = quantumOf(input, problem);
  const plaquettes = history.column('plaquette');
  const plaquette = meanOf(plaquettes, quantum);
  const budget = uncertain([
    bound('rounding', ROUNDING, 'sums over the lattice and the sweeps'),
    standard('statistics', plaquette.error, 'standard error of the sweeps with their autocorrelation'),
  ]);
  const witness = witnessOf(outputs, input, problem, quantum);
  const error = Math.sqrt(plaquette.error * plaquette.error + witness.error * witness.error);
  const tolerance = AGREES * error + ROUNDING;
  const agrees = Math.abs(plaquette.mean - witness.mean) <= tolerance;
  const isKnown = Math.min(plaquette.independent, witness.independent) >= MIN_INDEPENDENT;
  const scale = Math.max(Math.abs(witness.mean), tolerance);
  const loops = new Loops(views.loops ?? new Float64Array(), problem.side, quantum);
  const pictures = picturesOf(history, loops, plaquette, witness.mean);
  return {
    value: plaquette.mean,
    ...budget,
    bound: tolerance / scale,
    converged: info === 0 && agrees && isKnown,
    witness: { method: witness.method, reference: witness.mean, scale },
    invariants: invariantsOf(history, statistics, input, problem),
    ...pictures,
    quantities: [
      ...quantitiesOf(input, problem, history, plaquette, quantum),
      ...creutzOf(loops, input.L === problem.time),
      exactly('acceptance', statistics.acceptance ?? Number.NaN, '1'),
      exactly('independent_sweeps', plaquette.independent, '1'),
      exactly('links', problem.links, '1'),
      exactly('loop_records', loops.side > 0 ? Math.floor(input.sweeps / problem.interval) : 0, '1'),
    ],
    operatorInputs: isHep4(input) ? { HEP4: { beta: input.beta } } : {},
    functional: plaquette.mean,
    notes: notesOf(input, agrees, isKnown),
  };
}

/** The law is U(1) in the infinite plane. */
const isHep4 = ({ group, dim, beta }: GaugeInput): boolean => group === 'u1' && dim === 2 && beta <= 500;

/** One link of Z2 changes the sum of the plaquettes by at least as much, or where it has no field, two by so much. */
const quantumOf = ({ group, dim }: GaugeInput, { plaquettes }: Problem): number =>
  group === 'z2' ? (4 * (dim - 1)) / plaquettes : 0;

interface SecondWay extends CorrelatedMean {
  readonly method: string;
}

function witnessOf(
  outputs: readonly KernelOutput<GaugeFace>[],
  input: GaugeInput,
  { plaquettes }: Problem,
  quantum: number,
): SecondWay {
  if (input.dim === 2) {
    const mean = planeLoop(input.group, input.beta, 1, plaquettes);
    const method = 'sum over representations of the plane lattice';
    return { method, mean, error: REFERENCE_ERROR * plaquettes, independent: Number.POSITIVE_INFINITY };
  }
  const { views, columns } = outputOf(outputs, 1);
  const history = rowsOf(views.history ?? new Float64Array(), columns.history);
  const update = input.algorithm === 'heatbath' ? 'Metropolis' : 'heat bath';
  const start = input.start === 'cold' ? 'hot' : 'cold';
  return { method: `${update} from a ${start} start`, ...meanOf(history.column('plaquette'), quantum) };
}

function quantitiesOf(
  input: GaugeInput,
  problem: Problem,
  history: History,
  plaquette: CorrelatedMean,
  quantum: number,
): readonly Quantity[] {
  const { tau, uncertainty } = correlationTime(plaquette, input.sweeps);
  const mean = (name: string, values: Float64Array, step: number) => {
    const { mean: value, error } = meanOf(values, step);
    return quantity(name, value, '1', 2 * error + ROUNDING);
  };
  const planes = (input.dim * (input.dim - 1)) / 2;
  const spaceSites = problem.sites / problem.time;
  const polyakov = polyakovOf(history);
  return [
    quantity('tau_int', tau, 'sweep', uncertainty),
    mean('polyakov', polyakov, input.group === 'z2' ? 2 / spaceSites : 0),
    mean('plaquette_time', history.column('timelike'), (quantum * planes) / (input.dim - 1)),
    ...(input.dim > 2
      ? [mean('plaquette_space', history.column('spacelike'), (quantum * planes) / (planes - input.dim + 1))]
      : []),
    ...planeQuantities(input, problem),
  ];
}

/** |mean Polyakov loop over space| of each sweep. */
function polyakovOf(history: History): Float64Array {
  const im = history.column('polyakovIm');
  return history.column('polyakovRe').map((re, i) => Math.sqrt(re * re + (im[i] ?? 0) * (im[i] ?? 0)));
}

function planeQuantities({ group, dim, beta }: GaugeInput, { plaquettes }: Problem): readonly Quantity[] {
  if (dim !== 2) return [];
  const rounding = REFERENCE_ERROR * plaquettes;
  return [
    quantity('plaquette_torus', planeLoop(group, beta, 1, plaquettes), 'plaq', rounding),
    quantity('plaquette_infinite', planeLoop(group, beta, 1, Number.POSITIVE_INFINITY), 'plaq', ROUNDING),
  ];
}

/** Creutz's ratios of squares and of oblongs whose loops stand above their noise. */
function creutzOf(loops: Loops, isSymmetric: boolean): readonly Quantity[] {
  const found: Quantity[] = [];
  for (let r = 1; r <= loops.side; r++) {
    for (let t = isSymmetric ? r : 1; t <= loops.side; t++) {
      const ratio = loops.creutz(r, t);
      if (ratio) found.push(quantity(`creutz_${r}_${t}`, ratio.value, '1', 2 * ratio.error + ROUNDING));
    }
  }
  return found;
}

function invariantsOf(
  history: History,
  { unitarity = Number.NaN, gaugeChange = Number.NaN }: KernelOutput<GaugeFace>['statistics'],
  input: GaugeInput,
  problem: Problem,
): readonly Invariant[] {
  const [left, right] = [history.column('identityLeft'), history.column('identityRight')];
  const difference = correlatedMean(left.map((one, i) => one - (right[i] ?? Number.NaN)));
  // A flip of Z2 changes its own staples and those of the links around it.
  const step = input.group === 'z2' ? (16 * (input.dim - 1) * input.dim) / problem.links : 0;
  const unseen = (1.5 * step) / input.sweeps;
  const scale = 2 * (input.dim - 1) * (1 + input.beta);
  return [
    {
      name: 'schwinger_dyson',
      label: 'identity of Schwinger and Dyson between the mean link and its spread',
      value: correlatedMean(left).mean,
      drift: difference.mean,
      bound: BROKEN * Math.max(difference.error, unseen) + ROUNDING * scale,
      unit: '1',
    },
    { name: 'unitarity', label: 'length of a link', value: 1, drift: unitarity, bound: CLOSED_LOOP },
    {
      name: 'gauge_invariance',
      label: 'mean plaquette after a random gauge transformation',
      value: history.at(history.count - 1, 'plaquette'),
      drift: gaugeChange,
      bound: CLOSED_LOOP,
    },
  ];
}

function notesOf({ dim, start }: GaugeInput, agrees: boolean, isKnown: boolean): readonly string[] {
  const notes: string[] = [];
  if (!isKnown)
    notes.push(`Fewer than ${MIN_INDEPENDENT} sweeps are independent: the error is unknown. Use more sweeps.`);
  else if (!agrees && dim === 2)
    notes.push('The mean is more than 4 standard errors from the exact one: use more sweeps, or leave out more.');
  else if (!agrees)
    notes.push(
      `Runs from a ${start} and the opposite start do not meet: leave out more sweeps; near a first-order transition they may never meet.`,
    );
  return notes;
}
