// Refuses own expressions that vary between the cells of a line or the stages of a step, where no grid sees them.

import { DomainError } from '../../core/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';
import { assertSeen } from '../parts/unseen.ts';
import type { ReactInput } from './inputs.ts';
import { type Problem, samplesOf } from './problem.ts';

const RATES = ['reaction_u', 'reaction_v'] as const;
const INITIAL = ['initial_u', 'initial_v'] as const;

/** Rates are taken at the background and the foreground. @throws DomainError VALIDATION_FAILED */
export function assertResolved(input: ReactInput, problem: Problem): void {
  const { columns, rows, widthX, lengthX, lengthY, dt, steps, background, foreground } = problem;
  const remedy = 'take more cells, or a wider shape';
  const alongX = { from: 0, to: lengthX, remedy };
  const [middleX, middleY] = [lengthX / 2, rows === 1 ? 0 : lengthY / 2];
  for (const field of rows === 1 ? INITIAL : []) {
    const step = problem.programs.hasJumps ? (2 * widthX) / samplesOf(problem) : widthX;
    const f = evaluated(input, field, 'x', { y: 0 });
    if (f) assertSeen(field, 'x', (x) => f(x, 0), { ...alongX, first: 0.5 * step, step });
  }
  for (const field of RATES)
    for (const [u, v] of [background, foreground]) {
      const overTime = evaluated(input, field, 't', { u, v, x: middleX, y: middleY });
      const stage = input.method === 'rk4' ? 0.5 * dt : dt;
      const inTime = { from: 0, to: dt * steps, first: 0, step: stage, remedy: 'take shorter steps' };
      if (overTime) assertSeen(field, 't', (t) => overTime(t, 0), inTime);
      const overX = rows === 1 && columns > 1 ? evaluated(input, field, 'x', { u, v, y: 0, t: 0 }) : undefined;
      if (overX) assertSeen(field, 'x', (x) => overX(x, 0), { ...alongX, first: 0.5 * widthX, step: widthX });
    }
}

/** A field as a function of one symbol; undefined if it is not given, or has functions that only the kernel knows. */
function evaluated(
  input: ReactInput,
  field: (typeof RATES)[number] | (typeof INITIAL)[number],
  symbol: 'x' | 't',
  others: Readonly<Record<string, number>>,
): FieldFunction | undefined {
  const text = input[field];
  if (text === undefined) return undefined;
  const { F, k, epsilon, a, b, I } = input;
  try {
    return fieldFunction(text, field, [symbol, symbol], { F, k, epsilon, a, b, I, ...others });
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
