// The roots of a law in the declared range of its unknown, each with the law bound to it, so that the kernel evaluates it
// there.

import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { type Interval, outward } from '../../expressions/interval/interval.ts';
import { StepBudget } from '../../expressions/precise/evaluate.ts';
import { type BoundChain, bindChain } from '../bind.ts';
import type { Given } from '../given.ts';
import type { InputDefinition, OperatorDefinition } from '../operator.ts';
import { describeInput } from '../range.ts';
import { fromCoherent, toCoherent } from '../unit-table.ts';
import { type OpenUnknown, type Target, withInput } from './open-unknown.ts';
import { type LawOfUnknown, residualOf } from './residual.ts';
import { findAmong, findRoots, findWhole, type Residual, type Search } from './search.ts';

/** A number that may be the unknown, and the law bound to it. */
export interface RootCase {
  /** In the declared unit of the unknown. */
  readonly value: number;
  /** The search proved it; otherwise the arithmetic of the kernel and ± decide. */
  readonly isProved: boolean;
  readonly chain: BoundChain;
}

export interface BoundUnknown extends OpenUnknown {
  readonly cases: readonly RootCase[];
  /** No other number of the range is a root. */
  readonly isComplete: boolean;
}

/**
 * @throws DomainError ROOT_NOT_FOUND without a root in the range; PRECISION_REFUSED where the law does not depend on the
 *   unknown; BUDGET_EXCEEDED where the search takes too long
 */
export function bindRoots(open: OpenUnknown): BoundUnknown {
  const { pulse, law, symbol, input, target, rest } = open;
  const found = search(open.function, input, target);
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
    ...open,
    cases: cases.slice(0, LIMITS.unknown.roots),
    isComplete: found.isComplete && cases.length <= LIMITS.unknown.roots,
  };
  if (cases.length === 0) throw rootNotFound(unknown);
  return unknown;
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
