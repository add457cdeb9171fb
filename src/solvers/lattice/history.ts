// A run over the time, as the kernel records it.

import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { at, last } from '../parts/arrays.ts';
import type { LatticeFace } from './face.ts';

export interface History {
  readonly t: Float64Array;
  /** Of each node, in the frame that turns with the mean frequency. */
  readonly theta: readonly Float64Array[];
  readonly r: Float64Array;
  readonly psi: Float64Array;
  /** Mean of r over the second half. */
  readonly coherence: number;
}

const THETA = ['theta1', 'theta2', 'theta3', 'theta4', 'theta5'] as const;

export function historyOf({ views, columns }: KernelOutput<LatticeFace>, nodes: number): History {
  const { column } = rowsOf(views.history ?? new Float64Array(), columns.history);
  const [t, integral] = [column('t'), column('integral')];
  const middle = (t.length - 1) / 2;
  return {
    t,
    theta: THETA.slice(0, nodes).map((name) => column(name)),
    r: column('r'),
    psi: column('psi'),
    coherence: (last(integral) - at(integral, middle)) / (last(t) - at(t, middle)),
  };
}
