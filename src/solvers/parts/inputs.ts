// Input fields of solvers: kinds of fields, and the fields that many solvers have, each with its usual range.
//
// A field has a line of help, a unit and a range, and a default unless the solver chooses a value by itself.

import { z } from 'zod';

interface Range {
  readonly min: number;
  readonly max: number;
  /** Left out if the solver chooses a value by itself. */
  readonly default?: number;
}

interface WithSymbol {
  /** As formulas write it. */
  readonly symbol?: string;
}

interface WithUnit {
  readonly unit: string;
}

/** A field with a default is never undefined. */
type InputField<Kind extends z.ZodNumber, Given> = Given extends { readonly default: number }
  ? z.ZodDefault<Kind>
  : z.ZodOptional<Kind>;

/** A real number. @param help  one line, without the unit and the range */
export function real<const Given extends Range & WithUnit & WithSymbol>(
  help: string,
  given: Given,
): InputField<z.ZodNumber, Given> {
  return described(z.number(), help, given);
}

/** A whole number without a unit. @param help  one line, without the range */
export function whole<const Given extends Range & WithSymbol>(help: string, given: Given): InputField<z.ZodInt, Given> {
  return described(z.int(), help, { ...given, unit: '1' });
}

function described<Kind extends z.ZodNumber, Given>(
  kind: z.ZodNumber,
  help: string,
  { min, max, default: standard, unit, symbol }: Range & WithUnit & WithSymbol,
): InputField<Kind, Given> {
  const ranged = kind.min(min).max(max);
  const field = standard === undefined ? ranged.optional() : ranged.default(standard);
  return field.describe(help).meta(symbol === undefined ? { unit } : { unit, symbol }) as InputField<Kind, Given>;
}

/** One of several words; the first is the default. */
export function choice<const Words extends readonly [string, ...string[]]>(help: string, words: Words) {
  // The type of the first word is not inferred to be an output of the enumeration.
  const standard = words[0] as never;
  return z.enum(words).default(standard).describe(help).meta({ unit: '1' });
}

type AxisName = 'x' | 'y' | 'z';

/** Cells of a grid along an axis. @param note  what the number means for the nodes, or when it is not used */
export const cellsAlong = (axis: AxisName, note: string, given: Required<Range>) =>
  whole(`Cells along ${axis}; ${note}`, { ...given, symbol: `N_${axis}` });

/** Length of a domain along an axis, 1 m by default. @param choice  the word of another field for which it is used */
export const lengthAlong = (axis: AxisName, choice?: string) =>
  real(choice === undefined ? `Length along ${axis}` : `${choice}: length along ${axis}`, {
    unit: 'm',
    symbol: `L_${axis}`,
    min: 1e-6,
    max: 1e6,
    default: 1,
  });

/** Length of a time step; any positive one, unless a range is given. */
export function timeStep<const Given extends Partial<Range> & WithUnit>(
  help: string,
  given: Given,
): InputField<z.ZodNumber, Given> {
  return described(z.number(), help, { min: 1e-30, max: 1e30, symbol: 'Δt', ...given });
}

/** Number of time steps, or of attempts; at least one, unless a minimum is given. */
export function stepCount<const Given extends Partial<Range> & { readonly max: number }>(
  help: string,
  given: Given,
): InputField<z.ZodInt, Given> {
  return described(z.int(), help, { min: 1, ...given, unit: '1' });
}

/** Number of recorded samples from the start to the end, both included. */
export const sampleCount = (help: string, given: Omit<Required<Range>, 'min'>) => whole(help, { min: 2, ...given });

/** Seed of the random numbers. @param help  names what is drawn */
export const seed = (help: string) => whole(help, { min: 0, max: Number.MAX_SAFE_INTEGER, default: 42 });

/** Relative tolerance of an iteration or of the error of a step. */
export const relativeTolerance = (help: string, given: Required<Range>) => real(help, { ...given, unit: '1' });

/** Absolute tolerance, in the unit of what it bounds; the solver chooses it by default. */
export const absoluteTolerance = (help: string, unit: string) => real(help, { min: 1e-300, max: 1e30, unit });
