// The equation term by term at the last time shown, in m/s², and the registers: every number that the run was made of.

import { cos } from '../../core/elementary.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { at, last } from '../parts/arrays.ts';
import type { SolveFace } from './face.ts';
import type { History } from './history.ts';
import type { Problem } from './problem.ts';
import { forcesAt } from './reference.ts';

export interface Term {
  /** Stable identifier. */
  readonly name: string;
  readonly label: string;
  readonly value: number;
  readonly uncertainty: number;
}

const RESERVE = 10;
const ROUNDINGS = 8 * Number.EPSILON;

/** Terms that act; each with the difference of both runs as its ±. */
export function termsOf(problem: Problem, history: History, { views }: KernelOutput<SolveFace>): readonly Term[] {
  const { couplings } = problem;
  const t = last(history.t);
  const [first, second] = [history.first, history.second].map((way) => plainTerms(problem, way.phi, way.dphi, t));
  const names = [
    ['gravity', 'weight', problem.gravity !== 0],
    ['spring', 'spring', problem.alpha !== 0],
    ['cubic', 'cubic spring', problem.beta !== 0],
    ['exponential', 'exponential', problem.kappa !== 0],
    ['damping', 'damping', problem.damping !== 0],
    ['drag', 'drag', problem.drag !== 0],
    ['drive', 'drive', problem.drive !== 0],
  ] as const;
  const plain = names.flatMap(([name, label, isPresent], i) =>
    isPresent ? [termOf(name, label, at(first ?? [], i), at(second ?? [], i))] : [],
  );
  const coupled = couplings.ids.map((id, k) =>
    termOf(id.toLowerCase(), id, at(views.terms ?? [], k), at(views.terms ?? [], couplings.ids.length + k)),
  );
  return [...plain, ...coupled];
}

const termOf = (name: string, label: string, value: number, other: number): Term => ({
  name: `term_${name}`,
  label,
  value,
  uncertainty: RESERVE * Math.abs(value - other) + ROUNDINGS * Math.abs(value),
});

function plainTerms(problem: Problem, phi: Float64Array, dphi: Float64Array, t: number): readonly number[] {
  const v = last(dphi);
  const { damping, drag, drive, omega, phase } = problem;
  return [
    ...forcesAt(problem, last(phi)),
    -damping * v,
    -drag * v * Math.abs(v),
    drive === 0 ? 0 : drive * cos(omega * t + phase),
  ];
}

/** Name, unit and number of everything that the run was made of. */
export function registersOf(problem: Problem): readonly (readonly [name: string, unit: string, value: number])[] {
  const { couplings } = problem;
  return [
    ['mass', 'kg', problem.mass],
    ['gravity', 'm/s^2', problem.gravity],
    ['radius', 'm', problem.radius],
    ['alpha', '1/s^2', problem.alpha],
    ['beta', '1/(m^2*s^2)', problem.beta],
    ['exponential', 'm/s^2', problem.kappa],
    ['exponent', '1/m', problem.mu],
    ['damping', '1/s', problem.damping],
    ['drag', '1/m', problem.drag],
    ['drive', 'm/s^2', problem.drive],
    ['drive frequency', 'rad/s', problem.omega],
    ['drive phase', 'rad', problem.phase],
    ['position', 'm', problem.phi0],
    ['velocity', 'm/s', problem.dphi0],
    ...(problem.ground === undefined ? [] : [['ground', 'm', problem.ground] as const]),
    ['time', 's', problem.tEnd],
    ['longest step', 's', problem.dt],
    ['tolerance', '1', problem.tolerance],
    ['tries', '1', problem.iterations],
    ...couplings.ids.map((id, k) => [`weight of ${id}`, 'm/s^2', at(couplings.weights, k)] as const),
  ];
}
