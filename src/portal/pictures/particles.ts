// Particles in their box, with a slider if they move.

import { h } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { getArray } from '../../solvers/plot.ts';
import { ParticleBox } from './particle-box.ts';
import type { PictureOf } from './picture.ts';
import { SaveMenu } from './save-menu.ts';
import { pictureAsSvg } from './svg-file.ts';
import { useFrames } from './time-slider.ts';

export const ParticlesPicture: PictureOf<'particles'> = ({ plot, arrays }) => {
  const { title, positions, time } = plot;
  const figure = useRef<HTMLElement>(null);
  const { frame, slider, reel } = useFrames(arrays, time);
  const { data, shape } = getArray(arrays, positions);
  const edges = getArray(arrays, plot.box).data;
  const [particles = 0, dimensions = 3] = shape.slice(-2);
  const box = useMemo(() => [edges[0] ?? 1, edges[1] ?? 1, edges[2] ?? 0] as const, [...edges]);
  const shown = useMemo(() => {
    const length = particles * dimensions;
    return inSpace(data.subarray(frame * length, (frame + 1) * length), dimensions);
  }, [data, frame, particles, dimensions]);
  const diameter = plot.diameter ?? 0.75 * spacingOf(edges, particles);
  return h(
    'figure',
    { class: 'picture', ref: figure },
    h(
      'figcaption',
      null,
      h('span', { class: 'chart-title' }, title),
      h(SaveMenu, { title, svg: () => pictureAsSvg(figure.current, title), reel }),
    ),
    h(ParticleBox, { label: `${title}: ${particles} particles in a box`, positions: shown, box, diameter }),
    slider,
  );
};

/** Positions with three coordinates; a plane lies at z = 0. */
function inSpace(positions: Float64Array, dimensions: number): Float64Array {
  if (dimensions === 3) return positions;
  return Float64Array.from({ length: (3 * positions.length) / 2 }, (_, i) =>
    i % 3 === 2 ? 0 : (positions[2 * Math.floor(i / 3) + (i % 3)] ?? 0),
  );
}

/** Mean spacing of particles that fill the box. */
function spacingOf(edges: Float64Array, particles: number): number {
  const volume = edges.reduce((product, edge) => product * edge, 1);
  return (volume / Math.max(1, particles)) ** (1 / edges.length);
}
