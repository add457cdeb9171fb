// The problem of a request: coefficients of the field, start, ground, and times; rejects fields that do not fit together.

import { validationError } from '../parts/errors.ts';
import { normalGravity } from '../parts/master-field/normal-gravity.ts';
import { type CouplingPrograms, couplingPrograms } from '../parts/master-field/programs.ts';
import { dragOf, GRAVITY_AT, type Location, RADIUS_OF } from '../parts/master-field/sites.ts';
import type { SolveInput } from './inputs.ts';

/** Of the equation, per unit of mass; see assembly/solvers/solve/field.ts. */
export interface Coefficients {
  readonly gravity: number;
  /** Distance of φ = 0 from the centre; 0 for uniform gravity. */
  readonly radius: number;
  readonly alpha: number;
  readonly beta: number;
  readonly kappa: number;
  readonly mu: number;
  readonly damping: number;
  readonly drag: number;
  readonly drive: number;
  readonly omega: number;
  readonly phase: number;
}

export interface Problem extends Coefficients {
  readonly mass: number;
  readonly couplings: CouplingPrograms;
  readonly hasWork: boolean;
  readonly phi0: number;
  readonly dphi0: number;
  readonly ground: number | undefined;
  readonly tEnd: number;
  readonly dt: number;
  readonly samples: number;
  readonly tolerance: number;
  readonly iterations: number;
  /** Which closed form is the reference: 0 none, 1 linear or Duffing's, 2 a fall with quadratic drag. */
  readonly closed: 0 | 1 | 2;
  readonly notes: readonly string[];
}

const NO_COUPLINGS = couplingPrograms({}, false);
const TIME = { min: 0.1, max: 30 } as const;
const STEP = { min: 0.001, max: 0.1 } as const;

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: SolveInput): Problem {
  const notes: string[] = [];
  const { mass, referenceMode, coreOnly, samples, tolerance, maxIterations, velocity } = input;
  const isFall = referenceMode === 'free-fall' || referenceMode === 'gravity';
  // The ids are checked also where they are left out.
  const all = couplingPrograms(input.koSettings ?? {}, input.normalizeOperators);
  const couplings = coreOnly || !input.useOperatorModules ? NO_COUPLINGS : all;
  if (couplings.ids.length < all.ids.length) notes.push(`The ${all.ids.length} couplings of koSettings are left out.`);
  if (isFall && input.alpha === undefined) notes.push(`alpha is 0: ${referenceMode} has no spring unless it is given.`);
  const extra = coreOnly
    ? { damping: 0, drag: 0, drive: 0 }
    : { damping: input.damping, drag: dragFrom(input), drive: input.drive };
  const coefficients: Coefficients = {
    ...weightOf(input, isFall),
    alpha: input.alpha ?? (isFall ? 0 : 1),
    beta: input.beta,
    kappa: input.exponential,
    mu: input.exponent,
    ...extra,
    omega: extra.drive === 0 ? 0 : input.driveFrequency,
    phase: extra.drive === 0 ? 0 : input.drivePhase,
  };
  const start = startOf(input, isFall, coefficients);
  return {
    ...coefficients,
    mass,
    couplings,
    hasWork: couplings.ids.length > 0 || extra.damping !== 0 || extra.drag !== 0 || extra.drive !== 0,
    ...start,
    dphi0: velocity,
    tEnd: input.duration ?? clamped('tMax', input.tMax, TIME, notes),
    dt: clamped('dt', input.dt, STEP, notes),
    samples,
    tolerance,
    iterations: maxIterations,
    closed: referenceMode === 'model' || couplings.ids.length > 0 ? 0 : closedFormOf(coefficients),
    notes,
  };
}

/** As the specification says: values beyond the range count as its end. */
function clamped(name: string, value: number, { min, max }: { min: number; max: number }, notes: string[]): number {
  const used = Math.min(max, Math.max(min, value));
  const more = name === 'tMax' && value > max ? '; give duration for a longer time' : '';
  if (used !== value) notes.push(`${name} = ${value} counts as ${used}: it is clamped to ${min} … ${max} s${more}.`);
  return used;
}

function dragFrom({ drag, medium = 'vacuum', mass, dragArea }: SolveInput): number {
  return drag ?? dragOf(medium, mass, dragArea);
}

function weightOf(input: SolveInput, isFall: boolean): Pick<Coefficients, 'gravity' | 'radius'> {
  const { latitude, altitude = 0, gravity, referenceMode } = input;
  const location: Location | undefined =
    input.location ?? (isFall || latitude !== undefined || input.altitude !== undefined ? 'earth' : undefined);
  if (latitude !== undefined && location !== 'earth')
    throw validationError('latitude', `latitude is of the Earth; location is ${location}. Leave latitude out.`);
  if (gravity !== undefined && (latitude !== undefined || input.altitude !== undefined)) {
    const field = latitude === undefined ? 'altitude' : 'latitude';
    throw validationError(field, `${field} gives gravity, which is ${gravity} already. Leave one of them out.`);
  }
  if (location === undefined) return { gravity: gravity ?? 0, radius: 0 };
  const isCentral = referenceMode === 'gravity';
  if (latitude !== undefined) {
    const { g, radius } = normalGravity(latitude, altitude);
    if (!(altitude <= 1e5)) {
      const message = `altitude is ${altitude}; the free-air reduction of WGS 84 holds to 100000 m. Leave latitude out.`;
      throw validationError('altitude', message, 'OUT_OF_RANGE', { max: 1e5 });
    }
    return { gravity: g, radius: isCentral ? radius : 0 };
  }
  const surface = RADIUS_OF[location];
  const part = surface / (surface + altitude);
  return { gravity: gravity ?? GRAVITY_AT[location] * part * part, radius: isCentral ? surface + altitude : 0 };
}

function startOf(
  { height, position, ground: given, velocity }: SolveInput,
  isFall: boolean,
  { radius }: Coefficients,
): Pick<Problem, 'phi0' | 'ground'> {
  if (height !== undefined && position !== undefined)
    throw validationError('height', `height is ${height} and position ${position}; give one of them.`);
  const ground = given ?? (isFall || height !== undefined ? 0 : undefined);
  const phi0 = height === undefined ? (position ?? 1) : (ground ?? 0) + height;
  if (radius > 0 && !(phi0 > -0.999 * radius)) {
    const message = `position is ${phi0}; the centre lies at ${-radius}, so it is above ${-0.999 * radius}.`;
    throw validationError(height === undefined ? 'position' : 'height', message, 'OUT_OF_RANGE', {
      min: -0.999 * radius,
    });
  }
  if (ground === undefined) return { phi0, ground };
  // A fall from below place 0 has no ground unless it is given.
  if (given === undefined && phi0 < ground) return { phi0, ground: undefined };
  if (phi0 < ground || (phi0 === ground && velocity <= 0)) {
    const field = height === undefined ? 'position' : 'height';
    const message = `${field} is ${height ?? phi0}; it lies on or below the ground at ${ground}. Start above it, or upwards from it.`;
    throw validationError(field, message, 'BELOW_GROUND', { ground });
  }
  return { phi0, ground };
}

function closedFormOf({ gravity, radius, alpha, beta, kappa, damping, drag, drive }: Coefficients): 0 | 1 | 2 {
  if (radius > 0 || kappa !== 0) return 0;
  if (drag > 0) return alpha === 0 && beta === 0 && damping === 0 && drive === 0 && gravity > 0 ? 2 : 0;
  return beta === 0 || (damping === 0 && drive === 0 && gravity === 0) ? 1 : 0;
}
