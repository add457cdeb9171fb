// The problem of a request: the system, its start, and how long it is followed.

import { validationError } from '../parts/errors.ts';
import { type OwnSystem, ownSystem } from './equations.ts';
import type { LorenzInput } from './inputs.ts';
import { type Defaults, PRESETS, type System } from './presets.ts';

export interface Problem {
  readonly system: System;
  /** Of the states. */
  readonly names: readonly string[];
  /** σ, ρ, β or a, b, c; zeros of a system of one's own. */
  readonly constants: readonly [number, number, number];
  readonly own?: OwnSystem | undefined;
  readonly start: readonly number[];
  readonly dt: number;
  readonly steps: number;
  readonly transient: number;
  /** Index of the state whose maxima are shown. */
  readonly watched: number;
  readonly delta: number;
  readonly tolerance: number;
  readonly pairTime: number;
}

const FIELDS = {
  lorenz: ['sigma', 'rho', 'beta'],
  rossler: ['a', 'b', 'c'],
  custom: ['equations', 'constants'],
} as const;

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function problemOf(input: LorenzInput): Problem {
  const chosen: Defaults = PRESETS[input.preset];
  const { system = input.equations === undefined ? chosen.system : 'custom' } = input;
  // Another system than the preset's begins from the defaults of its own kind.
  const preset: Defaults = system === chosen.system || system === 'custom' ? chosen : PRESETS[system];
  assertFields(input, system);
  const own = system === 'custom' ? ownOf(input, preset) : undefined;
  const names = own?.names ?? ['x', 'y', 'z'];
  const start = startOf(input, preset, names);
  const { dt = preset.dt, steps = preset.steps, tolerance = preset.tolerance } = input;
  const { transient = Math.floor(steps / 10), pair_time: pairTime = preset.pair_time, delta } = input;
  if (!(tolerance > delta)) {
    const message = `tolerance is ${tolerance}; expected more than delta = ${delta}, how far apart the two start.`;
    throw validationError('tolerance', message, 'OUT_OF_RANGE', { delta });
  }
  const of = (name: 'sigma' | 'rho' | 'beta' | 'a' | 'b' | 'c') => input[name] ?? preset[name];
  return {
    system,
    names,
    constants:
      system === 'lorenz'
        ? [of('sigma'), of('rho'), of('beta')]
        : system === 'rossler'
          ? [of('a'), of('b'), of('c')]
          : [0, 0, 0],
    own,
    start,
    dt,
    steps,
    transient,
    watched: watchedOf(input, preset, names),
    delta,
    tolerance,
    pairTime,
  };
}

/** A field of another system would change nothing, and so is a mistake. */
function assertFields(input: LorenzInput, system: System): void {
  for (const [other, fields] of Object.entries(FIELDS))
    for (const field of fields) {
      if (other === system || input[field] === undefined) continue;
      const message = `${field} belongs to the system ${other}; the system is ${system}.`;
      throw validationError(field, message);
    }
}

function ownOf({ equations, constants }: LorenzInput, preset: Defaults): OwnSystem {
  const text = equations ?? preset.equations;
  if (text === undefined)
    throw validationError('equations', "equations is missing; the system custom needs x' = …", 'MISSING');
  return ownSystem(text, constants ?? (equations === undefined ? preset.constants : undefined));
}

function startOf({ start, equations }: LorenzInput, preset: Defaults, names: readonly string[]): readonly number[] {
  const fits = preset.start.length === names.length && equations === undefined;
  const given = start ?? (fits ? preset.start : names.map((_, i) => 0.1 * (i + 1)));
  if (given.length === names.length) return given;
  const message = `start has ${given.length} numbers; expected ${names.length}: ${names.join(', ')}.`;
  throw validationError('start', message, 'COUNTS_DIFFER', { expected: names.length });
}

function watchedOf({ watch, equations }: LorenzInput, preset: Defaults, names: readonly string[]): number {
  const name = watch ?? (equations === undefined ? preset.watch : undefined);
  const index = name === undefined ? names.length - 1 : names.indexOf(name);
  if (index >= 0) return index;
  throw validationError('watch', `watch is ${JSON.stringify(name)}; expected one of ${names.join(', ')}.`);
}
