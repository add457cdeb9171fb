// The record of a solver: its inputs, its plan of runs, and its solution. What is declared here is tested, documented
// and published from here.

import type { z } from 'zod';
import type { KernelOutput, KernelRun } from '../kernels/abi.ts';

/** An array of the result: row-major data with a name, a unit and a shape. */
export interface Field {
  readonly name: string;
  readonly unit: string;
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/** How a person would draw it. x and y name series or fields of the same solution. */
export interface Plot {
  readonly kind: 'line' | 'heatmap' | 'particles' | 'levels';
  readonly title: string;
  readonly x?: string;
  readonly y: readonly string[];
}

/**
 * A quantity that should not drift. `drift` is dimensionless unless `unit` is given; it holds when |drift| <= bound.
 */
export interface Invariant {
  readonly name: string;
  readonly value: number;
  readonly drift: number;
  readonly bound: number;
  readonly unit?: string;
}

/** The number computed a second way. */
export interface Witness {
  /** In words: "closed form", "halved step", "plain TypeScript O(N^2) sum", … */
  readonly method: string;
  readonly reference: number;
  /** Relative to max(|reference|, scale); scale is the largest |field| of the run. */
  readonly scale: number;
  /** Observed order of convergence, where the second way refines. */
  readonly observedOrder?: number;
}

export interface Reference {
  readonly cite: string;
  readonly at: string;
  readonly doi?: string;
}

/** The pure part of an answer: the same bits for the same kernel bytes, inputs and seed, on any machine. */
export interface Solution {
  readonly value: number;
  /** Absolute half-width, in the solver's unit. */
  readonly uncertainty: number;
  /** Relative bound claimed, before the floor of 1e-4 that the protocol applies. */
  readonly bound: number;
  readonly converged: boolean;
  readonly witness: Witness;
  readonly invariants: readonly Invariant[];
  /** Sampled histories; `series[0]` is the independent variable where there is one. */
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
  /** Named numbers that a user looks at beside the value (stability number, mean temperature, …). */
  readonly quantities: readonly { readonly name: string; readonly value: number; readonly unit: string }[];
  /** Of each operator, where the operators themselves are computed; otherwise the value is the only result. */
  readonly results?: readonly {
    readonly operator_id: string;
    readonly value: number;
    readonly unit: string;
    readonly uncertainty: number;
  }[];
  /** Symbols of each operator of the chain (without KO42) with numbers, for the printed equations. */
  readonly operatorInputs: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Z of the functional equation: the Hamiltonian where the solver has one, else the value. */
  readonly functional: number;
  readonly notes: readonly string[];
}

/** Everything that has to be run, and what it will cost. */
export interface Plan {
  readonly runs: readonly KernelRun[];
  /** Estimated nanoseconds on one 2.5 GHz core, all runs together. */
  readonly estimateNs: number;
  /** Estimated peak bytes of the largest run. */
  readonly estimateBytes: number;
}

/** A run that is made from what the earlier ones left behind. */
export type DependentRun = (before: readonly KernelOutput[]) => KernelRun;

/** A plan in which a run may wait for those before it. */
export interface Work extends Omit<Plan, 'runs'> {
  readonly runs: readonly (KernelRun | DependentRun)[];
}

/**
 * A law of the registry, as a receipt carries it: an equation between coherent values, and the units of what it takes.
 */
export interface Law {
  readonly id: string;
  readonly name: string;
  readonly equation: string;
  readonly where?: Readonly<Record<string, string>>;
  readonly output: { readonly symbol: string; readonly unit: string };
  readonly inputs: Readonly<
    Record<
      string,
      {
        readonly unit: string;
        readonly min?: number;
        readonly max?: number;
        readonly default?: number;
        readonly integer?: boolean;
      }
    >
  >;
  readonly constants?: Readonly<Record<string, { readonly value: number; readonly unit: string }>>;
}

/** What a solver adds whose symbols are the caller's, so that its chain and its unit follow from the request. */
export interface OpenSolver<Shape extends z.ZodObject = z.ZodObject> {
  /** Symbols that a number may stand for, with the unit that it is read in. @throws DomainError as `bind` */
  accepts(input: z.output<Shape>, laws: readonly Law[]): Readonly<Record<string, string>>;
  /** Fields beside operators where the caller gives none: a law may stand alone. */
  readonly besideLaws: z.input<Shape>;
  /** Numbers that the input gives symbols by itself. @throws DomainError VALIDATION_FAILED */
  numbersIn(input: z.output<Shape>): ReadonlyMap<string, number>;
  /** The input with these numbers for symbols; those that it has already are stronger. */
  give(input: z.output<Shape>, numbers: Readonly<Record<string, number>>): z.output<Shape>;
  /**
   * The record that computes this input, with its chain in the order of computation, KO42 first.
   *
   * @param laws  of the operators that the caller names, without KO42
   * @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID, UNIT_INVALID, UNIT_MISMATCH
   */
  bind(input: z.output<Shape>, laws: readonly Law[]): SolverDefinition<Shape>;
}

export interface SolverDefinition<Shape extends z.ZodObject = z.ZodObject> {
  /** The route's name in the specification. */
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly domain: string;
  readonly method: {
    readonly name: string;
    readonly order?: { readonly time?: number; readonly space?: number };
    readonly stability?: string;
  };
  /** KO42 first. */
  readonly operatorChain: readonly string[];
  readonly unit: string;
  /**
   * The tool's own fields, strict, every one with a default or required, `.meta({ unit, symbol })` and `.describe()`.
   */
  readonly inputs: Shape;
  /** Names of the kernel's parameter block, in order: they name the field when `info` is negative. */
  readonly parameters: readonly string[];
  /**
   * @throws DomainError VALIDATION_FAILED, UNSTABLE_SCHEME, EXPRESSION_INVALID: faults that need more than one field
   */
  plan(input: z.output<Shape>): Plan;
  /** Pure: `outputs[i]` belongs to `plan(input).runs[i]`. */
  collect(outputs: readonly KernelOutput[], input: z.output<Shape>): Solution;
  readonly references: readonly Reference[];
  /** For a solver whose symbols are the caller's. */
  readonly open?: OpenSolver<Shape>;
}
