// Standard normal deviates of a block of samples: pseudorandom, or of a scrambled Sobol sequence.
//
// Sobol's sequence serves the first 64 dimensions, which the bridge makes the important ones; the others are pseudorandom,
// so a mean over replicates stays unbiased.
import { allocate } from '../../kernel';
import { key0, key1 } from '../../numerics/random';
import { uniformRow } from '../../numerics/random-row';
import { SOBOL_DIMENSIONS, scrambleSobol, sobolBytes, sobolRow } from '../../numerics/sobol';
import { normalQuantileRow } from '../../numerics/special/normal-row';
import { BLOCK } from './samples';

namespace Draws {
  export let dimensions: i32 = 0;
  export let isSobol: bool = false;
  export let state: usize = 0;
}

export function allocateDraws(dimensions: i32, isSobol: bool): bool {
  Draws.dimensions = isSobol ? (dimensions < SOBOL_DIMENSIONS ? dimensions : SOBOL_DIMENSIONS) : 0;
  Draws.isSobol = isSobol;
  Draws.state = isSobol ? allocate(sobolBytes(Draws.dimensions)) : 0;
  return !isSobol || Draws.state !== 0;
}

/** To be called before the first block of each group. */
export function startGroup(group: i32): void {
  if (Draws.isSobol) scrambleSobol(Draws.state, Draws.dimensions, <u32>group, key0, key1);
}

/**
 * Uniform number `dimension` of the samples of a block, in (0, 1), to f64[BLOCK].
 *
 * @param block    of the run: counts the pseudorandom numbers
 * @param inGroup  of the group: counts the points of its sequence
 */
export function uniformDraws(out: usize, dimension: i32, block: i32, inGroup: i32): void {
  if (dimension < Draws.dimensions)
    sobolRow(Draws.state, Draws.dimensions, dimension, out, BLOCK, <u32>inGroup * BLOCK);
  else uniformRow(out, BLOCK >> 1, <u32>dimension, <u64>block * (BLOCK >> 1));
}

/** Deviate `dimension` of the samples of a block, to f64[BLOCK]; parameters of `uniformDraws`. */
export function normalRow(out: usize, dimension: i32, block: i32, inGroup: i32): void {
  uniformDraws(out, dimension, block, inGroup);
  normalQuantileRow(out, BLOCK);
}
