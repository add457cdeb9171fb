// The points that a request of laws asks for, and the numbers that all of them share.

import { z } from 'zod';
import { DomainError } from '../../core/errors.ts';
import { parseOrThrow } from '../../core/validation.ts';
import type { Given } from '../../operators/given.ts';
import { axesOf, gridOf, type PointSet, type SweepSpec } from './axes.ts';
import { assertOne, type SamplesRequest, SamplesShape, samplePoints, sampleSpec } from './samples.ts';

export interface PointsRequest {
  /** Inputs that take many values. */
  readonly sweep?: SweepSpec | undefined;
  /** Propagate the uncertainties by samples of the whole chain. */
  readonly samples?: SamplesRequest | undefined;
}

/** Undefined for one result. @throws DomainError VALIDATION_FAILED */
export function requestedPoints({ sweep, samples }: PointsRequest, given: Given): PointSet | undefined {
  assertOne(sweep, samples);
  if (sweep !== undefined) return gridOf(axesOf(sweep));
  if (samples === undefined) return undefined;
  const { inputs, consts, uncertainties } = given;
  const valueIn = (name: string) => (Object.hasOwn(inputs, name) ? inputs : consts)[name];
  const { samples: parsed } = parseOrThrow(z.object({ samples: SamplesShape }), { samples });
  return samplePoints(sampleSpec(parsed, uncertainties, valueIn));
}

/** Without what the points draw. */
export function sharedBy({ samples }: PointSet, given: Given): Given {
  if (samples === undefined) return given;
  const names = new Set(samples.inputs.map(({ name }) => name));
  const others = (numbers: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(numbers).filter(([name]) => !names.has(name)));
  const { inputs, consts, uncertainties, units } = given;
  return { inputs: others(inputs), consts: others(consts), uncertainties: others(uncertainties), units };
}

/** @throws DomainError VALIDATION_FAILED for an unknown of samples */
export function assertNoUnknown(solveFor: string | undefined, { samples }: PointsRequest): void {
  if (solveFor === undefined || samples === undefined) return;
  const message = 'solve_for does not go with samples; leave one of them out.';
  throw new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'solve_for', code: 'NOT_WITH_POINTS', message }],
  });
}
