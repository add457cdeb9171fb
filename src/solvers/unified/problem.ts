// One case made ready to run: which symbols there are, what they are at the start, and in which order all is evaluated.

import { nearestNames } from '../../core/nearest.ts';
import { coherentUnit, conversion, parseUnit } from '../../core/units.ts';
import { parseExpression } from '../../expressions/parse.ts';
import { symbolsOf } from '../../expressions/tree.ts';
import type { Law } from '../solver.ts';
import { assertKnown, assertLines, assertNumbers, assertRanges, type Watched } from './checks.ts';
import { type EventLine, readEvent } from './event-lines.ts';
import { initialValues } from './initial.ts';
import type { UnifiedInput } from './input.ts';
import { type InitialLine, type Line, lineOf, needsOf, readLines } from './lines.ts';
import { listOf, numbersOf, refusal, textsOf, within } from './lists.ts';
import { inOrder, reachedFrom } from './order.ts';
import { PLAIN, type Scale, scalesOf } from './units.ts';

export interface Problem {
  readonly mode: 'expression' | 'chain' | 'ode';
  /** A table over t, where no differential equation makes t run. */
  readonly isSwept: boolean;
  readonly states: readonly Line[];
  /** In the order of need: those that never change along t, those that derivatives need, the others. */
  readonly algebraic: readonly Line[];
  readonly fixedCount: number;
  readonly neededCount: number;
  readonly events: readonly EventLine[];
  readonly invariants: readonly Watched[];
  /** Initial values that are no plain numbers. */
  readonly initial: readonly InitialLine[];
  /** Every symbol's place among the slots: t, states, algebraic values, given numbers, constants of laws. */
  readonly slots: readonly string[];
  /** Coherent values of the slots at the start; NaN where one is computed. */
  readonly values: Float64Array;
  /** Given numbers that some equation reads, t excepted. */
  readonly given: readonly string[];
  readonly scales: ReadonlyMap<string, Scale>;
  /** The first is the value. */
  readonly outputs: readonly string[];
  readonly isAutonomous: boolean;
  readonly laws: readonly Law[];
  readonly span: readonly [from: number, to: number];
  readonly notes: readonly string[];
}

const MOST_EVENTS = 16;
const MOST_INVARIANTS = 16;
const STANDARD_END = 20;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID, UNIT_INVALID, UNIT_MISMATCH */
export function problemOf(input: UnifiedInput, laws: readonly Law[]): Problem {
  const vars = numbersOf('vars', input.vars);
  const { lines: own, initial } = readLines(listOf(input.equations));
  const lines = [...own, ...laws.map((law) => lineOf(law, (name) => vars.has(name)))];
  assertLines(lines);
  const states = lines.filter(({ kind }) => kind === 'derivative');
  const algebraic = inOrder(lines.filter(({ kind }) => kind === 'algebraic'));
  const mode = modeOf(input.mode, lines);
  const events = entries('events', input.events, MOST_EVENTS, mode).map(readEvent);
  const invariants = entries('invariants', input.invariants, MOST_INVARIANTS, mode).map((text, i): Watched => {
    const path = `invariants.${i + 1}`;
    return { path, text, expression: within(path, text, () => parseExpression(text)) };
  });

  const left = new Set(lines.map(({ symbol }) => symbol));
  const numbers = withDefaults(vars, lines, left);
  assertNumbers(numbers, left, mode);
  const isSwept = mode !== 'ode' && !numbers.has('t') && input.t_end !== undefined;
  const hasTime = mode === 'ode' || isSwept || numbers.has('t');
  const known = new Set([...left, ...numbers.keys(), ...(hasTime ? ['t'] : [])]);
  assertKnown(lines, events, invariants, states, known);

  const read = readSymbols(lines, events, [...invariants, ...initial]);
  // Sorted: the order of an object's names does not survive a receipt, and sums over them must not depend on it.
  const given = [...numbers.keys()].filter((name) => name !== 't' && read.has(name)).sort();
  const unused = [...vars.keys()].filter((name) => !read.has(name)).sort();
  const equations = { algebraic, derivatives: states, events, invariants, given };
  const units = [...textsOf('units', input.units)].filter(([name]) => !unused.includes(name));
  const scales = scalesOf(equations, new Map(units));
  const givenValue = (name: string) => {
    const value = numbers.get(name);
    return value === undefined ? [] : [(scales.get(name) ?? PLAIN).toCoherent(value)];
  };
  assertRanges(lines, givenValue);

  const moving = new Set(['t', ...states.map(({ symbol }) => symbol)]);
  const isFixed = (line: Line) =>
    mode === 'ode' && ![...reachedFrom(needsOf(line), lines)].some((one) => moving.has(one));
  const fixed = algebraic.filter(isFixed);
  const reached = reachedFrom(
    states.flatMap((line) => [...needsOf(line)]),
    algebraic,
  );
  const needed = algebraic.filter((line) => !isFixed(line) && reached.has(line.symbol));
  const rest = algebraic.filter((line) => !isFixed(line) && !reached.has(line.symbol));
  const sorted = [...fixed, ...needed, ...rest];
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
  const scaleOf = (name: string) => scales.get(name) ?? PLAIN;
  const values = new Map<string, number>(constants);
  for (const name of ['t', ...given]) {
    const value = numbers.get(name);
    if (value !== undefined) values.set(name, scaleOf(name).toCoherent(value));
  }
  const from = scaleOf('t').toCoherent(input.t0);
  const to = scaleOf('t').toCoherent(input.t_end ?? input.t0 + STANDARD_END);
  if (mode === 'ode' || isSwept) {
    if (!(to > from)) throw refusal('t_end', `t_end is ${input.t_end}; more than t0 = ${input.t0} is allowed.`);
    values.set('t', from);
  }
  const constant = new Set([...fixed.map(({ symbol }) => symbol), ...given]);
  const start = initialValues(input, initial, states, constant, scaleOf);
  for (const [symbol, value] of start.numbers) values.set(symbol, value);
  return {
    mode,
    isSwept,
    states,
    algebraic: sorted,
    fixedCount: fixed.length,
    neededCount: needed.length,
    events,
    invariants,
    initial: start.formulas,
    slots,
    values: Float64Array.from(slots, (name) => values.get(name) ?? Number.NaN),
    given,
    scales,
    outputs: outputsOf(input, own, states, algebraic, sorted.slice(fixed.length)),
    isAutonomous: !readsTime(states, reached),
    laws,
    span: [from, to],
    notes: unused.length === 0 ? [] : [`Not used by any equation: ${unused.join(', ')}.`],
  };
}

function coherent(value: number, text: string): number {
  const unit = parseUnit(text);
  return conversion(unit, coherentUnit(unit))(value);
}

const readsTime = (states: readonly Line[], reached: ReadonlySet<string>) =>
  reached.has('t') || states.some((line) => needsOf(line).has('t'));

function modeOf(asked: UnifiedInput['mode'], lines: readonly Line[]): Problem['mode'] {
  const derivative = lines.find(({ kind }) => kind === 'derivative');
  const left = new Set(lines.map(({ symbol }) => symbol));
  const linked = lines.find((line) => [...needsOf(line)].some((name) => left.has(name)));
  const found = derivative ? 'ode' : linked ? 'chain' : 'expression';
  if (asked === 'auto' || asked === found || (asked === 'chain' && found === 'expression'))
    return asked === 'auto' ? found : asked;
  if (asked === 'ode') throw refusal('mode', "mode is ode, but no equation has a derivative x' on its left.");
  const culprit = derivative ?? linked;
  const reason = derivative
    ? `${culprit?.path} (${culprit?.text}) is a differential equation: mode ode`
    : `${culprit?.path} (${culprit?.text}) reads what another equation gives: mode chain`;
  throw refusal('mode', `mode is ${asked}, but ${reason} or auto is expected.`);
}

function entries(
  field: 'events' | 'invariants',
  given: UnifiedInput['events'],
  most: number,
  mode: Problem['mode'],
): readonly string[] {
  const texts = listOf(given);
  if (texts.length > most)
    throw refusal(field, `${field} has ${texts.length} entries; at most ${most} are allowed.`, 'TOO_BIG');
  if (texts.length > 0 && mode !== 'ode')
    throw refusal(field, `${field} belong to differential equations; there are none.`);
  return texts;
}

/** The caller's numbers, and the laws' own where nobody gives one. */
function withDefaults(
  vars: ReadonlyMap<string, number>,
  lines: readonly Line[],
  left: ReadonlySet<string>,
): ReadonlyMap<string, number> {
  const numbers = new Map(vars);
  for (const { law, outside } of lines) {
    for (const [name, input] of Object.entries(law?.inputs ?? {})) {
      const outer = outside.get(name) ?? name;
      if (input.default !== undefined && !numbers.has(outer) && !left.has(outer)) numbers.set(outer, input.default);
    }
  }
  return numbers;
}

function readSymbols(
  lines: readonly Line[],
  events: readonly EventLine[],
  others: readonly Watched[],
): ReadonlySet<string> {
  const trees = [
    ...events.flatMap(({ expression, assignments }) => [expression, ...assignments.map((one) => one.expression)]),
    ...others.map(({ expression }) => expression),
  ];
  return new Set([...lines.flatMap((line) => [...needsOf(line)]), ...trees.flatMap((tree) => [...symbolsOf(tree)])]);
}

/** Values under the names that a line itself uses. */
export function innerValues({ outside }: Line, values: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const inner = new Map(values);
  for (const [name, outer] of outside) {
    const value = values.get(outer);
    if (value !== undefined) inner.set(name, value);
  }
  return inner;
}

function outputsOf(
  input: UnifiedInput,
  own: readonly Line[],
  states: readonly Line[],
  algebraic: readonly Line[],
  moving: readonly Line[],
): readonly string[] {
  const asked = listOf(input.outputs);
  const known = ['t', ...states.map(({ symbol }) => symbol), ...algebraic.map(({ symbol }) => symbol)];
  for (const name of asked) {
    if (known.includes(name)) continue;
    const nearest = nearestNames(name, known, 1)[0];
    throw refusal(
      'outputs',
      `outputs names ${name}; one of ${known.join(', ')} is expected.${nearest === undefined ? '' : ` Did you mean ${nearest}?`}`,
      'UNKNOWN_FIELD',
    );
  }
  if (new Set(asked).size < asked.length) throw refusal('outputs', 'outputs names a symbol twice.', 'DUPLICATE');
  if (asked.length > 0) return asked;
  if (states.length > 0) return [...states, ...moving].map(({ symbol }) => symbol);
  // The value of a table is what the caller wrote last, or what the last law in the order of need gives.
  const last = own.at(-1)?.symbol ?? algebraic.at(-1)?.symbol ?? '';
  return [last, ...algebraic.map(({ symbol }) => symbol).filter((name) => name !== last)];
}
