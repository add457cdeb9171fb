// The Verlet list for test/numerics/neighbours.test.ts, read back as plain numbers.
import { resetArena } from '../../assembly/kernel';
import { firsts, LINE, lines, rebuild, reserveNeighbours } from '../../assembly/numerics/neighbours';

export { foldGhosts, ghosts, lines, pairs, refreshGhosts } from '../../assembly/numerics/neighbours';

let n: i32 = 0;
let reach: f64 = 0;
let listed: i32 = 0;
let sum: f64 = 0;

export function reserve(atoms: i32, lx: f64, ly: f64, lz: f64, distance: f64, crowd: f64): i32 {
  resetArena();
  n = atoms;
  reach = distance;
  return reserveNeighbours(atoms, lx, ly, lz, distance, crowd);
}

/** Build, then count the pairs of the list that are really within reach, and sum their squared distances. */
export function build(): i32 {
  const info = rebuild();
  if (info !== 0) return info;
  listed = 0;
  sum = 0;
  for (let i = 0; i < n; i++) {
    const line = lines + <usize>i * LINE;
    const end = load<usize>(firsts + <usize>(i + 1) * sizeof<usize>());
    for (let at = load<usize>(firsts + <usize>i * sizeof<usize>()); at < end; at += 4) {
      const partner = lines + load<u32>(at);
      const dx = load<f64>(partner) - load<f64>(line);
      const dy = load<f64>(partner, 8) - load<f64>(line, 8);
      const dz = load<f64>(partner, 16) - load<f64>(line, 16);
      const r2 = dx * dx + dy * dy + dz * dz;
      if (r2 >= reach * reach) continue;
      listed++;
      sum += r2;
    }
  }
  return 0;
}

export function listedPairs(): i32 {
  return listed;
}

export function sumOfSquares(): f64 {
  return sum;
}
