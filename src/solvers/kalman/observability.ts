// The part that measurements do not see: the subspace that no combination of H, H F, H F², … reaches, and its eigenvalues.

import { eigenvalues } from '../parts/eigenvalues.ts';
import { type Matrix, normOf, times, transpose } from './matrix.ts';

export interface Observability {
  /** Dimension of what is seen. */
  readonly rank: number;
  /** States that belong to the unseen part. */
  readonly unseen: readonly number[];
  /** The largest magnitude of an unseen eigenvalue; 0 if everything is seen. */
  readonly growth: number;
  /** Whether everything unseen decays. */
  readonly isDetectable: boolean;
}

/** A direction that is left with less than this part of its length is none. */
const NEGLIGIBLE = 1e-9;
/** A state has part in a subspace from this component on. */
const PART = 1e-6;
/** Magnitudes this close to 1 do not decay. */
const DECAYS = 1 - 1e-9;

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0);

const lengthOf = (a: readonly number[]): number => Math.sqrt(dot(a, a));

/** The part of a vector that is orthogonal to a basis, of length 1; undefined if nothing is left. */
function newDirection(vector: readonly number[], basis: readonly (readonly number[])[]): readonly number[] | undefined {
  const whole = lengthOf(vector);
  if (!(whole > 0)) return undefined;
  let rest = vector.map((one) => one / whole);
  // Twice is enough.
  for (let turn = 0; turn < 2; turn++)
    for (const direction of basis) {
      const share = dot(rest, direction);
      rest = rest.map((one, i) => one - share * (direction[i] ?? 0));
    }
  const left = lengthOf(rest);
  return left > NEGLIGIBLE ? rest.map((one) => one / left) : undefined;
}

/** An orthonormal basis of what F, F², … make of some vectors. */
function krylov(F: Matrix, from: Matrix): readonly (readonly number[])[] {
  const basis: (readonly number[])[] = [];
  const queue = [...from];
  const scale = normOf(F) || 1;
  while (queue.length > 0 && basis.length < F.length) {
    const direction = newDirection(queue.shift() ?? [], basis);
    if (direction === undefined) continue;
    basis.push(direction);
    queue.push(F.map((row) => dot(row, direction) / scale));
  }
  return basis;
}

export function observabilityOf(F: Matrix, H: Matrix): Observability {
  const n = F.length;
  const seen = krylov(transpose(F), H);
  const all = [...seen];
  const unseenBasis: (readonly number[])[] = [];
  for (let i = 0; i < n && all.length < n; i++) {
    const direction = newDirection(
      Array.from({ length: n }, (_, j) => Number(i === j)),
      all,
    );
    if (direction === undefined) continue;
    all.push(direction);
    unseenBasis.push(direction);
  }
  const unseen = Array.from({ length: n }, (_, i) => i).filter((i) =>
    unseenBasis.some((direction) => Math.abs(direction[i] ?? 0) > PART),
  );
  const growth = unseenBasis.length === 0 ? 0 : spectralRadius(times(times(unseenBasis, F), transpose(unseenBasis)));
  return { rank: seen.length, unseen, growth, isDetectable: growth < DECAYS };
}

/** The largest magnitude of an eigenvalue. */
export function spectralRadius(matrix: Matrix): number {
  const { values } = eigenvalues(matrix);
  return values.reduce((largest, { re, im }) => Math.max(largest, Math.sqrt(re * re + im * im)), 0);
}
