// Differences of the runs of one problem: the ± of places and velocities, and from when on nothing is predictable.
//
// A chaotic system multiplies every error, that of the last digit of the inputs too. Runs by other methods with other
// steps, whose starts differ by half a rounding, show how far it has grown; the largest difference so far counts, since
// two of them may cross.

import { at } from '../parts/arrays.ts';
import { momentaAt, norm } from './energy.ts';
import type { Vector } from './orbit.ts';
import type { Problem } from './problem.ts';
import type { Run } from './runs.ts';

/** Of the largest distance of two runs so far: both err. */
const RESERVE = 3;
/** Drag has a kink where a body turns: what a step across it errs depends on where in the step it lies. */
const RESERVE_WITH_KINKS = 10;
/**
 * Part of the distance to the nearest body, the largest of the later half of the time, beyond which runs that differ
 * predict nothing; on a line of the largest displacement.
 */
const MAX_DIFFERENCE = 1e-3;
/** Part of the extent of the system beyond which equal steps are too long. */
const MAX_METHOD_ERROR = 1e-2;
const ROUNDINGS = 4 * Number.EPSILON;
/**
 * Part of the way that each step so far may add under gravity, where the period follows the energy: roundings lean to one
 * side, alike in runs that begin at the same numbers. On circles of 50 to 640 turns from a start without rounding it was at most ε/75.
 */
const DRIFT_OF_STEP = Number.EPSILON / 32;

export interface Comparison {
  /** Samples that are predictable. */
  readonly kept: number;
  /** Whether samples that were reached are not. */
  readonly isCut: boolean;
  /** Half widths at sample · bodies + body. */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  /** Whether the error of equal steps is a small part of the extent. */
  readonly isMethodAccurate: boolean;
}

const apart = (a: Vector, b: Vector) => norm([a[0] - b[0], a[1] - b[1], a[2] - b[2]]);

/**
 * @param main       the run that is shown
 * @param best       the same one, or the best of the adaptive ones beside equal steps
 * @param witnesses  what judges the best: extrapolation, and the same method with longer steps
 * @param varied     the best with another constant of gravity
 */
export function compare(
  problem: Problem,
  main: Run,
  best: Run,
  witnesses: readonly Run[],
  varied: Run | undefined,
): Comparison {
  const n = problem.bodies.length;
  const reserve = problem.hasWork ? RESERVE_WITH_KINKS : RESERVE;
  const all = [main, best, ...witnesses, ...(varied === undefined ? [] : [varied])];
  const reached = all.reduce((least, { recorded }) => Math.min(least, recorded), main.recorded);
  const position = new Float64Array(reached * n);
  const velocity = new Float64Array(reached * n);
  const largest = { position: new Float64Array(n), velocity: new Float64Array(n) };
  const method = { position: new Float64Array(n), velocity: new Float64Array(n) };
  const nearest: (readonly number[])[] = [];
  const way = new Float64Array(n);
  let isMethodAccurate = true;
  for (let sample = 0; sample < reached; sample++) {
    const size = Math.max(momentaAt(problem, best, sample).extent, problem.softening);
    const sizes = sizesAt(problem, best, sample);
    nearest.push(sizes);
    const time = at(problem.times, sample) - at(problem.times, Math.max(0, sample - 1));
    const steps = best.steps * (sample / Math.max(1, best.recorded - 1));
    for (let body = 0; body < n; body++) {
      const speed = norm(best.velocity(sample, body));
      way[body] = at(way, body) + speed * time;
      const ofPlace = problem.law === 'gravity' ? DRIFT_OF_STEP * steps * at(way, body) : 0;
      // Along the way by the rate at which a body turns, of which every turn takes some steps.
      const rate = Math.min(speed / Math.max(at(sizes, body), Number.MIN_VALUE), steps / at(problem.times, sample));
      const drift = { position: ofPlace, velocity: sample === 0 ? 0 : ofPlace * rate };
      for (const kind of ['position', 'velocity'] as const) {
        const here = best[kind](sample, body);
        const difference = witnesses.reduce((most, run) => Math.max(most, apart(here, run[kind](sample, body))), 0);
        largest[kind][body] = Math.max(largest[kind][body] ?? 0, difference);
        const constants = varied === undefined ? 0 : 2 * apart(here, varied[kind](sample, body));
        const ofMethod = best === main ? 0 : apart(main[kind](sample, body), here);
        method[kind][body] = Math.max(method[kind][body] ?? 0, ofMethod);
        const width =
          reserve * (largest[kind][body] ?? 0) + constants + ofMethod + ROUNDINGS * norm(here) + drift[kind];
        (kind === 'position' ? position : velocity)[sample * n + body] = width;
      }
      let distance = 0;
      for (let k = sample >> 1; k <= sample; k++) distance = Math.max(distance, nearest[k]?.[body] ?? 0);
      if (!((largest.position[body] ?? 0) <= MAX_DIFFERENCE * distance))
        return { kept: sample, isCut: true, position, velocity, isMethodAccurate };
      isMethodAccurate &&= (method.position[body] ?? 0) <= MAX_METHOD_ERROR * Math.max(size, distance);
    }
  }
  return { kept: reached, isCut: false, position, velocity, isMethodAccurate };
}

/** Of each body: the softened distance to the nearest one; on a line its displacement, now or at the start. */
function sizesAt({ law, bodies, softening }: Problem, run: Run, sample: number): readonly number[] {
  return bodies.map((_, i) => {
    const here = run.position(sample, i);
    if (law === 'field') return Math.max(norm(here), norm(run.position(0, i)));
    const least = bodies.reduce(
      (most, __, j) => (j === i ? most : Math.min(most, apart(here, run.position(sample, j)))),
      Number.MAX_VALUE,
    );
    return Math.max(least, softening);
  });
}
