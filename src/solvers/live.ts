// The declaration of live frames: how a run in progress is drawn from what its kernel has recorded so far.

import type { KernelFace, ParameterName, ViewName } from '../kernels/face.ts';
import type { Drawing } from './plot.ts';

export interface LiveFrames<Input, Face extends KernelFace = KernelFace> {
  /** View of recorded frames, one after the other; a view of one frame holds the current state. */
  readonly view: ViewName<Face>;
  /** Numbers in one frame of a run with these parameters. */
  frameLength(parameter: (name: ParameterName<Face>) => number): number;
  /** A plot of one frame, with the arrays that it names; undefined while nothing is to be seen. Pure; `frame` is a copy. */
  draw(frame: Float64Array, run: LiveRun<Input, Face>): Drawing | undefined;
}

/** The run that a frame belongs to. */
export interface LiveRun<Input, Face extends KernelFace = KernelFace> {
  readonly input: Input;
  readonly parameter: (name: ParameterName<Face>) => number;
}
