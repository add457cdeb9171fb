// Events and other numbers that people ask for: impact, turning points, period, terminal speed, escape, tuning.

import type { KernelOutput } from '../../kernels/abi.ts';
import type { Quantity } from '../definition.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { OUTCOME, type SolveFace } from './face.ts';
import type { History, Way } from './history.ts';
import { MAX_TURNS } from './plan.ts';
import type { Problem } from './problem.ts';
import type { Term } from './terms.ts';

/** Of the difference of two runs. */
const RESERVE = 10;
const ROUNDINGS = 4 * Number.EPSILON;

interface Given {
  readonly problem: Problem;
  readonly history: History;
  readonly output: KernelOutput<SolveFace>;
}

export function quantitiesOf(given: Given, terms: readonly Term[], energies: readonly Quantity[]): readonly Quantity[] {
  const { problem, history, output } = given;
  const { statistics } = output;
  const end = history.t.length - 1;
  return [
    quantity('phi', at(history.first.phi, end), 'm', at(history.firstError.phi, end)),
    quantity('dphi', at(history.first.dphi, end), 'm/s', at(history.firstError.dphi, end)),
    ...energies,
    ...stopQuantities(given),
    ...turnQuantities(given),
    ...terminalQuantities(problem),
    ...terms.map(({ name, value, uncertainty }) => quantity(name, value, 'm/s^2', uncertainty)),
    exactly('gravity', problem.gravity, 'm/s^2'),
    exactly('iterations', statistics.tuningTries ?? 0, '1'),
    exactly('rk4_steps', (statistics.stepsPerSample ?? 0) * end, '1'),
    exactly('rk4_step', last(history.t) / Math.max(1, (statistics.stepsPerSample ?? 1) * end), 's'),
    // The motion itself has none.
    quantity('rk4_error', finiteOr(statistics.tuningError, 1), '1', finiteOr(statistics.tuningError, 1)),
  ];
}

const finiteOr = (value: number | undefined, instead: number): number =>
  value !== undefined && Number.isFinite(value) ? value : instead;

const between = (one: number, other: number): number => RESERVE * Math.abs(one - other) + ROUNDINGS * Math.abs(one);

/** How far off a time may be: what the places are off, at the largest speed. Two times may agree by chance. */
const timeFloor = ({ first, firstError }: History): number =>
  last(firstError.phi) / Math.max(maxMagnitude(first.dphi), Number.MIN_VALUE);

/** Impact, escape, or how far the run goes. */
function stopQuantities({ problem, history, output: { statistics: s } }: Given): readonly Quantity[] {
  const time = s.stopTime ?? 0;
  const other = s.otherTime ?? 0;
  if (s.outcome === OUTCOME.ground) {
    const speed = Math.abs(s.stopSpeed ?? 0);
    // Of a place that is rounded: the way of a rounding at this speed.
    const speedError = between(speed, Math.abs(s.otherSpeed ?? 0)) + last(history.firstError.dphi);
    const place = (ROUNDINGS * Math.max(Math.abs(problem.phi0), Math.abs(problem.ground ?? 0))) / speed;
    return [
      quantity('impact_time', time, 's', between(time, other) + place + timeFloor(history)),
      quantity('impact_speed', speed, 'm/s', speedError),
      quantity('impact_energy', 0.5 * problem.mass * speed * speed, 'J', 0),
    ].map((one) =>
      one.name === 'impact_energy'
        ? {
            ...one,
            uncertainty: one.value * (4 * ROUNDINGS + (2 * speedError) / speed),
          }
        : one,
    );
  }
  if (s.outcome === OUTCOME.singular)
    return [
      quantity(isEscape(problem, s.lastPhi ?? 0) ? 'escape_time' : 'singular_time', time, 's', between(time, other)),
    ];
  return [exactly('end_time', time, 's')];
}

/** Whether a run that no step continues has left for infinity, and not fallen into the centre. */
export const isEscape = ({ phi0, radius, kappa, mu }: Problem, phi: number): boolean =>
  radius > 0 && phi < 0 ? false : Math.abs(phi) > 10 * (1 + Math.abs(phi0)) || (kappa !== 0 && Math.abs(mu * phi) > 30);

export interface Turns {
  readonly times: readonly number[];
  readonly places: readonly number[];
  readonly timeErrors: readonly number[];
  readonly placeErrors: readonly number[];
}

/** Turning points that both runs have. */
export function turnsOf({ views, statistics }: KernelOutput<SolveFace>, history: History): Turns {
  const count = Math.min(statistics.turns ?? 0, statistics.otherTurns ?? 0, MAX_TURNS);
  const pick = (table: Float64Array | undefined, column: number) =>
    Array.from({ length: count }, (_, i) => at(table ?? [], 2 * i + column));
  const [times, places] = [pick(views.turnsFirst, 0), pick(views.turnsFirst, 1)];
  const [otherTimes, otherPlaces] = [pick(views.turnsSecond, 0), pick(views.turnsSecond, 1)];
  const floor = last(history.firstError.phi);
  const early = timeFloor(history);
  return {
    times,
    places,
    timeErrors: times.map((one, i) => between(one, at(otherTimes, i)) + RESERVE * Number.EPSILON * last(times) + early),
    placeErrors: places.map((one, i) => between(one, at(otherPlaces, i)) + floor),
  };
}

function turnQuantities(given: Given): readonly Quantity[] {
  const { problem, history, output } = given;
  const turns = turnsOf(output, history);
  const { times, places, timeErrors, placeErrors } = turns;
  const [highest, lowest] = [extremeOf(history.first, history, turns, 1), extremeOf(history.first, history, turns, -1)];
  const common = [
    quantity('highest', highest.value, 'm', highest.uncertainty),
    quantity('lowest', lowest.value, 'm', lowest.uncertainty),
    exactly('turning_points', output.statistics.turns ?? 0, '1'),
  ];
  const first = times.findIndex((t) => t > 0);
  if (first < 0) return common;
  const turning = [
    quantity('turn_time', at(times, first), 's', at(timeErrors, first)),
    quantity('turn_place', at(places, first), 'm', at(placeErrors, first)),
  ];
  // Between two turns of a motion that is conserved lies half a period.
  if (problem.hasWork || times.length < 2 || output.statistics.outcome !== OUTCOME.ended)
    return [...common, ...turning];
  const halves = times.length - 1;
  const span = last(times) - at(times, 0);
  const period = (2 * span) / halves;
  const error = (2 * (at(timeErrors, 0) + last(timeErrors))) / halves + ROUNDINGS * period;
  const amplitude = 0.5 * Math.abs(at(places, 1) - at(places, 0));
  return [
    ...common,
    ...turning,
    quantity('period', period, 's', error),
    quantity('amplitude', amplitude, 'm', at(placeErrors, 0) + at(placeErrors, 1)),
  ];
}

function extremeOf(way: Way, { firstError }: History, { places, placeErrors }: Turns, sign: 1 | -1) {
  let [value, uncertainty] = [Number.NEGATIVE_INFINITY, 0];
  for (const [i, phi] of way.phi.entries())
    if (sign * phi > value) [value, uncertainty] = [sign * phi, at(firstError.phi, i)];
  for (const [i, phi] of places.entries())
    if (sign * phi > value) [value, uncertainty] = [sign * phi, at(placeErrors, i)];
  return { value: sign * value, uncertainty };
}

/** The speed at which damping and drag bear the weight. */
function terminalQuantities({ gravity, alpha, beta, kappa, damping, drag, drive, couplings }: Problem) {
  const hasOthers = alpha !== 0 || beta !== 0 || kappa !== 0 || drive !== 0 || couplings.ids.length > 0;
  if (hasOthers || !(gravity > 0) || !(damping >= 0) || damping + drag === 0) return [];
  const root = Math.sqrt(damping * damping + 4 * drag * gravity);
  const speed = (2 * gravity) / (damping + root);
  return [quantity('terminal_speed', speed, 'm/s', 2 * ROUNDINGS * speed)];
}
