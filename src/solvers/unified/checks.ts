// What equations and numbers are refused for before anything is made of them.

import { nearestNames } from '../../core/nearest.ts';
import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import { CONSTANTS } from '../../expressions/functions.ts';
import { expressionInvalid } from '../../expressions/invalid.ts';
import { childrenOf, type Expression, symbolsOf } from '../../expressions/tree.ts';
import type { EventLine } from './event-lines.ts';
import type { Line } from './lines.ts';
import { refusal, within } from './lists.ts';

/** An expression that is only watched. */
export interface Watched {
  readonly expression: Expression;
  readonly path: string;
  readonly text: string;
}

/** LIMITS.expression holds what one equation may be. */
export const MOST_EQUATIONS = 64;
export function assertLines(lines: readonly Line[]): void {
  if (lines.length === 0)
    throw refusal('equations', 'equations is empty; at least one equation is expected.', 'MISSING');
  if (lines.length > MOST_EQUATIONS) {
    throw refusal(
      'equations',
      `There are ${lines.length} equations; at most ${MOST_EQUATIONS} are allowed.`,
      'TOO_BIG',
    );
  }
  const seen = new Map<string, Line>();
  for (const line of lines) {
    const before = seen.get(line.symbol);
    if (before) {
      const message = `${line.symbol} is on the left of two equations, ${before.path} (${before.text}) and ${line.path} (${line.text}); one is expected.`;
      throw refusal(line.path, message, 'DUPLICATE');
    }
    seen.set(line.symbol, line);
  }
}

export function assertNumbers(
  numbers: ReadonlyMap<string, number>,
  left: ReadonlySet<string>,
  mode: 'expression' | 'chain' | 'ode',
): void {
  for (const name of numbers.keys()) {
    const path = `vars.${name}`;
    if (left.has(name))
      throw refusal(path, `${path} is given, but ${name} has an equation; only one of them may be.`, 'DUPLICATE');
    if (CONSTANTS.has(name)) throw refusal(path, `${path} is given, but ${name} is a constant.`);
    if (name === 't' && mode === 'ode') throw refusal(path, 'vars.t is given, but t runs from t0 to t_end.');
  }
}

/** @throws DomainError EXPRESSION_INVALID at the first unknown symbol; VALIDATION_FAILED for a law's missing input */
export function assertKnown(
  lines: readonly Line[],
  events: readonly EventLine[],
  invariants: readonly Watched[],
  states: readonly Line[],
  known: ReadonlySet<string>,
): void {
  for (const { law, outside, expression, path, text } of lines) {
    if (law === undefined) {
      within(path, text, () => assertSymbols(expression, known));
      continue;
    }
    for (const [name, { unit }] of Object.entries(law.inputs)) {
      const outer = outside.get(name) ?? name;
      if (known.has(outer)) continue;
      throw refusal(
        `vars.${outer}`,
        `${law.id}.${name} is missing; a finite number [${unit}] or an equation for ${name} is expected.`,
        'MISSING',
      );
    }
  }
  for (const { expression, path, text } of invariants) within(path, text, () => assertSymbols(expression, known));
  const movable = new Set(states.map(({ symbol }) => symbol));
  for (const { expression, assignments, path, text } of events) {
    within(path, text, () => assertSymbols(expression, known));
    for (const one of assignments) {
      within(path, text, () => assertSymbols(one.expression, known));
      if (movable.has(one.symbol)) continue;
      const expected = `one of the states ${[...movable].join(', ')}`;
      throw refusal(path, `${path} (${text}): ${one.symbol} cannot be assigned; ${expected} is expected.`, 'ACTION');
    }
  }
}

export function assertSymbols(expression: Expression, known: ReadonlySet<string>): void {
  const free = symbolsOf(expression);
  const look = (node: Expression): void => {
    if (node.kind === 'symbol' && free.has(node.name) && !known.has(node.name)) {
      const names = [...known, ...CONSTANTS.keys()];
      const nearest = nearestNames(node.name, names, 1)[0];
      const expected =
        known.size === 0
          ? 'a number; vars gives symbols their values'
          : `one of ${[...known].join(', ')}, or a value for ${node.name} in vars`;
      throw expressionInvalid(node.start, { found: `the unknown symbol ${node.name}`, expected, nearest });
    }
    for (const child of childrenOf(node)) look(child);
  };
  look(expression);
}

/** Coherent values of a symbol, one or many along t; none where it has no value yet. */
export type ValuesOf = (symbol: string) => Iterable<number>;

/** What laws ask of the numbers that they are computed with, given ones and those that an equation made. */
export function assertRanges(lines: readonly Line[], valuesOf: ValuesOf): void {
  for (const { law, outside } of lines) {
    for (const [name, input] of Object.entries(law?.inputs ?? {})) {
      const outer = outside.get(name) ?? name;
      const source = lines.find(({ symbol }) => symbol === outer);
      const own = parseUnit(input.unit);
      const toOwn = conversion(coherentUnit(own), own);
      for (const coherent of valuesOf(outer)) {
        const value = toOwn(coherent);
        if (isWithin(value, input)) continue;
        const from = source === undefined ? '' : `, which comes from ${source.path} (${source.text}),`;
        throw refusal(
          source?.path ?? `vars.${outer}`,
          `${law?.id}.${name}${from} is ${value}; ${rangeOf(input)} is expected.`,
          'OUT_OF_RANGE',
        );
      }
    }
  }
}

type LawInput = NonNullable<Line['law']>['inputs'][string];

function isWithin(value: number, { min, max, integer }: LawInput): boolean {
  const least = min ?? Number.NEGATIVE_INFINITY;
  const most = max ?? Number.POSITIVE_INFINITY;
  return value >= least && value <= most && (integer !== true || Number.isInteger(value));
}

function rangeOf({ unit, min, max, integer }: LawInput): string {
  const kind = integer === true ? 'a whole number' : 'a number';
  return `${kind}${min === undefined ? '' : ` from ${min}`}${max === undefined ? '' : ` up to ${max}`} [${unit}]`;
}
