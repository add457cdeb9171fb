// Events of a run: the closest approach, how the run ended, and bodies that escape.

import { at } from '../parts/arrays.ts';
import { norm } from './energy.ts';
import { dot, type Vector } from './orbit.ts';
import type { Problem } from './problem.ts';
import type { Result } from './result.ts';
import { pairIndices, type Run } from './runs.ts';

const RESERVE = 5;
const ROUNDINGS = 16 * Number.EPSILON;

export interface Encounter {
  readonly first: number;
  readonly second: number;
  readonly distance: number;
  readonly distanceError: number;
  readonly time: number;
  readonly timeError: number;
}

/**
 * The closest approach of all pairs; undefined if the runs do not agree on it, and on a line, where bodies pass through each
 * other.
 */
export function encounterOf({ problem, best, witnesses, varied, last }: Result): Encounter | undefined {
  const { bodies, times, law } = problem;
  if (law === 'field') return undefined;
  const end = at(times, last);
  const pairs = pairIndices(bodies.length);
  let closest = 0;
  for (let k = 1; k < pairs.length; k++) if (at(best.pairs, 2 * k) < at(best.pairs, 2 * closest)) closest = k;
  const [i = 0, j = 0] = pairs[closest] ?? [];
  const [distance, time] = [at(best.pairs, 2 * closest), at(best.pairs, 2 * closest + 1)];
  const most = (runs: readonly Run[], column: 0 | 1, value: number) =>
    runs.reduce((largest, run) => Math.max(largest, Math.abs(at(run.pairs, 2 * closest + column) - value)), 0);
  const ofG = varied === undefined ? [] : [varied];
  const distanceDifference = most(witnesses, 0, distance);
  const timeDifference = most(witnesses, 1, time);
  // Nearly equal approaches at other times are as near: the distance is told, the time is not.
  const isAgreed = timeDifference <= 1e-3 * end || distanceDifference <= 1e-6 * distance;
  if (!(time <= end && isAgreed)) return undefined;
  const rounding = ROUNDINGS * (norm(best.position(0, i)) + norm(best.position(0, j)) + distance);
  return {
    first: i,
    second: j,
    distance,
    distanceError: RESERVE * distanceDifference + 2 * most(ofG, 0, distance) + rounding,
    time,
    timeError: RESERVE * timeDifference + 2 * most(ofG, 1, time) + 1e-12 * end,
  };
}

/** Of the time at which the run stops. */
export function stopError({ best, witnesses, varied }: Result): number {
  const difference = witnesses.reduce((most, run) => Math.max(most, Math.abs(run.stopTime - best.stopTime)), 0);
  const ofG = varied === undefined ? 0 : 2 * Math.abs(varied.stopTime - best.stopTime);
  return RESERVE * difference + ofG + 1e-12 * best.stopTime;
}

export interface Stop {
  /** Of a contact or a singularity. */
  readonly kind: 'none' | 'contact' | 'collision' | 'escape_to_infinity' | 'spent';
  readonly time: number;
  readonly bodies: readonly [number, number];
  /** Whether the end is an answer to the problem, not to the limits of a run. */
  readonly isAnswer: boolean;
  readonly note: string;
}

export function endOf(problem: Problem, run: Run): Stop {
  const { bodies, law, units } = problem;
  const nameOf = (i: number) => bodies[i]?.name ?? '';
  const at = `t = ${run.stopTime} ${units.time}`;
  if (run.end === 'ended') return { kind: 'none', time: run.stopTime, bodies: [0, 0], isAnswer: true, note: '' };
  if (run.end === 'spent')
    return {
      kind: 'spent',
      time: run.stopTime,
      bodies: [0, 0],
      isAnswer: false,
      note: `The steps of the run were spent at ${at}: ask for a shorter time, or for softening.`,
    };
  if (run.end === 'contact') {
    const [i, j] = run.touching;
    const note = `${nameOf(i)} and ${nameOf(j)} touch at ${at}; the run ends there.`;
    return { kind: 'contact', time: run.stopTime, bodies: run.touching, isAnswer: true, note };
  }
  if (law === 'field') {
    const note = `The field leaves every bound at ${at}, or has no value there; the run ends.`;
    return { kind: 'escape_to_infinity', time: run.stopTime, bodies: [0, 0], isAnswer: true, note };
  }
  const pair = closestPair(problem, run, run.recorded - 1);
  const note = `${nameOf(pair[0])} and ${nameOf(pair[1])} collide at ${at}: without radii and softening the run ends there.`;
  return { kind: 'collision', time: run.stopTime, bodies: pair, isAnswer: true, note };
}

function closestPair({ bodies }: Problem, run: Run, sample: number): readonly [number, number] {
  const distance = ([i, j]: readonly [number, number]) => {
    const [a, b] = [run.position(sample, i), run.position(sample, j)];
    return norm([b[0] - a[0], b[1] - a[1], b[2] - a[2]]);
  };
  return pairIndices(bodies.length).reduce((best, pair) => (distance(pair) < distance(best) ? pair : best));
}

/** An escaping body is at least this many times as far from the others' centre as any of them. */
const MIN_SEPARATION = 3;

/** Bodies that recede from the centre of the others, far from all of them, with positive energy against their sum. */
export function escapingBodies(problem: Problem, run: Run, sample: number): readonly number[] {
  const { bodies, law, strength } = problem;
  if (law === 'field' || bodies.length < 2) return [];
  return bodies.flatMap((_, i) => {
    const others = bodies.map(({ mass }, j) => (j === i ? 0 : mass));
    const total = others.reduce((sum, mass) => sum + mass, 0);
    if (!(total > 0)) return [];
    const mean = (of: 'position' | 'velocity') =>
      bodies.reduce<Vector>(
        (sum, __, j) => {
          const one = run[of](sample, j);
          const weight = (others[j] ?? 0) / total;
          return [sum[0] + weight * one[0], sum[1] + weight * one[1], sum[2] + weight * one[2]];
        },
        [0, 0, 0],
      );
    const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    const centre = mean('position');
    const r = minus(run.position(sample, i), centre);
    const v = minus(run.velocity(sample, i), mean('velocity'));
    const spread = bodies.reduce(
      (most, __, j) => (j === i ? most : Math.max(most, norm(minus(run.position(sample, j), centre)))),
      0,
    );
    const energy = 0.5 * dot(v, v) - (strength * (total + (bodies[i]?.mass ?? 0))) / norm(r);
    return energy > 0 && dot(r, v) > 0 && norm(r) > MIN_SEPARATION * spread ? [i] : [];
  });
}
