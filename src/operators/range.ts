// Ranges of inputs and the accuracy of laws: the check, and their wording.

import type { Accuracy, InputDefinition } from './operator.ts';

/** @returns the end of a sentence that begins with the name of the input; undefined for an allowed value */
export function faultOf(
  value: number | undefined,
  { min, max, integer, enum: allowed }: InputDefinition,
): string | undefined {
  if (value === undefined) return 'is missing';
  const isAllowed =
    Number.isFinite(value) &&
    value >= (min ?? Number.NEGATIVE_INFINITY) &&
    value <= (max ?? Number.POSITIVE_INFINITY) &&
    (integer !== true || Number.isInteger(value)) &&
    (allowed === undefined || allowed.includes(value));
  return isAllowed ? undefined : `is ${value}`;
}

/** `a finite number from 1e-36 up to 1 [kg]` */
export function describeInput({ unit, min, max, integer, enum: allowed }: InputDefinition): string {
  if (allowed !== undefined) return `${allowed.length === 1 ? '' : 'one of '}${allowed.join(', ')} [${unit}]`;
  const kind = integer === true ? 'a whole number' : 'a finite number';
  const lower = min === undefined ? '' : ` from ${min}`;
  const upper = max === undefined ? '' : ` up to ${max}`;
  return `${kind}${lower}${upper} [${unit}]`;
}

/** `± 25 % of the value: within about 25 percent of measured heat transfer` */
export function accuracyText({ relative, absolute, basis }: Accuracy, unit: string): string {
  const size =
    relative === undefined ? `${absolute} [${unit}]` : `${Number((100 * relative).toPrecision(6))} % of the value`;
  return `± ${size}: ${basis}`;
}
