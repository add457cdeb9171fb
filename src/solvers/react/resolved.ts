// Refuses own expressions that vary between the cells of a grid or the stages of a step, where no grid sees them.

import { DomainError } from '../../core/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';
import { assertSeen, assertSeenOnPlane, placesOfCell } from '../parts/unseen.ts';
import type { ReactInput } from './inputs.ts';
import { type Problem, samplesOf } from './problem.ts';

const RATES = ['reaction_u', 'reaction_v'] as const;
const INITIAL = ['initial_u', 'initial_v'] as const;

/** Rates are taken at the background and the foreground. @throws DomainError VALIDATION_FAILED */
export function assertResolved(input: ReactInput, problem: Problem): void {
  const { rows, lengthX, lengthY, dt, steps, background, foreground, programs } = problem;
  const [middleX, middleY] = [lengthX / 2, rows === 1 ? 0 : lengthY / 2];
  // Samples of an own start reach over two cells.
  const samples = programs.hasJumps ? samplesOf(problem) / 2 : 1;
  for (const field of INITIAL) assertShown(problem, field, evaluated(input, field, ['x', 'y'], {}), samples);
  for (const field of RATES)
    for (const [u, v] of [background, foreground]) {
      const overTime = evaluated(input, field, ['t', 't'], { u, v, x: middleX, y: middleY });
      const stage = input.method === 'rk4' ? 0.5 * dt : dt;
      const inTime = { from: 0, to: dt * steps, first: 0, step: stage, remedy: 'take shorter steps' };
      if (overTime) assertSeen(field, 't', (t) => overTime(t, 0), inTime);
      assertShown(problem, field, evaluated(input, field, ['x', 'y'], { u, v, t: 0 }), 1);
    }
}

/** @param samples  of a cell along an axis */
function assertShown(problem: Problem, path: string, f: FieldFunction | undefined, samples: number): void {
  if (f === undefined) return;
  const { columns, rows, lengthX, lengthY, widthX } = problem;
  const remedy = 'take more cells, or a wider shape';
  if (rows === 1) {
    const step = widthX / samples;
    assertSeen(path, 'x', (x) => f(x, 0), { from: 0, to: lengthX, first: 0.5 * step, step, remedy });
    return;
  }
  const places = placesOfCell(samples, [columns, rows]);
  const cells = [columns * places, rows * places] as const;
  assertSeenOnPlane(path, f, { extents: [lengthX, lengthY], cells, isMiddles: true, remedy });
}

/** A field as a function of two symbols; undefined if it is not given, or has functions that only the kernel knows. */
function evaluated(
  input: ReactInput,
  field: (typeof RATES)[number] | (typeof INITIAL)[number],
  symbols: readonly [string, string],
  others: Readonly<Record<string, number>>,
): FieldFunction | undefined {
  const text = input[field];
  if (text === undefined) return undefined;
  const { F, k, epsilon, a, b, I } = input;
  try {
    return fieldFunction(text, field, symbols, { F, k, epsilon, a, b, I, ...others });
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
