// Live frames of a docking: the local minimum that was found last.

import type { LiveFrames } from '../live.ts';
import { drawnComplex } from './complex.ts';
import { DOCK_FACE, type DockFace } from './face.ts';
import type { DockInput } from './inputs.ts';
import { problemOf } from './problem.ts';

const { history } = DOCK_FACE.columns;

export const dockLive: LiveFrames<DockInput, DockFace> = {
  view: 'history',
  frameLength: () => history.length,
  draw(frame, { input }) {
    const problem = problemOf(input);
    const pose = frame.slice(history.indexOf('x'), history.indexOf('q3') + 1);
    if (!(pose.slice(3).reduce((sum, one) => sum + one * one, 0) > 0.5)) return undefined;
    const { arrays } = drawnComplex(problem, pose);
    return {
      plot: {
        kind: 'particles',
        title: 'Local minimum of the search',
        positions: 'complex',
        box: 'box',
        diameter: problem.isVina ? 1.6 : 1,
      },
      arrays,
    };
  },
};
