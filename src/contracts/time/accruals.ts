// Accruals: parts of years between two dates of a contract, for interest. `accrual.<name>` reads one.

import type { Definition, Scalar } from '../definition.ts';
import { dayText } from './civil.ts';
import { type DayCount, yearFraction } from './day-count.ts';
import { deadlineFault } from './deadline.ts';
import { INSTANT_EXPECTED, localTimeOf, type Place, parseInstant, tickOfInstantText } from './local-time.ts';
import type { Zone } from './zone.ts';

export interface CompiledAccrual {
  readonly basis: DayCount;
  readonly place: Place;
  /** A date, or the name of a value with a date or a tick. */
  readonly from: string;
  /** Undefined for the day on which it is read. */
  readonly to: string | undefined;
}

export type Accruals = ReadonlyMap<string, CompiledAccrual>;

const PREFIX = 'accrual.';

export const accrualName = (accrual: string): string => `${PREFIX}${accrual}`;

/** @param zoneNamed  the zone of a name; undefined after it reported a fault */
export function compileAccruals(
  { accruals = {} }: Definition,
  zoneNamed: (path: string, name: string) => Zone | undefined,
  zoneOtherwise: Zone,
): Accruals {
  const compiled = Object.entries(accruals).map(([name, { basis, from, to, tz }]) => {
    const zone = zoneNamed(`accruals.${name}.tz`, tz) ?? zoneOtherwise;
    const fixed = { calendar: undefined, roll: undefined, time: undefined, gap: 'end', overlap: 'first' } as const;
    return [accrualName(name), { basis, from, to, place: { zone, hasZone: true, ...fixed } }] as const;
  });
  return new Map(compiled);
}

/**
 * The years of an accrual; undefined for any other name.
 *
 * @param read  values of context variables and parameters
 * @throws DomainError VALIDATION_FAILED if a date is none, or the last one comes first
 */
export function readAccrual(
  accruals: Accruals,
  name: string,
  tick: number,
  read: (name: string) => Scalar,
): number | undefined {
  const accrual = accruals.get(name);
  if (accrual === undefined) return undefined;
  const { basis, place, from, to } = accrual;
  const dayIn = (field: string, given: string | undefined) => {
    const value = given === undefined ? tick : parseInstant(given) === undefined ? read(given) : given;
    if (typeof value === 'number' && Number.isFinite(value)) return localTimeOf(Math.floor(value), place).day;
    const parsed = typeof value === 'string' ? parseInstant(value) : undefined;
    if (parsed === undefined) {
      throw deadlineFault(
        `${name}.${field}`,
        'NO_VALUE',
        `is ${JSON.stringify(value)}; ${INSTANT_EXPECTED}, or a tick`,
      );
    }
    return parsed.offset === undefined ? parsed.local.day : localTimeOf(tickOfInstantText(parsed, place), place).day;
  };
  const [first, last] = [dayIn('from', from), dayIn('to', to)];
  if (last < first) {
    throw deadlineFault(name, 'ORDER', `ends on ${dayText(last)}, before it begins on ${dayText(first)}`);
  }
  return yearFraction(basis, first, last);
}
