// Refuses levels, velocities and beds that vary between the places that a run takes, where no grid sees them.
//
// Of a bed a cell has its mean alone: a wall that is thinner than a cell is lower there, and water flows over it. Levels
// and velocities act by their volume, so that they may be as thin as the samples of a cell.

import type { FieldFunction } from '../parts/field-expression.ts';
import { assertSeen, assertSeenOnPlane, placesOfCell } from '../parts/unseen.ts';
import { SAMPLES } from './grid.ts';
import type { ClimateInput } from './inputs.ts';
import type { Problem } from './problem.ts';

const REMEDY = 'take more cells, or a wider shape';

/** @throws DomainError VALIDATION_FAILED */
export function assertResolved(input: ClimateInput, problem: Problem): void {
  const { initial, x0, isLine } = problem;
  const { bed } = problem.runs[0].state;
  const samples = isLine ? SAMPLES.line : SAMPLES.plane;
  const middleY = 0.5 * input.ly;
  const sampled = (path: string, f: FieldFunction | undefined) => assertShown(input, problem, path, f, { samples });
  if (input.level !== undefined) sampled('level', initial.level);
  else if (input.initial === 'hump')
    assertShown(input, problem, 'width', initial.level, { samples, peak: [x0, middleY] });
  const { jet } = initial;
  const jetAt: FieldFunction | undefined = jet && (isLine ? (x) => jet(x - x0) : (_, y) => jet(y - middleY));
  assertShown(input, problem, 'width', jetAt, { samples: 1, peak: [x0, middleY] });
  sampled('u', initial.u);
  sampled('v', initial.v);
  const field = input.bed === undefined ? (input.bed_table === undefined ? 'bed_map' : 'bed_table') : 'bed';
  assertShown(input, problem, field, initial.bed, { samples: 1, means: bed });
}

interface Shown {
  /** Of a cell along an axis. */
  readonly samples: number;
  /** Of the cells of the own grid, if they are all that the run takes. */
  readonly means?: Float64Array;
  readonly peak?: readonly [x: number, y: number];
}

function assertShown(
  { lx, ly }: ClimateInput,
  { isLine, runs }: Problem,
  path: string,
  f: FieldFunction | undefined,
  { samples, means, peak }: Shown,
): void {
  if (f === undefined) return;
  const { columns, rows, dx } = runs[0].level;
  const about = f(0.5 * lx, isLine ? 0 : 0.5 * ly);
  const taken = means && { taken: means };
  if (isLine) {
    const step = dx / samples;
    const places = { from: 0, to: lx, first: 0.5 * step, step, about, peaks: peak ? [peak[0]] : [], ...taken };
    assertSeen(path, 'x', (x) => f(x, 0), { ...places, remedy: REMEDY });
    return;
  }
  const places = placesOfCell(samples, [columns, rows]);
  const cells = [columns * places, rows * places] as const;
  const seen = { extents: [lx, ly], cells, isMiddles: true, about, peaks: peak ? [peak] : [], ...taken } as const;
  assertSeenOnPlane(path, f, { ...seen, remedy: REMEDY });
}
