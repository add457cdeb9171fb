// Kernel views that hold the recorded frames, and the length of a frame.

import type { KernelFace, ParameterName, ViewName } from '../../kernels/face.ts';
import { EVOLVE_FACE } from '../../solvers/evolve/face.ts';
import { HEAT_FACE } from '../../solvers/heat/face.ts';

export interface LiveView {
  readonly view: string;
  /** Numbers in one frame. */
  readonly frameLength: (parameter: (name: string) => number) => number;
}

/** @param face  gives the types of the names */
function liveView<Face extends KernelFace>(
  _face: Face,
  view: ViewName<Face>,
  frameLength: (parameter: (name: ParameterName<Face>) => number) => number,
): LiveView {
  return { view, frameLength };
}

export const LIVE_VIEWS: Readonly<Record<string, LiveView>> = {
  heat: liveView(HEAT_FACE, 'frames', (get) => (get('cellsX') + 1) * (get('dim') === 2 ? get('cellsY') + 1 : 1)),
  evolve: liveView(EVOLVE_FACE, 'trajectory', (get) => 3 * get('atoms')),
};
