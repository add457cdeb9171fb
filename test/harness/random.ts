// Exposes assembly/numerics/random to its test.
export { gamma, normalPair, philox, seedRandom, uniformPair } from '../../assembly/numerics/random';

const OUT: usize = memory.data(16, 16);

export function out(): usize {
  return OUT;
}
