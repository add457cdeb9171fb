// Units as texts: `kg*m^2/s^2`, `J/(mol*K)`, `yr^-1/2`, `MPa*m^1/2`, `km/h`. Grammar: units/parse.ts; symbols:
// units/catalog.ts.
//
// Dimensions are exponents over ten base units. Units have no offsets: a temperature is in K.

import { DomainError } from './errors.ts';
import { decimalMultiplier } from './units/decimal-multiplier.ts';
import { type Dimension, printDimension, sameDimension } from './units/dimension.ts';
import { type ParsedUnit, parseParts } from './units/parse.ts';
import { isEqual, ONE, quotient, toNumber } from './units/rational.ts';
import { SymbolTable } from './units/symbols.ts';

export { type Dimension, multiply, power, printDimension, sameDimension } from './units/dimension.ts';

/** `scale` is exact unless it contains pi or an irrational root; `coherent` is J/mol for kJ/mol. */
export interface Unit extends ParsedUnit {
  readonly text: string;
  /** Size in coherent units: the double nearest to `scale`. */
  readonly factor: number;
  readonly dimension: Dimension;
}

let symbols: SymbolTable | undefined;

/** @throws DomainError UNIT_INVALID; `facts` hold the unit, the position (column from 1) and the nearest names */
export function parseUnit(text: string): Unit {
  symbols ??= new SymbolTable();
  const { scale, dimension, coherent } = parseParts(text, symbols);
  return { text: text.trim(), factor: toNumber(scale), dimension, scale, coherent };
}

/** @throws DomainError UNIT_MISMATCH if the dimensions differ */
export function convert(value: number, from: Unit, to: Unit): number {
  return conversion(from, to)(value);
}

/**
 * Returns a function that converts values. A value stands for its shortest decimal, and the conversion has one
 * rounding: 4.35 m are 435 cm. Between units of equal size a value keeps its bits.
 *
 * @throws DomainError UNIT_MISMATCH if the dimensions differ
 */
export function conversion(from: Unit, to: Unit): (value: number) => number {
  if (!sameDimension(from.dimension, to.dimension)) throw mismatch(from, to);
  const ratio = quotient(from.scale, to.scale);
  if (isEqual(ratio, ONE)) return (value) => value;
  const times = decimalMultiplier(ratio);
  return (value) => (value !== 0 && Number.isFinite(value) ? times(value) : value);
}

/** The coherent unit, in which laws are evaluated: same dimension, factor 1. */
export function coherentUnit({ coherent, dimension }: Unit): Unit {
  return { text: coherent, coherent, dimension, scale: ONE, factor: 1 };
}

function mismatch(from: Unit, to: Unit): DomainError {
  const [source, target] = [from, to].map(({ text, dimension }) => {
    const base = printDimension(dimension);
    return base === text ? text : `${text} = ${base}`;
  });
  const message = `A value in ${from.text} cannot be converted to ${to.text}: the dimensions differ`;
  return new DomainError('UNIT_MISMATCH', `${message} (${source}, ${target}).`, {
    facts: { from: from.text, to: to.text },
  });
}
