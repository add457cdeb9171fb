// The problem of a request: frequencies and phases of the nodes, how long the run is, and its steps.

import { nsFromSeconds, PULSE_HZ, pulseFraction } from '../../core/clock.ts';
import { TWO_PI } from '../parts/angle.ts';
import { at } from '../parts/arrays.ts';
import { validationError } from '../parts/errors.ts';
import type { LatticeInput } from './inputs.ts';
import { criticalCoupling, type LockedState, lockedState } from './reference.ts';

export interface Problem {
  readonly omega: readonly number[];
  readonly theta0: readonly number[];
  /** Ω: mean of the frequencies, which the mean of θ' keeps. */
  readonly mean: number;
  /** Frequencies less Ω. */
  readonly relative: readonly number[];
  readonly K: number;
  readonly topology: LatticeInput['topology'];
  /** Of a chain. */
  readonly critical?: number;
  readonly locked?: LockedState | undefined;
  readonly tMax: number;
  readonly samples: number;
  /** Of the coarser of the two Runge–Kutta runs. */
  readonly stepsPerSample: number;
}

/** Odd, so that one lies in the middle. */
const SAMPLES = 201;
const STEPS_PER_RADIAN = 20;
const MAX_STEPS = 1_000_000;
const MIN_STEPS_PER_SAMPLE = 2;
/** Half of the run is e^−30 of the slowest transient. */
const DECAY_TIMES = 60;
/** Radians of the fastest motion in a run whose end nothing else says. */
const RADIANS = 400;
const MAX_RADIANS = 20_000;
const IDLE_SECONDS = 10;

/** @throws DomainError VALIDATION_FAILED */
export function problemOf(input: LatticeInput): Problem {
  const { nodes, K, topology, t = 0 } = input;
  const pulse = TWO_PI * pulseFraction(nsFromSeconds(t));
  const omega = nodes.map(({ inputs = {} }) => inputs.omega ?? TWO_PI * PULSE_HZ);
  const theta0 = nodes.map(({ inputs = {} }) => inputs.theta0 ?? pulse);
  const mean = omega.reduce((sum, one) => sum + one, 0) / omega.length;
  const relative = omega.map((one) => one - mean);
  const isChain = topology === 'chain' || omega.length === 2;
  const critical = isChain ? criticalCoupling(relative) : undefined;
  const locked = isChain ? lockedState(relative, K) : undefined;
  const neighbours = topology === 'all' ? omega.length - 1 : 2;
  const rate = Math.max(...relative.map(Math.abs)) + 2 * neighbours * Math.abs(K);
  const tMax = input.tMax ?? defaultTime(locked, rate);
  return {
    omega,
    theta0,
    mean,
    relative,
    K,
    topology,
    ...(critical === undefined ? {} : { critical }),
    locked,
    tMax,
    samples: SAMPLES,
    stepsPerSample: stepsOf(input, rate, tMax, relative),
  };
}

function defaultTime(locked: LockedState | undefined, rate: number): number {
  if (rate === 0) return IDLE_SECONDS;
  const wanted = locked === undefined ? RADIANS / rate : DECAY_TIMES / Math.max(-locked.slowestRate, Number.MIN_VALUE);
  return Math.min(Math.max(wanted, 1e-6), MAX_RADIANS / rate, 1e6);
}

function stepsOf({ steps, nodes }: LatticeInput, rate: number, tMax: number, relative: readonly number[]): number {
  const wanted = steps ?? STEPS_PER_RADIAN * rate * tMax;
  if (wanted <= MAX_STEPS) return Math.max(MIN_STEPS_PER_SAMPLE, Math.ceil(wanted / (SAMPLES - 1)));
  if (steps !== undefined) throw tooMany('steps', `steps is ${steps}; at most ${MAX_STEPS} is allowed.`);
  const fastest = relative.reduce((most, one, i) => (Math.abs(one) > Math.abs(at(relative, most)) ? i : most), 0);
  const given = nodes[fastest]?.inputs?.omega;
  const path = given === undefined ? 'tMax' : `nodes[${fastest}].inputs.omega`;
  const most = (MAX_STEPS / (STEPS_PER_RADIAN * rate)).toPrecision(3);
  const what = given === undefined ? '' : `${path} is ${given}, ${relative[fastest]} from the mean; `;
  throw tooMany(path, `${what}tMax is ${tMax} s; with such frequencies and couplings at most ${most} s is allowed.`);
}

const tooMany = (path: string, message: string) => validationError(path, message, 'TOO_MANY_STEPS');
