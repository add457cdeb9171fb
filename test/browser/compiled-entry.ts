// Script for a page: compares compiled expressions with the machine, and hashes the machine's outputs.

import { sha256Hex } from '../../src/core/sha256.ts';
import { EXPRESSION_KERNEL } from '../../src/expressions/evaluate.ts';
import { compileKernel, instantiate } from '../../src/kernels/instance.ts';
import { bitsOf, compareProgram } from '../expressions/compiled/compare.ts';

export interface Summary {
  /** Seeds whose compiled run differs from the machine's. */
  readonly different: readonly number[];
  readonly compiled: number;
  /** Of all outputs of the machine. */
  readonly sha256: string;
}

/** @param kernel  bytes of the expression kernel */
export async function compareSeeds(
  kernel: readonly number[],
  from: number,
  to: number,
  rows: number,
): Promise<Summary> {
  const bytes = Uint8Array.from(kernel);
  const instance = instantiate(await compileKernel({ slug: EXPRESSION_KERNEL, sha256: '', bytes }));
  const different: number[] = [];
  let compiled = 0;
  let chain = '';
  for (let seed = from; seed < to; seed++) {
    const comparison = compareProgram(instance, seed, rows);
    if (!comparison.isSame) different.push(seed);
    if (comparison.isCompiled) compiled++;
    chain = sha256Hex(chain + bitsOf(comparison.machine));
  }
  return { different, compiled, sha256: chain };
}

Object.assign(globalThis, { compareSeeds });
