// Exposes the Verlet list to test/numerics/neighbours.test.ts as plain numbers.
import { resetArena } from '../../assembly/kernel';
import { LINE, lines, listStarts, rebuild, reserveNeighbours } from '../../assembly/numerics/particles/neighbours';

export { foldGhosts, ghosts, lines, pairs, refreshGhosts } from '../../assembly/numerics/particles/neighbours';

let n: i32 = 0;
let listCutoff: f64 = 0;
let pairCount: i32 = 0;
let sum: f64 = 0;

export function reserve(atoms: i32, lx: f64, ly: f64, lz: f64, distance: f64, maxNeighbours: f64): i32 {
  resetArena();
  n = atoms;
  listCutoff = distance;
  return reserveNeighbours(atoms, lx, ly, lz, distance, maxNeighbours);
}

/** Builds the list, counts its pairs within the cutoff, and sums their squared distances. */
export function build(): i32 {
  const info = rebuild();
  if (info !== 0) return info;
  pairCount = 0;
  sum = 0;
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    const end = load<usize>(listStarts + <usize>(i + 1) * sizeof<usize>());
    for (let at = load<usize>(listStarts + <usize>i * sizeof<usize>()); at < end; at += 4) {
      const partner = lines + load<u32>(at);
      const dx = load<f64>(partner) - load<f64>(line);
      const dy = load<f64>(partner, 8) - load<f64>(line, 8);
      const dz = load<f64>(partner, 16) - load<f64>(line, 16);
      const r2 = dx * dx + dy * dy + dz * dz;
      if (r2 >= listCutoff * listCutoff) continue;
      pairCount++;
      sum += r2;
    }
  }
  return 0;
}

export function listedPairs(): i32 {
  return pairCount;
}

export function sumOfSquares(): f64 {
  return sum;
}
