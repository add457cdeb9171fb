// The problem of a request: Hamiltonian, start, steps, and the times at which the exact motion is needed.

import { cos, sin } from '../../core/elementary.ts';
import { quarterPeriod } from '../parts/elliptic.ts';
import { validationError } from '../parts/errors.ts';
import { recordedSteps, recordInterval } from '../parts/sampling.ts';
import { type Hamiltonian, hamiltonianOf } from './hamiltonian.ts';
import type { ActionInput } from './inputs.ts';

export interface Problem {
  readonly system: ActionInput['system'] | 'custom';
  readonly degrees: number;
  /** μ, ω² or λ. */
  readonly constant: number;
  readonly hamiltonian: Hamiltonian | undefined;
  readonly initial: Float64Array;
  readonly order: 2 | 4 | 6 | 8;
  readonly steps: number;
  readonly dt: number;
  readonly recordEvery: number;
  readonly samples: number;
  /** Rising, from 0: recorded times up to the end of the reference, and that of the table. */
  readonly times: Float64Array;
  /** Steps of dt in the table, a multiple of 4; 0 without one. */
  readonly compared: number;
  /** Of the closed forms; undefined where there is none. */
  readonly period: number | undefined;
  readonly periodError: number;
  /** Of the fastest change, 1/s. */
  readonly rate: number;
}

const PERIOD_ROUNDINGS = 4 * Number.EPSILON;
/** Periods, and steps of the table. */
const MAX_PERIODS = 1_000;
const MAX_COMPARED = { system: 20_000, custom: 4_000 } as const;

const ORDERS = [2, 4, 6, 8] as const;

function orderOf({ order: given }: ActionInput): Problem['order'] {
  const order = ORDERS.find((one) => one === given);
  if (order !== undefined) return order;
  throw validationError('order', `order is ${given}; ${ORDERS.join(', ')} are allowed.`, 'NOT_ALLOWED');
}

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function problemOf(input: ActionInput): Problem {
  const { steps, dt, sample, compare } = input;
  const order = orderOf(input);
  const isCustom = input.potential !== undefined || input.kinetic !== undefined;
  const system = isCustom ? 'custom' : input.system;
  const hamiltonian = isCustom ? hamiltonianOf(input, degreesOfStart(input)) : undefined;
  const degrees = hamiltonian?.degrees ?? (system === 'kepler' ? 2 : 1);
  const initial = startOf(input, system, degrees);
  const constant = constantOf(input, system);
  const { period, periodError, rate } = periodOf(system, constant, initial);
  const longest = Math.min(steps * dt, (MAX_PERIODS * 2 * Math.PI) / rate);
  const recordEvery = recordInterval(steps, sample - 1);
  const recorded = recordedSteps(steps, recordEvery);
  const most = Math.min(steps, isCustom ? MAX_COMPARED.custom : MAX_COMPARED.system, Math.floor(longest / dt));
  const compared = compare && most >= 8 ? most - (most % 4) : 0;
  const wanted = recorded.filter((step) => step * dt <= longest);
  if (wanted.length < 2) wanted.push(Math.max(1, Math.floor(longest / dt)));
  if (compared > 0 && !wanted.includes(compared)) wanted.push(compared);
  return {
    system,
    degrees,
    constant,
    hamiltonian,
    initial,
    order,
    steps,
    dt,
    recordEvery,
    samples: recorded.length,
    times: Float64Array.from(
      [...wanted].sort((a, b) => a - b),
      (step) => step * dt,
    ),
    compared,
    period,
    periodError,
    rate,
  };
}

const constantOf = ({ mu, omega, lambda }: ActionInput, system: Problem['system']): number =>
  system === 'kepler' ? mu : system === 'oscillator' ? omega * omega : system === 'pendulum' ? lambda : 1;

function degreesOfStart({ start }: ActionInput): number {
  if (start === undefined) return 1;
  if (start.length % 2 === 0) return start.length / 2;
  const message = `start has ${start.length} numbers; expected as many p as q: 2, 4 or 6.`;
  throw validationError('start', message, 'NOT_ALLOWED');
}

function startOf(input: ActionInput, system: Problem['system'], degrees: number): Float64Array {
  const { start, q0, p0, eccentricity: e, mu } = input;
  if (start !== undefined) {
    if (start.length !== 2 * degrees) {
      const message = `start has ${start.length} numbers; ${system} has ${degrees} q and ${degrees} p.`;
      throw validationError('start', message, 'NOT_ALLOWED');
    }
    if (q0 !== undefined || p0 !== undefined)
      throw validationError('start', 'start is given beside q0 or p0; give one of them.');
    assertApart(system, start[0] ?? 0, start[1] ?? 0, 'start');
    return Float64Array.from(start);
  }
  if (system === 'kepler') {
    const distance = q0 ?? 1 - e;
    const speed = p0 ?? Math.sqrt((mu * (1 + e)) / (1 - e));
    assertApart(system, distance, 0, 'q0');
    return Float64Array.of(distance, 0, 0, speed);
  }
  if (degrees > 1) {
    const message = `start is missing; a Hamiltonian of ${degrees} degrees of freedom needs q1, …, p1, …`;
    throw validationError('start', message, 'MISSING');
  }
  return Float64Array.of(q0 ?? 1, p0 ?? 0);
}

function assertApart(system: Problem['system'], x: number, y: number, field: string): void {
  if (system !== 'kepler' || x !== 0 || y !== 0) return;
  throw validationError(
    field,
    `${field} puts the body at the centre of force; expected a distance above 0.`,
    'COLLISION',
  );
}

/** The exact period, and the fastest rate. */
function periodOf(
  system: Problem['system'],
  c: number,
  y: Float64Array,
): Pick<Problem, 'period' | 'periodError' | 'rate'> {
  const [x = 0, second = 0, third = 0, fourth = 0] = y;
  const ofRate = (rate: number) => {
    const period = (2 * Math.PI) / rate;
    return { period, periodError: 4 * PERIOD_ROUNDINGS * period, rate };
  };
  if (system === 'oscillator') return ofRate(Math.sqrt(c));
  if (system === 'pendulum') {
    const rate = Math.sqrt(c);
    // The energy above the lowest in parts of the barrier: sin² of half the amplitude; and what is left to the top.
    const [s, k] = [sin(0.5 * x), cos(0.5 * x)];
    const push = (0.25 * second * second) / c;
    const [m, left] = [s * s + push, k * k - push];
    if (m === 0 || left === 0) return { period: undefined, periodError: 0, rate };
    const period = left > 0 ? (4 * quarterPeriod(left)) / rate : (2 * quarterPeriod(-left / m)) / (rate * Math.sqrt(m));
    // Near the top a rounding of the energy is a part of what is left to it.
    return { period, periodError: PERIOD_ROUNDINGS * period * (1 + 1 / Math.abs(left)), rate };
  }
  if (system === 'custom') return { period: undefined, periodError: 0, rate: 1 };
  const r = Math.sqrt(x * x + second * second);
  const energy = 0.5 * (third * third + fourth * fourth) - c / r;
  if (!(energy < 0)) return { period: undefined, periodError: 0, rate: Math.sqrt(c / r) / r };
  const a = -c / (2 * energy);
  return ofRate(Math.sqrt(c / a) / a);
}
