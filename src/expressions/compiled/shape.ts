// Shape of compiled byte code: where its values go, and which constants are 0 or 1. Equal shapes share a module.

/** Where a program stores its value: in a slot of its row, or in the output, at this index. */
export interface Target {
  readonly to: 'slot' | 'out';
  readonly index: number;
}

export interface ShapeProgram {
  /** Range of its code, which ends with HALT. */
  readonly start: number;
  readonly end: number;
  /** Index of its first constant. */
  readonly poolBase: number;
  readonly target: Target;
}

export interface Shape {
  readonly code: Int32Array;
  readonly pool: Float64Array;
  readonly slotCount: number;
  /** Programs of one row, in order; each may read the slots that earlier ones wrote. */
  readonly programs: readonly ShapeProgram[];
  /**
   * Many rows, with at most one output each; one row, with an output for each program; or a system of differential
   * equations: one row of t, the states and other slots, whose outputs are the slopes of the states.
   */
  readonly form: 'rows' | 'row' | 'system';
}

/** One program over many rows. */
export function shapeOfRows(code: Int32Array, pool: Float64Array, slotCount: number): Shape {
  const programs = [{ start: 0, end: code.length, poolBase: 0, target: { to: 'out', index: 0 } }] as const;
  return { code, pool, slotCount, programs, form: 'rows' };
}
