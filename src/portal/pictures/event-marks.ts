// Marks of events on curves: a line across the frame, a dot on each curve, and names where there is room for them.

import type uPlot from 'uplot';
import type { NamedEvent } from '../../solvers/plot.ts';
import { formatRounded, withUnit } from '../kit/format.ts';
import type { Curve } from './curve-options.ts';
import { wordsOf } from './picture.ts';

/** More would hide the curves; the table of events has all. */
const MAX_MARKS = 200;
const FONT_SIZE = 11;
/** Between two names, and between a name and its line. */
const GAP = 6;
/** Pixels from the pointer to an event that it is on. */
const REACH = 8;
const DOT = 3.5;

export const markedEvents = (events: readonly NamedEvent[]): readonly NamedEvent[] => events.slice(0, MAX_MARKS);

/** Value of a curve at `at`, between two of its points; NaN beyond them. */
export function valueAt({ data: x }: Curve, { data: y }: Curve, at: number): number {
  let [low, high] = [0, x.length - 1];
  if (!(at >= (x[low] ?? Number.NaN) && at <= (x[high] ?? Number.NaN))) return Number.NaN;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((x[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  const [from, to] = [x[low] ?? 0, x[high] ?? 0];
  const share = to > from ? (at - from) / (to - from) : 0;
  return (1 - share) * (y[low] ?? Number.NaN) + share * (y[high] ?? Number.NaN);
}

export interface PlacedName {
  readonly text: string;
  readonly left: number;
}

/**
 * The names that find room between the lines, in their order: each stands to the right of its own.
 *
 * @param lefts  pixels of the events
 * @param right  edge of the frame
 */
export function namesThatFit(
  events: readonly NamedEvent[],
  lefts: readonly number[],
  right: number,
  widthOf: (text: string) => number,
): PlacedName[] {
  const placed: PlacedName[] = [];
  for (const [i, { name }] of events.entries()) {
    const left = (lefts[i] ?? 0) + GAP;
    const next = lefts.slice(i + 1).find((one) => one > left) ?? right;
    if (left + widthOf(name) + GAP <= next) placed.push({ text: name, left });
  }
  return placed;
}

/** `y = 0 down at t = 0.4515 s`. */
export const eventText = ({ name, at }: NamedEvent, x: Curve): string =>
  `${name} at ${wordsOf(x.name)} = ${withUnit(formatRounded(at, 6), x.unit)}`;

/** The event that the pointer is on. */
export function eventNear(chart: uPlot, events: readonly NamedEvent[], left: number): NamedEvent | undefined {
  const away = ({ at }: NamedEvent) => Math.abs(chart.valToPos(at, 'x') - left);
  const [first] = [...events].sort((a, b) => away(a) - away(b));
  return first !== undefined && away(first) <= REACH ? first : undefined;
}

interface Marked {
  readonly x: Curve;
  /** The curves that are shown, and their colours. */
  readonly ys: readonly { readonly curve: Curve; readonly colour: string }[];
}

/** Draws on the canvas of a chart. */
export function drawEvents(chart: uPlot, events: readonly NamedEvent[], { x, ys }: Marked): void {
  const { ctx, bbox, root } = chart;
  const style = getComputedStyle(root);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const ratio = devicePixelRatio;
  const right = bbox.left + bbox.width;
  const shown = events
    .map((event) => ({ event, left: chart.valToPos(event.at, 'x', true) }))
    .filter(({ left }) => left >= bbox.left && left <= right);
  ctx.save();
  ctx.strokeStyle = colour('--ink-soft');
  ctx.lineWidth = ratio;
  ctx.setLineDash([2 * ratio, 3 * ratio]);
  ctx.beginPath();
  for (const { left } of shown) {
    ctx.moveTo(left, bbox.top);
    ctx.lineTo(left, bbox.top + bbox.height);
  }
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.strokeStyle = colour('--surface');
  for (const { curve, colour: fill } of ys) {
    ctx.fillStyle = fill;
    for (const { event, left } of shown) {
      const top = chart.valToPos(valueAt(x, curve, event.at), 'y', true);
      if (!Number.isFinite(top)) continue;
      ctx.beginPath();
      ctx.arc(left, top, DOT * ratio, 0, 2 * Math.PI);
      ctx.fill();
      ctx.stroke();
    }
  }
  ctx.font = `${FONT_SIZE * ratio}px ${style.fontFamily}`;
  ctx.fillStyle = colour('--ink-soft');
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  const placed = namesThatFit(
    shown.map(({ event }) => event),
    shown.map(({ left }) => left),
    right,
    (text) => ctx.measureText(text).width,
  );
  for (const { text, left } of placed) ctx.fillText(text, left, bbox.top + 2 * ratio);
  ctx.restore();
}
