// The compiled module of any run: laws and expressions over rows, and the equations of unified.

import { accelerateRows } from '../expressions/evaluate.ts';
import type { Accelerate } from '../kernels/abi.ts';
import { accelerateUnified } from './unified/accelerate.ts';

export const accelerateRun: Accelerate = (image, run) => accelerateRows(image, run) ?? accelerateUnified(image, run);
