// Hashes solutions and kernel outputs for comparison bit by bit.

import { createHash } from 'node:crypto';
import type { KernelOutput } from '../../src/kernels/abi.ts';
import type { Field, Solution } from '../../src/solvers/definition.ts';

/** SHA-256 over value, uncertainty, bound, then series and fields, as little-endian f64. */
export function hashSolution({ value, uncertainty, bound, series, fields }: Solution): string {
  const numbers: Field['data'][] = [Float64Array.of(value, uncertainty, bound)];
  for (const { data } of [...series, ...fields]) numbers.push(data);
  return hashNumbers(numbers);
}

/** SHA-256 over info, steps, views and statistics of each output, in the order of its run. */
export function hashOutputs(outputs: readonly KernelOutput[]): string {
  return hashNumbers(
    outputs.flatMap(({ info, steps, views, statistics }) => [
      Float64Array.of(info, steps),
      ...Object.values(views).flatMap((view) => view ?? []),
      Float64Array.from(Object.values(statistics), (value) => value ?? Number.NaN),
    ]),
  );
}

function hashNumbers(arrays: readonly Float64Array[]): string {
  const hash = createHash('sha256');
  for (const { buffer, byteOffset, byteLength } of arrays) hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest('hex');
}
