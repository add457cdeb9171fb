// Line chart: curves over x, which move with a slider if they depend on time.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { eventsOf, getArray, withoutRoundOff } from '../../solvers/plot.ts';
import { Chart, type Curve } from './curves.ts';
import { markedEvents } from './event-marks.ts';
import { minMax, type PictureOf, rowsOf } from './picture.ts';
import { useFrames } from './time-slider.ts';

export const LinePicture: PictureOf<'line'> = ({ plot, arrays, at }) => {
  const { title, x, y, time, band, marks, roundOff } = plot;
  const { frame, slider, reel } = useFrames(arrays, time);
  const fields = useMemo(() => y.map((name) => withoutRoundOff(getArray(arrays, name), roundOff)), [arrays]);
  const data = fields.map((field) => field.data);
  const curves = useMemo(
    () => (time === undefined ? fields.flatMap(rowsOf) : fields.map((field): Curve => atFrame(field, frame))),
    [...data, frame],
  );
  const range = useMemo(() => (time === undefined ? undefined : withMargin(data.map(minMax))), data);
  const [low, high] = band ?? [];
  const edges =
    low !== undefined && high !== undefined ? ([getArray(arrays, low), getArray(arrays, high)] as const) : undefined;
  const chart = h(Chart, {
    title,
    x: getArray(arrays, x),
    ys: curves,
    marks,
    at,
    reel,
    events: useMemo(() => markedEvents(eventsOf(plot.events, arrays)), [arrays, plot.events?.at]),
    ...(range ? { range } : {}),
    ...(edges ? { band: edges } : {}),
  });
  return slider === null ? chart : h('div', { class: 'picture' }, chart, slider);
};

/** An array of shape [n] stays, one of shape [time, n] moves. */
function atFrame(field: Parameters<typeof rowsOf>[0], frame: number): Curve {
  return field.shape.length < 2 ? field : { ...(rowsOf(field)[frame] ?? field), name: field.name };
}

/** The common range of curves, a little wider, so that it stays while they move. */
export function withMargin(ranges: readonly (readonly [number, number])[]): readonly [number, number] {
  const [min, max] = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
  const margin = 0.04 * (max - min || 1);
  return [min - margin, max + margin];
}
