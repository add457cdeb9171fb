// The kernel runs of a problem, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import { TUMOR_FACE, type TumorFace } from './face.ts';
import type { TumorInput } from './inputs.ts';
import { rowsOn, tissueOn } from './map.ts';
import { diffusivityOn, type Problem, problemOf } from './problem.ts';
import type { Level } from './schedule.ts';
import { assertResolved, initialOn, startOnMap } from './start.ts';

/** Nanoseconds of a cell and step, and of a cell in a record. */
const COST = { line: { step: 8, record: 4 }, map: { step: 12, record: 30 } } as const;
/** Values of a cell in the kernel, beside frames. */
const VALUES = { line: 9, map: 16 } as const;

export function planOf(input: TumorInput): Plan<TumorFace> {
  const problem = problemOf(input);
  const { map, levels } = problem;
  const [own] = levels;
  if (own) assertResolved(input, problem.start, own, map);
  const kind = map ? 'map' : 'line';
  const sizes = levels.map((level) => level.cells * (map ? rowsOn(map, level) : 1));
  const sum = (of: (level: Level, size: number) => number) =>
    levels.reduce((total, level, i) => total + of(level, sizes[i] ?? 0), 0);
  const numbers = levels.map(({ steps, times, frameTimes }, i) => {
    return 8 * steps + 5 * times.length + (sizes[i] ?? 0) * (frameTimes.length + VALUES[kind]);
  });
  return {
    runs: levels.map((level, i) => runOf(problem, level, input, i === 0)),
    estimateNs:
      300_000 +
      COST[kind].step * sum(({ steps }, size) => size * steps) +
      COST[kind].record * sum(({ times }, size) => size * times.length) +
      (map ? 0 : 500 * sum(({ times }) => times.length)),
    estimateBytes: INSTANCE_BYTES + 8 * Math.max(...numbers),
  };
}

function runOf(problem: Problem, level: Level, input: TumorInput, isOwn: boolean): KernelRun<TumorFace> {
  const { cells, width, steps, schedule, times, frameTimes } = level;
  const { map, start } = problem;
  const isRadial = input.geometry === 'radial' && map === undefined;
  const place = map === undefined ? {} : { rows: rowsOn(map, level), centerX: map.center[0], centerY: map.center[1] };
  return {
    parameters: {
      cells,
      steps,
      width,
      isRadial: Number(isRadial),
      level: input.level,
      inner: input.t1,
      outer: input.t2,
      historyRows: times.length,
      frameRows: frameTimes.length,
      ...place,
    },
    inputs: {
      initial: map ? startOnMap(start, map, level, input.initial_u !== undefined) : initialOn(start, level, isRadial),
      diffusivity: map ? tissueOn(map, level, input) : diffusivityOn(problem, level, input),
      schedule,
    },
    steps,
    outputs: isOwn ? ['history', 'frames'] : ['history'],
    statistics: TUMOR_FACE.statistics,
  };
}
