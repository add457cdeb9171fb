// Exposes the accelerations of bodies in assembly/solvers/multibody/forces to their test.
import { allocateF64, resetArena } from '../../assembly/kernel';
import {
  forcesSize,
  initForces,
  masses,
  setForces,
  sites,
  splitDerivatives,
  states,
} from '../../assembly/solvers/multibody/forces';

let state: usize = 0;
let change: usize = 0;
let slopes: usize = 0;

/** Room for n bodies in d dimensions; on a line each may have a site. */
export function prepare(n: i32, d: i32, strength: f64, softening: f64): void {
  resetArena();
  initForces(n, d, false, false, allocateF64(forcesSize(n, d)));
  setForces(strength, softening, 0, 0);
  state = allocateF64(states);
  change = allocateF64(states);
  slopes = allocateF64(states);
}

/** f64[n] */
export function massesAt(): usize {
  return masses;
}

/** f64[n] */
export function sitesAt(): usize {
  return sites;
}

/** Of the state, f64[2, n, d]: x and v. */
export function stateAt(): usize {
  return state;
}

/** What is added to the state. */
export function changeAt(): usize {
  return change;
}

/** Writes x' and v'. @returns their place, f64[2, n, d] */
export function derive(): usize {
  splitDerivatives(0, state, change, slopes);
  return slopes;
}
