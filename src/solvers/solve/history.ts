// The motion as the kernel records it, and how far each number may be off.

import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import { at } from '../parts/arrays.ts';
import type { SolveFace } from './face.ts';
import type { Problem } from './problem.ts';

/** φ, φ′, and the work of what is not conserved with the dissipated part, per unit of mass. */
export interface Way {
  readonly phi: Float64Array;
  readonly dphi: Float64Array;
  readonly work: Float64Array;
  readonly dissipated: Float64Array;
}

export interface History {
  readonly t: Float64Array;
  /** By equal steps of Runge and Kutta's method, which is shown. */
  readonly shown: Way;
  /** By DOP853, and by extrapolation from a start half a rounding away. */
  readonly first: Way;
  readonly second: Way;
  readonly closed: Pick<Way, 'phi' | 'dphi'> | undefined;
  /** Half widths of what is shown, and of the first run alone; a work counts as much as the others together. */
  readonly shownError: Way;
  readonly firstError: Way;
  /** Samples that are predictable, and whether others are not. */
  readonly kept: number;
}

/** Of the largest difference of two runs so far: both err. */
const RESERVE = 3;
/** Couplings may have kinks: what a step across one errs depends on where in the step it lies. */
const RESERVE_WITH_KINKS = 10;
/** Of a difference that is known from a better run. */
const KNOWN = 1.2;
const ROUNDINGS = 4 * Number.EPSILON;
/** Part of the largest number beyond which runs that differ predict nothing. */
const MAX_DIFFERENCE = 1e-3;

export function historyOf({ views, columns }: KernelOutput<SolveFace>, problem: Problem): History {
  const { column } = rowsOf(views.history ?? new Float64Array(), columns.history);
  const shown = {
    phi: column('phi'),
    dphi: column('dphi'),
    work: column('work'),
    dissipated: column('dissipated'),
  };
  const first = {
    phi: column('phiFirst'),
    dphi: column('dphiFirst'),
    work: column('workFirst'),
    dissipated: column('dissipatedFirst'),
  };
  const second = {
    phi: column('phiSecond'),
    dphi: column('dphiSecond'),
    work: column('workSecond'),
    dissipated: column('dissipatedSecond'),
  };
  const closed = problem.closed === 0 ? undefined : { phi: column('phiClosed'), dphi: column('dphiClosed') };
  const reserve = problem.couplings.ids.length > 0 ? RESERVE_WITH_KINKS : RESERVE;
  const firstError = mapWay((name) => runningError(first[name], second[name], reserve));
  const shownError = mapWay((name) =>
    firstError[name].map((own, i) => own + KNOWN * Math.abs(at(shown[name], i) - at(first[name], i))),
  );
  return {
    t: column('t'),
    shown,
    first,
    second,
    closed,
    shownError,
    firstError,
    kept: keptSamples(first, second),
  };
}

const mapWay = (of: (name: keyof Way) => Float64Array): Way => ({
  phi: of('phi'),
  dphi: of('dphi'),
  work: of('work'),
  dissipated: of('dissipated'),
});

/** The largest difference so far, since two runs may cross. */
function runningError(one: Float64Array, other: Float64Array, reserve: number): Float64Array {
  let [largest, size] = [0, 0];
  return one.map((value, i) => {
    largest = Math.max(largest, Math.abs(value - at(other, i)));
    size = Math.max(size, Math.abs(value));
    return reserve * largest + ROUNDINGS * size;
  });
}

/** Samples up to the first at which two runs differ by more than a thousandth of the largest place so far. */
function keptSamples(first: Way, second: Way): number {
  let [reach, speed] = [0, 0];
  for (const [i, phi] of first.phi.entries()) {
    reach = Math.max(reach, Math.abs(phi));
    speed = Math.max(speed, Math.abs(at(first.dphi, i)));
    const off = Math.abs(phi - at(second.phi, i));
    const slopeOff = Math.abs(at(first.dphi, i) - at(second.dphi, i));
    if (!(off <= MAX_DIFFERENCE * reach && slopeOff <= MAX_DIFFERENCE * speed)) return i;
  }
  return first.phi.length;
}
