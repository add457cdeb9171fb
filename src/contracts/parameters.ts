// Fills in the parameters of a definition: given values or defaults, checked, with durations as numbers of ticks.

import type { ErrorDetail } from '../core/errors.ts';
import { nearestNames } from '../core/nearest.ts';
import { cronFault } from './calendar.ts';
import { isMoney } from './data/types.ts';
import type { Definition, Parameter, Scalar, Scalars } from './definition.ts';
import { DURATION_EXPECTED, isDurationText, MAX_TICKS, ticksOfDuration } from './durations.ts';
import { type Type, typeOfValue } from './typed-expressions.ts';

/**
 * @param given  parameters of the deployment, as the caller wrote them
 * @returns a value for every declared parameter, and the faults; a value with a fault is only a placeholder
 */
export function fillParameters(
  declared: Definition['parameters'] = {},
  given: Scalars = {},
): { readonly values: Scalars; readonly faults: readonly ErrorDetail[] } {
  const values: Record<string, Scalar> = {};
  const faults: ErrorDetail[] = [];
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(declared, name))
      faults.push(unknownName(`parameters.${name}`, 'parameter', name, Object.keys(declared)));
  }
  for (const [name, parameter] of Object.entries(declared)) {
    const path = `parameters.${name}`;
    const value = (Object.hasOwn(given, name) ? given[name] : undefined) ?? parameter.default;
    const fault = faultOf(parameter, value);
    if (fault) faults.push({ path, code: fault.code, message: `${path} is ${JSON.stringify(value)}; ${fault.text}.` });
    values[name] = filledIn(parameter, value);
  }
  return { values, faults };
}

/** A fault that names an unknown name and the nearest known one. */
export function unknownName(path: string, kind: string, name: string, known: Iterable<string>): ErrorDetail {
  const [nearest] = nearestNames(name, [...known], 1);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}`;
  return { path, code: 'UNKNOWN_NAME', message: `${path} names the unknown ${kind} ${name}${hint}.` };
}

/** The value that expressions and triggers read; one value whatever its spelling. */
function filledIn({ type }: Parameter, value: Scalar): Scalar {
  if (type === 'duration' || isDurationOfTicks(type, value)) return ticksOf(value) ?? 1;
  return type === 'cron' ? String(value) : value;
}

/** A number of ticks may be written as a duration. */
const isDurationOfTicks = (type: Parameter['type'], value: Scalar): value is string =>
  type === 'ticks' && typeof value === 'string' && isDurationText(value);

function ticksOf(duration: Scalar): number | undefined {
  const ticks = typeof duration === 'number' ? duration : ticksOfDuration(String(duration));
  return ticks !== undefined && Number.isInteger(ticks) && ticks >= 1 && ticks <= MAX_TICKS ? ticks : undefined;
}

function faultOf(
  { type, min, max, enum: allowed }: Parameter,
  given: Scalar,
): { readonly code: string; readonly text: string } | undefined {
  const isDuration = type === 'duration' || isDurationOfTicks(type, given);
  if (isDuration && ticksOf(given) === undefined) return { code: 'DURATION', text: DURATION_EXPECTED };
  if (type === 'duration') return undefined;
  const value = isDuration ? (ticksOf(given) ?? given) : given;
  if (type === 'cron') {
    const fault = cronFault(String(value), 'UTC');
    return fault === undefined ? undefined : { code: 'CRON', text: fault };
  }
  const expected: Type = type === 'boolean' || type === 'string' ? type : 'number';
  const isWhole = (type !== 'integer' && type !== 'ticks' && !isMoney(type)) || Number.isSafeInteger(value);
  const isTicks = type !== 'ticks' || (typeof value === 'number' && value >= 1 && value <= MAX_TICKS);
  if (
    typeOfValue(value) !== expected ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    !isWhole ||
    !isTicks
  ) {
    return { code: 'TYPE', text: `a value of type ${type} is expected` };
  }
  if (typeof value === 'number' && (value < (min ?? value) || value > (max ?? value)))
    return { code: 'OUT_OF_RANGE', text: `${min ?? 'anything'} to ${max ?? 'anything'} is allowed` };
  if (allowed !== undefined && !allowed.includes(value)) {
    const options = allowed.map((option) => JSON.stringify(option)).join(', ');
    return { code: 'NOT_ALLOWED', text: `one of ${options} is allowed` };
  }
  return undefined;
}
