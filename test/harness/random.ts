// Random numbers for test/numerics/random.test.ts.
export { gamma, normalPair, philox, seedRandom, uniformPair } from '../../assembly/numerics/random';

const OUT: usize = memory.data(16, 16);

export function out(): usize {
  return OUT;
}
