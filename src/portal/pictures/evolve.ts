// Molecular dynamics: animated atoms, energy and temperature curves, and the radial distribution.

import { h } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ParameterName } from '../../kernels/face.ts';
import type { EvolveFace } from '../../solvers/evolve/face.ts';
import { Curves } from './curves.ts';
import { Particles } from './particles.ts';
import { getField, getParameter, type LivePicture, type Picture } from './picture.ts';
import { TimeSlider, usePlayback } from './time-slider.ts';

export const EvolvePicture: Picture = ({ solution }) => {
  const { data, shape } = getField(solution, 'positions');
  const times = getField(solution, 'position_times');
  const edges = getField(solution, 'box').data;
  const box = useMemo(() => [edges[0] ?? 1, edges[1] ?? 1, edges[2] ?? 1] as const, [edges]);
  const [count = 0, atoms = 0] = shape;
  const frames = { count, times: times.data, unit: times.unit };
  const playback = usePlayback(frames);
  const length = 3 * atoms;
  const positions = useMemo(
    () => data.subarray(playback.frame * length, (playback.frame + 1) * length),
    [data, playback.frame, length],
  );
  return h(
    'div',
    null,
    h(
      'div',
      { class: 'picture' },
      h(Particles, { label: `${atoms} atoms in a periodic box`, positions, box, diameter: 1 }),
      h(TimeSlider, { ...frames, playback }),
    ),
    h(Curves, { solution, plots: solution.plots }),
  );
};

/** Wraps positions into the periodic box; the kernel leaves them unwrapped. */
export const LiveParticles: LivePicture = ({ frame }) => {
  const size = (name: ParameterName<EvolveFace>) => getParameter<EvolveFace>(frame, name) || 1;
  const box = [size('boxX'), size('boxY'), size('boxZ')] as const;
  const atoms = size('atoms');
  const positions = frame.values.map((position, i) => {
    const edge = box[i % 3] ?? 1;
    return position - edge * Math.floor(position / edge);
  });
  return h(
    'div',
    { class: 'picture' },
    h(Particles, { label: `${atoms} atoms, run in progress`, positions, box, diameter: size('sig') }),
    h('p', { class: 'live-note', 'aria-hidden': true }, `${Math.round(100 * frame.fraction)} % computed`),
  );
};
