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
  const own = convert === undefined ? point : inUnit(point, convert);
  const { value, rounding, contributions, isWitnessed, deviation } = own;
  return {
    value,
    uncertainty: combined(contributions),
    isConverged: isWitnessed && (isClear(value, deviation) || isConvergedInUnit({ value, rounding, ...own.witness() })),
  };
}

/** Deviation that is converged in every unit: far below the bound, whatever a conversion rounds. */
const CLEAR_DEVIATION = 1e-6;

/** Whether the value is converged without a look at it in its unit, where it is neither huge nor tiny. */
function isClear(value: number, deviation: number): boolean {
  const size = Math.abs(value);
  return deviation <= CLEAR_DEVIATION && size > 1e-250 && size < 1e250;
}

type InUnit = Pick<PointValue, 'value' | 'rounding'> & ReturnType<PointValue['witness']>;

function isConvergedInUnit({ value, rounding, reference, scale }: InUnit): boolean {
  const witness = { method: '', reference, scale };
  const bound = relativeRounding(rounding, value, scale);
  return isConverged({ value, witness, bound, converged: true, invariants: NO_INVARIANTS });
}

const NO_INVARIANTS = [] as const;

function inUnit(point: PointValue, convert: Convert): PointValue {
  const [, ...others] = point.contributions;
  const value = convert(point.value);
  const rounding = convertedRounding(point.rounding, value, convert);
  return {
    isWitnessed: point.isWitnessed,
    deviation: point.deviation,
    value,
    rounding,
    contributions: [
      { kind: 'bound', value: rounding },
      ...others.map((part) => ({ ...part, value: convert(part.value) })),
    ],
    witness: () => {
      const { reference, scale } = point.witness();
      return { reference: convert(reference), scale: convert(scale) };
    },
  };
}
