// Level of the water, its velocities and the bed, as functions of a place.

import { exp } from '../../core/elementary.ts';
import { validationError } from '../parts/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';
import { bedOf } from './bed.ts';
import type { ClimateInput } from './inputs.ts';

export interface Initial {
  readonly level: FieldFunction;
  readonly u: FieldFunction | undefined;
  readonly v: FieldFunction | undefined;
  readonly bed: FieldFunction | undefined;
  /** The velocity of a jet over its distance from the axis; the level leans with it. */
  readonly jet: ((distance: number) => number) | undefined;
  /** Whether the level is even and nothing moves. */
  readonly isAtRest: boolean;
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function initialOf(input: ClimateInput, x0: number): Initial {
  const { initial, level, u, v, depth, h_right, amplitude, jet_speed, dim, ly } = input;
  if (level !== undefined && initial !== 'dam')
    throw validationError('level', `level is given beside initial ${initial}; leave one of them out.`);
  const own = (text: string | undefined, path: string) => (text === undefined ? undefined : fieldFunction(text, path));
  const width = input.width ?? input.lx / 20;
  const bell = (d: number) => exp(-((d / width) * (d / width)));
  const ownLevel = own(level, 'level');
  const humps: FieldFunction = (x, y) => depth + amplitude * bell(x - x0) * (dim === 2 ? bell(y - 0.5 * ly) : 1);
  const standard: Record<ClimateInput['initial'], FieldFunction> = {
    dam: (x) => (x < x0 ? depth : h_right),
    hump: humps,
    jet: () => depth,
    lake: () => depth,
  };
  const isMoved = u !== undefined || v !== undefined;
  return {
    level: ownLevel ?? standard[initial],
    u: own(u, 'u'),
    v: own(v, 'v'),
    bed: bedOf(input),
    jet: ownLevel === undefined && initial === 'jet' ? (d) => jet_speed * bell(d) : undefined,
    isAtRest: ownLevel === undefined && initial === 'lake' && !isMoved,
  };
}
