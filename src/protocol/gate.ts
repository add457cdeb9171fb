// The dimensional gate: keys that no operator accepts, or that mean two things, give no number.

import type { GateFinding } from '../operators/gate.ts';
import type { Issuer } from './envelope.ts';
import { type Stamps, timingOf } from './stamps.ts';

/** What was asked for. */
export interface Gated {
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

/** The dimensional gate: nothing was computed, nothing is billed, and the answer says which keys would have been read. */
export function buildGate(
  { id, domain, operatorChain, unit }: Gated,
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
