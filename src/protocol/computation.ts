// A computation that can be run, sealed and replayed: a solver with its input, or a chain of operators.

import type { KernelOutput } from '../kernels/abi.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { GateFinding } from '../operators/gate.ts';
import { PULSE_OPERATOR } from '../operators/operator.ts';
import type { SealedSelection } from '../operators/selection.ts';
import type { Solution, SolverDefinition, StagedPlan } from '../solvers/definition.ts';
import type { SampleSpec } from '../solvers/samples.ts';
import type { GatedRequest } from './gate.ts';
import type { SealedAxis } from './sweep/axes.ts';

export interface Computation {
  /** Name of the route, and `solver` of the envelope. */
  readonly id: string;
  /** Raised by every change that moves a sealed number. */
  readonly revision: number;
  /** Slug of its kernel. */
  readonly kernel: string;
  readonly domain: string;
  /** KO42 first. */
  readonly operatorChain: readonly string[];
  /** Definitions of the operators of the chain, in its order. */
  readonly definitions: readonly SealedDefinition[];
  readonly unit: string;
  /** Method of the last term, which yields the value: a name or a formula. */
  readonly method: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly consts: Readonly<Record<string, number>>;
  /** The caller's other options, as they are sealed. */
  readonly options?: RequestOptions;
  /** How the operators were selected. */
  readonly selection?: SealedSelection;
  /** Phase of KO42 in rad. */
  readonly phi0: number;
  /** The swept inputs, which `input` leaves out. */
  readonly sweep?: readonly SealedAxis[];
  /** What is drawn, which `input` leaves out. */
  readonly samples?: SampleSpec;
  /** Whether plan, runs and answer belong in one worker: the plan alone takes longer than the hand-over. */
  readonly isWhole?: boolean;
  /** Whether the worker binds it too, and adds the notes. */
  readonly isUnbound?: boolean;
  /** Whether the plan takes longer than the hand-over to a worker; its runs are then known before the first. */
  readonly isLongPlan?: boolean;
  /** @throws DomainError  if the inputs do not fit together */
  plan(): StagedPlan;
  /** Pure: `outputs[i]` belongs to `plan().runs[i]`. */
  collect(outputs: readonly KernelOutput[]): Solution;
}

/** Result of BIND: a computation, or the dimensional gate's refusal. */
export type Bound =
  | { readonly kind: 'bound'; readonly computation: Computation; readonly notes: readonly string[] }
  | { readonly kind: 'gate'; readonly gated: GatedRequest; readonly gate: GateFinding };

export interface RequestOptions {
  /** Unit of the value, where it differs from that of the last operator. */
  readonly as?: string;
  readonly units?: Readonly<Record<string, string>>;
  readonly uncertainties?: Readonly<Record<string, number>>;
  /** The input that was asked for, where the value of the law was given. */
  readonly solve_for?: string;
  /** Show all terms of the master equation, including those that are absent from the problem. */
  readonly detail?: 'full';
}

/** @throws DomainError  if the equations of an open solver refuse the input */
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
  const { id, revision, domain, operatorChain, unit, method } = record;
  return {
    id,
    revision,
    kernel: id,
    domain,
    operatorChain,
    definitions: inOrderOf(operatorChain, definitions),
    unit: record.unitOf?.(input as never) ?? unit,
    method: method.name,
    input,
    consts,
    phi0: 0,
    isLongPlan: record.hasLongPlan?.(input as never) === true || isLong(input),
    plan: () => record.plan(input as never),
    collect: (outputs) => record.collect(outputs, input as never),
  };
}

/** Texts and lists that take a millisecond to read. */
const LONG = 8_192;

/** Whether an input has more than `LONG` characters and numbers. */
function isLong(input: unknown): boolean {
  let size = 0;
  const count = (value: unknown): void => {
    if (size > LONG) return;
    if (typeof value === 'string') size += value.length;
    else if (typeof value !== 'object' || value === null) size++;
    else for (const one of Object.values(value)) count(one);
  };
  count(input);
  return size > LONG;
}

function inOrderOf(chain: readonly string[], definitions: readonly SealedDefinition[]): readonly SealedDefinition[] {
  return [...definitions].sort((a, b) => chain.indexOf(a.id) - chain.indexOf(b.id));
}
