// The run on a grid: its history by name and its size.

import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { maxMagnitude } from '../parts/arrays.ts';
import { recordedTimes } from '../parts/sampling.ts';
import type { WaveFace } from './face.ts';
import type { Level } from './grid.ts';

/** A column of the history. */
export type Column = WaveFace['columns']['history'][number];

export interface Run {
  readonly times: Float64Array;
  readonly column: (name: Column) => Float64Array;
  /** The last sample; NaN if the run did not end. */
  readonly last: (name: Column) => number;
  readonly hasEnded: boolean;
  /** The largest magnitude of the field at any sample. */
  readonly scale: number;
}

/** @param every  steps between samples */
export function readRun({ info, views, columns }: KernelOutput<WaveFace>, { dt, steps }: Level, every: number): Run {
  const rows = rowsOf(views.history ?? new Float64Array(), columns.history);
  const hasEnded = info === INFO.ok;
  return {
    times: recordedTimes(steps, every, dt),
    column: (name) => rows.column(name),
    last: (name) => (hasEnded ? rows.at(rows.count - 1, name) : Number.NaN),
    hasEnded,
    scale: maxMagnitude(rows.column('largest')),
  };
}
