// Outputs of the runs of a plan.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { KernelFace } from '../../kernels/face.ts';

/** @throws Error if the plan has no such run */
export function outputOf<Face extends KernelFace>(
  outputs: readonly KernelOutput<Face>[],
  index: number,
): KernelOutput<Face> {
  const output = outputs[index];
  if (output === undefined) throw new Error(`Output ${index} of the plan is missing.`);
  return output;
}
