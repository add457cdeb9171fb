// The pure fields of an answer: equal for equal kernel bytes, definitions, inputs and seed, whenever they are computed.

import { littleEndianBytes, toBitsHex, ulpDistance } from '../core/bits.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { SealedDefinition } from '../operators/definition.ts';
import type { SealedSelection } from '../operators/selection.ts';
import type { Field, Invariant, Plot, Solution } from '../solvers/definition.ts';
import type { Computation } from './computation.ts';
import { printChain } from './equations.ts';
import { type MasterSum, masterSum } from './master-sum.ts';

/** Minimum relative bound that a result claims, whatever was measured. */
const BOUND_FLOOR = 1e-4;
/** Maximum relative bound of a converged result; above it, strict mode refuses. */
const BOUND_CEILING = 1e-3;

export interface ArrayResult {
  readonly name: string;
  readonly unit: string;
  readonly shape: readonly number[];
  readonly data?: readonly number[];
  readonly sha256?: string;
  readonly bytes?: number;
  readonly href?: string;
}

/** Bytes that an envelope links to, to be stored beside it. */
export interface LinkedBytes {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface InvariantResult extends Invariant {
  readonly holds: boolean;
}

/** Fields that a replay reproduces bit for bit. In the order of the schema. */
export interface PureFields {
  readonly solver: string;
  readonly domain: string;
  readonly operatorChain: readonly string[];
  readonly operator_id: string;
  readonly value: number;
  readonly unit: string;
  readonly uncertainty: number;
  readonly precisionBound: number;
  readonly errorPct: number;
  readonly converged: boolean;
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
  readonly selection?: SealedSelection;
  /** Definitions of the chain, in its order; with them a replay needs no registry. */
  readonly definitions: readonly SealedDefinition[];
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

function toArrayResult(field: Field, linked: LinkedBytes[], hrefOf: (sha256: string) => string): ArrayResult {
  const { name, unit, shape } = field;
  const { length } = field.data;
  const data = new Array<number>(length);
  for (let i = 0; i < length; i++) data[i] = sealable(field.data[i] ?? 0, name);
  if (length <= LIMITS.inlineNumbers) return { name, unit, shape, data };
  const bytes = littleEndianBytes(Float64Array.from(data));
  const sha256 = sha256Hex(bytes);
  linked.push({ sha256, bytes });
  return { name, unit, shape, sha256, bytes: bytes.length, href: hrefOf(sha256) };
}

/** SHA-256 of no arrays, as in every envelope of operators. */
const EMPTY_SHA256 = sha256Hex(new Uint8Array());

function trajectorySha256(fields: readonly Field[]): string {
  if (fields.length === 0) return EMPTY_SHA256;
  const length = fields.reduce((sum, field) => sum + field.data.length, 0);
  const all = new Float64Array(length);
  let at = 0;
  for (const { data } of fields) {
    all.set(
      data.map((value) => value + 0),
      at,
    );
    at += data.length;
  }
  return sha256Hex(littleEndianBytes(all));
}

const fieldHref = (sha256: string) => `/api/svc/fields/${sha256}.bin`;

/** Distance of the value from the reference, relative to max(|reference|, scale). */
function measuredError({ value, witness }: Solution): number {
  const scale = Math.max(Math.abs(witness.reference), witness.scale);
  const distance = Math.abs(value - witness.reference);
  // Without a scale, any distance is infinite and will be refused.
  return distance === 0 ? 0 : distance / scale;
}

/** Builds the pure fields of an answer. @throws DomainError PRECISION_REFUSED for a number that is not finite */
export function pureFields(
  computation: Computation,
  kernelSha256: string,
  solution: Solution,
): { readonly pure: PureFields; readonly linked: readonly LinkedBytes[] } {
  const { id, domain, operatorChain, definitions, unit, input, consts, options = {}, selection } = computation;
  const linked: LinkedBytes[] = [];
  const array = (field: Field) => toArrayResult(field, linked, fieldHref);
  const value = sealable(solution.value, 'value');
  const uncertainty = sealable(solution.uncertainty, 'uncertainty');
  const operatorId = operatorChain.at(-1) ?? 'KO42';
  const error = sealable(measuredError(solution), 'the measured error');
  const precisionBound = Math.max(BOUND_FLOOR, sealable(solution.bound, 'bound'), error);
  const invariants = solution.invariants.map((one) => ({
    ...one,
    value: sealable(one.value, one.name),
    drift: sealable(one.drift, one.name),
    bound: sealable(one.bound, one.name),
    holds: Math.abs(one.drift) <= one.bound,
  }));
  const reference = sealable(solution.witness.reference, 'reference');
  const { observedOrder } = solution.witness;
  const results = (solution.results ?? [{ operator_id: operatorId, value, unit, uncertainty }]).map((one) => ({
    ...one,
    value: sealable(one.value, `value of ${one.operator_id}`),
    uncertainty: sealable(one.uncertainty, `uncertainty of ${one.operator_id}`),
  }));
  const seed = input.seed;
  const pure: PureFields = {
    solver: id,
    domain,
    operatorChain,
    operator_id: operatorId,
    value,
    unit,
    uncertainty,
    precisionBound,
    errorPct: 100 * precisionBound,
    converged: solution.converged && precisionBound <= BOUND_CEILING && invariants.every((one) => one.holds),
    functional: sealable(solution.functional, 'functional'),
    master_sum: masterSum(computation, results),
    equations: printChain(computation, value, solution.operatorInputs),
    results,
    quantities: solution.quantities.map((one) => ({ ...one, value: sealable(one.value, one.name) })),
    series: solution.series.map(array),
    fields: solution.fields.map(array),
    plots: solution.plots,
    trajectory_sha256: trajectorySha256([...solution.series, ...solution.fields]),
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
    ...(selection === undefined ? {} : { selection }),
    definitions,
  };
  return { pure, linked };
}

function withoutUndefined(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/**
 * Refuses a result that strict mode must not seal.
 *
 * @throws DomainError PRECISION_REFUSED naming the cause
 */
export function assertPrecision({ precisionBound, converged, invariants }: PureFields): void {
  if (converged) return;
  const broken = invariants.find((one) => !one.holds);
  if (broken) {
    throw new DomainError(
      'PRECISION_REFUSED',
      `The invariant "${broken.name}" drifted by ${broken.drift}; at most ${broken.bound} is allowed.`,
    );
  }
  const reason =
    precisionBound > BOUND_CEILING
      ? `The relative bound is ${precisionBound}; at most ${BOUND_CEILING} is allowed.`
      : 'The solver did not converge.';
  throw new DomainError('PRECISION_REFUSED', reason, { facts: { precisionBound } });
}
