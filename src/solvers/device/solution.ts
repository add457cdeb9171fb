// Builds the solution from the kernel output.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution } from '../definition.ts';
import type { DeviceFace } from './face.ts';
import type { DeviceInput } from './inputs.ts';
import { junctionSolution } from './junction-solution.ts';
import { mosSolution } from './mos-solution.ts';
import { planeSolution } from './plane-solution.ts';
import { problemOf } from './problem.ts';

export function solutionOf(outputs: readonly KernelOutput<DeviceFace>[], input: DeviceInput): Solution {
  const problem = problemOf(input);
  switch (problem.kind) {
    case 'plane':
      return planeSolution(outputs, problem, input);
    case 'mos':
      return mosSolution(outputs, problem, input);
    case 'junction':
      return junctionSolution(outputs, problem, input);
  }
}
