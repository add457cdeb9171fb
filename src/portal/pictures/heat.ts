// Heat conduction: the field of a plate, or the profile and history of a rod, with a time slider.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Solution } from '../../solvers/definition.ts';
import type { HeatFace } from '../../solvers/heat/face.ts';
import { Chart, Curves } from './curves.ts';
import { FieldMap } from './field-map.ts';
import { getField, getParameter, type LivePicture, minMax, type Picture } from './picture.ts';
import { TimeSlider, usePlayback } from './time-slider.ts';

export const HeatPicture: Picture = ({ solution }) => {
  const isPlate = getField(solution, 'T').shape.length === 3;
  return h(
    'div',
    { class: isPlate ? 'two-columns' : '' },
    h(isPlate ? Plate : Rod, { solution }),
    h(Curves, { solution, plots: solution.plots }),
  );
};

const lastOf = (data: ArrayLike<number>) => data[data.length - 1] ?? 1;

function framesOf(solution: Solution) {
  const times = getField(solution, 'frame_t');
  return { count: times.data.length, times: times.data, unit: times.unit };
}

function Plate({ solution }: { readonly solution: Solution }) {
  const { data, shape, unit } = getField(solution, 'T');
  const frames = framesOf(solution);
  const playback = usePlayback(frames);
  const range = useMemo(() => minMax(data), [data]);
  const [, rows = 1, columns = 1] = shape;
  const nodes = rows * columns;
  const aspect = lastOf(getField(solution, 'x').data) / lastOf(getField(solution, 'y').data);
  const frame = useMemo(
    () => data.subarray(playback.frame * nodes, (playback.frame + 1) * nodes),
    [data, playback.frame, nodes],
  );
  return h(
    'div',
    { class: 'picture' },
    h(FieldMap, {
      label: `Temperature of the plate at frame ${playback.frame + 1} of ${frames.count}`,
      size: [columns, rows],
      data: frame,
      range,
      unit,
      aspect: Math.min(3, Math.max(1 / 2, aspect)),
    }),
    h(TimeSlider, { ...frames, playback }),
  );
}

function Rod({ solution }: { readonly solution: Solution }) {
  const { data, shape, unit } = getField(solution, 'T');
  const x = getField(solution, 'x');
  const frames = framesOf(solution);
  const playback = usePlayback(frames);
  const range = useMemo(() => minMax(data), [data]);
  const [rows = 1, columns = 1] = shape;
  const profile = useMemo(
    () => data.subarray(playback.frame * columns, (playback.frame + 1) * columns),
    [data, playback.frame, columns],
  );
  const margin = 0.04 * (range[1] - range[0] || 1);
  return h(
    'div',
    { class: 'picture' },
    h(Chart, {
      title: 'Temperature along the rod',
      x,
      ys: [{ name: 'T', unit, data: profile }],
      range: [range[0] - margin, range[1] + margin],
    }),
    h(FieldMap, {
      label: 'Temperature over position (left to right) and time (bottom to top)',
      size: [columns, rows],
      data,
      range,
      unit,
      aspect: 3,
      mark: rows > 1 ? playback.frame / (rows - 1) : 0,
    }),
    h(TimeSlider, { ...frames, playback }),
  );
}

export const LiveHeat: LivePicture = ({ frame }) => {
  const columns = getParameter<HeatFace>(frame, 'cellsX') + 1;
  const rows = getParameter<HeatFace>(frame, 'dim') === 2 ? getParameter<HeatFace>(frame, 'cellsY') + 1 : 1;
  return h(
    'div',
    { class: 'picture' },
    h(FieldMap, {
      label: 'Temperature, run in progress',
      size: [columns, rows],
      data: frame.values,
      range: minMax(frame.values),
      unit: 'T',
      aspect: rows === 1 ? 3 : columns / rows,
    }),
  );
};
