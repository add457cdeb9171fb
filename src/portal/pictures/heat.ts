// Heat: the field of a plate, or a rod's profile above its whole history, with a slider through time.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Solution } from '../../solvers/solver.ts';
import { Chart, Curves } from './curves.ts';
import { FieldMap } from './field-map.ts';
import { arrayOf, extremes, type LivePicture, type Picture, parameterOf } from './picture.ts';
import { Timeline, useTimeline } from './timeline.ts';

export const HeatPicture: Picture = ({ solution }) => {
  const isPlate = arrayOf(solution, 'T').shape.length === 3;
  return h(
    'div',
    { class: isPlate ? 'duo' : '' },
    h(isPlate ? Plate : Rod, { solution }),
    h(Curves, { solution, plots: solution.plots }),
  );
};

const lastOf = (data: ArrayLike<number>) => data[data.length - 1] ?? 1;

function framesOf(solution: Solution) {
  const times = arrayOf(solution, 'frame_t');
  return { count: times.data.length, times: times.data, unit: times.unit };
}

function Plate({ solution }: { readonly solution: Solution }) {
  const { data, shape, unit } = arrayOf(solution, 'T');
  const frames = framesOf(solution);
  const state = useTimeline(frames);
  const range = useMemo(() => extremes(data), [data]);
  const [, rows = 1, columns = 1] = shape;
  const nodes = rows * columns;
  const aspect = lastOf(arrayOf(solution, 'x').data) / lastOf(arrayOf(solution, 'y').data);
  const frame = useMemo(
    () => data.subarray(state.frame * nodes, (state.frame + 1) * nodes),
    [data, state.frame, nodes],
  );
  return h(
    'div',
    { class: 'picture' },
    h(FieldMap, {
      label: `Temperature of the plate at frame ${state.frame + 1} of ${frames.count}`,
      size: [columns, rows],
      data: frame,
      range,
      unit,
      aspect: Math.min(3, Math.max(1 / 2, aspect)),
    }),
    h(Timeline, { ...frames, state }),
  );
}

function Rod({ solution }: { readonly solution: Solution }) {
  const { data, shape, unit } = arrayOf(solution, 'T');
  const x = arrayOf(solution, 'x');
  const frames = framesOf(solution);
  const state = useTimeline(frames);
  const range = useMemo(() => extremes(data), [data]);
  const [rows = 1, columns = 1] = shape;
  const profile = useMemo(
    () => data.subarray(state.frame * columns, (state.frame + 1) * columns),
    [data, state.frame, columns],
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
      label: 'Temperature over place, from left to right, and time, from bottom to top',
      size: [columns, rows],
      data,
      range,
      unit,
      aspect: 3,
      mark: rows > 1 ? state.frame / (rows - 1) : 0,
    }),
    h(Timeline, { ...frames, state }),
  );
}

export const LiveHeat: LivePicture = ({ solver, glimpse }) => {
  const columns = parameterOf(solver, glimpse, 'nx') + 1;
  const rows = parameterOf(solver, glimpse, 'dim') === 2 ? parameterOf(solver, glimpse, 'ny') + 1 : 1;
  return h(
    'div',
    { class: 'picture' },
    h(FieldMap, {
      label: 'Temperature, still being computed',
      size: [columns, rows],
      data: glimpse.frame,
      range: extremes(glimpse.frame),
      unit: 'T',
      aspect: rows === 1 ? 3 : columns / rows,
    }),
  );
};
