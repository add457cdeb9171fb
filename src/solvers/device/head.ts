// The head of the solutions of lines: the value with its ±, its witness, Gauss's law, and whether all agree.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution } from '../definition.ts';
import type { DeviceFace } from './face.ts';
import type { Judged } from './judge.ts';

/** Of the charge: fluxes are differences of potentials. */
const GAUSS_BOUND = 1e-8;

export interface LineHead {
  readonly value: Judged;
  readonly scale: number;
  /** The value another way, where there is one, and by which. */
  readonly witnessed: number | undefined;
  readonly method: string;
  /** Flux through the ends less the charge between them, over all charge; in words. */
  readonly imbalance: number;
  readonly label: string;
}

type Head = Pick<Solution, 'value' | 'uncertainty' | 'budget' | 'bound' | 'converged' | 'witness' | 'invariants'>;

/** @returns `isConfirmed` false where the witness contradicts the grids */
export function headOf(
  outputs: readonly KernelOutput<DeviceFace>[],
  { value, scale, witnessed, method, imbalance, label }: LineHead,
): { readonly head: Head; readonly isConfirmed: boolean } {
  const isSolved = outputs.every(({ info }) => info === 0);
  const isConfirmed = witnessed === undefined || Math.abs(witnessed - value.value) <= value.uncertainty + 1e-8 * scale;
  return {
    isConfirmed,
    head: {
      value: value.value,
      uncertainty: value.uncertainty,
      budget: value.budget,
      bound: value.uncertainty / scale,
      converged: isSolved && value.isRegular && isConfirmed,
      witness: {
        method: witnessed === undefined ? 'grids of 1/2 and 1/4 of the cells, extrapolated' : method,
        reference: witnessed ?? value.reference,
        scale,
        ...(value.order === undefined ? {} : { observedOrder: value.order }),
      },
      invariants: [{ name: 'gauss', label, value: imbalance, drift: imbalance, bound: GAUSS_BOUND }],
    },
  };
}
