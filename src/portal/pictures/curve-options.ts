// Options of a uPlot chart: axes with measured gutters, series in their colours, a band behind them.

import type uPlot from 'uplot';
import type { NamedEvent } from '../../solvers/plot.ts';
import { superscript } from '../kit/format.ts';
import { axisLabel, axisNumbers } from './axis-numbers.ts';
import { SERIES_DASHES, seriesStyle } from './series-style.ts';

export interface Curve {
  readonly name: string;
  readonly unit: string;
  readonly data: ArrayLike<number>;
}

export interface CurveSet {
  readonly x: Curve;
  readonly ys: readonly Curve[];
  /** Fixes the scale for animated data. */
  readonly range?: readonly [number, number] | undefined;
  /** Lower and upper edge of a shaded band. */
  readonly band?: readonly [Curve, Curve] | undefined;
  readonly marks?: 'line' | 'points' | undefined;
  /** Curves have values at some places only, NaN at the others; lines go from one value to the next. */
  readonly isSparse?: boolean | undefined;
  /** A value of x that a line marks. */
  readonly at?: number | undefined;
  readonly events?: readonly NamedEvent[] | undefined;
  /** The horizontal axis in decades. */
  readonly isDecadic?: boolean | undefined;
  /** The vertical axis in decades. */
  readonly isLogarithmic?: boolean | undefined;
}

export const CHART_HEIGHT = 220;
const FONT_SIZE = 12;
/** Space between numbers and frame. */
const GAP = 6;
const MAX_POINTS_WITH_DOTS = 25;
/** A shorter logarithmic axis would have one number. */
const MIN_DECADIC_SPAN = 100;

/** Steps between the ticks of counts: an axis of levels has no level 0.5. */
const WHOLE_STEPS = [1, 2, 5]
  .flatMap((first) => Array.from({ length: 15 }, (_, power) => first * 10 ** power))
  .toSorted((a, b) => a - b);

function isWhole(data: ArrayLike<number>): boolean {
  for (let i = 0; i < data.length; i++) if (!Number.isInteger(data[i])) return false;
  return true;
}

function scaleOf(range: CurveSet['range'], isLogarithmic: boolean): uPlot.Scale {
  if (isLogarithmic) return { distr: 3 };
  return range ? { range: [range[0], range[1]] } : {};
}

/** Whole powers of ten have a number; the ticks between them are lines only. */
function decadeText(value: number): string {
  const power = Math.round(Math.log10(value));
  return Math.abs(value / 10 ** power - 1) < 1e-9 ? `10${superscript(String(power))}` : '';
}

/** The name of the vertical axis: that of the only curve. */
export const upName = (ys: readonly Curve[]): string => (ys.length === 1 ? (ys[0]?.name ?? '') : '');

/** Points that are as many in every decade: those of a logarithmic sweep. */
export function isGeometric(data: ArrayLike<number>): boolean {
  const [first = 0, second = 0, last = 0] = [data[0], data[1], data[data.length - 1]];
  if (!(first > 0) || data.length < 3 || last / first < MIN_DECADIC_SPAN) return false;
  const ratio = (last / first) ** (1 / (data.length - 1));
  return Math.abs(second / first / ratio - 1) < 1e-6;
}

/** Draws the line at `at`, from the bottom of the frame to its top. */
export function markLine(chart: uPlot, at: number): void {
  const { ctx, bbox, root } = chart;
  const x = Math.round(chart.valToPos(at, 'x', true));
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = getComputedStyle(root).getPropertyValue('--ink-soft').trim();
  ctx.setLineDash([4, 4]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

export function chartOptions(element: HTMLElement, curves: CurveSet): uPlot.Options {
  const { x, ys, range, band, marks, isSparse = false, isLogarithmic = false, isDecadic = false } = curves;
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const font = `${FONT_SIZE}px ${style.fontFamily}`;
  // The label follows from the numbers, which uPlot chooses; it asks for the numbers first.
  const axis = (name: string, unit: string): uPlot.Axis => {
    let label = axisLabel(name, unit, { offset: 0, power: 0 });
    return {
      label: () => label,
      values: (_, splits) => {
        const numbers = axisNumbers(splits);
        label = axisLabel(name, unit, numbers);
        return [...numbers.texts];
      },
      labelFont: font,
      labelSize: 18,
      labelGap: 0,
      gap: GAP,
      font,
      stroke: colour('--ink-soft'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
  };
  return {
    width: element.clientWidth,
    height: CHART_HEIGHT,
    padding: [12, 20, 0, 0],
    legend: { show: false },
    cursor: { points: { size: 7 }, drag: { x: true, y: false } },
    scales: { x: { time: false, ...(isDecadic ? { distr: 3 as const } : {}) }, y: scaleOf(range, isLogarithmic) },
    axes: [
      {
        ...axis(x.name, x.unit),
        size: 26,
        ...(isWhole(x.data) && !isDecadic ? { incrs: WHOLE_STEPS } : {}),
        ...(isDecadic ? { values: (_: uPlot, splits: number[]) => splits.map(decadeText) } : {}),
      },
      {
        ...axis(upName(ys), ys[0]?.unit ?? '1'),
        ...(isLogarithmic ? { values: (_: uPlot, splits: number[]) => splits.map(decadeText) } : {}),
        size: ({ ctx }, values) => {
          ctx.font = font;
          return Math.ceil(GAP + 4 + Math.max(20, ...(values ?? []).map((text) => ctx.measureText(text).width)));
        },
      },
    ],
    // Series 0 is x; the edges stand behind the curves, the upper one last.
    ...(band
      ? {
          bands: [
            {
              series: [ys.length + 2, ys.length + 1] as [number, number],
              fill: `color-mix(in srgb, ${colour('--series-0')} 16%, transparent)`,
            },
          ],
        }
      : {}),
    series: [
      {},
      ...ys.map(
        ({ name }, index): uPlot.Series => ({
          label: name,
          stroke: colour(`--series-${seriesStyle(index)}`),
          width: 1.75,
          pxAlign: 0,
          spanGaps: isSparse,
          dash: [...(SERIES_DASHES[seriesStyle(index)] ?? [])],
          points: { show: marks === 'points' || x.data.length <= MAX_POINTS_WITH_DOTS },
          ...(marks === 'points' ? { paths: () => null } : {}),
        }),
      ),
      ...(band ?? []).map(({ name }): uPlot.Series => ({ label: name, width: 0, points: { show: false } })),
    ],
  };
}
