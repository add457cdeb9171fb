// The points of a sweep: one or two inputs that take a list of values, or evenly spaced ones.

import { z } from 'zod';
import { exp, log } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { singleLine } from '../../core/text-schema.ts';
import { parseOrThrow, quoteValue } from '../../core/validation.ts';
import type { SampleSpec } from '../../solvers/samples.ts';

const { points: MAX_POINTS, runs: MAX_RUNS, unknowns: MAX_UNKNOWNS, names: MAX_NAMES } = LIMITS.sweep;

/** Evenly spaced values, or values with an even ratio. */
const spacingShape = (max: number, limit: string) =>
  z.strictObject({
    from: z.number().describe('First value.'),
    to: z.number().describe('Last value.'),
    // A refinement, for its words: they say all that would fit.
    count: z
      .int()
      .min(2)
      .refine((count) => count <= max, `at most ${limit} are allowed`)
      .meta({ description: 'Number of values.', maximum: max }),
    scale: z.enum(['linear', 'log']).optional().describe('Even steps, or even ratios.'),
  });
const SpacingShape = spacingShape(MAX_POINTS, `${MAX_POINTS} points`);

const axisShape = (max: number, limit: string) =>
  z.union([z.array(z.number()).min(1).max(max), spacingShape(max, limit)], {
    // Only of what is neither a list nor an object; the issues of these name their own fields.
    error: 'a list of numbers, or {from, to, count, scale}, is expected',
  });

/** Values of an input, in the unit of the input. */
export type AxisSpec = z.output<ReturnType<typeof axisShape>>;

/** By input; the first is outermost. @param limit  how many points, in words */
const sweepShape = (max: number, limit: string) =>
  z
    .record(singleLine(LIMITS.keyCharacters), axisShape(max, limit))
    .describe(
      `One or two inputs that take many values: {"v": [1, 2]} or {"v": {"from": 1, "to": 9, "count": 5}}; at most ${limit}.`,
    );

/** Of laws. */
export const SweepShape = sweepShape(MAX_POINTS, `${MAX_POINTS} points (${MAX_UNKNOWNS} with solve_for)`);
/** Of a solver, each of whose points is a kernel run at least. */
export const SolverSweepShape = sweepShape(MAX_RUNS, `${MAX_RUNS} points`);

export type SweepSpec = Readonly<z.output<typeof SweepShape>>;

/** One input of a sweep as it is sealed. A list, because canonical JSON does not keep the order of names. */
export const SealedAxisShape = z.union([
  z.strictObject({
    name: z.string().min(1).max(LIMITS.keyCharacters),
    values: z.array(z.number()).min(1).max(MAX_POINTS),
  }),
  SpacingShape.extend({ name: z.string().min(1).max(LIMITS.keyCharacters) }),
]);

export type SealedAxis = z.output<typeof SealedAxisShape>;

export interface Axis {
  readonly name: string;
  readonly values: Float64Array;
  readonly sealed: SealedAxis;
}

/** The points at which a computation is made. */
export interface PointSet {
  readonly names: readonly string[];
  readonly count: number;
  /** The value of each name. */
  at(index: number): readonly number[];
  /** Of a sweep; none of samples. */
  readonly axes: readonly Axis[];
  /** The samples, whose result is that of point 0; that of a sweep is its last one. */
  readonly samples?: SampleSpec;
}

export const gridOf = (axes: readonly Axis[]): PointSet => ({
  names: axes.map(({ name }) => name),
  count: pointCount(axes),
  at: (index) => pointAt(axes, index),
  axes,
});

/** @param spec  of laws, as it was given. @throws DomainError VALIDATION_FAILED naming the field */
export const axesOf = (spec: unknown): readonly Axis[] => parsedAxes(spec, SweepShape, MAX_POINTS);

/** @param spec  of a solver, as it was given. @throws DomainError VALIDATION_FAILED naming the field */
export const axesOfSolver = (spec: unknown): readonly Axis[] => parsedAxes(spec, SolverSweepShape, MAX_RUNS);

function parsedAxes(spec: unknown, shape: typeof SweepShape, max: number): readonly Axis[] {
  const { sweep } = parseOrThrow(z.object({ sweep: shape }), { sweep: spec });
  const sealed = Object.entries(sweep).map(
    ([name, axis]): SealedAxis =>
      Array.isArray(axis) ? { name, values: axis.map((value) => value + 0) } : { name, ...spacing(axis) },
  );
  return axesOfSealed(sealed, max);
}

const spacing = ({ from, to, count, scale }: z.output<typeof SpacingShape>) => ({
  from: from + 0,
  to: to + 0,
  count,
  ...(scale === undefined ? {} : { scale }),
});

/** @throws DomainError VALIDATION_FAILED naming the field */
export function axesOfSealed(sealed: readonly SealedAxis[], max: number = MAX_POINTS): readonly Axis[] {
  if (sealed.length < 1 || sealed.length > MAX_NAMES)
    refuse(
      'sweep',
      `sweep names ${sealed.length} inputs (${quoteValue(sealed.map(({ name }) => name))}); one or two are expected.`,
    );
  const axes = sealed.map((one): Axis => ({ name: one.name, values: valuesOf(one), sealed: one }));
  const [first, second] = axes;
  if (second !== undefined && first?.name === second.name)
    refuse(`sweep.${second.name}`, `sweep names ${second.name} twice; two different inputs are expected.`);
  const count = pointCount(axes);
  if (count > max)
    refuse(
      'sweep',
      `This sweep has ${axes.map(({ values }) => values.length).join(' × ')} = ${count} points; at most ${max} are allowed.`,
    );
  return axes;
}

const pointCount = (axes: readonly Axis[]): number => axes.reduce((product, { values }) => product * values.length, 1);

/** The value of each axis at a point. */
function pointAt(axes: readonly Axis[], index: number): readonly number[] {
  const last = axes.at(-1)?.values ?? new Float64Array();
  if (axes.length < 2) return [last[index] ?? Number.NaN];
  const [first] = axes;
  return [first?.values[Math.floor(index / last.length)] ?? Number.NaN, last[index % last.length] ?? Number.NaN];
}

function valuesOf(axis: SealedAxis): Float64Array {
  if ('values' in axis) return Float64Array.from(axis.values);
  const { name, from, to, count, scale = 'linear' } = axis;
  const wrong = (field: string, got: number, expected: string) =>
    refuse(`sweep.${name}.${field}`, `sweep.${name}.${field} is ${got}; ${expected} is expected.`);
  if (!Number.isFinite(from)) wrong('from', from, 'a finite number');
  if (!Number.isFinite(to - from)) wrong('to', to, 'a number at a finite distance from `from`');
  if (from === to) wrong('to', to, 'another number than `from`');
  const values = new Float64Array(count);
  if (scale === 'linear') {
    for (let i = 0; i < count; i++) values[i] = ended(i, axis, from + (i * (to - from)) / (count - 1)) + 0;
    return values;
  }
  if (!(from > 0)) wrong('from', from, 'a number above 0, because of scale log,');
  if (!(to > 0)) wrong('to', to, 'a number above 0, because of scale log,');
  const [start, end] = [log(from), log(to)];
  for (let i = 0; i < count; i++) values[i] = ended(i, axis, exp(start + (i * (end - start)) / (count - 1)));
  return values;
}

/** The ends are exactly what was asked for. */
const ended = (i: number, { from, to, count }: z.output<typeof SpacingShape>, between: number) =>
  i === 0 ? from : i === count - 1 ? to : between;

function refuse(path: string, message: string): never {
  throw new DomainError('VALIDATION_FAILED', message, { details: [{ path, code: 'SWEEP_INVALID', message }] });
}
