// The further results of a run, each with its ±.

import type { Quantity } from '../definition.ts';
import { at } from '../parts/arrays.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { momentaAt, norm } from './energy.ts';
import { type Encounter, type Stop, stopError } from './events.ts';
import { dot, shapeOf, type Vector } from './orbit.ts';
import type { Result } from './result.ts';

interface Events {
  readonly stop: Stop;
  readonly encounter: Encounter | undefined;
  readonly escaping: readonly number[];
  readonly horizon: number;
}

const AXES = ['x', 'y', 'z'] as const;

export function quantitiesOf(result: Result, events: Events): readonly Quantity[] {
  const { problem, main, comparison, last } = result;
  const { bodies, dimensions, units, law } = problem;
  const n = bodies.length;
  const finals = bodies.flatMap((_, i) => {
    const [r, v] = [main.position(last, i), main.velocity(last, i)];
    const [place, speed] = [at(comparison.position, last * n + i), at(comparison.velocity, last * n + i)];
    const axes = AXES.slice(0, dimensions);
    const [name, rate] =
      law === 'field'
        ? [() => `phi_${i}`, () => `dphi_${i}`]
        : [(axis: string) => `${axis}_${i}`, (axis: string) => `v${axis}_${i}`];
    return [
      ...axes.map((axis, k) => quantity(name(axis), r[k] ?? 0, units.length, place)),
      ...axes.map((axis, k) => quantity(rate(axis), v[k] ?? 0, units.speed, speed)),
    ];
  });
  return [
    exactly('horizon', events.horizon, units.time),
    ...eventQuantities(result, events),
    ...(law === 'gravity' ? gravityQuantities(result) : []),
    ...finals,
    exactly('steps', result.best.steps, '1'),
    ...(problem.fixed === undefined
      ? []
      : [exactly('equal_steps', problem.fixed.steps, '1'), exactly('step', problem.fixed.dt, units.time)]),
  ];
}

function eventQuantities(result: Result, { stop, encounter, escaping }: Events): readonly Quantity[] {
  const { units, law, tEnd } = result.problem;
  const quantities: Quantity[] = [];
  if (encounter !== undefined)
    quantities.push(
      quantity('closest_approach', encounter.distance, units.length, encounter.distanceError),
      ...(encounter.timeError <= 0.01 * tEnd
        ? [quantity('closest_approach_time', encounter.time, units.time, encounter.timeError)]
        : []),
      exactly('closest_first', encounter.first, '1'),
      exactly('closest_second', encounter.second, '1'),
    );
  if (law === 'gravity') quantities.push(exactly('escaping_bodies', escaping.length, '1'));
  if (stop.kind === 'none' || stop.kind === 'spent') return quantities;
  quantities.push(quantity(`${stop.kind}_time`, stop.time, units.time, stopError(result)));
  if (stop.kind !== 'escape_to_infinity')
    quantities.push(
      exactly(`${stop.kind}_first`, stop.bodies[0], '1'),
      exactly(`${stop.kind}_second`, stop.bodies[1], '1'),
    );
  return quantities;
}

const ROUNDINGS = 8 * Number.EPSILON;

function gravityQuantities({ problem, best }: Result): readonly Quantity[] {
  const { bodies, strength, strengthUncertainty, softening, units } = problem;
  const { angular, angularScale } = momentaAt(problem, best, 0);
  const massUnit = units.length === 'au' ? 'Msun' : 'kg';
  const quantities = [
    quantity(
      'angular_momentum',
      norm(angular),
      `${massUnit}*${units.length}^2/${units.time}`,
      ROUNDINGS * angularScale * bodies.length,
    ),
  ];
  const mu = strength * bodies.reduce((sum, { mass }) => sum + mass, 0);
  if (bodies.length !== 2 || softening !== 0 || !(mu > 0)) return quantities;
  const between = (of: 'position' | 'velocity'): Vector => {
    const [a, b] = [best[of](0, 0), best[of](0, 1)];
    return [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  };
  const [r, v] = [between('position'), between('velocity')];
  const { a, e } = shapeOf(r, v, mu);
  const size = norm(best.position(0, 0)) + norm(best.position(0, 1));
  const speed = norm(best.velocity(0, 0)) + norm(best.velocity(0, 1));
  // Relative errors of r and v, of differences of rounded numbers; and of G.
  const relative = ROUNDINGS * (1 + size / norm(r) + (norm(v) > 0 ? speed / norm(v) : 0));
  const ofG = 2 * (strengthUncertainty / strength);
  const [kinetic, potential] = [0.5 * dot(v, v), mu / norm(r)];
  const relativeA = ((kinetic + potential) / Math.abs(potential - kinetic)) * 2 * (relative + ofG);
  quantities.push(quantity('eccentricity', e, '1', (1 + kinetic / potential) * 4 * (relative + ofG)));
  if (!(a > 0 && relativeA < 0.1)) return quantities;
  const period = 2 * Math.PI * a * Math.sqrt(a / mu);
  quantities.push(
    quantity('semi_major_axis', a, units.length, a * relativeA),
    quantity('period', period, units.time, period * (2 * relativeA + ofG)),
  );
  return quantities;
}
