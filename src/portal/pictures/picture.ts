// Types of result pictures, and access to the data they draw.

import type { ComponentChildren } from 'preact';
import type { KernelFace, ParameterName } from '../../kernels/face.ts';
import type { Field, Solution } from '../../solvers/definition.ts';
import type { SolverDescription } from '../solve/solver-description.ts';
import type { LiveFrame } from '../worker/messages.ts';

/** Picture of a finished result. */
export type Picture = (props: { readonly solver: SolverDescription; readonly solution: Solution }) => ComponentChildren;

/** Picture of a run in progress. */
export type LivePicture = (props: {
  readonly solver: SolverDescription;
  readonly frame: LiveFrame;
}) => ComponentChildren;

/** Gets a series or field by name; empty if missing. */
export function getField({ series, fields }: Solution, name: string): Field {
  const field = [...series, ...fields].find((candidate) => candidate.name === name);
  return field ?? { name, unit: '1', shape: [0], data: new Float64Array() };
}

/** Gets a parameter of the kernel with this face. */
export function getParameter<Face extends KernelFace>(frame: LiveFrame, name: ParameterName<Face>): number {
  return frame.parameters[name] ?? 0;
}

/** Minimum and maximum; spreading a large array into Math.min would exceed the argument limit. */
export function minMax(data: ArrayLike<number>): readonly [number, number] {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  return min <= max ? [min, max] : [0, 1];
}
