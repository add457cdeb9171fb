// Live frames of a wave: the field that was recorded last.

import type { LiveFrames } from '../live.ts';
import { field, series } from '../parts/fields.ts';
import type { WaveFace } from './face.ts';
import { fieldName, nodesOf } from './fields.ts';
import type { WaveInput } from './inputs.ts';

type Parameter = (name: WaveFace['parameters'][number]) => number;

const widthOf = (parameter: Parameter) => parameter('columns') - parameter('insetWest') - parameter('insetEast');
const heightOf = (parameter: Parameter) => parameter('rows') - parameter('insetSouth') - parameter('insetNorth');

export const waveLive: LiveFrames<WaveInput, WaveFace> = {
  view: 'frames',
  frameLength: (parameter) => widthOf(parameter) * heightOf(parameter),
  draw(frame, { input, parameter }) {
    const [width, height] = [widthOf(parameter), heightOf(parameter)];
    const name = fieldName(input);
    const x = series('x', 'm', nodesOf(width - 1, parameter('spacingX')));
    if (height === 1)
      return {
        plot: { kind: 'line', title: `Field ${name}`, x: 'x', y: [name] },
        arrays: [x, series(name, 'E', frame)],
      };
    const y = series('y', 'm', nodesOf(height - 1, parameter('spacingY')));
    return {
      plot: { kind: 'field', title: `Field ${name}`, x: 'x', y: 'y', values: name },
      arrays: [x, y, field(name, 'E', [height, width], frame)],
    };
  },
};
