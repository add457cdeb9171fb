// Validates equations and numbers before they are compiled.

import { nearestNames } from '../../core/nearest.ts';
import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import { CONSTANTS } from '../../expressions/functions.ts';
import { expressionInvalid } from '../../expressions/invalid.ts';
import { childrenOf, type Expression, symbolsOf } from '../../expressions/tree.ts';
import { validationError } from '../parts/errors.ts';
import { withPath } from './entries.ts';
import type { EventLine } from './event-lines.ts';
import type { Line } from './lines.ts';
import { dependencyClosure } from './order.ts';

/** An expression whose value is only monitored. */
export interface TrackedExpression {
  readonly expression: Expression;
  readonly path: string;
  readonly text: string;
}

/** Maximum number of equations; LIMITS.expression limits each equation. */
export const MAX_EQUATIONS = 64;

const COMPUTES_NOTHING = 'A law whose result you define computes nothing';

export function assertLines(lines: readonly Line[]): void {
  if (lines.length === 0)
    throw validationError('equations', 'equations is empty; at least one equation is required.', 'MISSING');
  if (lines.length > MAX_EQUATIONS) {
    throw validationError(
      'equations',
      `There are ${lines.length} equations; at most ${MAX_EQUATIONS} are allowed.`,
      'TOO_BIG',
    );
  }
  const bySymbol = new Map<string, Line>();
  for (const line of lines) {
    const previous = bySymbol.get(line.symbol);
    if (previous) {
      const advice =
        line.law === undefined ? 'one is expected.' : `one is expected. ${COMPUTES_NOTHING}; leave out one of them.`;
      const message = `${line.symbol} is on the left of two equations, ${previous.path} (${previous.text}) and ${line.path} (${line.text}); ${advice}`;
      throw validationError(line.path, message, 'DUPLICATE');
    }
    if (line.law !== undefined && line.symbol === 't') {
      const message = `${line.law.id} computes t, which is the independent variable here; POST /api/svc/compute takes this law.`;
      throw validationError('operators', message);
    }
    bySymbol.set(line.symbol, line);
  }
}

export function assertNumbers(
  numbers: ReadonlyMap<string, number>,
  lines: readonly Line[],
  mode: 'expression' | 'chain' | 'ode',
): void {
  for (const name of numbers.keys()) {
    const path = `vars.${name}`;
    const line = lines.find(({ symbol }) => symbol === name);
    if (line !== undefined) {
      const message =
        line.law === undefined
          ? `${path} is given, but ${name} has an equation; only one of them may be.`
          : `${path} is given, but ${line.law.id} computes ${name}. ${COMPUTES_NOTHING}; leave out one of them.`;
      throw validationError(path, message, 'DUPLICATE');
    }
    const constant = lawConstant(name, lines);
    if (constant !== undefined) throw validationError(path, `${path} is given, but ${constant} and cannot be changed.`);
    if (CONSTANTS.has(name)) throw validationError(path, `${path} is given, but ${name} is a constant.`);
    if (name === 't' && mode === 'ode') throw validationError(path, 'vars.t is given, but t runs from t0 to t_end.');
  }
}

/** `hbar is a constant of QM5`; undefined for any other name. */
function lawConstant(name: string, lines: readonly Line[]): string | undefined {
  for (const { law } of lines)
    for (const constant of Object.keys(law?.constants ?? {}))
      if (name === `${law?.id}.${constant}`) return `${constant} is a constant of ${law?.id}`;
  return undefined;
}

/**
 * A receipt names the laws of its chain, so each must enter the value, or what an event, an initial value or an
 * invariant reads.
 *
 * @param outputs  the first is the value
 * @throws DomainError VALIDATION_FAILED naming the first other law
 */
export function assertLawsEnter(
  lines: readonly Line[],
  expressions: readonly Expression[],
  outputs: readonly string[],
): void {
  const [headline = ''] = outputs;
  const entering = dependencyClosure([headline, ...expressions.flatMap((tree) => [...symbolsOf(tree)])], lines);
  for (const { law, symbol } of lines) {
    if (law === undefined || entering.has(symbol)) continue;
    const advice = `use ${symbol} in an equation, name it first in outputs, or leave ${law.id} out`;
    const message = `${law.id} computes ${symbol}, which does not enter ${headline}, the value; ${advice}.`;
    throw validationError('operators', message, 'UNUSED_LAW');
  }
}

/** @throws DomainError EXPRESSION_INVALID at the first unknown symbol; VALIDATION_FAILED for a law's missing input */
export function assertKnown(
  lines: readonly Line[],
  events: readonly EventLine[],
  invariants: readonly TrackedExpression[],
  states: readonly Line[],
  known: ReadonlySet<string>,
): void {
  for (const { law, outerNames, expression, path, text } of lines) {
    if (law === undefined) {
      withPath(path, text, () => assertSymbols(expression, known));
      continue;
    }
    for (const [name, { unit }] of Object.entries(law.inputs)) {
      const outerName = outerNames.get(name) ?? name;
      if (known.has(outerName)) continue;
      throw validationError(
        `vars.${outerName}`,
        `${law.id}.${name} is missing; a finite number [${unit}] or an equation for ${name} is expected.`,
        'MISSING',
      );
    }
  }
  for (const { expression, path, text } of invariants) withPath(path, text, () => assertSymbols(expression, known));
  const assignable = new Set(states.map(({ symbol }) => symbol));
  for (const { expression, assignments, path, text } of events) {
    withPath(path, text, () => assertSymbols(expression, known));
    for (const assignment of assignments) {
      withPath(path, text, () => assertSymbols(assignment.expression, known));
      if (assignable.has(assignment.symbol)) continue;
      const expected = `one of the states ${[...assignable].join(', ')}`;
      throw validationError(
        path,
        `${path} (${text}): ${assignment.symbol} cannot be assigned; ${expected} is expected.`,
        'ACTION',
      );
    }
  }
}

export function assertSymbols(expression: Expression, known: ReadonlySet<string>): void {
  const free = symbolsOf(expression);
  const visit = (node: Expression): void => {
    if (node.kind === 'symbol' && free.has(node.name) && !known.has(node.name)) {
      const names = [...known, ...CONSTANTS.keys()];
      const nearest = nearestNames(node.name, names, 1)[0];
      const expected =
        known.size === 0
          ? 'a number; vars gives symbols their values'
          : `one of ${[...known].join(', ')}, or a value for ${node.name} in vars`;
      throw expressionInvalid(node.start, { found: `the unknown symbol ${node.name}`, expected, nearest });
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(expression);
}

/** Coherent values of a symbol: one, or many along t; none without a value. */
export type ValuesOf = (symbol: string) => Iterable<number>;

/** Checks the ranges of the inputs of laws, given or computed by an equation. */
export function assertRanges(lines: readonly Line[], valuesOf: ValuesOf): void {
  for (const { law, outerNames } of lines) {
    for (const [name, input] of Object.entries(law?.inputs ?? {})) {
      const outerName = outerNames.get(name) ?? name;
      const source = lines.find(({ symbol }) => symbol === outerName);
      const unit = parseUnit(input.unit);
      const toUnit = conversion(coherentUnit(unit), unit);
      for (const coherent of valuesOf(outerName)) {
        const value = toUnit(coherent);
        if (isWithin(value, input)) continue;
        const from = source === undefined ? '' : `, which comes from ${source.path} (${source.text}),`;
        throw validationError(
          source?.path ?? `vars.${outerName}`,
          `${law?.id}.${name}${from} is ${value}; ${rangeOf(input)} is expected.`,
          'OUT_OF_RANGE',
        );
      }
    }
  }
}

type LawInput = NonNullable<Line['law']>['inputs'][string];

function isWithin(value: number, { min, max, integer }: LawInput): boolean {
  const lower = min ?? Number.NEGATIVE_INFINITY;
  const upper = max ?? Number.POSITIVE_INFINITY;
  return value >= lower && value <= upper && (integer !== true || Number.isInteger(value));
}

function rangeOf({ unit, min, max, integer }: LawInput): string {
  const kind = integer === true ? 'a whole number' : 'a number';
  return `${kind}${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` up to ${max}`} [${unit}]`;
}
