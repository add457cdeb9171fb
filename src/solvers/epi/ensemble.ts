// Statistics of the ensemble: bands of the infectious, and means of the outcomes with their standard errors.

import { DomainError } from '../../core/errors.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Field, Quantity } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { EpiFace } from './face.ts';
import type { Problem } from './problem.ts';

/** An outbreak is small if it infects less than this part of the susceptible. */
const SMALL = 0.1;
const BINS = 24;

export interface Ensemble {
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
  readonly quantities: readonly Quantity[];
}

/** @throws DomainError BUDGET_EXCEEDED if not every run was completed */
export function ensembleOf({ info, views, statistics, columns }: KernelOutput<EpiFace>, problem: Problem): Ensemble {
  const { runs, times, people, infectious, exposed, immune } = problem;
  if (info !== INFO.ok) {
    const message = `The ensemble spent its ${statistics.events} events after ${statistics.completed} of ${runs} runs; ask for fewer runs, people or days.`;
    throw new DomainError('BUDGET_EXCEEDED', message);
  }
  const { paths = new Float64Array(), outcomes = new Float64Array() } = views;
  const outcome = rowsOf(outcomes, columns.outcome);
  const infections = outcome.column('infections');
  const taken = [...infectious, ...exposed, ...immune].reduce((sum, one) => sum + one, 0);
  const small = infections.filter((one) => one < SMALL * (people - taken)).length;
  const ended = outcome.column('infected').filter((one) => one === 0).length;
  const sorted = times.map(() => 0);
  const [low, median, high, mean] = [sorted, sorted.slice(), sorted.slice(), sorted.slice()];
  for (let t = 0; t < times.length; t++) {
    const values = Float64Array.from({ length: runs }, (_, run) => at(paths, run * times.length + t)).sort();
    low[t] = quantile(values, 0.05);
    median[t] = quantile(values, 0.5);
    high[t] = quantile(values, 0.95);
    mean[t] = values.reduce((sum, one) => sum + one, 0) / runs;
  }
  const { edges, counts } = histogramOf(infections);
  return {
    series: [
      series('I_low', 'people', low),
      series('I_median', 'people', median),
      series('I_high', 'people', high),
      series('I_mean', 'people', mean),
    ],
    fields: [series('infected_in_run', 'people', edges), series('run_count', 'runs', counts)],
    plots: [
      {
        kind: 'line',
        title: 'Infectious: nine of ten runs, and the equations',
        x: 't',
        y: ['I_median', 'I'],
        band: ['I_low', 'I_high'],
      },
      { kind: 'histogram', title: 'Infected in a run', edges: 'infected_in_run', counts: 'run_count' },
    ],
    quantities: [
      meanOf('ensemble_infected', infections, 'people'),
      meanOf('ensemble_peak_infectious', outcome.column('peak'), 'people'),
      meanOf('ensemble_peak_day', outcome.column('peakTime'), 'day'),
      meanOf('ensemble_duration', outcome.column('end'), 'day'),
      shareOf('small_outbreaks', small, runs),
      shareOf('ended_runs', ended, runs),
      exactly('runs', runs, '1'),
      exactly('events', statistics.events ?? 0, '1'),
    ],
  };
}

/** Of sorted values, straight between them. */
function quantile(sorted: Float64Array, p: number): number {
  const place = p * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return at(sorted, below) + (place - below) * (at(sorted, above) - at(sorted, below));
}

/** Few values tell little about their own scatter: the square of a quantile of Student over that of the normal law. */
const studentFactor = (n: number): number => Math.sqrt(n > 4 ? (n - 1) / (n - 3) : 3);

/** A mean with twice its standard error. */
function meanOf(name: string, values: Float64Array, unit: string): Quantity {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  const error = n > 1 ? Math.sqrt(squares / (n * (n - 1))) * studentFactor(n) : 0;
  return quantity(name, mean, unit, 2 * error);
}

/** A share of the runs; the error with two runs more of either kind, so that none and all have one too (Agresti & Coull). */
function shareOf(name: string, count: number, runs: number): Quantity {
  const share = (count + 2) / (runs + 4);
  const error = Math.sqrt((share * (1 - share)) / (runs + 4));
  return quantity(name, count / runs, '1', 2 * error + Math.abs(share - count / runs));
}

function histogramOf(values: Float64Array): { readonly edges: Float64Array; readonly counts: Float64Array } {
  const max = values.reduce((largest, value) => Math.max(largest, value), 0);
  const width = Math.max(1, Math.ceil((max + 1) / BINS));
  const bins = Math.max(1, Math.ceil((max + 1) / width));
  const counts = new Float64Array(bins);
  for (const value of values) {
    const bin = Math.floor(value / width);
    counts[bin] = at(counts, bin) + 1;
  }
  return { edges: Float64Array.from({ length: bins + 1 }, (_, i) => i * width), counts };
}
