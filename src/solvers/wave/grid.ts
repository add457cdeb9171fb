// Grids over the domain, their media, and the sides.

import type { Side } from './inputs.ts';

/** A grid over the domain, without layers, and its time steps. */
export interface Level {
  readonly cellsX: number;
  /** 0 for a line. */
  readonly cellsY: number;
  readonly hx: number;
  /** 0 for a line. */
  readonly hy: number;
  readonly dt: number;
  readonly steps: number;
  /** Cells of a layer behind an open side. */
  readonly layer: number;
  readonly maps: Maps;
}

export interface Sides {
  readonly left: Side;
  readonly right: Side;
  readonly bottom: Side;
  readonly top: Side;
}

export interface Maps {
  readonly isUniform: boolean;
  /** ρ and damping on the nodes of the domain, row by row; empty if uniform. */
  readonly density: Float64Array;
  readonly damping: Float64Array;
  /** τ of the faces behind each node; empty if uniform. */
  readonly facesX: Float64Array;
  readonly facesY: Float64Array;
  /** The square of 1 / dt at the limit of stability. */
  readonly rate: number;
}
