// Geometry of axes: ticks, ranges, and the pixels of values.

export interface Scale {
  readonly range: readonly [number, number];
  /** Pixels of a value. */
  readonly at: (value: number) => number;
  /** Value at pixels. */
  readonly from: (pixels: number) => number;
}

/** About `count` axis ticks at round numbers. */
export function ticks(from: number, to: number, count: number): number[] {
  const raw = (to - from) / count;
  if (!(raw > 0 && Number.isFinite(raw))) return [from];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) ?? raw;
  const values: number[] = [];
  for (let k = Math.ceil(from / step) + 0; k * step <= to; k++) values.push(k * step);
  return values;
}

/** Numbers that differ by less, relative to the largest, differ by rounding. */
const SAME = 1e-12;

/** A range with a margin, so that marks do not touch the frame; one number gets a range around it. */
export function padded([min, max]: readonly [number, number]): readonly [number, number] {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const margin = 0.05 * (max - min > SAME * largest ? max - min : largest || 1);
  return [min - margin, max + margin];
}

/** A range with zero, from which bars rise or fall. */
export function withZero([min, max]: readonly [number, number]): readonly [number, number] {
  const [low, high] = [Math.min(0, min), Math.max(0, max)];
  const margin = 0.05 * (high - low || 1);
  return [low < 0 ? low - margin : 0, high > 0 || low === 0 ? high + margin : 0];
}

export const scaleOf = (range: readonly [number, number], [from, to]: readonly [number, number]): Scale => ({
  range,
  at: (value) => from + ((value - range[0]) / (range[1] - range[0] || 1)) * (to - from),
  from: (pixels) => range[0] + ((pixels - from) / (to - from || 1)) * (range[1] - range[0]),
});

type Range = readonly [number, number];

/** Both ranges, one of them widened about its middle so that a length has as many pixels on either axis. */
export function onOneScale(x: Range, y: Range, width: number, height: number): readonly [Range, Range] {
  const scale = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
  const widened = ([low, high]: Range, pixels: number): Range => {
    const [middle, half] = [(low + high) / 2, (scale * pixels) / 2];
    return [middle - half, middle + half];
  };
  return scale > 0 && Number.isFinite(scale) ? [widened(x, width), widened(y, height)] : [x, y];
}

/** Path through points in pixels; a point that is not finite is a gap. */
export function pathOf(points: Iterable<readonly [number, number]>): string {
  let text = '';
  let isOpen = false;
  for (const [x, y] of points) {
    const isDrawn = Number.isFinite(x) && Number.isFinite(y);
    if (isDrawn) text += `${isOpen ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    isOpen = isDrawn;
  }
  return text;
}

/** Points as strokes of no length, whose round ends are dots: one element, however many there are. */
export function dotsOf(points: Iterable<readonly [number, number]>): string {
  let text = '';
  for (const [x, y] of points) {
    if (Number.isFinite(x) && Number.isFinite(y)) text += `M${x.toFixed(1)} ${y.toFixed(1)}h0`;
  }
  return text;
}
