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
export function encounterOf(result: Result): Encounter | undefined {
  const { problem, best } = result;
  if (problem.law === 'field') return undefined;
  const pairs = pairIndices(problem.bodies.length);
  let closest = 0;
  for (let k = 1; k < pairs.length; k++) if (at(best.pairs, 2 * k) < at(best.pairs, 2 * closest)) closest = k;
  return encounterOfPair(result, closest);
}

/** The closest approach of one pair; undefined if the runs do not agree on it. */
function encounterOfPair({ problem, best, witnesses, varied, last }: Result, pair: number): Encounter | undefined {
  const end = at(problem.times, last);
  const [i = 0, j = 0] = pairIndices(problem.bodies.length)[pair] ?? [];
  const [distance, time] = [at(best.pairs, 2 * pair), at(best.pairs, 2 * pair + 1)];
  const most = (runs: readonly Run[], column: 0 | 1, value: number) =>
    runs.reduce((largest, run) => Math.max(largest, Math.abs(at(run.pairs, 2 * pair + column) - value)), 0);
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

/** A moment that pictures mark and a table lists. */
export interface Moment {
  readonly kind: 'approach' | 'contact' | 'collision' | 'escape';
  readonly time: number;
  readonly timeError: number;
  /** The second one is undefined of an escape. */
  readonly bodies: readonly [first: number, second: number | undefined];
  /** Between the two, or of an escaping body from the nearest other one. */
  readonly distance: number;
  readonly distanceError: number;
}

/** Beyond this part of the run, the time of an approach is told by no picture. */
const MAX_TIME_ERROR = 0.01;

/**
 * The moments of a run in their order: of each pair its closest approach, if no other two are nearer to each other at that
 * time; a contact or collision, which ends the run; and from when on bodies escape.
 */
export function momentsOf(result: Result, stop: Stop, escaping: readonly number[]): readonly Moment[] {
  const { problem, best, last } = result;
  if (problem.law === 'field') return [];
  const end = at(problem.times, last);
  const isEnd = stop.kind === 'contact' || stop.kind === 'collision';
  const radiusOf = (body: number) => problem.bodies[body]?.radius ?? 0;
  const ofStop: readonly Moment[] =
    stop.kind === 'contact' || stop.kind === 'collision'
      ? [
          {
            ...{ kind: stop.kind, time: stop.time, timeError: stopError(result), bodies: stop.bodies },
            // Points collide at no distance.
            distance: stop.kind === 'contact' ? radiusOf(stop.bodies[0]) + radiusOf(stop.bodies[1]) : 0,
            distanceError: 0,
          },
        ]
      : [];
  const approaches = pairIndices(problem.bodies.length).flatMap((pair, k): Moment[] => {
    const encounter = encounterOfPair(result, k);
    if (encounter === undefined || encounter.time <= 0 || encounter.time >= end) return [];
    if (encounter.timeError > MAX_TIME_ERROR * end) return [];
    const [first, second] = closestPair(problem, best, sampleAt(problem.times, encounter.time));
    const isNearest = first === pair[0] && second === pair[1];
    const isTheEnd = isEnd && stop.bodies[0] === pair[0] && stop.bodies[1] === pair[1];
    return isNearest && !isTheEnd ? [{ kind: 'approach', bodies: pair, ...encounter }] : [];
  });
  const escapes = escaping.map((body): Moment => {
    let from = last;
    while (from > 0 && escapingBodies(problem, best, from - 1).includes(body)) from--;
    // The time is that of a sample: the escape begins between it and the one before.
    const timeError = from === 0 ? 0 : at(problem.times, from) - at(problem.times, from - 1);
    const separations = problem.bodies.flatMap((_, other) =>
      other === body ? [] : [separationAt(result, from, [body, other])],
    );
    const [nearest = { distance: 0, distanceError: 0 }] = separations.toSorted((a, b) => a.distance - b.distance);
    return { kind: 'escape', time: at(problem.times, from), timeError, bodies: [body, undefined], ...nearest };
  });
  return [...approaches, ...escapes, ...ofStop].toSorted((a, b) => a.time - b.time);
}

/** The last sample that is not later. */
const sampleAt = (times: Float64Array, time: number): number =>
  Math.max(
    0,
    times.findLastIndex((one) => one <= time),
  );

function separationAt({ problem, best, comparison }: Result, sample: number, [i, j]: readonly [number, number]) {
  const [a, b] = [best.position(sample, i), best.position(sample, j)];
  const n = problem.bodies.length;
  return {
    distance: norm([b[0] - a[0], b[1] - a[1], b[2] - a[2]]),
    distanceError: at(comparison.position, sample * n + i) + at(comparison.position, sample * n + j),
  };
}
