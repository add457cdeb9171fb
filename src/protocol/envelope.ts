// The canonical envelope: pure fields, then fields that depend on when the call ran, then the issuer's fields and the
// seal.

import type { Solution } from '../solvers/definition.ts';
import type { Issuer } from './issuer.ts';
import type { PureFields, PureVerification } from './pure-fields.ts';
import { type PublicJwk, type Seal, sealEnvelope } from './seal.ts';
import { rtCorrelation, type Stamps, timingOf } from './stamps.ts';

/** Fields that depend on when the call ran; they can be recomputed from the stamps. */
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

/** Fields that the node adds to the call; they cannot be recomputed. */
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

/** Fields that follow from the stamps, the value and the functional. */
export function timedFields(pure: PureFields, stamps: Stamps, phi0: number): TimedFields {
  const { R_t, phase, svcond, shift } = timingOf(stamps, phi0);
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

/** The series of the first plot or, without one, the series after the independent variable. */
function headlineSeries(solution: Pick<Solution, 'plots' | 'series' | 'fields'>): ArrayLike<number> {
  const name = solution.plots[0]?.y[0];
  const named = solution.series.find((one) => one.name === name) ?? solution.series[1];
  return named?.data ?? [];
}

export interface CallFacts {
  /** Phase of KO42 in rad. */
  readonly phi0?: number;
  readonly notes: readonly string[];
  readonly tokens: number;
  readonly runId: string | undefined;
}

/** Everything but the seal, in the order of the answer. */
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

/** Stamps, signs and seals. */
export function buildEnvelope(
  pure: PureFields,
  solution: Solution,
  stamps: Stamps,
  issuer: Issuer,
  call: CallFacts,
): Envelope {
  const timed = timedFields(pure, stamps, call.phi0 ?? 0);
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
