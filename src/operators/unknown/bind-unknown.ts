// BIND with an unknown: the value of a law is given, and one of its inputs is asked for. Finds the roots in the declared
// range of that input and binds the law to each of them, so that the kernel evaluates it there.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { didYouMean } from '../../core/nearest.ts';
import { printDimension, sameDimension } from '../../core/units/dimension.ts';
import { type Interval, outward } from '../../expressions/interval/interval.ts';
import { StepBudget } from '../../expressions/precise/evaluate.ts';
import { type Bound, type BoundChain, bindChain } from '../bind.ts';
import { compileOperator } from '../evaluate.ts';
import { type Given, hasKey } from '../given.ts';
import { withoutAliases } from '../input-aliases.ts';
import type { InputDefinition, OperatorDefinition } from '../operator.ts';
import { describeInput } from '../range.ts';
import { fromCoherent, roundingsOf, toCoherent, unitOf } from '../unit-table.ts';
import { type LawOfUnknown, residualOf } from './residual.ts';
import { findAmong, findRoots, findWhole, type Residual, type Search } from './search.ts';

/** The given value of the law, in coherent units. */
export interface Target {
  readonly key: string;
  readonly value: number;
  readonly sigma: number;
  readonly roundings: number;
}

/** A number that may be the unknown, and the law bound to it. */
export interface RootCase {
  /** In the declared unit of the unknown. */
  readonly value: number;
  /** The search proved it; otherwise the arithmetic of the kernel and ± decide. */
  readonly isProved: boolean;
  readonly chain: BoundChain;
}

export interface BoundUnknown {
  readonly law: OperatorDefinition;
  readonly symbol: string;
  readonly input: InputDefinition;
  readonly target: Target;
  readonly function: LawOfUnknown;
  /** The unknown is a whole or an enumerated number. */
  readonly isWhole: boolean;
  readonly cases: readonly RootCase[];
  /** No other number of the range is a root. */
  readonly isComplete: boolean;
}

/** A law and what is asked for, before the search. */
export interface UnknownQuestion extends Pick<BoundUnknown, 'law' | 'symbol' | 'input'> {
  readonly notes: readonly string[];
  /**
   * Searches, which may take most of a second.
   *
   * @throws DomainError ROOT_NOT_FOUND without a root in the range; PRECISION_REFUSED, BUDGET_EXCEEDED
   */
  find(): BoundUnknown;
}

export type UnknownBound =
  | Extract<Bound, { kind: 'gate' }>
  | { readonly kind: 'bound'; readonly question: UnknownQuestion };

/**
 * @param definitions  KO42 and one law
 * @param solveFor  symbol of the unknown, an alias of it, or `OPERATOR.symbol`
 * @throws DomainError VALIDATION_FAILED, UNIT_INVALID, UNIT_MISMATCH
 */
export function bindUnknown(definitions: readonly OperatorDefinition[], given: Given, solveFor: string): UnknownBound {
  const [pulse, law, ...others] = definitions;
  if (pulse === undefined || law === undefined || others.length > 0) {
    const ids = definitions.slice(1).map(({ id }) => id);
    throw fault('solve_for', 'TOO_MANY_OPERATORS', `solve_for inverts one law; ${ids.join(', ')} are chosen.`);
  }
  const symbol = symbolOf(law, solveFor);
  const input = law.inputs[symbol];
  if (input === undefined) throw new Error(`${law.id} has no input ${symbol}.`);
  const own = withoutAliases([law], given);
  const isGiven = [symbol, `${law.id}.${symbol}`].find(hasKey(own));
  if (isGiven !== undefined)
    throw fault(`inputs.${isGiven}`, 'GIVEN', `${isGiven} is given and asked for; leave it out of the inputs.`);
  for (const field of ['units', 'uncertainties'] as const) {
    const key = [symbol, `${law.id}.${symbol}`].find((name) => Object.hasOwn(own[field], name));
    if (key === undefined) continue;
    const message = `${field}.${key}: ${key} is asked for and has no number; its unit is asked for with \`as\`.`;
    throw fault(`${field}.${key}`, 'UNKNOWN_FIELD', message);
  }
  const [target, rest] = targetOf(law, own, symbol);

  const open = bindChain([pulse, withoutRequirements(law)], withInput(rest, symbol, placeholderOf(input)));
  if (open.kind === 'gate')
    return { kind: 'gate', gate: { ...open.gate, accepted: acceptedBy(open.gate.accepted, law) } };
  const values = valuesOf(law, open.chain);
  values.delete(symbol);
  const lawOfUnknown: LawOfUnknown = { law, symbol, values, target: target.value };
  const find = () => findCases({ law, symbol, input, target, function: lawOfUnknown }, pulse, rest);
  return { kind: 'bound', question: { law, symbol, input, notes: open.chain.notes, find } };
}

/** @param rest  what is given beside the value of the law */
function findCases(
  asked: Omit<BoundUnknown, 'isWhole' | 'cases' | 'isComplete'>,
  pulse: OperatorDefinition,
  rest: Given,
): BoundUnknown {
  const { law, symbol, input, target } = asked;
  const found = search(asked.function, input, target);
  if (found.plateau !== undefined) throw flat(law, symbol, input, found.plateau);
  const bindAt = (value: number, isProved: boolean): RootCase[] => {
    const chain = bindRoot([pulse, law], rest, symbol, value);
    return chain === undefined ? [] : [{ value, isProved, chain }];
  };
  const cases = [
    ...found.roots.flatMap((root) => bindAt(declared(root, input), true)),
    ...found.candidates.flatMap((one) => bindAt(declared(one, input), false)),
  ];
  const unknown: BoundUnknown = {
    ...asked,
    isWhole: input.integer === true || input.enum !== undefined,
    cases: cases.slice(0, LIMITS.unknown.roots),
    isComplete: found.isComplete && cases.length <= LIMITS.unknown.roots,
  };
  if (cases.length === 0) throw rootNotFound(unknown);
  return unknown;
}

const fault = (path: string, code: string, message: string) =>
  new DomainError('VALIDATION_FAILED', message, { details: [{ path, code, message }] });

function symbolOf({ id, inputs, output }: OperatorDefinition, solveFor: string): string {
  const bare = solveFor.startsWith(`${id}.`) ? solveFor.slice(id.length + 1) : solveFor;
  if (Object.hasOwn(inputs, bare)) return bare;
  const aliased = Object.keys(inputs).find((symbol) => inputs[symbol]?.aliases?.includes(bare));
  if (aliased !== undefined) return aliased;
  if (bare === output.symbol) {
    throw fault('solve_for', 'OUTPUT', `${id} gives ${bare} itself; leave out solve_for.`);
  }
  const names = Object.keys(inputs);
  const message = `${id} has no input ${solveFor} to solve for; its inputs are ${names.join(', ')}.${didYouMean(bare, names)}`;
  throw fault('solve_for', 'UNKNOWN_FIELD', message);
}

/** The value of the law, and the other numbers. */
function targetOf({ id, output }: OperatorDefinition, given: Given, symbol: string): [Target, Given] {
  const key = [`${id}.${output.symbol}`, output.symbol].find(hasKey(given));
  if (key === undefined) {
    const message = `${id}.${output.symbol} is missing: to solve for ${symbol}, give the value of the law, a finite number [${output.unit}].`;
    throw fault(`inputs.${output.symbol}`, 'MISSING', message);
  }
  const { inputs, consts, units, uncertainties } = given;
  const number = (Object.hasOwn(inputs, key) ? inputs[key] : consts[key]) ?? Number.NaN;
  const own = Object.hasOwn(units, key) ? (units[key] ?? output.unit) : output.unit;
  const [dimension, expected] = [unitOf(own).dimension, unitOf(output.unit).dimension];
  if (!sameDimension(dimension, expected)) {
    const message = `units.${key} is ${own} (${printDimension(dimension)}); ${id}.${output.symbol} takes ${output.unit} (${printDimension(expected)}) or another unit of that dimension.`;
    throw new DomainError('UNIT_MISMATCH', message, {
      details: [{ path: `units.${key}`, code: 'UNIT_MISMATCH', message }],
    });
  }
  const value = toCoherent(number, own);
  if (!Number.isFinite(value))
    throw fault(`inputs.${key}`, 'OUT_OF_RANGE', `${key} is ${number}; a finite number is expected.`);
  const sigma = Object.hasOwn(uncertainties, key) ? (uncertainties[key] ?? 0) : 0;
  if (!(sigma >= 0 && Number.isFinite(sigma)))
    throw fault(
      `uncertainties.${key}`,
      'OUT_OF_RANGE',
      `uncertainties.${key} is ${sigma}; a finite number from 0 is expected.`,
    );
  const target = { key, value, sigma: toCoherent(sigma, own), roundings: roundingsOf(number, value) };
  const without = <Value>(record: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
  return [
    target,
    { inputs: without(inputs), consts: without(consts), units: without(units), uncertainties: without(uncertainties) },
  ];
}

const withInput = (given: Given, symbol: string, value: number): Given => ({
  ...given,
  inputs: { ...given.inputs, [symbol]: value },
});

/** Any allowed number: what it is does not matter where nothing is evaluated. */
function placeholderOf({ enum: allowed, integer, min, max, default: standard }: InputDefinition): number {
  const any = standard ?? allowed?.[0] ?? min ?? max ?? 1;
  return integer === true ? Math.ceil(any) : any;
}

const open = new WeakMap<OperatorDefinition, OperatorDefinition>();

/** The same object for the same law, since a law is compiled once an object. */
function withoutRequirements(law: OperatorDefinition): OperatorDefinition {
  const known = open.get(law);
  if (known) return known;
  const { requires: _, ...rest } = law;
  open.set(law, rest);
  return rest;
}

const acceptedBy = (accepted: Readonly<Record<string, string>>, { output }: OperatorDefinition) => ({
  ...accepted,
  [output.symbol]: output.unit,
});

/** Inputs, defaults and constants, in coherent units. */
function valuesOf(law: OperatorDefinition, { operators, variables }: BoundChain): Map<string, number> {
  const values = new Map(Object.entries(compileOperator(law).constants));
  for (const [symbol, source] of operators[0]?.sources ?? []) {
    if (source.kind === 'given') values.set(symbol, variables[source.variable]?.value ?? Number.NaN);
    if (source.kind === 'default') values.set(symbol, source.value);
  }
  return values;
}

/** Largest number whose square is finite: a range without an end goes this far. */
const FAR = 2 ** 511;

/** Range of the unknown in coherent units. */
export function rangeOf({ unit, min = -FAR, max = FAR }: InputDefinition) {
  return { lo: toCoherent(min, unit), hi: toCoherent(max, unit) };
}

/** Share of the value by which a law may miss it at a whole number, before ± is known. */
const WHOLE_MARGIN = 1e-3;

function search(law: LawOfUnknown, input: InputDefinition, target: Target): Search {
  const residual = residualOf(law, new StepBudget(LIMITS.unknown.steps));
  const range = rangeOf(input);
  const size = Math.abs(target.value);
  if (input.enum !== undefined) {
    const values = input.enum.map((one) => toCoherent(one, input.unit));
    return { roots: [], candidates: findAmong(residual, values), isComplete: true };
  }
  if (input.integer !== true) return findRoots(residual, range, size);
  const { relative = 0, absolute = 0 } = law.law.accuracy ?? {};
  const model = relative * size + toCoherent(absolute, law.law.output.unit);
  // Every deviation that is given may move the law; candidates are judged with ± afterwards.
  const inUnit = wholeUnits(residual, input.unit);
  const { min = -FAR, max = FAR } = input;
  const near = findWhole(inUnit, { lo: min, hi: max }, 2 * (WHOLE_MARGIN * size + model) + 6 * target.sigma);
  // Given uncertainties may reach further, and a refusal names the nearest.
  const found = near.candidates.length > 0 ? near : findWhole(inUnit, { lo: min, hi: max }, size);
  return { ...found, candidates: found.candidates.map((one) => toCoherent(one, input.unit)) };
}

/** The unknown in its declared unit, in which it is a whole number. */
const wholeUnits = (residual: Residual, unit: string): Residual => ({
  ...residual,
  enclose: ({ lo, hi }) => {
    const over = outward(toCoherent(lo, unit), toCoherent(hi, unit));
    // Slopes keep their sign, which is all that is asked.
    return residual.enclose(toCoherent(1, unit) === 1 ? { lo, hi } : over);
  },
  at: (x) => residual.at(toCoherent(x, unit)),
});

/** In the declared unit, without leaving the range by rounding. */
function declared(
  x: number,
  { unit, min = -Infinity, max = Infinity, integer, enum: allowed }: InputDefinition,
): number {
  const value = fromCoherent(x, unit);
  const nearest = integer === true ? Math.round(value) : value;
  const listed = allowed?.reduce((best, one) => (Math.abs(one - value) < Math.abs(best - value) ? one : best));
  return Math.min(max, Math.max(min, listed ?? nearest)) + 0;
}

function flat(
  { id, output }: OperatorDefinition,
  symbol: string,
  { unit }: InputDefinition,
  plateau: Interval,
): DomainError {
  const place = text(fromCoherent((plateau.lo + plateau.hi) / 2, unit));
  const message = `${id} has this ${output.symbol} for a whole range of ${symbol} about ${place} [${unit}], where it does not depend on ${symbol}.`;
  return new DomainError('PRECISION_REFUSED', message, {
    details: [{ path: 'solve_for', code: 'FLAT', message }],
  });
}

/** Undefined where the law refuses the number with the others. */
function bindRoot(
  definitions: readonly OperatorDefinition[],
  rest: Given,
  symbol: string,
  value: number,
): BoundChain | undefined {
  try {
    const bound = bindChain(definitions, withInput(rest, symbol, value));
    return bound.kind === 'bound' ? bound.chain : undefined;
  } catch (error) {
    if (error instanceof DomainError && error.details.some(({ code }) => code === 'REQUIREMENT')) return undefined;
    throw error;
  }
}

/** Names the range and what the law gives at its ends. */
export function rootNotFound(unknown: BoundUnknown): DomainError {
  const { law, symbol, input, target, function: own, isWhole, cases, isComplete } = unknown;
  const { symbol: output, unit } = law.output;
  const residual = residualOf(own, new StepBudget());
  const range = rangeOf(input);
  const ends = [range.lo, range.hi].map((end) => residual.at(end) + target.value);
  const [lower, upper] = ends.map((value) =>
    Number.isFinite(value) ? `${text(fromCoherent(value, unit))} ${unit}` : 'without a value',
  );
  const wanted = `${output} = ${text(fromCoherent(target.value, unit))} ${unit}`;
  const where = describeInput(input)
    .replace(/^a /, 'no ')
    .replace(/^one of/, 'none of');
  const proof = isComplete ? '' : ' The search did not settle every part of the range.';
  const [nearest] = isWhole ? cases : [];
  const at = nearest === undefined ? Number.NaN : residual.at(toCoherent(nearest.value, input.unit)) + target.value;
  const hint =
    nearest === undefined
      ? ''
      : ` The nearest, ${symbol} = ${nearest.value}, gives ${text(fromCoherent(at, unit))} ${unit}; if ${output} is rounded, give uncertainties.${target.key}.`;
  const message = `${law.id} has ${where} for ${symbol} that gives ${wanted}: ${output} is ${lower} at the lower end and ${upper} at the upper end.${hint}${proof}`;
  return new DomainError('ROOT_NOT_FOUND', message, {
    details: [{ path: 'solve_for', code: 'ROOT_NOT_FOUND', message }],
    facts: {
      operator_id: law.id,
      solve_for: symbol,
      range: { min: input.min ?? null, max: input.max ?? null, unit: input.unit },
      at_ends: ends.map((value) => (Number.isFinite(value) ? fromCoherent(value, unit) : null)),
    },
  });
}

const text = (value: number) => String(Number(value.toPrecision(6)));
