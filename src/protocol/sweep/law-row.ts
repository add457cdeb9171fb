// A row of a sweep of laws, in the unit that was asked for: the same numbers as those of a single result.

import { combined } from '../../core/uncertainty.ts';
import { conversionToAsked } from '../../operators/asked-unit.ts';
import type { SealedDefinition } from '../../operators/definition.ts';
import type { PointValue } from '../../operators/swept-chain.ts';
import { convertedRounding, relativeRounding } from '../chain-computation.ts';
import { isConverged } from '../convergence.ts';
import type { Row } from './sweep-computation.ts';

type Convert = (value: number) => number;

/** Undefined without a unit that was asked for. */
export function conversionOf(definitions: readonly SealedDefinition[], as: string | undefined): Convert | undefined {
  const unit = definitions.at(-1)?.output.unit;
  return as === undefined || unit === undefined ? undefined : conversionToAsked(unit, as);
}

export function rowOf(point: PointValue, convert: Convert | undefined): Row {
  const { value, rounding, contributions, reference, scale, isWitnessed } =
    convert === undefined ? point : inUnit(point, convert);
  const witness = { method: '', reference, scale };
  const bound = relativeRounding(rounding, value, scale);
  return {
    value,
    uncertainty: combined(contributions),
    isConverged: isConverged({ value, witness, bound, converged: isWitnessed, invariants: NO_INVARIANTS }),
  };
}

const NO_INVARIANTS = [] as const;

function inUnit(point: PointValue, convert: Convert): PointValue {
  const [, ...others] = point.contributions;
  const value = convert(point.value);
  const rounding = convertedRounding(point.rounding, value, convert);
  return {
    ...point,
    value,
    rounding,
    contributions: [
      { kind: 'bound', value: rounding },
      ...others.map((part) => ({ ...part, value: convert(part.value) })),
    ],
    reference: convert(point.reference),
    scale: convert(point.scale),
  };
}
