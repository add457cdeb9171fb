// Builds the problem of a request: symbols, initial values, and order of evaluation.

import { decimalError, ROUNDOFF } from '../../core/decimal-error.ts';
import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { symbolsOf } from '../../expressions/tree.ts';
import type { Law } from '../definition.ts';
import { validationError } from '../parts/errors.ts';
import {
  assertKnown,
  assertLawsEnter,
  assertLines,
  assertNumbers,
  assertRanges,
  type TrackedExpression,
} from './checks.ts';
import { PRIMED, parseAssignments, parseItems, parseList, parseNumbers, parseTexts, withPath } from './entries.ts';
import { type EventLine, parseEvent } from './event-lines.ts';
import { initialValues } from './initial.ts';
import type { UnifiedInput } from './inputs.ts';
import { dependenciesOf, type InitialLine, type Line, lawLine, parseLines } from './lines.ts';
import { dependencyClosure, sortByDependency } from './order.ts';
import { outputsOf } from './outputs.ts';
import { ownEquationsId } from './own-equations.ts';
import { type Scale, scalesOf, UNSCALED } from './units.ts';

export interface Problem {
  readonly mode: 'expression' | 'chain' | 'ode';
  /** Whether t is swept over its span without differential equations. */
  readonly isSweep: boolean;
  readonly states: readonly Line[];
  /** In dependency order: constant along t, then required by derivatives, then the others. */
  readonly algebraic: readonly Line[];
  readonly fixedCount: number;
  readonly requiredCount: number;
  readonly events: readonly EventLine[];
  readonly invariants: readonly TrackedExpression[];
  /** Initial values given as expressions. */
  readonly initial: readonly InitialLine[];
  /** Symbols in slot order: t, states, algebraic values, given numbers, constants of laws. */
  readonly slots: readonly string[];
  /** Coherent values of the slots at the start; NaN for computed slots. */
  readonly values: Float64Array;
  /** Given numbers that an equation reads, except t. */
  readonly given: readonly string[];
  /** Rounding of the given numbers, of t and of the constants of laws, by symbol. */
  readonly roundings: ReadonlyMap<string, number>;
  readonly scales: ReadonlyMap<string, Scale>;
  /** The first is the value. */
  readonly outputs: readonly string[];
  readonly isAutonomous: boolean;
  readonly laws: readonly Law[];
  /** Names the caller's equations in the receipt. */
  readonly ownId: string;
  readonly span: readonly [from: number, to: number];
  readonly notes: readonly string[];
}

const MAX_EVENTS = 16;
const MAX_INVARIANTS = 16;
const DEFAULT_DURATION = 20;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID, UNIT_INVALID, UNIT_MISMATCH */
export function problemOf(input: UnifiedInput, laws: readonly Law[]): Problem {
  const vars = parseNumbers('vars', input.vars);
  const { lines: ownLines, initial } = parseLines(parseAssignments(input.equations));
  const lines = [...ownLines, ...laws.map((law) => lawLine(law, (name) => vars.has(name)))];
  assertLines(lines);
  const states = lines.filter(({ kind }) => kind === 'derivative');
  const algebraic = sortByDependency(lines.filter(({ kind }) => kind === 'algebraic'));
  const mode = modeOf(input.mode, lines);
  const events = entries('events', input.events, MAX_EVENTS, mode).map(parseEvent);
  const invariants = entries('invariants', input.invariants, MAX_INVARIANTS, mode).map((text, i): TrackedExpression => {
    const path = `invariants.${i + 1}`;
    return { path, text, expression: withPath(path, text, () => parseExpression(text, PRIMED)) };
  });

  const leftSides = new Set(lines.map(({ symbol }) => symbol));
  const numbers = withDefaults(vars, lines, leftSides);
  assertNumbers(numbers, lines, mode);
  const isSweep = mode !== 'ode' && !numbers.has('t') && input.t_end !== undefined;
  const hasTime = mode === 'ode' || isSweep || numbers.has('t');
  const known = new Set([...leftSides, ...numbers.keys(), ...(hasTime ? ['t'] : [])]);
  assertKnown(lines, events, invariants, states, known);

  const readSymbolNames = readSymbols(lines, events, [...invariants, ...initial]);
  // Sorted: a receipt does not preserve the key order of an object, and sums must not depend on it.
  const given = [...numbers.keys()].filter((name) => name !== 't' && readSymbolNames.has(name)).sort();
  const unused = [...vars.keys()].filter((name) => !readSymbolNames.has(name)).sort();
  const equations = { algebraic, derivatives: states, events, invariants, given };
  const units = [...parseTexts('units', input.units)].filter(([name]) => !unused.includes(name));
  const scales = scalesOf(equations, new Map(units));
  const scale = (name: string) => scaleOf({ scales }, name);
  const givenValues = (name: string) => {
    const value = numbers.get(name);
    return value === undefined ? [] : [scale(name).toCoherent(value)];
  };
  assertRanges(lines, givenValues);

  const timeDependent = new Set(['t', ...states.map(({ symbol }) => symbol)]);
  const isFixed = (line: Line) =>
    mode === 'ode' && ![...dependencyClosure(dependenciesOf(line), lines)].some((name) => timeDependent.has(name));
  const fixed = algebraic.filter(isFixed);
  const derivativeDependencies = dependencyClosure(
    states.flatMap((line) => [...dependenciesOf(line)]),
    algebraic,
  );
  const required = algebraic.filter((line) => !isFixed(line) && derivativeDependencies.has(line.symbol));
  const otherLines = algebraic.filter((line) => !isFixed(line) && !derivativeDependencies.has(line.symbol));
  const sorted = [...fixed, ...required, ...otherLines];
  const constants = laws.flatMap((law) =>
    Object.entries(law.constants ?? {}).map(
      ([name, { value, unit }]) => [`${law.id}.${name}`, coherent(value, unit)] as const,
    ),
  );
  const slots = [
    't',
    ...states.map(({ symbol }) => symbol),
    ...sorted.map(({ symbol }) => symbol),
    ...given,
    ...constants.map(([name]) => name),
  ];
  const values = new Map<string, number>(constants);
  const roundings = new Map<string, number>(constants.map(([name, value]) => [name, roundingOf(value, value)]));
  for (const name of ['t', ...given]) {
    const value = numbers.get(name);
    if (value === undefined) continue;
    const coherentValue = scale(name).toCoherent(value);
    values.set(name, coherentValue);
    roundings.set(name, roundingOf(value, coherentValue));
  }
  const from = scale('t').toCoherent(input.t0);
  const to = scale('t').toCoherent(input.t_end ?? input.t0 + DEFAULT_DURATION);
  if (mode === 'ode' || isSweep) {
    if (!(to > from))
      throw validationError('t_end', `t_end is ${input.t_end}; it must be greater than t0 = ${input.t0}.`);
    values.set('t', from);
    roundings.set('t', roundingOf(input.t_end ?? input.t0 + DEFAULT_DURATION, to));
  }
  const constant = new Set([...fixed.map(({ symbol }) => symbol), ...given]);
  const start = initialValues(input, initial, states, constant, scale);
  for (const [symbol, value] of start.numbers) values.set(symbol, value);
  const outputs = outputsOf(input, ownLines, states, algebraic, sorted.slice(fixed.length));
  const monitored = [
    ...events.flatMap(({ expression, assignments }) => [expression, ...assignments.map((one) => one.expression)]),
    ...[...invariants, ...initial].map(({ expression }) => expression),
  ];
  assertLawsEnter(lines, monitored, outputs);
  return {
    mode,
    isSweep,
    states,
    algebraic: sorted,
    fixedCount: fixed.length,
    requiredCount: required.length,
    events,
    invariants,
    initial: start.formulas,
    slots,
    values: Float64Array.from(slots, (name) => values.get(name) ?? Number.NaN),
    given,
    roundings,
    scales,
    outputs,
    isAutonomous: !readsTime(states, derivativeDependencies),
    laws,
    ownId: ownEquationsId(input),
    span: [from, to],
    notes: [
      ...(unused.length === 0 ? [] : [`Not used by any equation: ${unused.join(', ')}.`]),
      ...(mode === 'ode' ? SPAN_FIELDS.filter((name) => leftSides.has(name)).map(misplacedNote) : []),
    ],
  };
}

/** An equation of the name of a field does not set the field. */
const SPAN_FIELDS = ['t0', 't_end'] as const;
const misplacedNote = (name: string) =>
  `${name} on the left of an equation is a symbol; the run goes from the field t0 to the field t_end.`;

/** Bound of what a number loses as a double, and in its conversion to coherent SI. */
const roundingOf = (given: number, converted: number) =>
  given === converted ? decimalError(given) : 4 * ROUNDOFF * Math.abs(converted);

function coherent(value: number, text: string): number {
  const unit = parseUnit(text);
  return conversion(unit, coherentUnit(unit))(value);
}

const readsTime = (states: readonly Line[], derivativeDependencies: ReadonlySet<string>) =>
  derivativeDependencies.has('t') || states.some((line) => dependenciesOf(line).has('t'));

function modeOf(requested: UnifiedInput['mode'], lines: readonly Line[]): Problem['mode'] {
  const derivative = lines.find(({ kind }) => kind === 'derivative');
  const leftSides = new Set(lines.map(({ symbol }) => symbol));
  const dependent = lines.find((line) => [...dependenciesOf(line)].some((name) => leftSides.has(name)));
  const detected = derivative ? 'ode' : dependent ? 'chain' : 'expression';
  if (requested === 'auto' || requested === detected || (requested === 'chain' && detected === 'expression'))
    return requested === 'auto' ? detected : requested;
  if (requested === 'ode')
    throw validationError('mode', "mode is ode, but no equation has a derivative x' on its left.");
  const line = derivative ?? dependent;
  const reason = derivative
    ? `${line?.path} (${line?.text}) is a differential equation: mode ode`
    : `${line?.path} (${line?.text}) reads what another equation gives: mode chain`;
  throw validationError('mode', `mode is ${requested}, but ${reason} or auto is expected.`);
}

function entries(
  field: 'events' | 'invariants',
  given: UnifiedInput['events'],
  max: number,
  mode: Problem['mode'],
): readonly string[] {
  const texts = field === 'events' ? parseList(given) : parseItems(given);
  if (texts.length > max)
    throw validationError(field, `${field} has ${texts.length} entries; at most ${max} are allowed.`, 'TOO_BIG');
  if (texts.length > 0 && mode !== 'ode')
    throw validationError(field, `${field} require differential equations; the input has none.`);
  return texts;
}

/** The given numbers, and the defaults of laws for missing ones. */
function withDefaults(
  vars: ReadonlyMap<string, number>,
  lines: readonly Line[],
  leftSides: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const numbers = new Map(vars);
  for (const { law, outerNames } of lines) {
    for (const [name, input] of Object.entries(law?.inputs ?? {})) {
      const outerName = outerNames.get(name) ?? name;
      if (input.default !== undefined && !numbers.has(outerName) && !leftSides.has(outerName))
        numbers.set(outerName, input.default);
    }
  }
  return numbers;
}

function readSymbols(
  lines: readonly Line[],
  events: readonly EventLine[],
  expressions: readonly TrackedExpression[],
): ReadonlySet<string> {
  const trees = [
    ...events.flatMap(({ expression, assignments }) => [
      expression,
      ...assignments.map((assignment) => assignment.expression),
    ]),
    ...expressions.map(({ expression }) => expression),
  ];
  return new Set([
    ...lines.flatMap((line) => [...dependenciesOf(line)]),
    ...trees.flatMap((tree) => [...symbolsOf(tree)]),
  ]);
}

/** Values under the inner names of a line. */
export function innerValues({ outerNames }: Line, values: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const inner = new Map(values);
  for (const [name, outerName] of outerNames) {
    const value = values.get(outerName);
    if (value !== undefined) inner.set(name, value);
  }
  return inner;
}

export const scaleOf = ({ scales }: Pick<Problem, 'scales'>, symbol: string): Scale => scales.get(symbol) ?? UNSCALED;

/** Laws in the order of computation. */
export function lawsInOrder({ algebraic }: Problem): readonly Law[] {
  return algebraic.flatMap(({ law }) => (law === undefined ? [] : [law]));
}
