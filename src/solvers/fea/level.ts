// A mesh with what was computed on it.

import type { QuadMesh } from '../parts/meshes/quad-mesh.ts';
import type { Stresses } from './stress.ts';

export interface Level {
  readonly mesh: QuadMesh;
  /** f64[nodes, 2] */
  readonly u: Float64Array;
  /** f64[elements, 4, 4] */
  readonly gauss: Float64Array;
  readonly stresses: Stresses;
}
