// Builds the solution from the kernel output: value and witness, histories, fields and invariants.

import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Invariant, Solution } from '../definition.ts';
import { at, last, maxDeviation, maxIncrease, maxMagnitude } from '../parts/arrays.ts';
import { exactly, quantity, rounded, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { recordedTimes } from '../parts/sampling.ts';
import type { Place } from './axis.ts';
import type { HeatFace } from './face.ts';
import { gridFields, heatUnit, profilePlot, roundOff } from './fields.ts';
import { generalSolutionOf } from './general-solution.ts';
import type { HeatInput } from './inputs.ts';
import { type Probe, positionOf } from './probes.ts';
import { type Problem, problemOf } from './problem.ts';
import { discreteFactor, exactAt, leadingFourierTerm, power } from './reference.ts';

const MIDDLE: Place = { a: 1, b: 2 };

export function solutionOf(outputs: readonly KernelOutput<HeatFace>[], input: HeatInput): Solution {
  const problem = problemOf(input);
  const { general } = problem;
  return general === undefined
    ? standardSolutionOf(outputs, input, problem)
    : generalSolutionOf(outputs, input, problem, general);
}

function standardSolutionOf(outputs: readonly KernelOutput<HeatFace>[], input: HeatInput, problem: Problem): Solution {
  const { axes, dt, steps, probes } = problem;
  const output = outputOf(outputs, 0);
  const { history = new Float64Array(), probeHistory = new Float64Array(), frames = new Float64Array() } = output.views;
  const { column } = rowsOf(history, output.columns.history);

  const times = recordedTimes(steps, problem.historyEvery, dt);
  const [place = []] = probes;
  const exact = times.map((t) => exactProduct(problem, place, input.alpha * t));
  const cell = axes.reduce((product, axis) => product * (axis.length / axis.cells), 1);
  const probe = column('probe');
  const value = last(probe);
  const reference = last(exact);
  const scale = Math.max(maxMagnitude(column('maximum')), maxMagnitude(column('minimum')));
  const rounding = roundOff(steps) * scale;
  const budget = uncertain([
    bound('rounding', rounding, 'of every step'),
    bound('discretisation', Math.abs(value - reference), 'distance from the closed form'),
  ]);
  const total = column('heat').map((heat) => heat * cell);
  const energy = column('energy').map((sum) => sum * cell);
  // Hot and cold parts may balance: the content of both is energy / scale at most.
  const roundOffOfHeat = (rounding * maxMagnitude(energy)) / Math.max(scale * scale, Number.MIN_VALUE);

  return {
    value,
    ...budget,
    bound: budget.uncertainty / Math.max(Math.abs(reference), scale),
    converged: output.info === 0,
    witness: { method: 'closed form: Fourier series of the initial profile', reference, scale },
    invariants: invariantsOf(input, problem, {
      value,
      start: at(probe, 0),
      scale,
      total,
      energy,
      minimum: column('minimum'),
      maximum: column('maximum'),
    }),
    series: [
      series('t', 's', times),
      series('centre', 'T', probe),
      series('centre_exact', 'T', exact),
      series('heat', heatUnit(axes), total),
      series('energy', axes.length === 1 ? 'T^2 m' : 'T^2 m^2', energy),
    ],
    fields: gridFields(problem, frames),
    plots: [
      { kind: 'line', title: 'Temperature at the antinode', x: 't', y: ['centre', 'centre_exact'] },
      profilePlot(axes.length),
      { kind: 'line', title: 'Heat content', x: 't', y: ['heat'], roundOff: roundOffOfHeat },
    ],
    quantities: quantitiesOf(input, problem, { frames, probeHistory, error: value - reference, rounding }),
    operatorInputs: { CHE17: decayOperator(input, problem, place) },
    functional: value,
    notes: notesOf(input, problem),
  };
}

/** The exact temperature at a place of the rod or plate. @param alphaT α t, in m² */
function exactProduct({ axes }: Problem, probe: Probe, alphaT: number): number {
  return axes.reduce(
    (product, axis, d) => product * exactAt(axis, probe[d] ?? MIDDLE, alphaT / (axis.length * axis.length)),
    1,
  );
}

/** The exact temperature at all nodes, row-major [y, x]. */
function exactField({ axes }: Problem, alphaT: number): Float64Array {
  const [x = new Float64Array(), y = Float64Array.of(1)] = axes.map((axis) => {
    const tau = alphaT / (axis.length * axis.length);
    return Float64Array.from({ length: axis.cells + 1 }, (_, i) => exactAt(axis, { a: i, b: axis.cells }, tau));
  });
  return Float64Array.from(
    { length: x.length * y.length },
    (_, i) => at(x, i % x.length) * at(y, Math.floor(i / x.length)),
  );
}

interface Histories {
  readonly value: number;
  /** The value at the start. */
  readonly start: number;
  readonly scale: number;
  readonly total: Float64Array;
  readonly energy: Float64Array;
  readonly minimum: Float64Array;
  readonly maximum: Float64Array;
}

function invariantsOf(input: HeatInput, problem: Problem, histories: Histories): Invariant[] {
  const { axes, ratios, steps } = problem;
  const invariants: Invariant[] = [];
  const area = axes.reduce((product, axis) => product * axis.length, 1);
  if (input.boundary === 'neumann') {
    const drift = maxDeviation(histories.total) / (histories.scale * area);
    invariants.push({ name: 'heat', value: last(histories.total), drift, bound: 1e-13 + Number.EPSILON * steps });
  }
  const energyDrift = maxIncrease(histories.energy) / (histories.scale * histories.scale * area);
  invariants.push({
    name: 'energy_never_grows',
    label: 'energy never grows',
    value: last(histories.energy),
    drift: energyDrift,
    bound: roundOff(steps),
  });

  // The implicit schemes satisfy the maximum principle up to r = 1 on each axis, FTCS wherever it is stable.
  if (input.method === 'explicit' || Math.max(...ratios) <= 1) {
    const ends = input.boundary === 'neumann' ? [] : [0];
    const minimum = Math.min(at(histories.minimum, 0), ...ends);
    const maximum = Math.max(at(histories.maximum, 0), ...ends);
    const excess = Math.max(0, minimum - Math.min(...histories.minimum), Math.max(...histories.maximum) - maximum);
    invariants.push({
      name: 'maximum_principle',
      label: 'maximum principle',
      value: maximum,
      drift: excess / histories.scale,
      bound: roundOff(steps),
    });
  }
  if (input.mode === 'sine') {
    const factor = discreteFactor(
      axes.map((axis, d) => ({ axis, r: ratios[d] ?? 0 })),
      input.method === 'implicit',
    );
    const drift = (histories.value - histories.start * power(factor, steps)) / histories.scale;
    const decay = { value: histories.value, drift, bound: roundOff(steps) };
    invariants.push({ name: 'discrete_decay', label: 'exact decay of the difference equations', ...decay });
  }
  return invariants;
}

interface Read {
  readonly frames: Float64Array;
  readonly probeHistory: Float64Array;
  readonly error: number;
  readonly rounding: number;
}

function quantitiesOf(
  input: HeatInput,
  problem: Problem,
  { frames, probeHistory, error, rounding }: Read,
): Solution['quantities'] {
  const { axes, ratios, dt, steps, dtMax, probes } = problem;
  const nodes = axes.reduce((product, axis) => product * (axis.cells + 1), 1);
  const final = frames.subarray(frames.length - nodes);
  const alphaT = input.alpha * dt * steps;
  const exact = exactField(problem, alphaT);
  const mean = input.boundary === 'neumann' ? final.reduce((sum, value) => sum + value, 0) / nodes : 0;
  const isSteady = final.every((value) => Math.abs(value - mean) < 1e-6);
  const maxError = Math.max(...final.map((value, i) => Math.abs(value - at(exact, i))));
  const others = probes.slice(1).map((probe, i) => {
    const value = at(probeHistory, probeHistory.length - probes.length + i + 1);
    return quantity(`probe_${i + 2}`, value, 'T', Math.abs(value - exactProduct(problem, probe, alphaT)) + rounding);
  });
  return [
    rounded(
      'r',
      ratios.reduce((sum, r) => sum + r, 0),
      '1',
    ),
    ...ratios.map((value, d) => rounded(d === 0 ? 'r_x' : 'r_y', value, '1')),
    ...(input.method === 'explicit' ? [rounded('dt_max', dtMax, 's')] : []),
    exactly('dt', dt, 's'),
    exactly('steps', steps, '1'),
    exactly('t_end', dt * steps, 's'),
    quantity('error', error, 'T', rounding),
    quantity('max_error', maxError, 'T', rounding),
    exactly('is_steady', Number(isSteady), '1'),
    ...others,
  ];
}

/** Inputs of CHE17: one Fourier term of the initial profile, at the probe and the final time. */
function decayOperator(input: HeatInput, { axes, dt, steps }: Problem, probe: Probe): Record<string, number> {
  const terms = axes.map((axis, d) => ({ axis, ...leadingFourierTerm(axis), place: probe[d] ?? MIDDLE }));
  const [x, y] = terms.map(({ axis, waveNumber, shift, place }) => ({
    k: waveNumber,
    position: positionOf(place, axis) + shift,
  }));
  const kx = x?.k ?? 0;
  // A rod is a plate so wide that y has no effect: ky² is negligible against kx² while ky y = π/2.
  const ky = y?.k ?? kx * 1e-12;
  return {
    T0: terms.reduce((product, term) => product * term.amplitude, 1),
    kx,
    ky,
    x: x?.position ?? 0,
    y: y?.position ?? Math.PI / 2 / ky,
    alpha: input.alpha,
    t: dt * steps,
  };
}

function notesOf(input: HeatInput, problem: Problem): string[] {
  const notes: string[] = [];
  if (input.dt === undefined) notes.push(`dt was chosen as ${problem.dt} s.`);
  if (input.steps === undefined) notes.push(`steps was chosen as ${problem.steps}.`);
  if (problem.startSteps > 0) {
    notes.push(`r > 1 with a jump in the data: the first ${problem.startSteps} steps are backward-Euler half steps.`);
  }
  if (input.mode !== 'sine')
    notes.push('CHE17 shows one Fourier term of the initial profile; the value holds them all.');
  if (input.boundary === 'neumann')
    notes.push('CHE17 counts x and y from a zero of its mode, not from the insulated end.');
  return notes;
}
