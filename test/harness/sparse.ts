// Sparse factorisations for tests: the ordering, LDLᵀ and block LU of a matrix that is given by its edges.
import { allocateF64, resetArena } from '../../assembly/kernel';
import { allocateBlockLu, factorBlocks, solveBlocks } from '../../assembly/numerics/csr/block-lu';
import {
  advanceOrdering,
  allocateOrdering,
  entryOf,
  Ordering,
  startOrdering,
} from '../../assembly/numerics/csr/minimum-degree';
import { allocateLdl, factorLdl, solveLdl } from '../../assembly/numerics/csr/sparse-ldl';

export { allocateF64, entryOf };

export function begin(n: i32, entries: i32, fill: i32): bool {
  resetArena();
  return allocateOrdering(n, entries, fill) && allocateLdl(n) && allocateBlockLu(n);
}

export function starts(): usize {
  return Ordering.starts;
}

export function neighbours(): usize {
  return Ordering.neighbours;
}

export function place(): usize {
  return Ordering.place;
}

export function columns(): usize {
  return Ordering.columns;
}

export function order(steps: i32): i32 {
  startOrdering();
  while (Ordering.done < Ordering.n) {
    const info = advanceOrdering(steps);
    if (info !== 0) return info;
  }
  return 0;
}

export function ldl(values: usize, diagonal: usize, x: usize): i32 {
  const info = factorLdl(values, diagonal);
  if (info === 0) solveLdl(values, diagonal, x);
  return info;
}

export function factor(lower: usize, upper: usize, diagonal: usize): i32 {
  return factorBlocks(lower, upper, diagonal);
}

export function solve(lower: usize, upper: usize, diagonal: usize, x: usize, isTransposed: bool): void {
  solveBlocks(lower, upper, diagonal, x, isTransposed);
}
