// The unknown of a law as one computation: the kernel evaluates the law at each root, which gives the value back, and its
// ± there becomes that of the root.

import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { type Contribution, uncertain } from '../core/uncertainty.ts';
import { EXPRESSION_KERNEL } from '../expressions/evaluate.ts';
import type { KernelOutput } from '../kernels/abi.ts';
import { conversionToAsked } from '../operators/asked-unit.ts';
import { type ChainPlan, type ChainResult, planChain } from '../operators/chain.ts';
import { ROUNDOFF } from '../operators/propagation.ts';
import { fromCoherent, toCoherent } from '../operators/unit-table.ts';
import { type BoundUnknown, bindRoots, type RootCase, rootNotFound } from '../operators/unknown/bind-unknown.ts';
import { contributionsAt, inverseSpread } from '../operators/unknown/inverse-spread.ts';
import type { OpenUnknown } from '../operators/unknown/open-unknown.ts';
import type { Solution } from '../solvers/definition.ts';
import { type ChainCase, COMPUTE, COMPUTE_REVISION, optionsOf, planOf } from './chain-computation.ts';
import type { Computation } from './computation.ts';

export interface UnknownCase extends Omit<ChainCase, 'bound'> {
  readonly solveFor: string;
  readonly unknown: OpenUnknown;
}

/** A root in the asked unit. */
interface Root {
  readonly value: number;
  readonly uncertainty: number;
  readonly budget: readonly Contribution[];
  readonly rounding: number;
  /** The root by the kernel's value of the law there. */
  readonly reference: number;
  readonly isWitnessed: boolean;
  readonly numbers: ChainResult['numbers'];
}

/**
 * Its plan searches for the roots, and throws what `bindRoots` does.
 *
 * @throws DomainError UNIT_INVALID, UNIT_MISMATCH for `as`
 */
export function unknownComputation(own: UnknownCase): Computation {
  const { domain, definitions, given, detail, as, unknown, selection, solveFor } = own;
  const { law, input } = unknown;
  const unit = as ?? input.unit;
  const convert = conversionToAsked(input.unit, unit);
  let found: { readonly roots: BoundUnknown; readonly plans: readonly ChainPlan[] } | undefined;
  const search = () => {
    if (found !== undefined) return found;
    const roots = bindRoots(unknown);
    found = { roots, plans: roots.cases.map(({ chain }) => planChain(chain)) };
    return found;
  };
  return {
    id: COMPUTE,
    revision: COMPUTE_REVISION,
    kernel: EXPRESSION_KERNEL,
    domain,
    operatorChain: definitions.map(({ id }) => id),
    definitions,
    unit,
    method: `${law.equation} for ${unknown.symbol}`,
    input: given.inputs,
    consts: given.consts,
    options: { ...optionsOf(given, detail, as), solve_for: solveFor },
    ...(selection === undefined ? {} : { selection: { ...selection, chain: [] } }),
    phi0: unknown.chain.phi0,
    isWhole: true,
    plan: () => planOf(search().plans),
    collect: (outputs) => {
      const { roots, plans } = search();
      return solutionOf(roots, unit, rootsOf(roots, plans, outputs, convert));
    },
  };
}

/** Those of the cases that are roots, in the order of the cases. */
function rootsOf(
  unknown: BoundUnknown,
  plans: readonly ChainPlan[],
  outputs: readonly KernelOutput[],
  convert: (value: number) => number,
): readonly Root[] {
  let sampled = plans.length;
  let refusal: DomainError | undefined;
  const roots = unknown.cases.flatMap((one, at) => {
    const [plan, output] = [plans[at], outputs[at]];
    if (plan === undefined || output === undefined) throw new Error('A root was not run.');
    const count = plan.further([output]).length;
    const own = [output, ...outputs.slice(sampled, sampled + count)];
    sampled += count;
    try {
      return rootOf(unknown, one, plan.collect(own), convert);
    } catch (error) {
      // What is not proved to be a root need not be one.
      if (!(error instanceof DomainError) || one.isProved) throw error;
      refusal ??= error;
      return [];
    }
  });
  if (roots.length === 0 && refusal !== undefined) throw refusal;
  return roots;
}

function rootOf(
  unknown: BoundUnknown,
  { value, isProved, chain }: RootCase,
  forward: ChainResult,
  convert: (value: number) => number,
): readonly Root[] {
  const { law, input, target, isWhole } = unknown;
  const { unit } = law.output;
  const [last] = forward.results;
  if (last === undefined) throw new Error('A law has a result.');
  const contributions = contributionsAt(target, forward.budget, unit);
  const residual = toCoherent(last.value, unit) - target.value;
  const isWithin = Math.abs(residual) <= uncertain(contributions).uncertainty;
  if (!isProved && !isWithin) return [];
  const { numbers } = forward;
  if (isWhole) {
    const exact = { uncertainty: 0, budget: [], rounding: 0, reference: convert(value) };
    return [{ value: convert(value), ...exact, isWitnessed: forward.isWitnessed, numbers }];
  }
  const root = toCoherent(value, input.unit);
  const spread = inverseSpread(unknown, { root, contributions, chain });
  const correction = residual / spread.slope;
  const inUnit = (size: number) => Math.abs(convert(fromCoherent(size, input.unit)));
  const reference = Number.isFinite(correction) ? root - correction : root;
  // Of the conversion to the asked unit; the spread has those to the declared one.
  const conversion = convert(value) === value ? 0 : 2 * ROUNDOFF * Math.abs(convert(value));
  const { uncertainty, budget } = uncertain(
    spread.budget.map((part) => ({
      ...part,
      value: inUnit(part.value) + (part.source === 'rounding' ? conversion : 0),
    })),
  );
  const reached = convert(fromCoherent(reference, input.unit));
  const isFlat = isWithin && !(Math.abs(reached - convert(value)) <= uncertainty);
  return [
    {
      value: convert(value),
      ...{ uncertainty, budget, numbers },
      rounding: inUnit(spread.rounding) + conversion,
      // At a double root the slope says nothing about the place.
      reference: isFlat ? convert(value) : reached,
      isWitnessed: forward.isWitnessed && isWithin,
    },
  ];
}

/** @throws DomainError ROOT_NOT_FOUND */
function solutionOf(unknown: BoundUnknown, unit: string, roots: readonly Root[]): Solution {
  const { law, isWhole } = unknown;
  // A full list may have been cut.
  const isComplete = unknown.isComplete && roots.length < LIMITS.unknown.roots;
  const ascending = roots.toSorted((a, b) => a.value - b.value);
  // Of whole numbers the one whose value is nearest, else the smallest that is not negative.
  const main = isWhole ? roots[0] : (ascending.find(({ value }) => value >= 0) ?? ascending.at(-1));
  if (main === undefined) throw rootNotFound(unknown);
  const { value, uncertainty, budget, rounding, reference, isWitnessed } = main;
  // 0 to within rounding has no relative size.
  const size = Math.abs(value) <= rounding ? 0 : Math.abs(value);
  return {
    value,
    uncertainty,
    budget,
    bound: size === 0 ? 0 : rounding / size,
    converged: isWitnessed,
    witness: { method: 'the law at the root, through its slope', reference, scale: size },
    invariants: [],
    series: [],
    fields: [],
    plots: [],
    // With their number, so that a list that lacks one contradicts itself.
    quantities: ascending.map((one, at) => ({
      name: `root ${at + 1} of ${ascending.length}`,
      value: one.value,
      unit,
      uncertainty: one.uncertainty,
    })),
    results: [{ operator_id: law.id, value, unit, uncertainty }],
    complete: isComplete,
    operatorInputs: main.numbers,
    functional: value,
    notes: isComplete ? [] : ['The search did not settle every part of the range: there may be further roots.'],
  };
}
