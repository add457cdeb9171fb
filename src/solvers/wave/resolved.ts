// Refuses what varies between the steps of a run, or between the nodes of a line, where no grid sees it.

import type { FieldFunction } from '../parts/field-expression.ts';
import { assertSeen } from '../parts/unseen.ts';
import type { WaveInput } from './inputs.ts';
import type { Problem } from './problem.ts';

/** @throws DomainError VALIDATION_FAILED */
export function assertResolved(input: WaveInput, problem: Problem): void {
  const { dt, tEnd, hx, lengthX, initial, medium, source, isYee, isLine } = problem;
  if (input.waveform !== undefined && source)
    assertSeen('waveform', 't', source.at, {
      ...{ from: 0, to: tEnd, first: isYee ? 0.5 * dt : 0, step: dt },
      remedy: 'take shorter steps, or a longer pulse of the same area',
    });
  if (!isLine) return;
  const along = (path: string, f: FieldFunction | undefined, first: number, step: number) => {
    if (f === undefined) return;
    const remedy = 'take more cells, or a wider shape';
    assertSeen(path, 'x', (x) => f(x, 0), { from: 0, to: lengthX, first, step, remedy });
  };
  if (input.initial_u !== undefined) along('initial_u', initial.field, 0, hx);
  along('initial_v', initial.velocity, 0, hx);
  // Means over a cell take its quarters.
  along(medium.densityField, medium.densityAt, 0.125 * hx, 0.25 * hx);
  along(medium.stiffnessField, medium.stiffnessAt, 0.125 * hx, 0.25 * hx);
}
