// The run on a grid: its history by name, its front and its final state.

import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { at, maxMagnitude } from '../parts/arrays.ts';
import { recordedTimes, recordInterval } from '../parts/sampling.ts';
import type { ReactFace } from './face.ts';
import { type Front, frontOf } from './front.ts';
import { type Level, MAX_HISTORY } from './problem.ts';

/** A column of the history. */
export type Column = ReactFace['columns']['history'][number];

export interface Run {
  readonly times: Float64Array;
  readonly column: (name: Column) => Float64Array;
  readonly last: (name: Column) => number;
  /** Samples at which there is a front. */
  readonly fronts: readonly number[];
  readonly front: Front | undefined;
  /** Whether the run reached its end with finite numbers. */
  readonly hasEnded: boolean;
  /** u, then v, at the start. */
  readonly initialState: Float64Array;
  /** u, then v, at the end. */
  readonly finalState: Float64Array;
  /** The largest magnitude of u and v at any sample. */
  readonly scale: number;
}

/** A coarse grid may diverge where the finest does not: its numbers are then not finite. */
export function readRun({ info, views, columns }: KernelOutput<ReactFace>, level: Level, lengthX: number): Run {
  const { dt, steps } = level;
  const rows = rowsOf(views.history ?? new Float64Array(), columns.history);
  const hasEnded = info === INFO.ok;
  const times = recordedTimes(steps, recordInterval(steps, MAX_HISTORY), dt);
  const positions = rows.column('front');
  const extremes = (['minU', 'maxU', 'minV', 'maxV'] as const).map((name) => maxMagnitude(rows.column(name)));
  return {
    times,
    column: (name) => rows.column(name),
    last: (name) => (hasEnded ? rows.at(rows.count - 1, name) : Number.NaN),
    fronts: [...times.keys()].filter((i) => at(positions, i) >= 0),
    front: hasEnded ? frontOf(times, positions, lengthX) : undefined,
    hasEnded,
    initialState: (views.frames ?? new Float64Array()).slice(0, 2 * level.columns * level.rows),
    finalState: (views.frames ?? new Float64Array()).slice(-2 * level.columns * level.rows),
    scale: Math.max(...extremes),
  };
}
