// The compiled module of any run: laws and expressions over rows, the equations of unified, the kinetics of react.

import { accelerateRows } from '../expressions/evaluate.ts';
import type { Accelerate } from '../kernels/abi.ts';
import { accelerateReact } from './react/accelerate.ts';
import { accelerateUnified } from './unified/accelerate.ts';

export const accelerateRun: Accelerate = (image, run) =>
  accelerateRows(image, run) ?? accelerateUnified(image, run) ?? accelerateReact(image, run);
