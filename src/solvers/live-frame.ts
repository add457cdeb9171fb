// A live frame for a reader elsewhere: the fraction done and, if the solver can draw its runs, a plot with the arrays that
// it names. Long arrays are thinned, so that a frame has a bounded number of numbers. Nothing of it is sealed.

import { toBase64 } from '#base64';
import { LIMITS } from '../core/limits.ts';
import type { Field } from './field.ts';
import { arrayNames, type Drawing, type Plot } from './plot.ts';

/** An array as it is sent: short ones in decimal, others as base64 of little-endian f64, row-major. */
interface SentArray {
  readonly name: string;
  readonly unit: string;
  readonly shape: readonly number[];
  /** null for a number that is not finite. */
  readonly data?: readonly (number | null)[];
  readonly base64?: string;
}

export interface SentFrame {
  /** Done of the whole plan, 0..1. */
  readonly fraction: number;
  readonly plot?: Plot;
  readonly arrays?: readonly SentArray[];
  /** Every how many elements of the long axes one is sent; missing if all are. */
  readonly every?: number;
}

/** Axes up to this length are complete: coordinates of a particle, curves of a family. */
const SHORT_AXIS = 64;

/** @param drawing  undefined if there is nothing to be seen */
export function sentFrame(
  fraction: number,
  drawing: Drawing | undefined,
  maxNumbers: number = LIMITS.live.numbers,
): SentFrame {
  if (drawing === undefined) return { fraction };
  const { plot } = drawing;
  const named = new Set(arrayNames(plot));
  const arrays = drawing.arrays.filter(({ name }) => named.has(name));
  const every = strideOf(plot, arrays, maxNumbers);
  if (every === undefined) return { fraction };
  const sent = arrays.map((array) => encoded(every === 1 ? array : thinned(array, every)));
  return { fraction, plot, arrays: sent, ...(every === 1 ? {} : { every }) };
}

/**
 * The smallest stride along the long axes with which all arrays together have at most `max` numbers; undefined if there
 * is none. Arrays of one axis have its length, so that they keep the same elements.
 */
function strideOf(plot: Plot, arrays: readonly Field[], max: number): number | undefined {
  const longest = arrays.reduce((length, { shape }) => Math.max(length, ...shape), 1);
  const limit = canBeThinned(plot) ? longest : 1;
  for (let every = 1; every <= limit; every++) {
    const count = arrays.reduce(
      (sum, { shape }) => sum + shape.reduce((product, n) => product * keptOf(n, every), 1),
      0,
    );
    if (count <= max) return every;
  }
  return undefined;
}

/** Not where elements are summed, named by words, or referred to by their position. */
const canBeThinned = (plot: Plot) => plot.kind !== 'histogram' && plot.kind !== 'network' && !('labels' in plot);

const keptOf = (length: number, every: number) => (length <= SHORT_AXIS ? length : Math.ceil(length / every));

function thinned({ name, unit, shape, data }: Field, every: number): Field {
  const kept = shape.map((length) => keptOf(length, every));
  // Elements of `data` between two that are sent, by axis.
  const strides = shape.map((length, axis) => {
    const inner = shape.slice(axis + 1).reduce((product, n) => product * n, 1);
    return inner * (length <= SHORT_AXIS ? 1 : every);
  });
  const sent = new Float64Array(kept.reduce((product, n) => product * n, 1));
  const index = new Int32Array(kept.length);
  let from = 0;
  for (let i = 0; i < sent.length; i++) {
    sent[i] = data[from] ?? Number.NaN;
    for (let axis = kept.length - 1; axis >= 0; axis--) {
      const [count = 0, stride = 0] = [kept[axis], strides[axis]];
      const next = (index[axis] ?? 0) + 1;
      from += stride;
      if (next < count) {
        index[axis] = next;
        break;
      }
      from -= count * stride;
      index[axis] = 0;
    }
  }
  return { name, unit, shape: kept, data: sent };
}

function encoded({ name, unit, shape, data }: Field): SentArray {
  const head = { name, unit, shape };
  if (data.length <= LIMITS.live.decimalNumbers)
    return { ...head, data: Array.from(data, (x) => (Number.isFinite(x) ? x : null)) };
  return { ...head, base64: toBase64(new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) };
}

/** What a frame shows, for readers without pictures: "42 % done. Temperature along the rod: T from 0.1 to 0.9 K." */
export function frameSentence(fraction: number, drawing: Drawing | undefined): string {
  const percent = `${Math.floor(100 * fraction)} % done.`;
  if (drawing === undefined) return percent;
  const { plot, arrays } = drawing;
  const axes: ReadonlySet<string | undefined> = new Set(axesOf(plot));
  const shown = arrays.filter(({ name }) => !axes.has(name)).slice(0, 3);
  return shown.length === 0 ? percent : `${percent} ${plot.title}: ${shown.map(rangeText).join(', ')}.`;
}

const axesOf = (plot: Plot) => ('x' in plot ? [plot.x, plot.kind === 'field' ? plot.y : undefined] : []);

function rangeText({ name, unit, data }: Field): string {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of data) {
    if (x < min) min = x;
    if (x > max) max = x;
  }
  const suffix = unit === '1' ? '' : ` ${unit}`;
  if (min > max) return `${name} without numbers`;
  return min === max ? `${name} ${short(min)}${suffix}` : `${name} from ${short(min)} to ${short(max)}${suffix}`;
}

const short = (x: number) => String(Number(x.toPrecision(4)));
