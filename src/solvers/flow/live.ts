// Live frames: the speed at the last record.

import type { LiveFrames } from '../live.ts';
import { field, series } from '../parts/fields.ts';
import type { FlowFace } from './face.ts';
import type { FlowInput } from './inputs.ts';

/** Middles of cells along an axis. */
export const centersOf = (cells: number, h: number): Float64Array =>
  Float64Array.from({ length: cells }, (_, i) => (i + 0.5) * h);

export const flowLive: LiveFrames<FlowInput, FlowFace> = {
  view: 'speed',
  frameLength: (parameter) => parameter('columns') * parameter('rows'),
  draw(frame, { parameter }) {
    const [columns, rows, h] = [parameter('columns'), parameter('rows'), parameter('spacing')];
    return {
      plot: { kind: 'field', title: 'Speed', x: 'x', y: 'y', values: 'speed' },
      arrays: [
        series('x', 'm', centersOf(columns, h)),
        series('y', 'm', centersOf(rows, h)),
        field('speed', 'm/s', [rows, columns], frame),
      ],
    };
  },
};
