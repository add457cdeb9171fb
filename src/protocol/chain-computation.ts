// A chain of operators as one computation, which /api/svc/compute seals and a replay restores from the receipt.

import { bound, uncertain } from '../core/uncertainty.ts';
import { EXPRESSION_KERNEL } from '../expressions/evaluate.ts';
import { conversionToAsked } from '../operators/asked-unit.ts';
import type { BoundChain } from '../operators/bind.ts';
import { type ChainPlan, type ChainResult, planChain } from '../operators/chain.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { Given } from '../operators/given.ts';
import { ROUNDOFF } from '../operators/propagation.ts';
import type { Selection } from '../operators/selection.ts';
import type { Solution, StagedPlan } from '../solvers/definition.ts';
import type { Computation, RequestOptions } from './computation.ts';

/** `solver` of the envelope of a chain of operators. */
export const COMPUTE = 'compute';

/** Revision of the derivation from the outputs of the expression kernel; see `SolverDefinition.revision`. */
export const COMPUTE_REVISION = 4;

export interface ChainCase {
  readonly domain: string;
  /** In the order of computation, KO42 first. */
  readonly definitions: readonly SealedDefinition[];
  readonly given: Given;
  readonly detail: 'full' | undefined;
  /** Unit of the value; by default that of the last operator. */
  readonly as?: string | undefined;
  readonly bound: BoundChain;
  /** How the operators were selected, in words; missing where a receipt is replayed. */
  readonly selection?: Selection;
}

/** Average over the instructions of the expression machine, including sines and exponentials. */
export const NS_PER_INSTRUCTION = 12;
export const ESTIMATED_BYTES = 1 << 20;

/** @throws DomainError UNIT_INVALID, UNIT_MISMATCH for `as` */
export function chainComputation({
  domain,
  definitions,
  given,
  detail,
  as,
  bound: chain,
  selection,
}: ChainCase): Computation {
  const last = definitions.at(-1);
  if (last === undefined) throw new Error('A chain has at least two operators.');
  const work = planChain(chain);
  const toAsked = as === undefined ? undefined : conversionToAsked(last.output.unit, as);
  return {
    id: COMPUTE,
    revision: COMPUTE_REVISION,
    kernel: EXPRESSION_KERNEL,
    domain,
    operatorChain: definitions.map(({ id }) => id),
    definitions,
    unit: as ?? last.output.unit,
    method: last.equation,
    input: given.inputs,
    consts: given.consts,
    options: optionsOf(given, detail, as),
    ...(selection === undefined ? {} : { selection: { ...selection, chain: chain.links } }),
    phi0: chain.phi0,
    plan: () => planOf([work]),
    collect: (outputs) => {
      const result = work.collect(outputs);
      return solutionOf(toAsked === undefined || as === undefined ? result : inUnit(result, as, toAsked));
    },
  };
}

/** The runs of plans that do not depend on each other, then what each needs further. */
export function planOf(plans: readonly ChainPlan[]): StagedPlan {
  const ends: number[] = [];
  for (const { runs } of plans) ends.push((ends.at(-1) ?? 0) + runs.length);
  const nsOf = (instructions: (plan: ChainPlan) => number) =>
    plans.reduce((sum, plan) => sum + instructions(plan), 0) * NS_PER_INSTRUCTION;
  return {
    runs: plans.flatMap(({ runs }) => runs),
    further: (before) => plans.flatMap((plan, at) => plan.further(before.slice(ends[at - 1] ?? 0, ends[at]))),
    estimateNs: nsOf(({ instructions }) => instructions),
    firstNs: nsOf(({ firstInstructions }) => firstInstructions),
    estimateBytes: ESTIMATED_BYTES,
  };
}

export function optionsOf(
  { units, uncertainties }: Given,
  detail: 'full' | undefined,
  as: string | undefined,
): RequestOptions {
  return {
    ...(Object.keys(units).length === 0 ? {} : { units }),
    ...(Object.keys(uncertainties).length === 0 ? {} : { uncertainties }),
    ...(detail === undefined ? {} : { detail }),
    ...(as === undefined ? {} : { as }),
  };
}

/** @param value  in the other unit */
export const convertedRounding = (rounding: number, value: number, convert: (value: number) => number): number =>
  convert(rounding) + 2 * ROUNDOFF * Math.abs(value);

/** The last result in another unit. Each conversion rounds once, which the rounding bound includes. */
function inUnit(chain: ChainResult, unit: string, convert: (value: number) => number): ChainResult {
  const { results, verified } = chain;
  const last = results.at(-1);
  if (last === undefined) return chain;
  const value = convert(last.value);
  const rounding = convertedRounding(chain.rounding, value, convert);
  const others = chain.budget.filter(({ source }) => source !== 'rounding');
  const { uncertainty, budget } = uncertain([
    bound('rounding', rounding, 'second evaluation, rounding of the given numbers and of the conversion'),
    ...others.map((part) => ({ ...part, value: convert(part.value) })),
  ]);
  return {
    ...chain,
    results: [...results.slice(0, -1), { ...last, value, unit, uncertainty }],
    budget,
    verified: { ...verified, reference: convert(verified.reference), scale: convert(verified.scale) },
    rounding,
  };
}

/** Relative to the value itself, since cancellation may have left few correct digits. */
export function relativeRounding(rounding: number, value: number, scale: number): number {
  const size = value === 0 ? scale : Math.abs(value);
  return size === 0 ? 0 : rounding / size;
}

function solutionOf({ results, budget, verified, isWitnessed, rounding, numbers }: ChainResult): Solution {
  const { value, uncertainty } = results.at(-1) ?? { value: Number.NaN, uncertainty: Number.NaN };
  return {
    value,
    uncertainty,
    budget,
    bound: relativeRounding(rounding, value, verified.scale),
    converged: isWitnessed,
    witness: verified,
    invariants: [],
    series: [],
    fields: [],
    plots: [],
    quantities: [],
    results,
    operatorInputs: numbers,
    functional: value,
    notes: [],
  };
}
