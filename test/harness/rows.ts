import { cosinePair } from '../../assembly/numerics/cosine-pair';
import { expPair, expRow } from '../../assembly/numerics/exponential';
import { logPair } from '../../assembly/numerics/logarithm';
import { seedRandom, uniformPair } from '../../assembly/numerics/random';
import { uniformRow } from '../../assembly/numerics/random-row';
import { scrambleSobol, sobolBytes, sobolRow } from '../../assembly/numerics/sobol';
import { normalQuantile } from '../../assembly/numerics/special/normal';
import { normalQuantileRow } from '../../assembly/numerics/special/normal-row';

export {
  expRow,
  normalQuantile,
  normalQuantileRow,
  scrambleSobol,
  seedRandom,
  sobolBytes,
  sobolRow,
  uniformPair,
  uniformRow,
};

const OUT: usize = memory.data(16384, 16);
const STATE: usize = memory.data(16384, 16);

export function out(): usize {
  return OUT;
}

export function state(): usize {
  return STATE;
}

/** exp of f64[2] in place. */
export function expAt(at: usize): void {
  v128.store(at, expPair(v128.load(at)));
}

/** ln of f64[2] in place. */
export function logAt(at: usize): void {
  v128.store(at, logPair(v128.load(at)));
}

/** cos of f64[2] in place, and Math.cos of each. */
export function cosinesAt(at: usize): void {
  v128.store(at, cosinePair(v128.load(at)));
}

export function cosineOf(x: f64): f64 {
  return Math.cos(x);
}
