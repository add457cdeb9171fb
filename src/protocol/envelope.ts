// The canonical envelope: what is pure, then what depends on when the call ran, then who signs it.

import { littleEndianBytes, toBitsHex, ulpDistance } from '../core/bits.ts';
import { DomainError } from '../core/errors.ts';
import { LIMITS } from '../core/limits.ts';
import { sha256Hex } from '../core/sha256.ts';
import type { Field, Invariant, Plot, Solution, SolverDefinition } from '../solvers/solver.ts';
import type { ReceiptKeys } from './receipt.ts';
import { type PublicJwk, type Seal, type Signer, sealEnvelope } from './seal.ts';
import { rtCorrelation, type Stamps, timingOf } from './stamps.ts';

/** Every result claims at least this relative bound, whatever was measured. */
const BOUND_FLOOR = 1e-4;
/** Above it a result is not converged, and strict mode refuses. */
const BOUND_CEILING = 1e-3;

/** Prints an operator's equation with numbers in place of symbols; what has no number stays a symbol. */
export type EquationPrinter = (operatorId: string, numbers: Readonly<Record<string, number>>) => string;

export interface ArrayResult {
  readonly name: string;
  readonly unit: string;
  readonly shape: readonly number[];
  readonly data?: readonly number[];
  readonly sha256?: string;
  readonly bytes?: number;
  readonly href?: string;
}

/** Bytes that an envelope links to, to be kept beside it. */
export interface LinkedBytes {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface InvariantResult extends Invariant {
  readonly holds: boolean;
}

/** All that the same kernel bytes, inputs and seed give again, bit for bit. In the order of the schema. */
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
  readonly master_sum: { readonly terms: readonly MasterTerm[]; readonly total: number; readonly unit: string };
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
}

interface MasterTerm {
  readonly term: string;
  readonly operator_id: string;
  readonly expression: string;
  readonly value: number;
  readonly unit: string;
  readonly included: boolean;
}

interface PureVerification {
  readonly method: string;
  readonly reference: number;
  readonly reference_bits: string;
  readonly value_bits: string;
  readonly errorPct: number;
  readonly ulp: number;
  readonly observed_order?: number;
}

/** What depends on when the call ran, recomputable from the stamps. */
export interface TimedFields {
  readonly R_t: number;
  readonly phase: number;
  readonly svcond: number;
  readonly masterSum: number;
  readonly E: number;
  readonly stamps: readonly string[];
  readonly alpha_eff?: number;
  readonly cko?: { readonly metric_shift: { readonly delta_alpha: number; readonly variance: number } };
}

/** What belongs to the call and the node. */
export interface IssuedFields {
  readonly svcProof: string;
  readonly version: 'v2';
  readonly keyPrefix: string;
  readonly epoch: number;
  readonly notes: readonly string[];
  readonly billing: { readonly tokens: number };
  readonly run_id?: string;
  readonly public_key: PublicJwk;
}

export type Body = { readonly ok: true } & Omit<PureFields, 'verification'> & {
    readonly verification: PureVerification & { readonly rtCorrelation: number };
  } & TimedFields &
  IssuedFields;

export type Envelope = Body & { readonly seal: Seal };

export interface SolvedCase {
  readonly solver: SolverDefinition;
  readonly kernelSha256: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly consts: Readonly<Record<string, number>>;
  readonly solution: Solution;
  readonly printEquation: EquationPrinter;
}

/** −0 becomes 0: JSON has no −0, and a replay compares bits. */
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

function trajectoryBytes(fields: readonly Field[]): Uint8Array {
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
  return littleEndianBytes(all);
}

const fieldHref = (sha256: string) => `/api/svc/fields/${sha256}.bin`;

/** How far the value lies from the second way, relative to max(|reference|, scale). */
function measuredError({ value, witness }: Solution): number {
  const scale = Math.max(Math.abs(witness.reference), witness.scale);
  const distance = Math.abs(value - witness.reference);
  // Without a scale any distance is infinite, and is refused.
  return distance === 0 ? 0 : distance / scale;
}

/** The pure part of an answer. @throws DomainError PRECISION_REFUSED for a number that is not finite */
export function pureFields(solved: SolvedCase): { readonly pure: PureFields; readonly linked: readonly LinkedBytes[] } {
  const { solver, kernelSha256, input, consts, solution, printEquation } = solved;
  const { unit, operatorChain } = solver;
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
  const equations = [
    printEquation('KO42', { S: value }),
    ...operatorChain.slice(1).map((id) => printEquation(id, solution.operatorInputs[id] ?? {})),
  ];
  const seed = input.seed;
  const pure: PureFields = {
    solver: solver.id,
    domain: solver.domain,
    operatorChain,
    operator_id: operatorId,
    value,
    unit,
    uncertainty,
    precisionBound,
    errorPct: 100 * precisionBound,
    converged: solution.converged && precisionBound <= BOUND_CEILING && invariants.every((one) => one.holds),
    functional: sealable(solution.functional, 'functional'),
    master_sum: {
      terms: [
        { term: 'S', operator_id: operatorId, expression: solver.method.name, value, unit, included: true },
        {
          term: 'modulation',
          operator_id: 'KO42',
          expression: 'alpha*sin(2*pi*f*t + phi0)',
          value: 0,
          unit,
          included: false,
        },
      ],
      total: value,
      unit,
    },
    equations,
    results: [{ operator_id: operatorId, value, unit, uncertainty }],
    quantities: solution.quantities.map((one) => ({ ...one, value: sealable(one.value, one.name) })),
    series: solution.series.map(array),
    fields: solution.fields.map(array),
    plots: solution.plots,
    trajectory_sha256: sha256Hex(trajectoryBytes([...solution.series, ...solution.fields])),
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
  };
  return { pure, linked };
}

function withoutUndefined(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/**
 * Strict mode seals nothing that it cannot stand for.
 *
 * @throws DomainError PRECISION_REFUSED naming what failed
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

/** What follows from the stamps, for a value, a functional and the headline series. */
export function timedFields(pure: PureFields, stamps: Stamps): TimedFields {
  const { R_t, phase, svcond, shift } = timingOf(stamps);
  return {
    R_t,
    phase,
    svcond,
    masterSum: R_t * pure.value + 0,
    E: R_t * pure.functional + 0,
    stamps: stamps.map(String),
    ...(shift === undefined
      ? {}
      : {
          alpha_eff: shift.alpha,
          cko: { metric_shift: { delta_alpha: shift.delta_alpha, variance: shift.variance } },
        }),
  };
}

/** The series that a person looks at first: what the first plot draws, else the one after the independent variable. */
function headlineSeries(solution: Pick<Solution, 'plots' | 'series' | 'fields'>): ArrayLike<number> {
  const name = solution.plots[0]?.y[0];
  const named = solution.series.find((one) => one.name === name) ?? solution.series[1];
  return named?.data ?? [];
}

export interface Issuer {
  readonly keyPrefix: string;
  readonly receipts: ReceiptKeys;
  readonly signer: Signer;
}

export interface CallFacts {
  readonly notes: readonly string[];
  readonly tokens: number;
  readonly runId: string | undefined;
}

/** Everything but the seal, in the order in which it is answered. */
export function bodyOf(
  pure: PureFields,
  solution: Solution,
  timed: TimedFields,
  stamps: Stamps,
  issued: IssuedFields,
): Body {
  const { verification, ...rest } = pure;
  return {
    ok: true,
    ...rest,
    verification: { ...verification, rtCorrelation: rtCorrelation(headlineSeries(solution), stamps) + 0 },
    ...timed,
    ...issued,
  };
}

/** Stamp, sign and seal. */
export function buildEnvelope(
  pure: PureFields,
  solution: Solution,
  stamps: Stamps,
  issuer: Issuer,
  call: CallFacts,
): Envelope {
  const timed = timedFields(pure, stamps);
  const { keyPrefix, receipts, signer } = issuer;
  const { operatorChain: operatorIds, value, unit } = pure;
  const { svcProof, epoch } = receipts.sign('computation', {
    operatorIds,
    R_t: timed.R_t,
    svcond: timed.svcond,
    keyPrefix,
    value,
    unit,
  });
  const body = bodyOf(pure, solution, timed, stamps, {
    svcProof,
    version: 'v2',
    keyPrefix,
    epoch,
    notes: [...call.notes, ...solution.notes],
    billing: { tokens: call.tokens },
    ...(call.runId === undefined ? {} : { run_id: call.runId }),
    public_key: signer.publicKey,
  });
  return { ...body, seal: sealEnvelope(body, signer) };
}

export interface GateAnswer {
  readonly ok: true;
  readonly solver: string;
  readonly domain: string;
  readonly operatorChain: readonly string[];
  readonly value: null;
  readonly value_repr: 'NaN';
  readonly unit: string;
  readonly gate: {
    readonly ok: false;
    readonly unrecognised: readonly string[];
    readonly accepted: Readonly<Record<string, string>>;
  };
  readonly R_t: number;
  readonly phase: number;
  readonly svcond: number;
  readonly svcProof: string;
  readonly version: 'v1';
  readonly keyPrefix: string;
  readonly epoch: number;
  readonly billing: { readonly tokens: 0 };
}

/** The dimensional gate: nothing was computed, nothing is billed, and the answer says which keys would have been read. */
export function buildGate(
  solver: SolverDefinition,
  gate: { readonly unrecognised: readonly string[]; readonly accepted: Readonly<Record<string, string>> },
  stamps: Stamps,
  { keyPrefix, receipts }: Issuer,
): GateAnswer {
  const { R_t, phase, svcond } = timingOf(stamps);
  const { svcProof, epoch } = receipts.sign('computation', {
    operatorIds: solver.operatorChain,
    R_t,
    svcond,
    keyPrefix,
  });
  return {
    ok: true,
    solver: solver.id,
    domain: solver.domain,
    operatorChain: solver.operatorChain,
    value: null,
    value_repr: 'NaN',
    unit: solver.unit,
    gate: { ok: false, ...gate },
    R_t,
    phase,
    svcond,
    svcProof,
    version: 'v1',
    keyPrefix,
    epoch,
    billing: { tokens: 0 },
  };
}
