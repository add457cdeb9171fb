// Small pictures of plots without axes: a map as pixels, everything else as vector graphics. Pure, so that a build draws
// them in Node. Colours are those of middle lightness, since a file does not know the theme of the page around it.

import type { Field, Solution } from '../../solvers/definition.ts';
import {
  type FieldPlot,
  getArray,
  type LevelsPlot,
  type Plot,
  type PlotKind,
  type PlotOf,
} from '../../solvers/plot.ts';
import { plotFault } from '../../solvers/plot-fault.ts';
import { dotsOf, onOneScale, padded, pathOf, type Scale, scaleOf, withZero } from './axes.ts';
import { coloursOf } from './colour-choice.ts';
import { cssColour, paintField } from './colour-map.ts';
import { diagramGeometry, LEVELS_SIZE } from './levels.ts';
import { NETWORK_SIZE, nodePoints } from './network.ts';
import { minMax, rowsOf } from './picture.ts';

/** Pixels of every thumbnail; a map may be narrower or lower. */
const [WIDTH, HEIGHT] = [320, 200] as const;

export type Thumbnail = { readonly title: string } & (
  | { readonly svg: string }
  /** Opaque or empty pixels, four bytes each. */
  | { readonly pixels: Uint32Array<ArrayBuffer>; readonly width: number; readonly height: number }
);

const MARGIN = 10;
const [LEFT, RIGHT, TOP, BOTTOM] = [MARGIN, WIDTH - MARGIN, MARGIN, HEIGHT - MARGIN];

/** By series; contrast of at least 3 : 1 with the light and the dark surface. */
const STROKES = ['#15897a', '#c4701b', '#7a6bdd', '#b4553f', '#5f87b8'] as const;
const QUIET = '#848e94';

/** More points of a curve, or more particles, would not be visible. */
const [MAX_POINTS, MAX_DOTS, MAX_CURVES] = [500, 900, 8] as const;

/** The kinds that say most at a glance; a table has no picture. */
const RANKS: Readonly<Record<PlotKind, number>> = {
  field: 0,
  particles: 0,
  levels: 0,
  network: 0,
  line: 1,
  phase: 1,
  histogram: 1,
  bars: 1,
  table: Number.POSITIVE_INFINITY,
};

/** Place and time as a map says less than a curve. */
const rankOf = (plot: Plot) => RANKS[plot.kind] + (plot.kind === 'field' && plot.y === undefined ? 2 : 0);

/** The first plot of the best kind that can be drawn; undefined if there is none. */
export function thumbnailOf({ plots, series, fields }: Pick<Solution, 'plots' | 'series' | 'fields'>) {
  const arrays = [...series, ...fields];
  const ranked = plots
    .filter((plot) => Number.isFinite(rankOf(plot)) && plotFault(plot, arrays) === undefined)
    .sort((a, b) => rankOf(a) - rankOf(b));
  for (const plot of ranked) {
    const drawn = draw(plot, arrays);
    if (drawn !== undefined) return { title: plot.title, ...drawn } satisfies Thumbnail;
  }
  return undefined;
}

function draw(plot: Plot, arrays: readonly Field[]) {
  if (plot.kind === 'field') return mapOf(plot, arrays);
  const marks = plot.kind === 'table' ? '' : (MARKS[plot.kind] as MarksOf<typeof plot.kind>)(plot as never, arrays);
  if (marks === '') return undefined;
  const size = plot.kind === 'levels' ? LEVELS_SIZE : plot.kind === 'network' ? NETWORK_SIZE : [WIDTH, HEIGHT];
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" width="${WIDTH}" height="${HEIGHT}" fill="none" stroke-linejoin="round" stroke-linecap="round">${marks}</svg>\n`,
  };
}

type MarksOf<Kind extends PlotKind> = (plot: PlotOf<Kind>, arrays: readonly Field[]) => string;
type DrawnKind = Exclude<PlotKind, 'field' | 'table'>;

const strokeOf = (series: number) => STROKES[series % STROKES.length] ?? QUIET;

const curve = (d: string, stroke: string, width = 2.5) => `<path d="${d}" stroke="${stroke}" stroke-width="${width}"/>`;

/** Fewer dots are larger, or a curve of them would not be seen as one. */
const FEW_DOTS = 150;

const dots = (d: string, stroke: string) =>
  `<path d="${d}" stroke="${stroke}" stroke-width="${d.split('M').length <= FEW_DOTS ? 7 : 3.5}"/>`;

/** Every k-th index, and the last. */
function sampled(count: number, max: number): number[] {
  const stride = Math.max(1, Math.ceil(count / max));
  const indices = Array.from({ length: Math.ceil(count / stride) }, (_, k) => k * stride);
  return indices.at(-1) === count - 1 || count === 0 ? indices : [...indices, count - 1];
}

const pointsOf = (x: ArrayLike<number>, y: ArrayLike<number>, [across, up]: readonly [Scale, Scale], max: number) =>
  sampled(y.length, max).map((i) => [across.at(x[i] ?? Number.NaN), up.at(y[i] ?? Number.NaN)] as const);

const planeOf = (x: readonly [number, number], y: readonly [number, number]) =>
  [scaleOf(x, [LEFT, RIGHT]), scaleOf(y, [BOTTOM, TOP])] as const;

const spanOf = (ranges: readonly (readonly [number, number])[]) =>
  [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))] as const;

const MARKS: { readonly [Kind in DrawnKind]: MarksOf<Kind> } = {
  line({ x, y, time, band = [], marks }, arrays) {
    const across = getArray(arrays, x);
    const fields = y.map((name) => getArray(arrays, name));
    const edges = band.map((name) => getArray(arrays, name).data);
    const frames = time === undefined ? undefined : getArray(arrays, time).data.length;
    // A curve that moves is drawn at four times, the last one strongest.
    const curves = fields.flatMap((field, series) =>
      field.shape.length < 2 || frames === undefined
        ? rowsOf(field).map(({ data }, row) => ({ data, series: series + row, opacity: 1 }))
        : [0, 1, 2, 3].map((k) => ({
            data: rowsOf(field)[Math.round((k * (frames - 1)) / 3)]?.data ?? field.data,
            series,
            opacity: 0.3 + (0.7 * k) / 3,
          })),
    );
    const shown = curves.slice(0, MAX_CURVES);
    const plane = planeOf(
      minMax(across.data),
      padded(spanOf([...shown.map(({ data }) => data), ...edges].map(minMax))),
    );
    const [low, high] = edges;
    const ring =
      low && high
        ? [
            ...pointsOf(across.data, low, plane, MAX_POINTS),
            ...pointsOf(across.data, high, plane, MAX_POINTS).toReversed(),
          ]
        : [];
    return [
      ring.length === 0 ? '' : `<path d="${pathOf(ring)}Z" fill="${strokeOf(0)}" opacity="0.22"/>`,
      ...shown.map(({ data, series, opacity }) => {
        const points = pointsOf(across.data, data, plane, MAX_POINTS);
        const drawn =
          marks === 'points' ? dots(dotsOf(points), strokeOf(series)) : curve(pathOf(points), strokeOf(series));
        return opacity === 1 ? drawn : `<g opacity="${opacity.toFixed(2)}">${drawn}</g>`;
      }),
    ].join('');
  },
  phase({ x, y, hasOneScale, marks }, arrays) {
    const [across, up] = [getArray(arrays, x), getArray(arrays, y)];
    const ranges = [padded(minMax(across.data)), padded(minMax(up.data))] as const;
    const plane = planeOf(...(hasOneScale ? onOneScale(...ranges, RIGHT - LEFT, BOTTOM - TOP) : ranges));
    const rows = rowsOf(up);
    return rowsOf(across)
      .slice(0, MAX_CURVES)
      .map(({ data }, k) => {
        const other = rows[k]?.data ?? [];
        return marks === 'points'
          ? dots(dotsOf(pointsOf(data, other, plane, MAX_DOTS)), strokeOf(k))
          : curve(pathOf(pointsOf(data, other, plane, 4 * MAX_POINTS)), strokeOf(k), 1.6);
      })
      .join('');
  },
  histogram({ edges, counts, expected }, arrays) {
    const [edge, count] = [getArray(arrays, edges).data, getArray(arrays, counts).data];
    const theory = expected === undefined ? [] : getArray(arrays, expected).data;
    const [across, up] = planeOf(minMax(edge), withZero(spanOf([minMax(count), minMax(theory)])));
    const bars = Array.from(count, (value, i) =>
      barOf(across.at(edge[i] ?? 0), across.at(edge[i + 1] ?? 0), up.at(0), up.at(value), 0),
    );
    const middle = Array.from(
      theory,
      (value, i) => [across.at(((edge[i] ?? 0) + (edge[i + 1] ?? 0)) / 2), up.at(value)] as const,
    );
    return bars.join('') + (middle.length === 0 ? '' : curve(pathOf(middle), strokeOf(1)));
  },
  bars({ y, limit }, arrays) {
    const fields = y.map((name) => getArray(arrays, name).data);
    const bound = limit === undefined ? undefined : getArray(arrays, limit).data;
    const bounds = bound === undefined ? [] : [bound, bound.map((one) => -one)];
    const count = fields[0]?.length ?? 0;
    const [across, up] = planeOf([-0.5, count - 0.5], withZero(spanOf([...fields, ...bounds].map(minMax))));
    const share = 0.8 / fields.length;
    const bars = fields
      .flatMap((data, k) =>
        Array.from(data, (value, i) => {
          const from = i - 0.4 + k * share;
          return barOf(across.at(from), across.at(from + share), up.at(0), up.at(value), k);
        }),
      )
      .join('');
    const lines = bounds.map((data) =>
      curve(pathOf(Array.from(data, (value, i) => [across.at(i), up.at(value)] as const)), strokeOf(fields.length)),
    );
    return bars + lines.join('');
  },
  levels(plot: LevelsPlot, arrays) {
    const { potential, waves } = diagramGeometry(plot, arrays);
    return [curve(potential, QUIET, 3), ...waves.slice(0, MAX_CURVES).map((d, k) => curve(d, strokeOf(k), 3))].join('');
  },
  network(plot, arrays) {
    const edges = getArray(arrays, plot.edges).data;
    const values = plot.values === undefined ? undefined : getArray(arrays, plot.values).data;
    const range = minMax(values ?? []);
    const points = nodePoints(plot, arrays);
    const isMesh = points.length > 120;
    /** Edges of one colour are one path. */
    const lines = new Map<string, string>();
    for (let k = 0; k < edges.length / 2; k++) {
      const [a, b] = [edges[2 * k] ?? 0, edges[2 * k + 1] ?? 0];
      const [from, to] = [points[a], points[b]];
      if (!from || !to) continue;
      const own = isMesh && values ? cssColour(((values[a] ?? 0) + (values[b] ?? 0)) / 2, range) : undefined;
      const stroke = own ?? QUIET;
      lines.set(stroke, `${lines.get(stroke) ?? ''}M${from[0]} ${from[1]}L${to[0]} ${to[1]}`);
    }
    const paths = [...lines].map(([stroke, d]) => curve(d, stroke, isMesh ? 3 : 3.5));
    const radius = Math.max(5, Math.min(13, 100 / Math.sqrt(points.length)));
    const circles = isMesh
      ? []
      : points.map(
          ([x, y], node) =>
            `<circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}" fill="${(values && cssColour(values[node] ?? Number.NaN, range)) ?? STROKES[0]}" stroke="${QUIET}"/>`,
        );
    return [...paths, ...circles].join('');
  },
  particles({ positions, box, time, diameter }, arrays) {
    const { data, shape } = getArray(arrays, positions);
    const [count = 0, dimensions = 3] = shape.slice(-2);
    const frames = time === undefined ? 1 : getArray(arrays, time).data.length;
    const last = data.subarray((frames - 1) * count * dimensions);
    const [ex = 1, ey = 1, ez = 0] = getArray(arrays, box).data;
    const size = Math.hypot(ex, ey, ez);
    const scale = (0.98 * HEIGHT) / size;
    // Turned and tilted as a box that stands on a table.
    const [cosTurn, sinTurn, cosTilt, sinTilt] = [0.8, 0.6, 0.94, 0.342];
    const placed = sampled(count, MAX_DOTS).map((i) => {
      const [u, v, w] = [0, 1, 2].map((axis) => {
        const place = axis < dimensions ? (last[i * dimensions + axis] ?? 0) : 0;
        return place - ([ex, ey, ez][axis] ?? 0) / 2;
      }) as [number, number, number];
      const depth = w * cosTurn - u * sinTurn;
      return {
        x: WIDTH / 2 + scale * (u * cosTurn + w * sinTurn),
        y: HEIGHT / 2 - scale * (v * cosTilt - depth * sinTilt),
        depth: v * sinTilt + depth * cosTilt,
      };
    });
    const spacing = (ex * ey * (ez || 1)) ** (1 / dimensions) / Math.max(1, count) ** (1 / dimensions);
    const radius = Math.max(1.5, 0.42 * (diameter ?? 0.75 * spacing) * scale);
    return placed
      .sort((a, b) => a.depth - b.depth)
      .map(({ x, y, depth }) => {
        const nearness = Math.min(1, Math.max(0, 0.5 + depth / size));
        return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius.toFixed(1)}" fill="${STROKES[0]}" opacity="${(0.3 + 0.7 * nearness).toFixed(2)}"/>`;
      })
      .join('');
  },
};

/** A bar from zero, in pixels; nothing where the value is not finite. */
function barOf(from: number, to: number, zero: number, top: number, series: number): string {
  if (!Number.isFinite(top)) return '';
  const [x, y] = [from.toFixed(1), Math.min(zero, top).toFixed(1)];
  const [width, height] = [Math.max(0.5, 0.92 * (to - from)).toFixed(1), Math.abs(zero - top).toFixed(1)];
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${strokeOf(series)}"/>`;
}

/** Maps whose values differ by less, relative to the largest, have nothing to show. */
const FLAT = 1e-6;

/** Frames with less of the largest contrast look empty. */
const MIN_CONTRAST = 0.5;

/** A map at its own aspect, between cells linearly; of a run, the latest frame that still shows much. */
function mapOf({ x, y, time, values, blank }: FieldPlot, arrays: readonly Field[]) {
  const field = getArray(arrays, values).data;
  const across = getArray(arrays, x);
  const isHistory = y === undefined;
  const up = getArray(arrays, y ?? time ?? '');
  const [columns, rows] = [across.data.length, up.data.length];
  if (columns < 2 || rows < 2) return undefined;
  const frames = isHistory ? 1 : Math.max(1, Math.floor(field.length / (columns * rows)));
  const frame = latestWithContrast(field, columns * rows, frames);
  const shown = field
    .subarray(frame * columns * rows, (frame + 1) * columns * rows)
    .map((value) => (blank === 'zero' && value === 0 ? Number.NaN : value));
  const { range, table } = coloursOf(shown);
  if (range[1] - range[0] <= FLAT * Math.max(Math.abs(range[0]), Math.abs(range[1]))) return undefined;
  const aspect = isHistory ? WIDTH / HEIGHT : aspectOf(across, up);
  const width = Math.round(Math.min(WIDTH, HEIGHT * aspect));
  const height = Math.round(width / aspect);
  const painted = Float64Array.from({ length: width * height }, (_, pixel) => {
    const [column, row] = [pixel % width, Math.floor(pixel / width)];
    return valueAt(shown, columns, ((column + 0.5) / width) * columns - 0.5, ((row + 0.5) / height) * rows - 0.5);
  });
  const pixels = new Uint32Array(width * height);
  paintField({ width, height, data: { buffer: pixels.buffer } }, painted, range, table);
  // A palette holds 256 colours, and empty pixels take one: the two darkest, which look the same, become one.
  const [first = 0, second] = table;
  return { pixels: pixels.map((colour) => (colour === second ? first : colour)), width, height };
}

function latestWithContrast(field: Float64Array, size: number, frames: number): number {
  const contrasts = Array.from({ length: frames }, (_, k) => contrastOf(field.subarray(k * size, (k + 1) * size)));
  const largest = Math.max(...contrasts);
  return Math.max(
    0,
    contrasts.findLastIndex((contrast) => contrast >= MIN_CONTRAST * largest),
  );
}

/** Standard deviation of the finite values. */
function contrastOf(values: Float64Array): number {
  let [count, sum, squares] = [0, 0, 0];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    count += 1;
    sum += value;
    squares += value * value;
  }
  return count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}

/** Width over height; coordinates of different units have no common scale. */
function aspectOf(across: Field, up: Field): number {
  const [width, height] = [across, up].map(({ data }) => (data[data.length - 1] ?? 0) - (data[0] ?? 0));
  if (across.unit !== up.unit || !(width && height)) return WIDTH / HEIGHT;
  return Math.min(3, Math.max(1 / 2, width / height));
}

/** Bilinear; the nearest value beside one that is not finite. */
function valueAt(values: ArrayLike<number>, columns: number, column: number, row: number): number {
  const rows = values.length / columns;
  const within = (place: number, count: number) => Math.min(count - 1, Math.max(0, place));
  const [x, y] = [within(column, columns), within(row, rows)];
  const [left, low] = [Math.min(columns - 2, Math.floor(x)), Math.min(rows - 2, Math.floor(y))];
  const [dx, dy] = [x - left, y - low];
  const at = (i: number, j: number) => values[(low + j) * columns + left + i] ?? Number.NaN;
  const mixed = (1 - dy) * ((1 - dx) * at(0, 0) + dx * at(1, 0)) + dy * ((1 - dx) * at(0, 1) + dx * at(1, 1));
  return Number.isFinite(mixed) ? mixed : at(Math.round(dx), Math.round(dy));
}
