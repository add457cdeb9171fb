// The pure fields of an answer: equal for equal kernel bytes, definitions, inputs and seed, whenever they are computed.

import { toBitsHex, ulpDistance } from '../core/bits.ts';
import { DomainError } from '../core/errors.ts';
import { mapValues } from '../core/map-values.ts';
import type { Contribution } from '../core/uncertainty.ts';
import type { KernelOutput, KernelRun } from '../kernels/abi.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { SealedSelection } from '../operators/selection.ts';
import type { Invariant, Solution } from '../solvers/definition.ts';
import type { Findings } from '../solvers/findings.ts';
import type { Plot } from '../solvers/plot.ts';
import type { SampleStatistics } from '../solvers/samples.ts';
import { ArrayCollector, type ArrayResult, type LinkedBytes, trajectorySha256 } from './array-results.ts';
import type { Computation } from './computation.ts';
import { BOUND_CEILING, isConverged, measuredError, precisionBoundOf } from './convergence.ts';
import { printChain } from './equations.ts';
import { type ExecutedRun, executionOf, type RunOutcome } from './executed-run.ts';
import { type MasterSum, masterSum } from './master-sum.ts';
import type { SealedAxis } from './sweep/axes.ts';
import { hasFewBytes, type TableResult, tableResult } from './sweep/table-result.ts';

/** A source of the uncertainty; see `Contribution`. */
export interface UncertaintyPart extends Contribution {
  readonly unit: string;
}

export interface InvariantResult extends Invariant {
  readonly holds: boolean;
}

/** Fields that a replay reproduces bit for bit. In the order of the schema. */
export interface PureFields extends Findings {
  readonly solver: string;
  /** Revision of the solver: equal revisions derive equal numbers from equal outputs. */
  readonly revision: number;
  readonly domain: string;
  readonly operatorChain: readonly string[];
  readonly operator_id: string;
  readonly value: number;
  readonly unit: string;
  readonly uncertainty: number;
  readonly uncertainty_budget: readonly UncertaintyPart[];
  readonly precisionBound: number;
  readonly errorPct: number;
  readonly converged: boolean;
  /** Of solvers that tune their own step. */
  readonly tuneStatus?: Solution['tuneStatus'];
  readonly functional: number;
  readonly master_sum: MasterSum;
  readonly equations: readonly string[];
  readonly results: readonly {
    readonly operator_id: string;
    readonly value: number;
    readonly unit: string;
    readonly uncertainty: number;
  }[];
  readonly quantities: Solution['quantities'];
  readonly series: readonly ArrayResult[];
  readonly fields: readonly ArrayResult[];
  readonly plots: readonly Plot[];
  readonly trajectory_sha256: string;
  readonly verification: PureVerification;
  readonly invariants: readonly InvariantResult[];
  readonly kernel_sha256: string;
  readonly seed: number;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly consts: Readonly<Record<string, number>>;
  readonly units?: Readonly<Record<string, string>>;
  readonly uncertainties?: Readonly<Record<string, number>>;
  readonly detail?: 'full';
  /** The swept inputs, the first outermost; `inputs` leaves them out. */
  readonly sweep?: readonly SealedAxis[];
  /** What was drawn, which `inputs` leaves out, and what came out. */
  readonly samples?: SampleStatistics;
  /** The value and ± of every point; the other fields are of its last row with a value. */
  readonly table?: TableResult;
  /** Unit of the value that was asked for, where it differs from that of the last operator. */
  readonly as?: string;
  /** The input that was asked for, where the value of the law was given; `quantities` lists its roots. */
  readonly solve_for?: string;
  /** Whether it is proved that no other number in the range of that input is a root. */
  readonly complete?: boolean;
  /** Phase of KO42 in rad, unless it is 0. */
  readonly phi0?: number;
  readonly selection?: SealedSelection;
  /** Definitions of the chain, in its order; with them a replay needs no registry. */
  readonly definitions: readonly SealedDefinition[];
  /** Kernel runs as executed. */
  readonly runs: readonly ExecutedRun[];
  /** What each run left behind. */
  readonly outcomes: readonly RunOutcome[];
}

/** A computation as it was run. */
export interface Executed {
  readonly kernelSha256: string;
  readonly runs: readonly KernelRun[];
  /** One per run. */
  readonly outputs: readonly KernelOutput[];
}

export interface PureVerification {
  readonly method: string;
  readonly reference: number;
  readonly reference_bits: string;
  readonly value_bits: string;
  readonly errorPct: number;
  readonly ulp: number;
  readonly observed_order?: number;
}

/** Replaces −0 by 0, since JSON has no −0 and a replay compares bits. @throws DomainError PRECISION_REFUSED */
function sealable(value: number, what: string): number {
  if (!Number.isFinite(value)) {
    throw new DomainError('PRECISION_REFUSED', `${what} came out as ${value}; only finite numbers are sealed.`);
  }
  return value + 0;
}

function sealableSamples(samples: SampleStatistics): SampleStatistics {
  const { mean, standard_deviation, low, high } = samples;
  return {
    ...samples,
    mean: sealable(mean, 'the mean of the samples'),
    standard_deviation: sealable(standard_deviation, 'the standard deviation of the samples'),
    low: sealable(low, 'the interval of the samples'),
    high: sealable(high, 'the interval of the samples'),
  };
}

/**
 * Builds the pure fields of an answer.
 *
 * @param isComplete  hold the bytes of every array instead of hashes and links
 * @throws DomainError PRECISION_REFUSED for a number that is not finite
 */
export function pureFields(
  computation: Computation,
  { kernelSha256, runs, outputs }: Executed,
  solution: Solution,
  isComplete = false,
): { readonly pure: PureFields; readonly linked: readonly LinkedBytes[] } {
  const { id, revision, domain, operatorChain, definitions, unit, input, consts, options = {} } = computation;
  const { selection, phi0, sweep } = computation;
  const arrays = new ArrayCollector(isComplete);
  const series = solution.series.map((field) => arrays.add(field, sealable));
  const fields = solution.fields.map((field) => arrays.add(field, sealable));
  const value = sealable(solution.value, 'value');
  const uncertainty = sealable(solution.uncertainty, 'uncertainty');
  const error = sealable(measuredError(solution), 'the measured error');
  const precisionBound = precisionBoundOf(sealable(solution.bound, 'bound'), error);
  const invariants = solution.invariants.map((one) => ({
    ...one,
    value: sealable(one.value, one.name),
    drift: sealable(one.drift, one.name),
    bound: sealable(one.bound, one.name),
    holds: Math.abs(one.drift) <= one.bound,
  }));
  const reference = sealable(solution.witness.reference, 'reference');
  const { observedOrder } = solution.witness;
  // A law is named only where its own definition made the number, which a kernel of its own does not use.
  const results = (solution.results ?? [{ operator_id: `solver:${id}`, value, unit, uncertainty }]).map((one) => ({
    ...one,
    value: sealable(one.value, `value of ${one.operator_id}`),
    uncertainty: sealable(one.uncertainty, `uncertainty of ${one.operator_id}`),
  }));
  const seed = input.seed;
  const pure: PureFields = {
    solver: id,
    revision,
    domain,
    operatorChain,
    operator_id: results.at(-1)?.operator_id ?? `solver:${id}`,
    value,
    unit,
    uncertainty,
    uncertainty_budget: solution.budget.map((part) => ({ ...part, unit })),
    precisionBound,
    errorPct: 100 * precisionBound,
    converged: isConverged(solution) && (solution.table?.unconverged.length ?? 0) === 0,
    ...(solution.tuneStatus === undefined ? {} : { tuneStatus: solution.tuneStatus }),
    functional: sealable(solution.functional, 'functional'),
    master_sum: masterSum(computation, results),
    equations: printChain(computation, value, solution.operatorInputs),
    results,
    quantities: solution.quantities.map((one) => ({
      ...one,
      value: sealable(one.value, one.name),
      ...(one.uncertainty === undefined
        ? {}
        : { uncertainty: sealable(one.uncertainty, `uncertainty of ${one.name}`) }),
    })),
    ...solution.findings,
    series,
    fields,
    plots: solution.plots,
    trajectory_sha256: trajectorySha256(series, fields),
    verification: {
      method: solution.witness.method,
      reference,
      reference_bits: toBitsHex(reference),
      value_bits: toBitsHex(value),
      errorPct: 100 * error,
      ulp: ulpDistance(value, reference),
      ...(observedOrder === undefined ? {} : { observed_order: sealable(observedOrder, 'observed order') }),
    },
    invariants,
    kernel_sha256: kernelSha256,
    seed: typeof seed === 'number' ? seed : 42,
    inputs: withoutUndefined(input),
    consts,
    ...options,
    ...(solution.complete === undefined ? {} : { complete: solution.complete }),
    ...(phi0 === 0 ? {} : { phi0 }),
    ...(sweep === undefined ? {} : { sweep }),
    ...(solution.samples === undefined ? {} : { samples: sealableSamples(solution.samples) }),
    ...(solution.table === undefined ? {} : { table: tableResult(solution.table, (data) => arrays.addBytes(data)) }),
    ...(selection === undefined ? {} : { selection }),
    definitions,
    ...executionOf(runs, outputs, isComplete && (solution.table === undefined || hasFewBytes(runs))),
  };
  return { pure, linked: arrays.linked };
}

function withoutUndefined(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return mapValues(record, (value) => value);
}

/**
 * Refuses a result that strict mode must not seal.
 *
 * @throws DomainError PRECISION_REFUSED naming the cause
 */
export function assertPrecision(fields: PureFields): void {
  const { precisionBound, converged } = fields;
  if (converged) return;
  throw new DomainError('PRECISION_REFUSED', refusedPrecision(fields) ?? 'The solver did not converge.', {
    facts: isBroken(fields) ? {} : { precisionBound },
  });
}

const isBroken = ({ invariants }: Pick<PureFields, 'invariants'>) => invariants.some((one) => !one.holds);

/** Why a result that its solver calls converged is not; undefined if the solver itself says so, in its notes. */
export function refusedPrecision({
  precisionBound,
  invariants,
}: Pick<PureFields, 'precisionBound' | 'invariants'>): string | undefined {
  const broken = invariants.find((one) => !one.holds);
  if (broken) return `The invariant "${broken.name}" drifted by ${broken.drift}; at most ${broken.bound} is allowed.`;
  return precisionBound > BOUND_CEILING
    ? `The relative bound is ${precisionBound}; at most ${BOUND_CEILING} is allowed.`
    : undefined;
}
