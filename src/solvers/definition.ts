// The definition of a solver: its inputs, its plan of runs, and its solution. Tests, documentation and API schemas are
// derived from it.

import type { z } from 'zod';
import type { Uncertain } from '../core/uncertainty.ts';
import type { KernelOutput, KernelRun } from '../kernels/abi.ts';
import type { KernelFace } from '../kernels/face.ts';
import type { SolverLaws } from './computed-laws.ts';
import type { Field, MeshFields } from './field.ts';
import type { Findings } from './findings.ts';
import type { LiveFrames } from './live.ts';
import type { Plot } from './plot.ts';
import type { SampleStatistics } from './samples.ts';
import type { SolverForm } from './solver-form.ts';
import type { SolverWords } from './solver-words.ts';
import type { Subject } from './subject.ts';
import type { Table } from './table.ts';

export type { Field } from './field.ts';

/**
 * A conserved quantity, satisfied if |drift| <= bound. `drift` is dimensionless unless `unit` is given.
 */
export interface Invariant {
  /** Stable identifier, which is sealed. */
  readonly name: string;
  /** In words, if the name does not say it. */
  readonly label?: string;
  readonly value: number;
  readonly drift: number;
  readonly bound: number;
  readonly unit?: string;
}

/** The value computed by an independent method. */
export interface Witness {
  /** In words: "closed form", "halved step", "plain TypeScript O(N^2) sum", … */
  readonly method: string;
  readonly reference: number;
  /** Relative to max(|reference|, scale); scale is the largest |field| of the run. */
  readonly scale: number;
  /** Observed order of convergence, if the method refines. */
  readonly observedOrder?: number;
}

export interface Reference {
  readonly cite: string;
  readonly at: string;
  readonly doi?: string;
}

/** A further named result. */
export interface Quantity {
  /** Stable identifier. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Absolute half-width, in `unit`; missing if the value is an input or a count. */
  readonly uncertainty?: number;
}

/** The deterministic part of a result: the same bits for the same kernel bytes, inputs and seed on any machine. */
export interface Solution extends Uncertain {
  readonly value: number;
  /** Claimed relative bound, before the protocol applies its minimum of 1e-4. */
  readonly bound: number;
  readonly converged: boolean;
  /** How the search for a step that is short enough ended, of a solver that tunes its own. Not sealed. */
  readonly tuneStatus?: 'converged' | 'not converged';
  readonly witness: Witness;
  readonly invariants: readonly Invariant[];
  /** Sampled histories; `series[0]` is the independent variable, if any. */
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  /** The CLI draws the first one in full. */
  readonly plots: readonly Plot[];
  /** Further results (stability number, mean temperature, …). */
  readonly quantities: readonly Quantity[];
  /** Results that are no single number. */
  readonly findings?: Findings;
  /** Result of each operator, if the operators themselves are computed; otherwise the value is the only result. */
  readonly results?: readonly {
    readonly operator_id: string;
    readonly value: number;
    readonly unit: string;
    readonly uncertainty: number;
  }[];
  /** Of an unknown: whether it is proved that no other number of its range is a root. */
  readonly complete?: boolean;
  /** Symbol values of each operator of the chain (without KO42), for the printed equations. */
  readonly operatorInputs: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Z of the functional equation: the Hamiltonian if the solver has one, otherwise the value. */
  readonly functional: number;
  readonly notes: readonly string[];
  /** Of a sweep; the rest is then the solution of its last row with a value. */
  readonly table?: Table;
  /** Of samples; the rest is then the solution at the given values. */
  readonly samples?: SampleStatistics;
}

/** The runs of a request and their estimated cost. */
export interface Plan<Face extends KernelFace = KernelFace> {
  readonly runs: readonly KernelRun<Face>[];
  /** Estimated nanoseconds on one 2.5 GHz core, all runs together. */
  readonly estimateNs: number;
  /** Estimated nanoseconds of `collect`, where it can take longer than the runs. */
  readonly collectNs?: number;
  /** Estimated peak bytes of the largest run. */
  readonly estimateBytes: number;
}

/** A run that is created from the outputs of earlier runs. */
export type DependentRun = (before: readonly KernelOutput[]) => KernelRun;

/** A plan whose runs may depend on earlier ones. The estimates are of all runs that may follow. */
export interface StagedPlan extends Omit<Plan, 'runs'> {
  readonly runs: readonly (KernelRun | DependentRun)[];
  /** Estimated nanoseconds of `runs` alone, where `further` may add most. */
  readonly firstNs?: number;
  /** Whether no run depends on another, so that they may run at the same time. */
  readonly isParallel?: boolean;
  /** Runs that only the outputs of `runs` show to be needed. */
  further?(before: readonly KernelOutput[]): readonly KernelRun[];
}

/** The run at an index of a plan; undefined behind the last. @param before  the outputs of all earlier runs */
export function runAt({ runs, further }: StagedPlan, index: number, before: readonly KernelOutput[]) {
  const planned = runs[index];
  if (planned === undefined) return further?.(before.slice(0, runs.length))[index - runs.length];
  return typeof planned === 'function' ? planned(before) : planned;
}

/**
 * A law of the registry as stored in a receipt: an equation between coherent values, and the units of its inputs.
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
  readonly constants?: Readonly<
    Record<
      string,
      {
        readonly value: number;
        readonly unit: string;
        /** Standard uncertainty, and its correlation with independent sources; see `OperatorConstant`. */
        readonly uncertainty?: number;
        readonly correlation?: Readonly<Record<string, number>>;
      }
    >
  >;
  /** How far it may be from nature; see `Accuracy`. */
  readonly accuracy?: { readonly relative?: number; readonly absolute?: number };
}

/** Hooks of an open solver: its symbols are defined by the caller, so its chain and unit depend on the request. */
export interface OpenSolver<Shape extends z.ZodObject = z.ZodObject> {
  /** Symbols that a number may be given for, with their units. @throws DomainError as `bind` */
  acceptedSymbols(input: z.output<Shape>, laws: readonly Law[]): Readonly<Record<string, string>>;
  /** Defaults of fields if laws are given, so that a law may be the only equation. */
  readonly defaultsWithLaws: z.input<Shape>;
  /** Symbol values that the input itself contains. @throws DomainError VALIDATION_FAILED */
  explicitValues(input: z.output<Shape>): ReadonlyMap<string, number>;
  /** The input with these symbol values; values that it already contains take precedence. */
  withValues(input: z.output<Shape>, numbers: Readonly<Record<string, number>>): z.output<Shape>;
  /**
   * The definition that computes this input, with its chain in order of computation, KO42 first.
   *
   * @param laws  laws of the operators that the caller names, without KO42
   * @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID, UNIT_INVALID, UNIT_MISMATCH
   */
  bind(input: z.output<Shape>, laws: readonly Law[]): SolverDefinition<Shape>;
}

export interface SolverDefinition<Shape extends z.ZodObject = z.ZodObject, Face extends KernelFace = KernelFace> {
  /** The route's name in the specification. */
  readonly id: string;
  /**
   * Raised by every change that moves a sealed number, since a replay compares answers of equal revisions only. New
   * words, quantities and kernel bytes with the same numbers do not raise it.
   */
  readonly revision: number;
  readonly title: string;
  readonly summary: string;
  /** Of the registry. */
  readonly domain: string;
  /** Group in lists of solvers. */
  readonly subject: Subject;
  /** What is solved, in LaTeX, an equation or a line of them each. */
  readonly equations: readonly string[];
  readonly method: {
    readonly name: string;
    readonly order?: { readonly time?: number; readonly space?: number };
    readonly stability?: string;
  };
  /** KO42 first. */
  readonly operatorChain: readonly string[];
  readonly unit: string;
  /** Whether nothing that is not converged is ever sealed, also where a request does not ask for it. */
  readonly isAlwaysStrict?: true;
  /**
   * The solver's own fields: a strict object, each field required or with a default, `.meta({ unit, symbol })` and
   * `.describe()`.
   */
  readonly inputs: Shape;
  /** The input that takes the clock's time of a request which gives none, so that a replay needs no clock. */
  readonly clock?: string;
  /** Laws whose results enter the input. */
  readonly laws?: SolverLaws;
  /** Tokens of an answer; 1 by default. */
  tokens?(input: z.output<Shape>): number;
  /** Unit of the value, where it depends on the input. */
  unitOf?(input: z.output<Shape>): string;
  /** Words of its form; without it a form shows the names of the fields. */
  readonly form?: SolverForm<Shape>;
  /** Words by which a sentence names it; without them only its title and fields do. */
  readonly words?: SolverWords<Shape>;
  /** Names of the kernel's parameters, views, statistics and columns. */
  readonly kernel: Face;
  /**
   * @throws DomainError VALIDATION_FAILED, UNSTABLE_SCHEME, EXPRESSION_INVALID  for errors that involve several fields
   */
  plan(input: z.output<Shape>): Plan<Face>;
  /** Whether `plan` takes milliseconds for this input; long inputs need not say so. */
  hasLongPlan?(input: z.output<Shape>): boolean;
  /** Pure: `outputs[i]` belongs to `plan(input).runs[i]`. */
  collect(outputs: readonly KernelOutput<Face>[], input: z.output<Shape>): Solution;
  /** Present if its fields hold a mesh, which is saved as a file for other programs. */
  readonly mesh?: MeshFields;
  /** Present if a run can be drawn while it is in progress. */
  readonly live?: LiveFrames<z.output<Shape>, Face>;
  readonly references: readonly Reference[];
  /** Present if the solver's symbols are defined by the caller. */
  readonly open?: OpenSolver<Shape>;
}
