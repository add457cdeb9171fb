// Pictures of zeros: Z and its zeros, their distances against random matrices, and how Gram's law fared.

import { exp } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution } from '../definition.ts';
import type { Field } from '../field.ts';
import { at } from '../parts/arrays.ts';
import { series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { ZetaFace } from './face.ts';
import { smoothCount } from './gram.ts';
import type { Problem, ZetaInput } from './problem.ts';
import type { Zero } from './zeros.ts';

/** Fewer distances make no histogram. */
const MIN_DISTANCES = 100;
/** Fewer zeros make no curve of S(t), and more are thinned out. */
const MIN_STEPS = 20;
const MAX_STEPS = 400;
const BINS = 30;
const WIDEST = 3;

type Pictures = Pick<Solution, 'series' | 'fields' | 'plots'>;

export function picturesOf(
  problem: Problem,
  { task }: ZetaInput,
  { views }: KernelOutput<ZetaFace>,
  zeros: readonly Zero[],
): Pictures {
  const { tMin, tMax, points, locatesAll, target } = problem;
  const { curve = new Float64Array(), tally = new Float64Array(), exceptions = new Float64Array() } = views;
  // The zeros at the ends of a window are located to count it, and are no list.
  const isShown = ({ number }: Zero): boolean => locatesAll || Math.abs(number - target) <= 1;
  const located = zeros.filter((zero) => isShown(zero) && (zero.place ?? tMin) > tMin && (zero.place ?? 0) <= tMax);
  const inside = zeros.filter(({ low, high }) => low > tMin && high <= tMax);
  const parts = [
    ...(task === 'list' ? [tableOf(located)] : []),
    ...(points > 0 ? [curveOf(curve, tMin, tMax)] : []),
    ...(task !== 'list' && located.length > 0 ? [tableOf(located)] : []),
    ...(located.length > MIN_DISTANCES ? [distancesOf(located)] : []),
    ...(inside.length >= MIN_STEPS ? [stepsOf(inside)] : []),
    tallyOf(tally),
    ...(exceptions.length > 0 ? [exceptionsOf(exceptions)] : []),
  ];
  const curves = parts.filter(({ isSeries }) => isSeries === true);
  return {
    series: curves.flatMap(({ arrays }) => arrays),
    fields: parts.filter(({ isSeries }) => isSeries !== true).flatMap(({ arrays }) => arrays),
    plots: [...curves, ...parts.filter(({ isSeries }) => isSeries !== true)].map(({ plot }) => plot),
  };
}

interface Picture {
  readonly arrays: readonly Field[];
  readonly plot: Plot;
  readonly isSeries?: boolean;
}

function curveOf(curve: Float64Array, tMin: number, tMax: number): Picture {
  const step = (tMax - tMin) / (curve.length - 1);
  const t = curve.map((_, i) => (i === curve.length - 1 ? tMax : tMin + i * step));
  return {
    arrays: [series('t', '1', t), series('Z', '1', curve.slice())],
    plot: { kind: 'line', title: 'Z(t) on the critical line', x: 't', y: ['Z'] },
    isSeries: true,
  };
}

function tableOf(located: readonly Zero[]): Picture {
  return {
    arrays: [
      series(
        'number',
        '1',
        located.map(({ number }) => number),
      ),
      series(
        'zero',
        '1',
        located.map(({ place = Number.NaN }) => place),
      ),
      series(
        'half_width',
        '1',
        located.map(({ halfWidth }) => halfWidth),
      ),
    ],
    plot: { kind: 'table', title: 'Zeros 1/2 + it', columns: ['number', 'zero', 'half_width'] },
  };
}

/** Distances in units of their mean, beside Wigner's surmise of unitary matrices, 32/π² s² exp(−4 s²/π). */
function distancesOf(located: readonly Zero[]): Picture {
  const smooth = located.map(({ place = Number.NaN }) => smoothCount(place));
  const distances = smooth.slice(1).map((one, i) => one - at(smooth, i));
  const edges = Float64Array.from({ length: BINS + 1 }, (_, i) => (i * WIDEST) / BINS);
  const counts = new Float64Array(BINS);
  for (const distance of distances) {
    const bin = Math.min(BINS - 1, Math.floor((distance / WIDEST) * BINS));
    counts[bin] = at(counts, bin) + 1;
  }
  const width = WIDEST / BINS;
  const expected = counts.map((_, i) => {
    const s = (i + 0.5) * width;
    return (distances.length * width * 32 * s * s * exp((-4 * s * s) / Math.PI)) / (Math.PI * Math.PI);
  });
  return {
    arrays: [series('distance', '1', edges), series('pairs', '1', counts), series('pairs_gue', '1', expected)],
    plot: {
      kind: 'histogram',
      title: 'Distances in units of their mean, and of eigenvalues of random unitary matrices',
      edges: 'distance',
      counts: 'pairs',
      expected: 'pairs_gue',
    },
  };
}

/** S(t) = N(t) − θ(t)/π − 1 behind zeros, where N(t) is known: at the upper ends of their brackets. */
function stepsOf(inside: readonly Zero[]): Picture {
  const every = Math.ceil(inside.length / MAX_STEPS);
  const shown = inside.filter((_, i) => i % every === 0);
  return {
    arrays: [
      series(
        's_t',
        '1',
        shown.map(({ high }) => high),
      ),
      series(
        'S',
        '1',
        shown.map(({ number, high }) => number - smoothCount(high)),
      ),
    ],
    plot: { kind: 'line', title: 'S(t), the zeros up to t less their smooth part, behind zeros', x: 's_t', y: ['S'] },
  };
}

function tallyOf(tally: Float64Array): Picture {
  return {
    arrays: [series('gram_intervals_by_zeros', '1', tally.slice())],
    plot: {
      kind: 'bars',
      title: 'Gram intervals by the zeros in them',
      y: ['gram_intervals_by_zeros'],
      labels: ['none', 'one', 'two', 'three or more'],
    },
  };
}

function exceptionsOf(rows: Float64Array): Picture {
  const column = (i: number): Float64Array =>
    Float64Array.from({ length: rows.length / 4 }, (_, row) => at(rows, 4 * row + i));
  return {
    arrays: [
      series('block', '1', column(0)),
      series('block_length', '1', column(1)),
      series('block_zeros', '1', column(2)),
      series('block_place', '1', column(3)),
    ],
    plot: {
      kind: 'table',
      title: 'Gram blocks of more than one interval',
      columns: ['block', 'block_length', 'block_zeros', 'block_place'],
    },
  };
}
