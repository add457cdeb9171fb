// Pictures of a run: the history of the plaquette, its histogram, how its error grows with the blocks, and the loops.

import type { CorrelatedMean } from '../../core/correlated-mean.ts';
import type { Rows } from '../../kernels/rows.ts';
import type { Solution } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { series } from '../parts/fields.ts';
import type { Plot } from '../plot.ts';
import type { GaugeFace } from './face.ts';
import { binning, type Loops } from './statistics.ts';

const POINTS = 400;
const BINS = 40;

export function picturesOf(
  history: Rows<GaugeFace['columns']['history'][number]>,
  loops: Loops,
  plaquette: CorrelatedMean,
  reference: number,
): Pick<Solution, 'series' | 'fields' | 'plots'> {
  const values = history.column('plaquette');
  const interval = Math.ceil(values.length / POINTS);
  const blocks = Math.floor(values.length / interval);
  const mean = (block: number) => {
    let sum = 0;
    for (let i = block * interval; i < (block + 1) * interval; i++) sum += at(values, i);
    return sum / interval;
  };
  const { sizes, errors } = binning(values);
  const { edges, counts } = histogramOf(values);
  const plots: Plot[] = [
    { kind: 'line', title: 'Mean plaquette along the run', x: 'sweep', y: ['plaquette', 'reference'] },
    { kind: 'histogram', title: 'Plaquettes of the sweeps', edges: 'plaquette_edges', counts: 'plaquette_counts' },
    {
      kind: 'line',
      title: 'Error by the size of blocks, and the one in use',
      x: 'block_size',
      y: ['block_error', 'error_in_use'],
    },
  ];
  if (loops.side > 0)
    plots.push({ kind: 'table', title: 'Wilson loops', columns: ['loop_r', 'loop_t', 'wilson', 'wilson_uncertainty'] });
  const sides = Array.from({ length: loops.side * loops.side }, (_, i) => i);
  return {
    series: [
      series(
        'sweep',
        'sweep',
        Float64Array.from({ length: blocks }, (_, i) => (i + 0.5) * interval),
      ),
      series(
        'plaquette',
        'plaq',
        Float64Array.from({ length: blocks }, (_, i) => mean(i)),
      ),
      series('reference', 'plaq', new Float64Array(blocks).fill(reference)),
    ],
    fields: [
      series('plaquette_edges', 'plaq', edges),
      series('plaquette_counts', '1', counts),
      series('block_size', 'sweep', sizes),
      series('block_error', 'plaq', errors),
      series('error_in_use', 'plaq', new Float64Array(sizes.length).fill(plaquette.error)),
      ...(loops.side > 0
        ? [
            series(
              'loop_r',
              '1',
              sides.map((i) => 1 + Math.floor(i / loops.side)),
            ),
            series(
              'loop_t',
              '1',
              sides.map((i) => 1 + (i % loops.side)),
            ),
            series(
              'wilson',
              '1',
              loops.means.map((one) => one.mean),
            ),
            series(
              'wilson_uncertainty',
              '1',
              loops.means.map(({ error }) => 2 * error + 1e-13),
            ),
          ]
        : []),
    ],
    plots,
  };
}

function histogramOf(values: Float64Array): { readonly edges: Float64Array; readonly counts: Float64Array } {
  let [low, high] = [at(values, 0), at(values, 0)];
  for (const one of values) {
    low = Math.min(low, one);
    high = Math.max(high, one);
  }
  const width = Math.max(high - low, 1e-9) / BINS;
  const counts = new Float64Array(BINS);
  for (const one of values) {
    const bin = Math.min(BINS - 1, Math.floor((one - low) / width));
    counts[bin] = at(counts, bin) + 1;
  }
  return { edges: Float64Array.from({ length: BINS + 1 }, (_, i) => low + i * width), counts };
}
