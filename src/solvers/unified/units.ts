// Units of symbols. If any symbol has a unit, computation is in coherent SI and every equation is checked.

import { DomainError } from '../../core/errors.ts';
import { didYouMean } from '../../core/nearest.ts';
import { rational } from '../../core/units/rational.ts';
import {
  coherentUnit,
  conversion,
  type Dimension,
  multiply,
  parseUnit,
  power,
  printDimension,
  sameDimension,
  type Unit,
} from '../../core/units.ts';
import { dimensionOf, withDefinitions } from '../../expressions/dimensions.ts';
import type { Expression } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { withPath } from './entries.ts';
import type { EventLine } from './event-lines.ts';
import type { Line } from './lines.ts';

/** Conversion between the unit of a symbol and coherent SI. */
export interface Scale {
  readonly unit: string;
  toCoherent(value: number): number;
  fromCoherent(value: number): number;
}

/** A distance between coherent values in the unit: without the offset of °C. */
export const widthIn = ({ fromCoherent }: Scale, width: number): number =>
  Math.abs(fromCoherent(width) - fromCoherent(0));

export const UNSCALED: Scale = { unit: '1', toCoherent: (value) => value, fromCoherent: (value) => value };

export interface Equations {
  /** In dependency order. */
  readonly algebraic: readonly Line[];
  readonly derivatives: readonly Line[];
  readonly events: readonly EventLine[];
  readonly invariants: readonly { readonly expression: Expression; readonly path: string; readonly text: string }[];
  /** Symbols with given numbers. */
  readonly given: readonly string[];
}

/** Unit of t if other symbols have units but t has none. */
const TIME_UNIT = 's';

/**
 * The scale of every symbol, including t.
 *
 * @param units  given by the caller; without units and laws, numbers are not scaled
 * @throws DomainError UNIT_INVALID, UNIT_MISMATCH, VALIDATION_FAILED for a unit of an unknown symbol
 */
export function scalesOf(equations: Equations, units: ReadonlyMap<string, string>): ReadonlyMap<string, Scale> {
  const { algebraic, derivatives, given } = equations;
  const leftSides = [...derivatives, ...algebraic].map(({ symbol }) => symbol);
  const all = new Set(['t', ...leftSides, ...given]);
  for (const symbol of units.keys()) {
    if (all.has(symbol)) continue;
    throw validationError(
      `units.${symbol}`,
      `units.${symbol} belongs to no symbol.${didYouMean(symbol, all)}`,
      'UNKNOWN_FIELD',
    );
  }
  const hasLaws = algebraic.some(({ law }) => law !== undefined);
  if (units.size === 0 && !hasLaws) return new Map([...all].map((symbol) => [symbol, UNSCALED]));

  const dimensions = new Map<string, Dimension>();
  const scales = new Map<string, Scale>();
  const declare = (symbol: string, text: string) => {
    const unit = unitAt(symbol, text);
    dimensions.set(symbol, unit.dimension);
    scales.set(symbol, scaleOf(unit));
  };
  declare('t', units.get('t') ?? TIME_UNIT);
  for (const { symbol } of derivatives) declare(symbol, units.get(symbol) ?? unitOfDerivative(symbol, units));
  for (const symbol of given) declare(symbol, units.get(symbol) ?? unitInLaws(symbol, algebraic) ?? '1');
  for (const line of algebraic) {
    const found = dimensionOfLine(line, dimensions);
    const declared = units.get(line.symbol) ?? line.law?.output.unit;
    if (declared === undefined) {
      dimensions.set(line.symbol, found);
      const unit = parseUnit(printDimension(found));
      scales.set(line.symbol, scaleOf(unit));
      continue;
    }
    declare(line.symbol, declared);
    assertSame(line.path, line.text, found, dimensions.get(line.symbol), `${line.symbol} in ${declared}`);
  }
  assertDimensions(equations, dimensions);
  return scales;
}

/** Of a lower derivative of a higher-order equation: the unit of its symbol over those of t. */
function unitOfDerivative(symbol: string, units: ReadonlyMap<string, string>): string {
  const base = symbol.replace(/'+$/, '');
  const order = symbol.length - base.length;
  const unit = units.get(base) ?? '1';
  if (order === 0) return unit;
  const time = units.get('t') ?? TIME_UNIT;
  const divisor = /^\w+$/.test(time) ? time : `(${time})`;
  return `${unit}/${divisor}${order === 1 ? '' : `^${order}`}`;
}

function assertDimensions(
  { derivatives, events, invariants }: Equations,
  dimensions: ReadonlyMap<string, Dimension>,
): void {
  const of = (symbol: string) => dimensions.get(symbol) ?? parseUnit('1').dimension;
  const rate = power(of('t'), rational(-1n, 1n));
  for (const line of derivatives) {
    const expected = multiply(of(line.symbol), rate);
    assertSame(line.path, line.text, dimensionOfLine(line, dimensions), expected, `the derivative of ${line.symbol}`);
  }
  for (const { sides, assignments, path, text } of events) {
    const [left, right] = sides.map((side) => withPath(path, text, () => dimensionOf(side, dimensions)));
    const isZero = sides[1].kind === 'number' && sides[1].value === 0;
    if (left && right && !isZero) assertSame(path, text, left, right, 'its right side');
    for (const { symbol, expression } of assignments) {
      const found = withPath(path, text, () => dimensionOf(expression, dimensions));
      assertSame(path, text, found, of(symbol), symbol);
    }
  }
  for (const { expression, path, text } of invariants) withPath(path, text, () => dimensionOf(expression, dimensions));
}

function unitAt(symbol: string, text: string): Unit {
  try {
    return parseUnit(text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const path = `units.${symbol}`;
    const details = [{ path, code: error.code, message: `${path}: ${error.message}` }];
    throw new DomainError(error.code, `${path}: ${error.message}`, { details, facts: error.facts });
  }
}

function scaleOf(unit: Unit): Scale {
  const coherent = coherentUnit(unit);
  return { unit: unit.text, toCoherent: conversion(unit, coherent), fromCoherent: conversion(coherent, unit) };
}

/** The unit in which laws read a symbol. @throws DomainError UNIT_MISMATCH if two laws read it in different units */
export function unitInLaws(symbol: string, lines: readonly Line[]): string | undefined {
  const readers = lines.flatMap(({ law, outerNames }) =>
    Object.entries(law?.inputs ?? {})
      .filter(([name]) => law !== undefined && outerNames.get(name) === symbol)
      .map(([, { unit }]) => ({ id: law?.id ?? '', unit })),
  );
  const [first, ...others] = readers;
  if (first === undefined) return undefined;
  const other = others.find(({ unit }) => !isSameUnit(parseUnit(unit), parseUnit(first.unit)));
  if (other === undefined) return first.unit;
  const message = `${symbol} is read in ${first.unit} by ${first.id} and in ${other.unit} by ${other.id}; give units.${symbol}, or each its own as ${other.id}.${symbol}.`;
  throw new DomainError('UNIT_MISMATCH', message, {
    details: [{ path: `units.${symbol}`, code: 'UNIT_MISMATCH', message }],
  });
}

const isSameUnit = (a: Unit, b: Unit) => sameDimension(a.dimension, b.dimension) && a.factor === b.factor;

function dimensionOfLine(line: Line, dimensions: ReadonlyMap<string, Dimension>): Dimension {
  const { expression, where, outerNames, law, path, text } = line;
  const known = new Map(dimensions);
  for (const [inner, outerName] of outerNames) {
    const constant = law?.constants?.[inner];
    const found = constant ? parseUnit(constant.unit).dimension : dimensions.get(outerName);
    if (found) known.set(inner, found);
    const declared = law?.inputs[inner]?.unit;
    if (found && declared) assertSame(path, text, found, parseUnit(declared).dimension, `${outerName} in ${declared}`);
  }
  return withPath(path, text, () => dimensionOf(expression, withDefinitions(where, known)));
}

function assertSame(
  path: string,
  text: string,
  found: Dimension,
  expected: Dimension | undefined,
  expectedName: string,
): void {
  if (expected === undefined || sameDimension(found, expected)) return;
  const message = `${path} (${text}): the dimension is ${printDimension(found)}; ${expectedName} is ${printDimension(expected)}.`;
  throw new DomainError('UNIT_MISMATCH', message, { details: [{ path, code: 'UNIT_MISMATCH', message }] });
}
