// The problem of a request: a column or a frame, with its mesh.

import { validationError } from '../parts/errors.ts';
import { type Column, columnOf } from './column.ts';
import { type Frame, frameOf } from './frame.ts';
import { type BucklingInput, MAX_ELEMENTS } from './inputs.ts';
import { columnMesh, frameMesh, type Mesh } from './mesh.ts';
import { type Defaults, PRESETS } from './presets.ts';
import { type AxialForces, axialForces } from './statics.ts';

export type Problem =
  | { readonly body: Column; readonly mesh: Mesh; readonly elements: number }
  | { readonly body: Frame; readonly forces: AxialForces; readonly mesh: Mesh; readonly elements: number };

const COLUMN_ELEMENTS = 32;
const MEMBER_ELEMENTS = 8;
/** Elements of a half-wave on a foundation. */
const PER_WAVE = 8;
/** Samples of a column at which something must be compressed. */
const SAMPLES = 256;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function problemOf(input: BucklingInput): Problem {
  const preset: Defaults = PRESETS[input.preset];
  const isColumn = input.length !== undefined || input.EI !== undefined;
  const isFrame = input.nodes !== undefined || (preset.nodes !== undefined && !isColumn);
  if (isFrame) {
    const frame = frameOf(input, preset);
    const forces = axialForces(frame);
    if (!forces.varied.some((one) => one > 0))
      throw validationError('loads', 'loads compress no member, so that nothing buckles; turn them round.', 'TENSION');
    const elements = input.elements ?? MEMBER_ELEMENTS;
    return { body: frame, forces, mesh: frameMesh(frame, forces, elements), elements };
  }
  const column = columnOf(input, preset);
  const { length, varied } = column;
  let isCompressed = false;
  for (let i = 0; i < SAMPLES; i++) isCompressed ||= varied(((i + 0.5) / SAMPLES) * length) > 0;
  for (let i = 1; i < column.breaks.length; i++)
    isCompressed ||= varied(0.5 * ((column.breaks[i - 1] ?? 0) + (column.breaks[i] ?? 0))) > 0;
  if (!isCompressed)
    throw validationError('loads', 'loads compress no part of the column, so that it does not buckle.', 'TENSION');
  // A bed makes half-waves of its own length.
  const waves = (length * Math.sqrt(Math.sqrt(column.foundation.max / column.EI.min))) / Math.PI;
  const elements = input.elements ?? Math.min(MAX_ELEMENTS, Math.max(COLUMN_ELEMENTS, Math.ceil(PER_WAVE * waves)));
  return { body: column, mesh: columnMesh(column, elements), elements };
}
