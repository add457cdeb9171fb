// What a picture is given.

import type { ComponentChildren } from 'preact';
import type { Field, Solution } from '../../solvers/solver.ts';
import type { SolverDescription } from '../solve/description.ts';
import type { Glimpse } from '../work/messages.ts';

/** A finished result. */
export type Picture = (props: { readonly solver: SolverDescription; readonly solution: Solution }) => ComponentChildren;

/** A run on its way. */
export type LivePicture = (props: {
  readonly solver: SolverDescription;
  readonly glimpse: Glimpse;
}) => ComponentChildren;

/** A series or field by name; an empty one if the solver gave none. */
export function arrayOf({ series, fields }: Solution, name: string): Field {
  const found = [...series, ...fields].find((one) => one.name === name);
  return found ?? { name, unit: '1', shape: [0], data: new Float64Array() };
}

/** The kernel's parameter of this name. */
export function parameterOf(solver: SolverDescription, glimpse: Glimpse, name: string): number {
  return glimpse.parameters[solver.parameters.indexOf(name)] ?? 0;
}

/** Least and greatest without the limits of spreading a large array into arguments. */
export function extremes(data: ArrayLike<number>): readonly [number, number] {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < data.length; i++) {
    const value = data[i] ?? 0;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return least <= greatest ? [least, greatest] : [0, 1];
}
