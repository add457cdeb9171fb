// Units of symbols. With any unit in play everything is computed in coherent SI, and every equation is checked.

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
import type { EventLine } from './event-lines.ts';
import type { Line } from './lines.ts';
import { refusal, within } from './lists.ts';

/** How the numbers of one symbol are written, and how they are computed with. */
export interface Scale {
  readonly unit: string;
  toCoherent(value: number): number;
  fromCoherent(value: number): number;
}

export const PLAIN: Scale = { unit: '1', toCoherent: (value) => value, fromCoherent: (value) => value };

export interface Equations {
  /** In the order of need. */
  readonly algebraic: readonly Line[];
  readonly derivatives: readonly Line[];
  readonly events: readonly EventLine[];
  readonly invariants: readonly { readonly expression: Expression; readonly path: string; readonly text: string }[];
  /** Symbols that numbers stand for. */
  readonly given: readonly string[];
}

/** A time without a unit, where others have one, is in seconds. */
const TIME_UNIT = 's';

/**
 * The scale of every symbol, t among them.
 *
 * @param units  of the caller; without any, and without laws, all numbers are plain
 * @throws DomainError UNIT_INVALID, UNIT_MISMATCH, VALIDATION_FAILED for a unit of an unknown symbol
 */
export function scalesOf(equations: Equations, units: ReadonlyMap<string, string>): ReadonlyMap<string, Scale> {
  const { algebraic, derivatives, given } = equations;
  const left = [...derivatives, ...algebraic].map(({ symbol }) => symbol);
  const all = new Set(['t', ...left, ...given]);
  for (const symbol of units.keys()) {
    if (all.has(symbol)) continue;
    throw refusal(
      `units.${symbol}`,
      `units.${symbol} belongs to no symbol.${didYouMean(symbol, all)}`,
      'UNKNOWN_FIELD',
    );
  }
  const hasLaws = algebraic.some(({ law }) => law !== undefined);
  if (units.size === 0 && !hasLaws) return new Map([...all].map((symbol) => [symbol, PLAIN]));

  const dimensions = new Map<string, Dimension>();
  const scales = new Map<string, Scale>();
  const declare = (symbol: string, text: string) => {
    const unit = unitAt(symbol, text);
    dimensions.set(symbol, unit.dimension);
    scales.set(symbol, scaleOf(unit));
  };
  declare('t', units.get('t') ?? TIME_UNIT);
  for (const { symbol } of derivatives) declare(symbol, units.get(symbol) ?? '1');
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
  check(equations, dimensions);
  return scales;
}

function check({ derivatives, events, invariants }: Equations, dimensions: ReadonlyMap<string, Dimension>): void {
  const of = (symbol: string) => dimensions.get(symbol) ?? parseUnit('1').dimension;
  const rate = power(of('t'), rational(-1n, 1n));
  for (const line of derivatives) {
    const expected = multiply(of(line.symbol), rate);
    assertSame(line.path, line.text, dimensionOfLine(line, dimensions), expected, `the derivative of ${line.symbol}`);
  }
  for (const { sides, assignments, path, text } of events) {
    const [left, right] = sides.map((side) => within(path, text, () => dimensionOf(side, dimensions)));
    const isZero = sides[1].kind === 'number' && sides[1].value === 0;
    if (left && right && !isZero) assertSame(path, text, left, right, 'its right side');
    for (const { symbol, expression } of assignments) {
      const found = within(path, text, () => dimensionOf(expression, dimensions));
      assertSame(path, text, found, of(symbol), symbol);
    }
  }
  for (const { expression, path, text } of invariants) within(path, text, () => dimensionOf(expression, dimensions));
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

/** The unit in which the laws read a symbol. @throws DomainError UNIT_MISMATCH where they read it in two */
export function unitInLaws(symbol: string, lines: readonly Line[]): string | undefined {
  const readers = lines.flatMap(({ law, outside }) =>
    Object.entries(law?.inputs ?? {})
      .filter(([name]) => law !== undefined && outside.get(name) === symbol)
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
  const { expression, where, outside, law, path, text } = line;
  const known = new Map(dimensions);
  for (const [inner, outer] of outside) {
    const constant = law?.constants?.[inner];
    const found = constant ? parseUnit(constant.unit).dimension : dimensions.get(outer);
    if (found) known.set(inner, found);
    const declared = law?.inputs[inner]?.unit;
    if (found && declared) assertSame(path, text, found, parseUnit(declared).dimension, `${outer} in ${declared}`);
  }
  return within(path, text, () => dimensionOf(expression, withDefinitions(where, known)));
}

function assertSame(path: string, text: string, found: Dimension, wanted: Dimension | undefined, what: string): void {
  if (wanted === undefined || sameDimension(found, wanted)) return;
  const message = `${path} (${text}): the dimension is ${printDimension(found)}; ${what} is ${printDimension(wanted)}.`;
  throw new DomainError('UNIT_MISMATCH', message, { details: [{ path, code: 'UNIT_MISMATCH', message }] });
}
