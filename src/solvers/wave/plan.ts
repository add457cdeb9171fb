// The kernel runs of a problem, and their estimated cost.

import { INSTANCE_BYTES, type KernelRun } from '../../kernels/abi.ts';
import type { Plan } from '../definition.ts';
import type { FieldFunction } from '../parts/field-expression.ts';
import { SIDE_NUMBER, WAVE_FACE, type WaveFace } from './face.ts';
import type { Level } from './grid.ts';
import type { Side, WaveInput } from './inputs.ts';
import { layersOf } from './layers.ts';
import { MAX_HISTORY, type Problem, problemOf, runNs } from './problem.ts';
import { assertResolved } from './resolved.ts';

export function planOf(input: WaveInput): Plan<WaveFace> {
  const problem = problemOf(input);
  assertResolved(input, problem);
  const recorded = Math.min(problem.steps, MAX_HISTORY) * frameOf(problem, problem).size * 12;
  return {
    runs: problem.levels.map((level, i) => runOf(problem, level, i === 0)),
    estimateNs: 300_000 + problem.levels.reduce((sum, level) => sum + runNs(level), 0) + recorded,
    estimateBytes:
      INSTANCE_BYTES + 8 * Math.max(...problem.levels.map((level, i) => numbersOf(problem, level, i === 0))),
  };
}

/** Numbers that a run holds: fields and maps, frames and the source. */
function numbersOf(problem: Problem, level: Level, isMain: boolean): number {
  const { columns, rows, size } = frameOf(problem, level);
  const field = (columns + 5) * (rows + 4);
  const frames = isMain ? 1 + Math.ceil(problem.steps / problem.frameEvery) : 2;
  const domain = (level.cellsX + 1) * (level.cellsY + 1);
  const general = isGeneral(problem) ? 5 * size + level.steps + 4 * (columns + rows) : 0;
  const history = (isMain ? 1 + Math.min(level.steps, MAX_HISTORY) : 2) * WAVE_FACE.columns.history.length;
  return field * (problem.isOpen ? 7 : 5) + 2 * size + general + frames * domain + history;
}

const isGeneral = ({ isOpen, source, maps }: Problem): boolean => isOpen || source !== undefined || !maps.isUniform;

/** The grid of a level with its layers: how many nodes lie before and behind the domain along each axis. */
function frameOf({ sides, isLine }: Problem, { cellsX, cellsY, layer }: Level) {
  const behind = (side: Side) => (side === 'open' ? layer : 0);
  const [west, east] = [behind(sides.left), behind(sides.right)];
  const [south, north] = isLine ? [0, 0] : [behind(sides.bottom), behind(sides.top)];
  const [columns, rows] = [cellsX + 1 + west + east, cellsY + 1 + south + north];
  return { west, east, south, north, columns, rows, size: columns * rows };
}

type Frame = ReturnType<typeof frameOf>;

function runOf(problem: Problem, level: Level, isMain: boolean): KernelRun<WaveFace> {
  const { isYee, isOpen, medium, sides } = problem;
  const { dt, steps, hx, hy } = level;
  const frame = frameOf(problem, level);
  return {
    parameters: {
      columns: frame.columns,
      rows: frame.rows,
      isYee: Number(isYee),
      isGeneral: Number(isGeneral(problem)),
      hasLayers: Number(isOpen),
      spacingX: hx,
      spacingY: problem.isLine ? 1 : hy,
      dt,
      steps,
      density: medium.density,
      stiffness: medium.stiffness,
      west: SIDE_NUMBER[sides.left],
      east: SIDE_NUMBER[sides.right],
      south: SIDE_NUMBER[sides.bottom],
      north: SIDE_NUMBER[sides.top],
      insetWest: frame.west,
      insetEast: frame.east,
      insetSouth: frame.south,
      insetNorth: frame.north,
      historyEvery: isMain ? problem.historyEvery : steps,
      frameEvery: isMain ? problem.frameEvery : steps,
    },
    inputs: {
      ...stateOf(problem, level, frame),
      ...(isGeneral(problem) ? mediumOf(problem, level, frame) : {}),
      ...probeOf(problem, level, frame),
    },
    steps,
    outputs: ['history', 'frames'],
    statistics: WAVE_FACE.statistics,
  };
}

/** Values of the nodes of the domain, with zeros in the layers and on held sides; the last node of a period is its first. */
function onDomain(problem: Problem, level: Level, frame: Frame, f: FieldFunction | undefined): Float64Array {
  const values = new Float64Array(frame.size);
  if (f === undefined) return values;
  const { sides } = problem;
  const at = (i: number, j: number): number => {
    if (isHeld(problem, level, i, j)) return 0;
    const [a, b] = [
      sides.left === 'periodic' ? i % level.cellsX : i,
      sides.bottom === 'periodic' ? j % level.cellsY : j,
    ];
    return f(a * level.hx, b * level.hy);
  };
  for (let j = 0; j <= level.cellsY; j++)
    for (let i = 0; i <= level.cellsX; i++) values[(j + frame.south) * frame.columns + i + frame.west] = at(i, j);
  return values;
}

const isHeld = ({ sides, isLine }: Problem, { cellsX, cellsY }: Level, i: number, j: number): boolean =>
  (i === 0 && sides.left === 'fixed') ||
  (i === cellsX && sides.right === 'fixed') ||
  (!isLine && ((j === 0 && sides.bottom === 'fixed') || (j === cellsY && sides.top === 'fixed')));

function stateOf(problem: Problem, level: Level, frame: Frame) {
  const { isYee, initial } = problem;
  const read = (f: FieldFunction | undefined) => onDomain(problem, level, frame, f);
  return isYee
    ? { initialU: read(undefined), initialW: read(initial.field) }
    : { initialU: read(initial.field), initialW: read(initial.velocity) };
}

/** Maps of the domain, continued by the values of its sides through the layers. */
function mediumOf(problem: Problem, level: Level, frame: Frame) {
  const { medium, source, isYee } = problem;
  const { maps, dt, steps, hx, hy, cellsX, cellsY } = level;
  const { columns, rows, size } = frame;
  const nodes = new Float64Array(3 * size);
  const [facesX, facesY] = [new Float64Array(size), new Float64Array(size)];
  const within = (k: number, before: number, last: number) => Math.min(Math.max(k - before, 0), last);
  for (let b = 0; b < rows; b++)
    for (let a = 0; a < columns; a++) {
      const [i, j] = [within(a, frame.west, cellsX), within(b, frame.south, cellsY)];
      const from = j * (cellsX + 1) + i;
      const at = b * columns + a;
      const damping = maps.isUniform || isHeld(problem, level, i, j) ? 0 : (maps.damping[from] ?? 0);
      nodes[at] = 0.5 * damping * dt;
      nodes[size + at] = maps.isUniform ? medium.density : (maps.density[from] ?? 0);
      facesX[at] = maps.isUniform ? medium.stiffness : (maps.facesX[from] ?? 0);
      facesY[at] = maps.isUniform ? medium.stiffness : (maps.facesY[from] ?? 0);
    }
  nodes.set(onDomain(problem, level, frame, source?.shape), 2 * size);
  const speed = medium.speed;
  const { west, east, south, north } = frame;
  return {
    nodes,
    facesX,
    facesY,
    layerX: layersOf({ count: cellsX + 1, before: west, after: east, h: hx, dt, speed }),
    layerY: layersOf({ count: cellsY + 1, before: south, after: north, h: hy, dt, speed }),
    source: Float64Array.from({ length: steps + 1 }, (_, step) => source?.at((step + (isYee ? 0.5 : 0)) * dt) ?? 0),
  };
}

/** The first of the four nodes about the probe along x and y, and their weights: cubic interpolation within the domain. */
function probeOf({ probe: [x, y], isLine }: Problem, { hx, hy, cellsX, cellsY }: Level, frame: Frame) {
  const along = weightsAt(x / hx, cellsX);
  const across = isLine ? { first: 0, weights: [1, 0, 0, 0] } : weightsAt(y / hy, cellsY);
  return {
    probeNodes: Float64Array.of(along.first + frame.west, across.first + frame.south),
    probeWeights: Float64Array.of(...along.weights, ...across.weights),
  };
}

function weightsAt(s: number, cells: number): { readonly first: number; readonly weights: readonly number[] } {
  const first = Math.min(Math.max(Math.floor(s) - 1, 0), cells - 3);
  const t = s - first;
  const nodes = [0, 1, 2, 3];
  return {
    first,
    weights: nodes.map((i) => nodes.filter((k) => k !== i).reduce((w, k) => (w * (t - k)) / (i - k), 1)),
  };
}
