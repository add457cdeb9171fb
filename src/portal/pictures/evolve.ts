// Molecular dynamics: the atoms on their way, energy and temperature, and how neighbours are arranged.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import { Curves } from './curves.ts';
import { Particles } from './particles.ts';
import { arrayOf, type LivePicture, type Picture, parameterOf } from './picture.ts';
import { Timeline, useTimeline } from './timeline.ts';

export const EvolvePicture: Picture = ({ solution }) => {
  const { data, shape } = arrayOf(solution, 'positions');
  const times = arrayOf(solution, 'position_times');
  const edges = arrayOf(solution, 'box').data;
  const box = useMemo(() => [edges[0] ?? 1, edges[1] ?? 1, edges[2] ?? 1] as const, [edges]);
  const [count = 0, atoms = 0] = shape;
  const frames = { count, times: times.data, unit: times.unit };
  const state = useTimeline(frames);
  const length = 3 * atoms;
  const positions = useMemo(
    () => data.subarray(state.frame * length, (state.frame + 1) * length),
    [data, state.frame, length],
  );
  return h(
    'div',
    null,
    h(
      'div',
      { class: 'picture' },
      h(Particles, { label: `${atoms} atoms in a periodic box`, positions, box, diameter: 1 }),
      h(Timeline, { ...frames, state }),
    ),
    h(Curves, { solution, plots: solution.plots }),
  );
};

/** Positions in the kernel may lie outside the box; they are brought back. */
export const LiveParticles: LivePicture = ({ solver, glimpse }) => {
  const size = (name: string) => parameterOf(solver, glimpse, name) || 1;
  const box = [size('box_x'), size('box_y'), size('box_z')] as const;
  const atoms = size('N');
  const positions = glimpse.frame.map((place, i) => {
    const edge = box[i % 3] ?? 1;
    return place - edge * Math.floor(place / edge);
  });
  return h(
    'div',
    { class: 'picture' },
    h(Particles, { label: `${atoms} atoms, still moving`, positions, box, diameter: size('sig') }),
    h('p', { class: 'live-note', 'aria-hidden': true }, `${Math.round(100 * glimpse.fraction)} % of the way`),
  );
};
