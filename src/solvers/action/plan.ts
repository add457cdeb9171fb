// The kernel runs of a problem, and their estimated cost: the map, two accurate runs to judge it, and the table.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { last } from '../parts/arrays.ts';
import { ACTION_FACE, type ActionFace, SYSTEM_NUMBER, TASK } from './face.ts';
import type { ActionInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';

/** Rows of each method in the table, each with half the step of the one before: 4 dt, 2 dt, dt, dt/2. */
export const LEVELS = 4;
export const METHODS = 5;
export const MAX_SECTIONS = 4_000;
/** Steps of all rows of a method, in those of the first. */
const TABLE_STEPS = (1 << LEVELS) - 1;
const MAX_TRIES = 1_000_000;
const TICKS = 1e8;
/** Starts of the second opinion are this much of each number away: what rounding of the inputs does. */
const HALF_ROUNDING = 1.1102230246251565e-16;
const EXACT_DIGITS = 1_048_576;

export function planOf(input: ActionInput): Plan<ActionFace> {
  const problem = problemOf(input);
  const { steps, dt, compared, initial } = problem;
  const shifted = initial.map((value, i) =>
    Number.isInteger(value * EXACT_DIGITS) ? value : value + (i % 3 === 1 ? -HALF_ROUNDING : HALF_ROUNDING) * value,
  );
  const base = compared / 4;
  return {
    // In the order that solution.ts takes them.
    runs: [
      runOf(problem, initial, 2 * steps, { task: TASK.map, steps, dt, samples: problem.samples }),
      runOf(problem, initial, MAX_TRIES + TICKS, { task: TASK.dop853, steps: MAX_TRIES, ticks: TICKS }),
      runOf(problem, shifted, MAX_TRIES + TICKS, { task: TASK.extrapolation, steps: MAX_TRIES, ticks: TICKS }),
      ...(compared === 0
        ? []
        : [
            runOf(problem, initial, METHODS * base * TABLE_STEPS, {
              task: TASK.table,
              steps: base,
              dt: 4 * dt,
              levels: LEVELS,
            }),
          ]),
    ],
    ...costOf(problem),
  };
}

function runOf(
  problem: Problem,
  initial: Float64Array,
  total: number,
  own: KernelRun<ActionFace>['parameters'],
): KernelRun<ActionFace> {
  const { system, degrees, constant, hamiltonian, order, recordEvery, times, rate, dt } = problem;
  const tEnd = last(times);
  const isMap = own.task === TASK.map;
  const isAdaptive = own.task === TASK.dop853 || own.task === TASK.extrapolation;
  return {
    parameters: {
      system: SYSTEM_NUMBER[system],
      degrees,
      constant,
      order,
      recordEvery,
      samples: times.length,
      levels: 0,
      sections: isMap && degrees > 1 ? MAX_SECTIONS : 0,
      ticks: 0,
      codeWords: hamiltonian?.code.length ?? 0,
      poolValues: hamiltonian?.pool.length ?? 0,
      dt,
      tEnd,
      firstStep: Math.min(tEnd, 0.003 / rate),
      maxStep: tEnd,
      ...own,
    },
    inputs: {
      initial,
      ...(isAdaptive ? { times } : {}),
      ...(hamiltonian === undefined
        ? {}
        : {
            programs: hamiltonian.programs,
            code: hamiltonian.code,
            ...(hamiltonian.pool.length > 0 ? { pool: hamiltonian.pool } : {}),
          }),
    },
    steps: total,
    outputs: own.task === TASK.table ? ['table'] : isMap ? ['history', 'sectionPoints'] : ['history'],
    statistics: ACTION_FACE.statistics,
  };
}

const STAGES = { 2: 1, 4: 3, 6: 7, 8: 17 } as const;

/** Measured by bench/action.ts. */
function costOf({
  hamiltonian,
  order,
  steps,
  samples,
  times,
  compared,
  rate,
  degrees,
}: Problem): Pick<Plan, 'estimateNs' | 'estimateBytes'> {
  const slopeNs = 12 + (hamiltonian === undefined ? 8 : 10 * hamiltonian.operations + 40 * degrees);
  const map = 2 * steps * (STAGES[order] * slopeNs + 20);
  const adaptive = 100 + 25 * last(times) * rate;
  const table = (compared / 4) * TABLE_STEPS * (32 * slopeNs + 200);
  const numbers = (samples + times.length) * (2 + 2 * degrees) + MAX_SECTIONS * (1 + 2 * degrees);
  return {
    estimateNs: 300_000 + map + 5 * adaptive * 12 * slopeNs + times.length * 60 * slopeNs + table,
    estimateBytes: INSTANCE_BYTES + 8 * numbers,
  };
}
