// The points of a computation as a receipt and a task of a worker state them: those of a sweep, or samples.

import { z } from 'zod';
import type { SampleSpec } from '../../solvers/samples.ts';
import { axesOfSealed, gridOf, type PointSet, type SealedAxis, SealedAxisShape } from './axes.ts';
import { SampleSpecShape, samplePoints } from './samples.ts';

export interface PointFields {
  readonly sweep?: readonly SealedAxis[] | undefined;
  readonly samples?: SampleSpec | undefined;
}

/** Of an untrusted receipt. */
export const PointFieldsShape = z
  .object({ sweep: z.array(SealedAxisShape).optional(), samples: SampleSpecShape.optional() })
  .refine(({ sweep, samples }) => sweep === undefined || samples === undefined);

export function pointFieldsOf({ sweep, samples }: PointFields): PointFields {
  return { ...(sweep === undefined ? {} : { sweep }), ...(samples === undefined ? {} : { samples }) };
}

/** Undefined for one result. @throws DomainError VALIDATION_FAILED naming the field */
export function pointsOf({ sweep, samples }: PointFields): PointSet | undefined {
  if (samples !== undefined) return samplePoints(samples);
  return sweep === undefined ? undefined : gridOf(axesOfSealed(sweep));
}
