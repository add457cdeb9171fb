// Pictures of a result or of a run in progress: each plot by its kind, large ones first, charts beside or below them.

import { type ComponentChildren, h } from 'preact';
import type { Field, Solution } from '../../solvers/definition.ts';
import type { Drawing, Plot, PlotKind } from '../../solvers/plot.ts';
import { plotFault } from '../../solvers/plot-fault.ts';
import { inWords } from '../../solvers/plot-words.ts';
import '../style/pictures.css';
import { BarsPicture } from './bars.ts';
import { Chart } from './curves.ts';
import { FieldPicture } from './field.ts';
import { HistogramPicture } from './histogram.ts';
import { LevelsPicture } from './levels.ts';
import { LinePicture } from './line.ts';
import { NetworkPicture } from './network.ts';
import { ParticlesPicture } from './particles.ts';
import { PhasePicture } from './phase.ts';
import type { Marked, PictureOf } from './picture.ts';
import { TablePicture } from './table.ts';

export { Chart };

const PICTURES_BY_KIND: { readonly [Kind in PlotKind]: PictureOf<Kind> } = {
  line: LinePicture,
  field: FieldPicture,
  particles: ParticlesPicture,
  levels: LevelsPicture,
  phase: PhasePicture,
  histogram: HistogramPicture,
  bars: BarsPicture,
  network: NetworkPicture,
  table: TablePicture,
};

/** Kinds that fill the width; the others are charts, several in a row. Tables stand below what they list. */
const WIDE: ReadonlySet<PlotKind> = new Set<PlotKind>(['field', 'particles', 'levels', 'network']);

/** A map of a rectangle is as compact as a chart. */
const isMap = (plot: Plot) => plot.kind === 'field' && plot.y !== undefined;

/** A field over a line is drawn with its profile, so that a curve of the same frames would show it twice. */
const isProfileOf = (plot: Plot, other: Plot) =>
  plot.kind === 'line' &&
  other.kind === 'field' &&
  other.y === undefined &&
  plot.time !== undefined &&
  plot.time === other.time &&
  plot.x === other.x &&
  plot.y.length === 1 &&
  plot.y[0] === other.values;

interface PictureProps extends Marked {
  readonly solution: Pick<Solution, 'plots' | 'series' | 'fields'>;
}

export function Picture({ solution, at }: PictureProps): ComponentChildren {
  const { series, fields } = solution;
  const plots = solution.plots.filter((plot) => !solution.plots.some((other) => isProfileOf(plot, other)));
  const arrays = [...series, ...fields];
  const pictures = (some: readonly Plot[]) =>
    some.map((plot, index) => h(OnePicture, { key: `${index} ${plot.title}`, plot, arrays, at }));
  const wide = plots.filter(({ kind }) => WIDE.has(kind));
  const tables = plots.filter(({ kind }) => kind === 'table');
  const charts = plots.filter(({ kind }) => !WIDE.has(kind) && kind !== 'table');
  const [first] = wide;
  const isBeside = first !== undefined && wide.length === 1 && charts.length > 0 && isMap(first) && tables.length === 0;
  const maps = wide.filter(isMap);
  return h(
    'div',
    { class: isBeside ? 'pictures pictures-beside' : 'pictures' },
    pictures(wide.filter((plot) => !isMap(plot))),
    maps.length === 0 ? null : h('div', { class: 'maps' }, pictures(maps)),
    charts.length === 0 ? null : h('div', { class: 'charts' }, pictures(charts)),
    pictures(tables),
  );
}

interface LiveProps {
  readonly frame: Drawing & { readonly fraction: number };
}

export function Live({ frame: { plot, arrays, fraction } }: LiveProps): ComponentChildren {
  return h(
    'div',
    null,
    h(OnePicture, { plot, arrays }),
    h('p', { class: 'live-note', 'aria-hidden': true }, `${Math.round(100 * fraction)} % computed`),
  );
}

interface OneProps extends Marked {
  readonly plot: Plot;
  readonly arrays: readonly Field[];
}

function OnePicture({ plot, arrays, at }: OneProps) {
  const fault = plotFault(plot, arrays);
  if (fault !== undefined) return h('p', { class: 'picture-fault' }, `${plot.title} cannot be drawn. ${fault}`);
  // The kind of the plot selects the picture of that kind, which the types of a table cannot say.
  const KindPicture = PICTURES_BY_KIND[plot.kind] as PictureOf<PlotKind>;
  return h(KindPicture, { ...inWords(plot, arrays), at });
}
