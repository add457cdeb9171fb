// Refuses what varies between the steps of a run, or between the nodes of a grid, where no grid sees it.

import type { FieldFunction } from '../parts/field-expression.ts';
import { assertSeen, assertSeenOnPlane, placesOfCell } from '../parts/unseen.ts';
import type { WaveInput } from './inputs.ts';
import { SAMPLES } from './medium.ts';
import type { Problem } from './problem.ts';
import { peakOf } from './source.ts';

/** @throws DomainError VALIDATION_FAILED */
export function assertResolved(input: WaveInput, problem: Problem): void {
  const { dt, tEnd, initial, medium, source, isYee, isLine, lengthX, lengthY } = problem;
  if (input.waveform !== undefined && source)
    assertSeen('waveform', 't', source.at, {
      ...{ from: 0, to: tEnd, first: isYee ? 0.5 * dt : 0, step: dt },
      remedy: 'take shorter steps, or a longer pulse of the same area',
    });
  const onNodes = (path: string, f: FieldFunction | undefined, peaks: readonly Place[] = []) =>
    assertShown(problem, path, f, 1, peaks);
  const ofCells = (path: string, f: FieldFunction | undefined) =>
    assertShown(problem, path, f, isLine ? SAMPLES.line : SAMPLES.plane, []);
  const peak = peakOf(input, lengthX, lengthY);
  if (input.initial_u !== undefined) onNodes('initial_u', initial.field);
  else if (initial.standing === undefined) onNodes('width', initial.field, [peak]);
  onNodes('initial_v', initial.velocity);
  onNodes('width', source?.shape, [peak]);
  ofCells(medium.densityField, medium.densityAt);
  ofCells(medium.stiffnessField, medium.stiffnessAt);
  onNodes('damping', medium.dampingAt);
}

type Place = readonly [x: number, y: number];

/** @param samples  of a cell along an axis, about its middle; 1 if nodes alone are taken */
function assertShown(
  problem: Problem,
  path: string,
  f: FieldFunction | undefined,
  samples: number,
  peaks: readonly Place[],
): void {
  if (f === undefined) return;
  const { isLine, lengthX, lengthY, cellsX, cellsY, hx } = problem;
  const remedy = 'take more cells, or a wider shape';
  const isMiddles = samples > 1;
  if (isLine) {
    const step = hx / samples;
    const places = { from: 0, to: lengthX, first: isMiddles ? 0.5 * step : 0, step, peaks: peaks.map(([x]) => x) };
    assertSeen(path, 'x', (x) => f(x, 0), { ...places, remedy });
    return;
  }
  const places = placesOfCell(samples, [cellsX, cellsY]);
  const cells = [cellsX * places, cellsY * places] as const;
  assertSeenOnPlane(path, f, { extents: [lengthX, lengthY], cells, isMiddles, remedy, peaks });
}
