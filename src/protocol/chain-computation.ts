// A chain of operators as one computation, which /api/svc/compute seals and a replay restores from the receipt.

import { EXPRESSION_KERNEL } from '../expressions/evaluate.ts';
import type { BoundChain } from '../operators/bind.ts';
import { type ChainResult, planChain } from '../operators/chain.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { Given } from '../operators/given.ts';
import type { Selection } from '../operators/selection.ts';
import type { Solution } from '../solvers/definition.ts';
import type { Computation, RequestOptions } from './computation.ts';

/** `solver` of the envelope of a chain of operators. */
export const COMPUTE = 'compute';

/** Revision of the derivation from the outputs of the expression kernel; see `SolverDefinition.revision`. */
export const COMPUTE_REVISION = 2;

export interface ChainCase {
  readonly domain: string;
  /** In the order of computation, KO42 first. */
  readonly definitions: readonly SealedDefinition[];
  readonly given: Given;
  readonly detail: 'full' | undefined;
  readonly bound: BoundChain;
  /** How the operators were selected, in words; missing where a receipt is replayed. */
  readonly selection?: Selection;
}

/** Average over the instructions of the expression machine, including sines and exponentials. */
const NS_PER_INSTRUCTION = 12;
const ESTIMATED_BYTES = 1 << 20;

export function chainComputation({ domain, definitions, given, detail, bound, selection }: ChainCase): Computation {
  const last = definitions.at(-1);
  if (last === undefined) throw new Error('A chain has at least two operators.');
  const work = planChain(bound);
  return {
    id: COMPUTE,
    revision: COMPUTE_REVISION,
    kernel: EXPRESSION_KERNEL,
    domain,
    operatorChain: definitions.map(({ id }) => id),
    definitions,
    unit: last.output.unit,
    method: last.equation,
    input: given.inputs,
    consts: given.consts,
    options: optionsOf(given, detail),
    ...(selection === undefined ? {} : { selection: { ...selection, chain: bound.links } }),
    phi0: bound.phi0,
    plan: () => ({
      runs: work.runs,
      further: work.further,
      estimateNs: work.instructions * NS_PER_INSTRUCTION,
      estimateBytes: ESTIMATED_BYTES,
    }),
    collect: (outputs) => solutionOf(work.collect(outputs)),
  };
}

function optionsOf({ units, uncertainties }: Given, detail: 'full' | undefined): RequestOptions {
  return {
    ...(Object.keys(units).length === 0 ? {} : { units }),
    ...(Object.keys(uncertainties).length === 0 ? {} : { uncertainties }),
    ...(detail === undefined ? {} : { detail }),
  };
}

function solutionOf({ results, budget, verified, isWitnessed, rounding, numbers }: ChainResult): Solution {
  const { value, uncertainty } = results.at(-1) ?? { value: Number.NaN, uncertainty: Number.NaN };
  // Relative to the value itself, since cancellation may have left few correct digits.
  const size = value === 0 ? verified.scale : Math.abs(value);
  return {
    value,
    uncertainty,
    budget,
    bound: size === 0 ? 0 : rounding / size,
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
