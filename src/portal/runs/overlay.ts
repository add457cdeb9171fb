// Line charts of several runs in one: the curves of each, over all the places at which any run has a value.

import type { Field, Solution } from '../../solvers/definition.ts';
import { type LinePlot, withoutRoundOff } from '../../solvers/plot.ts';
import type { Curve } from '../pictures/curve-options.ts';

export interface Overlay {
  readonly title: string;
  readonly x: Curve;
  /** NaN where the run has no value. */
  readonly ys: readonly Curve[];
}

/** More curves than this cannot be told apart. */
const MAX_CURVES = 10;

type Drawn = Pick<Solution, 'plots' | 'series' | 'fields'>;

/** One overlay for each line chart that all runs have; curves that move in time stay out. */
export function overlays(runs: readonly Drawn[], names: readonly string[]): readonly Overlay[] {
  const [first] = runs;
  if (first === undefined) return [];
  return first.plots.flatMap((plot) => {
    if (plot.kind !== 'line' || plot.time !== undefined) return [];
    const parts = runs.map((run) => partOf(run, plot));
    return parts.every((part) => part !== undefined) ? [merge(plot, parts, names)] : [];
  });
}

interface Part {
  readonly x: Field;
  readonly ys: readonly Field[];
}

/** The arrays of the plot in a run, if it draws the same one. */
function partOf(run: Drawn, { title, x, y }: LinePlot): Part | undefined {
  const drawn = run.plots.find((plot) => plot.kind === 'line' && plot.title === title && plot.x === x);
  const arrays = new Map([...run.series, ...run.fields].map((array) => [array.name, array]));
  const at = arrays.get(x);
  if (drawn?.kind !== 'line') return undefined;
  const ys = y
    .flatMap((name) => arrays.get(name) ?? [])
    .filter(({ shape }) => shape.length < 2)
    .map((field) => withoutRoundOff(field, drawn.roundOff));
  return at !== undefined && ys.length > 0 ? { x: at, ys } : undefined;
}

function merge({ title, y }: LinePlot, parts: readonly Part[], names: readonly string[]): Overlay {
  const places = Float64Array.from(new Set(parts.flatMap(({ x }) => [...x.data].filter(Number.isFinite)))).sort();
  const index = new Map(Array.from(places, (at, i) => [at, i]));
  const isAll = y.length * parts.length <= MAX_CURVES;
  const ys = parts.flatMap(({ x, ys: curves }, k) =>
    (isAll ? curves : curves.slice(0, 1)).map(({ name, unit, data }): Curve => {
      const spread = new Float64Array(places.length).fill(Number.NaN);
      for (const [i, at] of x.data.entries()) {
        const place = index.get(at);
        if (place !== undefined) spread[place] = data[i] ?? Number.NaN;
      }
      return { name: curves.length > 1 && isAll ? `${name}, ${names[k]}` : (names[k] ?? name), unit, data: spread };
    }),
  );
  const { name = '', unit = '1' } = parts[0]?.x ?? {};
  return { title, x: { name, unit, data: places }, ys: ys.slice(0, MAX_CURVES) };
}
