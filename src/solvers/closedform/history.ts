// φ and φ′ over the time, with their ±, as the kernel records them.

import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { ClosedformFace } from './face.ts';

export interface History {
  readonly t: Float64Array;
  readonly phi: Float64Array;
  readonly dphi: Float64Array;
  readonly phiUncertainty: Float64Array;
  readonly dphiUncertainty: Float64Array;
}

/** @param factor  of ±, where the coefficients are sums that cancel */
export function historyOf({ views, columns }: KernelOutput<ClosedformFace>, factor: number): History {
  const { column } = rowsOf(views.history ?? new Float64Array(), columns.history);
  return {
    t: column('t'),
    phi: column('phi'),
    dphi: column('dphi'),
    phiUncertainty: column('phiUncertainty').map((one) => factor * one),
    dphiUncertainty: column('dphiUncertainty').map((one) => factor * one),
  };
}
