// The canonical envelope: pure fields, then fields that depend on when the call ran, then the issuer's fields and the
// seal.

import type { Solution } from '../solvers/definition.ts';
import type { Issuer } from './issuer.ts';
import type { PureFields, PureVerification } from './pure-fields.ts';
import type { Seal } from './seal-batch.ts';
import type { PublicJwk } from './signing.ts';
import { rtCorrelation, type Stamps, timingOf } from './stamps.ts';
import type { Untrusted } from './untrusted.ts';

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
  /** Receipts of results that entered the inputs, which hold their hashes. */
  readonly receipts?: readonly Untrusted[];
  readonly public_key: PublicJwk;
}

export type Body = { readonly ok: true } & Omit<PureFields, 'verification'> & {
    readonly verification: PureVerification & { readonly rtCorrelation: number };
  } & TimedFields &
  IssuedFields;

export type Envelope = Body & { readonly seal: Seal };

/** Fields that follow from the stamps, the value and the functional. */
export function timedFields(
  { value, functional, phi0 = 0 }: Pick<PureFields, 'value' | 'functional' | 'phi0'>,
  stamps: Stamps,
): TimedFields {
  const { R_t, phase, svcond, shift } = timingOf(stamps, phi0);
  return {
    R_t,
    phase,
    svcond,
    masterSum: R_t * value + 0,
    E: R_t * functional + 0,
    stamps: stamps.map(String),
    ...(shift === undefined
      ? {}
      : {
          alpha_eff: shift.alpha,
          cko: { metric_shift: { delta_alpha: shift.delta_alpha, variance: shift.variance } },
        }),
  };
}

/** The series after the independent variable; plots are words and decide no sealed number. */
export const headlineSeries = ({ series }: Pick<Solution, 'series'>): ArrayLike<number> => series[1]?.data ?? [];

export interface CallFacts {
  readonly notes: readonly string[];
  readonly tokens: number;
  readonly runId: string | undefined;
  readonly receipts?: readonly Untrusted[];
}

/** Everything but the seal, in the order of the answer. */
function bodyOf(
  pure: PureFields,
  solution: Pick<Solution, 'series'>,
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

/** Stamps and signs; everything but the seal. */
export function buildBody(
  pure: PureFields,
  solution: Pick<Solution, 'series' | 'notes'>,
  stamps: Stamps,
  { keyPrefix, receipts, publicKey }: Issuer,
  call: CallFacts,
): Body {
  const timed = timedFields(pure, stamps);
  const { operatorChain: operatorIds, value, unit } = pure;
  const { svcProof, epoch } = receipts.sign('computation', {
    operatorIds,
    R_t: timed.R_t,
    svcond: timed.svcond,
    keyPrefix,
    value,
    unit,
  });
  return bodyOf(pure, solution, timed, stamps, {
    svcProof,
    version: 'v2',
    keyPrefix,
    epoch,
    notes: [...call.notes, ...solution.notes],
    billing: { tokens: call.tokens },
    ...(call.runId === undefined ? {} : { run_id: call.runId }),
    ...(call.receipts === undefined || call.receipts.length === 0 ? {} : { receipts: call.receipts }),
    public_key: publicKey,
  });
}
