// The dimensional gate: refuses keys that no operator accepts or that are ambiguous, and answers without a number.

import type { GateFinding } from '../operators/gate.ts';
import type { Issuer } from './issuer.ts';
import { type Stamps, timingOf } from './stamps.ts';

/** The request that the gate refuses. */
export interface GatedRequest {
  readonly id: string;
  readonly domain: string;
  readonly operatorChain: readonly string[];
  readonly unit: string;
}

export interface GateAnswer {
  readonly ok: true;
  readonly solver: string;
  readonly domain: string;
  readonly operatorChain: readonly string[];
  readonly value: null;
  readonly value_repr: 'NaN';
  readonly unit: string;
  readonly gate: { readonly ok: false } & GateFinding;
  readonly R_t: number;
  readonly phase: number;
  readonly svcond: number;
  readonly svcProof: string;
  readonly version: 'v1';
  readonly keyPrefix: string;
  readonly epoch: number;
  readonly billing: { readonly tokens: 0 };
}

/** Builds the gate's answer: nothing was computed or billed, and it names the keys that are accepted. */
export function buildGate(
  { id, domain, operatorChain, unit }: GatedRequest,
  gate: GateFinding,
  stamps: Stamps,
  { keyPrefix, receipts }: Issuer,
): GateAnswer {
  const { R_t, phase, svcond } = timingOf(stamps);
  const { svcProof, epoch } = receipts.sign('computation', {
    operatorIds: operatorChain,
    R_t,
    svcond,
    keyPrefix,
  });
  return {
    ok: true,
    solver: id,
    domain,
    operatorChain,
    value: null,
    value_repr: 'NaN',
    unit,
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
