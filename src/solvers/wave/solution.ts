// The solution from the runs on three grids: energies and the field at the probe, each with a ± from the other two.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { at, maxIncrease, maxMagnitude } from '../parts/arrays.ts';
import { unstableError } from '../parts/errors.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { WaveFace } from './face.ts';
import { fieldName, fieldPlots, gridFields } from './fields.ts';
import { type Run, readRun } from './grid-run.ts';
import type { WaveInput } from './inputs.ts';
import { judge } from './judge.ts';
import { type Problem, problemOf } from './problem.ts';
import { angularFrequency, gridFrequency } from './reference.ts';
import { type Spectrum, spectrumOf } from './spectrum.ts';

/** Maximum ± of a converged value, relative to the largest energy. */
const MAX_BOUND = 0.05;
/** Largest field on open sides at the start of a state that is within the domain, relative to its maximum. */
const MAX_ON_SIDES = 1e-5;
/** Cells of the shortest wave below which a note says so. */
const MIN_CELLS_PER_WAVE = 10;

export function solutionOf(outputs: readonly KernelOutput<WaveFace>[], input: WaveInput): Solution {
  const problem = problemOf(input);
  const runs = problem.levels.map((level, i) =>
    readRun(outputOf(outputs, i), level, i === 0 ? problem.historyEvery : level.steps),
  );
  const [own] = runs;
  if (own === undefined || !own.hasEnded) throw grown(problem);
  const name = fieldName(input);
  const frames = outputOf(outputs, 0).views.frames ?? new Float64Array();
  const energies = own.column('energy');
  const scale = Math.max(maxMagnitude(energies), Math.abs(own.last('work')));
  const energy = judge(
    runs.map((run) => run.last('energy')),
    scale,
    problem,
    Number.POSITIVE_INFINITY,
  );
  const relative = scale === 0 ? 0 : energy.uncertainty / scale;
  const isClosed = energy.isRegular && relative <= MAX_BOUND;
  const spectrum = spectrumOf(own.column('probe'), problem.historyEvery * problem.dt);
  return {
    value: energy.value,
    uncertainty: energy.uncertainty,
    budget: energy.budget,
    bound: relative,
    converged: isClosed,
    witness: {
      method: `the same problem on grids of ${problem.isRefined ? '√2' : '1/2'} and 1/√2 of the cells with steps of their own, extrapolated`,
      reference: energy.reference,
      scale,
      ...(energy.order === undefined ? {} : { observedOrder: energy.order }),
    },
    invariants: invariantsOf(problem, own, scale, frames),
    series: [
      series('t', 's', own.times),
      series('energy', 'E', energies),
      series('probe', 'E', own.column('probe')),
      ...(spectrum === undefined
        ? []
        : [series('f', 'Hz', spectrum.frequencies), series('spectrum', 'E', spectrum.amplitudes)]),
    ],
    fields: gridFields(problem, name, frames),
    plots: [
      ...fieldPlots(problem, name),
      { kind: 'line', title: `Field ${name} at the probe`, x: 't', y: ['probe'] },
      { kind: 'line', title: 'Energy of the domain', x: 't', y: ['energy'] },
      ...(spectrum === undefined
        ? []
        : [{ kind: 'line', title: 'Spectrum at the probe', x: 'f', y: ['spectrum'] } as const]),
    ],
    quantities: [...probeOf(problem, runs, own), ...energiesOf(problem, runs, scale), ...factsOf(problem, spectrum)],
    operatorInputs: standingInputs(problem),
    functional: energy.value,
    notes: notesOf(input, problem, energy.isRegular, relative),
  };
}

function grown({ dt, dtMax }: Problem): Error {
  const message = `The field grew beyond all numbers; dt is ${dt} s, stable up to ${dtMax} s. Take a smaller waveform or step.`;
  return unstableError('dt', message, 'UNSTABLE_SCHEME', { dt_max: dtMax });
}

/** Energy changes by work and loss alone; through open sides it leaves. */
function invariantsOf(problem: Problem, own: Run, scale: number, frames: Float64Array): Invariant[] {
  const { isOpen, source, steps } = problem;
  const bound = 1e-12 + 4 * Number.EPSILON * Math.sqrt(steps);
  const [closed, work, loss] = [own.column('closed'), own.column('work'), own.column('loss')];
  const kept = closed.map((energy, k) => energy - at(work, k) + at(loss, k));
  const value = at(kept, kept.length - 1);
  const size = scale > 0 ? scale : 1;
  if (!isOpen) {
    const drift = maxMagnitude(kept.map((energy) => energy - at(kept, 0))) / size;
    return [{ name: 'energy_balance', label: 'the energy changes by work and loss alone', value, drift, bound }];
  }
  // What reaches over an open side at the start, or is driven, may come in as well.
  if (source !== undefined || !isContained(problem, frames)) return [];
  const drift = maxIncrease(kept) / size;
  return [{ name: 'energy_leaves', label: 'through open sides the energy only leaves', value, drift, bound: 1e-6 }];
}

/** Whether the field at the start is small on the sides. */
function isContained({ cellsX, cellsY }: Problem, frames: Float64Array): boolean {
  let [onSides, largest] = [0, 0];
  for (let j = 0; j <= cellsY; j++)
    for (let i = 0; i <= cellsX; i++) {
      const value = Math.abs(at(frames, j * (cellsX + 1) + i));
      const isSide = i === 0 || i === cellsX || (cellsY > 0 && (j === 0 || j === cellsY));
      largest = Math.max(largest, value);
      if (isSide) onSides = Math.max(onSides, value);
    }
  return onSides <= MAX_ON_SIDES * largest;
}

/** The field at the probe. No error is larger than all that moves. */
function probeOf(problem: Problem, runs: readonly Run[], { scale }: Run): Quantity[] {
  const numbers = runs.map((run) => run.last('probe'));
  const probe = judge(numbers, scale, problem, 2 * Math.max(...runs.map((run) => run.scale)));
  return [quantity('probe_end', probe.value, 'E', probe.uncertainty)];
}

function energiesOf(problem: Problem, runs: readonly Run[], scale: number): Quantity[] {
  const of = (read: (run: Run) => number) => judge(runs.map(read), scale, problem, scale);
  const numbers: [string, ReturnType<typeof of>][] = [['energy_start', of((run) => at(run.column('energy'), 0))]];
  if (problem.source !== undefined) numbers.push(['work', of((run) => run.last('work'))]);
  if (problem.medium.dampingAt !== undefined) numbers.push(['dissipated', of((run) => run.last('loss'))]);
  if (problem.isOpen && problem.medium.dampingAt === undefined)
    numbers.push(['radiated', of((run) => at(run.column('closed'), 0) + run.last('work') - run.last('closed'))]);
  return numbers.map(([name, { value, uncertainty }]) => quantity(name, value, 'E', uncertainty));
}

/** Frequencies in closed form, and what the plan chose. */
function factsOf(problem: Problem, spectrum: Spectrum | undefined): Quantity[] {
  const { dt, steps, tEnd, dtMax, hx, hy, initial, medium, probe } = problem;
  const peak = spectrum?.peak;
  const omega = isPureStanding(problem) ? angularFrequency(medium.speed, ...standingOf(problem)) : undefined;
  const grid = omega && gridFrequency(medium.speed, initial.standing ?? [0, 0], [hx, hy], dt);
  const rounding = 1e-14;
  return [
    ...(omega === undefined || grid === undefined
      ? []
      : [
          quantity('frequency', omega / (2 * Math.PI), 'Hz', (rounding * omega) / (2 * Math.PI)),
          quantity('grid_frequency', grid / (2 * Math.PI), 'Hz', (rounding * grid) / (2 * Math.PI)),
          quantity('dispersion', grid / omega - 1, '1', 2 * rounding),
        ]),
    ...(peak === undefined || spectrum === undefined
      ? []
      : [quantity('peak_frequency', peak, 'Hz', spectrum.resolution)]),
    exactly('dt', dt, 's'),
    exactly('steps', steps, '1'),
    exactly('t_end', tEnd, 's'),
    exactly('courant_number', dt / dtMax, '1'),
    exactly('cell', hx, 'm'),
    exactly('probe_x', probe[0], 'm'),
    ...(problem.isLine ? [] : [exactly('probe_y', probe[1], 'm')]),
  ];
}

const standingOf = ({ initial }: Problem): readonly [number, number] => initial.standing ?? [0, 0];

/** A standing wave that stays one: nothing drives, damps or lets it out. */
const isPureStanding = ({ initial, source, isOpen, medium, levels }: Problem): boolean =>
  initial.standing !== undefined &&
  initial.velocity === undefined &&
  source === undefined &&
  !isOpen &&
  medium.dampingAt === undefined &&
  levels.every(({ maps }) => maps.isUniform);

function standingInputs(problem: Problem): Solution['operatorInputs'] {
  if (!isPureStanding(problem)) return {};
  const [kx, ky] = standingOf(problem);
  return { WM1: { c: problem.medium.speed, kx, ky } };
}

function notesOf(input: WaveInput, problem: Problem, isRegular: boolean, relative: number): string[] {
  const notes: string[] = [];
  if (input.dt !== undefined && input.t_end !== undefined && input.dt !== problem.dt)
    notes.push(`dt was shortened to ${problem.dt} s, so that whole steps end at t_end.`);
  const frequency = problem.source?.frequency;
  const cells = frequency === undefined ? undefined : problem.medium.speed / (frequency * problem.hx);
  if (cells !== undefined && cells < MIN_CELLS_PER_WAVE)
    notes.push(`The source has ${cells.toPrecision(3)} cells a wave; below ${MIN_CELLS_PER_WAVE} waves are too slow.`);
  if (problem.isLine && !isRegular)
    notes.push('The energies on three grids do not converge with an order. Take more cells, or a smoother state.');
  else if (!isRegular) notes.push('The energies on three grids do not converge with an order. Take more cells.');
  if (relative > MAX_BOUND) notes.push(`The ± is above ${100 * MAX_BOUND} % of the energy. Take more cells.`);
  return notes;
}
