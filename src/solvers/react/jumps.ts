// Displacement of jumps that expressions state, and what it does to a number.
//
// A jump of the initial state is placed by samples in cells, one of rates only by cell centers and stages of steps. Grids
// share such places by chance, so their changes alone may say nothing. What moves by δ changes a mean by δ times the
// variation of the state along an axis, over the length of the axis.

import { at } from '../parts/arrays.ts';
import type { Column, Run } from './grid-run.ts';
import { type Problem, samplesOf } from './problem.ts';

/** What a misplaced jump of expressions changes in a number at the end; 0 without jumps. */
export type Misplaced = (column: Column) => number;

/** Cells beside the probe in which the state shows what a shift does to it. */
const NEAR_PROBE = 3;

export function misplacedOf(problem: Problem, run: Run): Misplaced {
  const { hasJumps, ratesJump } = problem.programs;
  // Half the spacing of the samples, two cells over their number, in cells.
  const start = hasJumps ? 1 / samplesOf(problem) : 0;
  const rates = ratesJump.inSpace ? 0.5 : 0;
  return (column) => {
    if (start + rates === 0 && !ratesJump.inTime) return 0;
    const species = column === 'meanU' || column === 'probeU' ? 0 : 1;
    const [first, last] = [run.initialState, run.finalState].map((state) => variationOf(problem, state, species));
    const { ofMean = 0, ofProbe: atStart = 0 } = first ?? {};
    const { ofMean: meanAtEnd = 0, ofProbe: atEnd = 0 } = last ?? {};
    const isProbe = column.startsWith('probe');
    const shift = (cells: number) => {
      const mean = cells * Math.max(ofMean, meanAtEnd);
      return isProbe ? Math.max(mean, cells * Math.max(atStart, atEnd)) : mean;
    };
    const late = ratesJump.inTime ? (problem.dt / 2) * steepest(run, column) : 0;
    return shift(start) + shift(rates) + late;
  };
}

/** The sums of changes from cell to cell, over cells, and the largest change near the probe. */
function variationOf(problem: Problem, state: Float64Array, species: 0 | 1) {
  const { columns, rows, widthX, widthY, probe } = problem;
  const value = (i: number, j: number) => at(state, (species * rows + j) * columns + i);
  const isNear = (i: number, j: number) =>
    Math.abs(i - probe[0] / widthX) <= NEAR_PROBE && (rows === 1 || Math.abs(j - probe[1] / widthY) <= NEAR_PROBE);
  let [ofMean, ofProbe] = [0, 0];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const right = i + 1 < columns ? Math.abs(value(i + 1, j) - value(i, j)) : 0;
      const up = j + 1 < rows ? Math.abs(value(i, j + 1) - value(i, j)) : 0;
      ofMean += (right + up) / (columns * rows);
      if (isNear(i, j)) ofProbe = Math.max(ofProbe, right + up);
    }
  return { ofMean, ofProbe };
}

/** The largest change of a number from record to record, over the time between them. */
function steepest({ times, column }: Run, name: Column): number {
  const values = column(name);
  return times.reduce((most, time, i) => {
    const elapsed = i > 0 ? time - at(times, i - 1) : 0;
    return elapsed > 0 ? Math.max(most, Math.abs(at(values, i) - at(values, i - 1)) / elapsed) : most;
  }, 0);
}
