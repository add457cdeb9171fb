// One thing to compute, seal and replay, whatever stands behind it: a solver with its input, or a chain of operators.

import type { KernelOutput } from '../kernels/abi.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { GateFinding } from '../operators/gate.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import type { SealedSelection } from '../operators/selection.ts';
import type { Solution, SolverDefinition, Work } from '../solvers/solver.ts';
import type { Gated } from './gate.ts';

export interface Computation {
  /** The route's name: `solver` of the envelope. */
  readonly id: string;
  /** Slug of its kernel. */
  readonly kernel: string;
  readonly domain: string;
  /** KO42 first. */
  readonly operatorChain: readonly string[];
  /** Of the operators of the chain, in its order. */
  readonly definitions: readonly SealedDefinition[];
  readonly unit: string;
  /** In words or as a formula, for the term that yields the value. */
  readonly method: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly consts: Readonly<Record<string, number>>;
  /** What else the caller asked for, as it is sealed. */
  readonly asked?: Asked;
  /** How the operators were found; the links between them follow from the rest. */
  readonly selection?: SealedSelection;
  /** Phase of KO42 in rad. */
  readonly phi0: number;
  /** @throws DomainError  what the inputs refuse together */
  plan(): Work;
  /** Pure: `outputs[i]` belongs to `plan().runs[i]`. */
  collect(outputs: readonly KernelOutput[]): Solution;
}

/** What BIND makes of a request: something to compute, or the dimensional gate. */
export type Bound =
  | { readonly kind: 'bound'; readonly computation: Computation; readonly notes: readonly string[] }
  | { readonly kind: 'gate'; readonly gated: Gated; readonly gate: GateFinding };

export interface Asked {
  readonly units?: Readonly<Record<string, string>>;
  readonly uncertainties?: Readonly<Record<string, number>>;
  /** All terms of the master equation, also those that the problem does not have. */
  readonly detail?: 'full';
}

/** @throws DomainError  what the equations of an open solver refuse */
export function solverComputation(
  solver: SolverDefinition,
  {
    input,
    consts,
    definitions,
  }: {
    readonly input: Readonly<Record<string, unknown>>;
    readonly consts: Readonly<Record<string, number>>;
    readonly definitions: readonly SealedDefinition[];
  },
): Computation {
  const laws = definitions.filter((one) => one.id !== PULSE_OPERATOR);
  const record = solver.open?.bind(input as never, laws) ?? solver;
  const { id, domain, operatorChain, unit, method } = record;
  return {
    id,
    kernel: id,
    domain,
    operatorChain,
    definitions: inOrderOf(operatorChain, definitions),
    unit,
    method: method.name,
    input,
    consts,
    phi0: 0,
    plan: () => record.plan(input as never),
    collect: (outputs) => record.collect(outputs, input as never),
  };
}

function inOrderOf(chain: readonly string[], definitions: readonly SealedDefinition[]): readonly SealedDefinition[] {
  return [...definitions].sort((a, b) => chain.indexOf(a.id) - chain.indexOf(b.id));
}
