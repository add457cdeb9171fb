// Poisson's equation on a rectangle: −∇·(ε ∇u) = source, sides and electrodes held or insulated.
//
// A coupling joins two nodes through the face between their control volumes: side by side, halves of a face add, and along
// the way media are in series, with the place of a jump found between two samples, so that the displacement is continuous.
// Towards an electrode the way ends at its outline, which need not follow the grid: symmetric and of second order after
// Gibou, Fedkiw, Cheng & Kang, J. Comput. Phys. 176 (2002).

import { validationError } from '../parts/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';
import { assertSeen, assertSeenOnPlane } from '../parts/unseen.ts';
import type { DeviceInput } from './inputs.ts';

type SideName = 'left' | 'right' | 'bottom' | 'top';

export interface Plane {
  readonly kind: 'plane';
  readonly lx: number;
  readonly ly: number;
  readonly sides: Readonly<Record<SideName, FieldFunction | undefined>>;
  readonly permittivity: FieldFunction | undefined;
  readonly source: FieldFunction | undefined;
  readonly electrode: FieldFunction | undefined;
  readonly electrodePotential: number;
  readonly probe: readonly [x: number, y: number];
  /** Cells of the grid of the request: whole eights. */
  readonly nx: number;
  readonly ny: number;
}

const SIDES = ['left', 'right', 'bottom', 'top'] as const;
const MAX_POTENTIAL = 1e12;
const eights = (cells: number) => 8 * Math.ceil(cells / 8);

/** @throws DomainError VALIDATION_FAILED, EXPRESSION_INVALID */
export function planeOf(input: DeviceInput): Plane {
  const { lx, ly } = input;
  const own = (path: 'permittivity' | 'source' | 'electrode') =>
    input[path] === undefined ? undefined : fieldFunction(input[path], path);
  const sideOf = (name: SideName) =>
    input[name].trim() === 'insulated' ? undefined : fieldFunction(input[name], name);
  const sides = { left: sideOf('left'), right: sideOf('right'), bottom: sideOf('bottom'), top: sideOf('top') };
  const electrode = own('electrode');
  if (SIDES.every((name) => sides[name] === undefined) && electrode === undefined)
    throw validationError(
      'left',
      'left is insulated, as all sides; without a held side the potential is any constant.',
      'FLOATING',
    );
  for (const [name, given, length] of [
    ['probe_x', input.probe_x, lx],
    ['probe_y', input.probe_y, ly],
  ] as const)
    if (given !== undefined && given > length)
      throw validationError(name, `${name} is ${given}; a place from 0 to ${length} m is expected.`, 'OUT_OF_RANGE');
  if (lx / input.nx > 50 * (ly / input.ny) || ly / input.ny > 50 * (lx / input.nx))
    throw validationError(
      'nx',
      'nx and ny make cells longer than 50 times their width; at most 50 is expected.',
      'FLAT_CELLS',
    );
  return {
    kind: 'plane',
    lx,
    ly,
    sides,
    permittivity: own('permittivity'),
    source: own('source'),
    electrode,
    electrodePotential: input.electrode_v,
    probe: [input.probe_x ?? 0.5 * lx, input.probe_y ?? 0.5 * ly],
    nx: eights(input.nx),
    ny: eights(input.ny),
  };
}

export interface PlaneArrays {
  readonly nx: number;
  readonly ny: number;
  readonly hx: number;
  readonly hy: number;
  readonly right: Float64Array;
  readonly up: Float64Array;
  readonly source: Float64Array;
  readonly held: Float64Array;
  readonly start: Float64Array;
  /** Whether the medium jumps between samples. */
  readonly hasJumps: boolean;
}

/** @throws DomainError VALIDATION_FAILED: a value that is not finite, or a permittivity that is not positive */
export function planeArrays(problem: Plane, nx: number, ny: number): PlaneArrays {
  const { lx, ly, sides, electrode } = problem;
  const [hx, hy] = [lx / nx, ly / ny];
  const size = (nx + 1) * (ny + 1);
  const [right, up, source] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)];
  const [held, start] = [new Float64Array(size), new Float64Array(size)];
  const ways = waysOf(problem, nx, ny);
  let isElectrodeSeen = electrode === undefined || nx < problem.nx;
  for (let j = 0; j <= ny; j++)
    for (let i = 0; i <= nx; i++) {
      const k = j * (nx + 1) + i;
      const [x, y] = [i * hx, j * hy];
      const area = hx * hy * (i === 0 || i === nx ? 0.5 : 1) * (j === 0 || j === ny ? 0.5 : 1);
      if (problem.source !== undefined) source[k] = area * checked(problem.source(x, y), 'source', 1e30);
      const given: number[] = [];
      const take = (name: SideName, isHere: boolean) => {
        const potential = sides[name];
        if (isHere && potential !== undefined) given.push(checked(potential(x, y), name, MAX_POTENTIAL));
      };
      take('left', i === 0);
      take('right', i === nx);
      take('bottom', j === 0);
      take('top', j === ny);
      if (given.length === 0 && electrode !== undefined && checked(electrode(x, y), 'electrode', 1e300) > 0) {
        given.push(problem.electrodePotential);
        isElectrodeSeen = true;
      }
      if (given.length > 0) {
        held[k] = 1;
        start[k] = given.reduce((sum, one) => sum + one, 0) / given.length;
      }
    }
  if (!held.includes(1))
    throw validationError('electrode', 'electrode holds no node of the grid, and all sides are insulated.', 'FLOATING');
  if (!isElectrodeSeen)
    throw validationError(
      'electrode',
      `electrode is positive at no node of ${nx} × ${ny} cells that the sides leave free; take more cells, or a larger electrode.`,
      'UNRESOLVED',
    );
  for (let j = 0; j <= ny; j++)
    for (let i = 0; i <= nx; i++) {
      const k = j * (nx + 1) + i;
      if (i < nx)
        right[k] = (hy / hx) * ways.coupling('x', i, j, shareOf(problem, held, [k, k + 1], [i, j], [hx, hy], 0));
      if (j < ny)
        up[k] = (hx / hy) * ways.coupling('y', j, i, shareOf(problem, held, [k, k + nx + 1], [i, j], [hx, hy], 1));
    }
  return { nx, ny, hx, hy, right, up, source, held, start, hasJumps: ways.hasJumps };
}

/** Samples of a source, at most, by which its charge is compared with that at the nodes. */
const MAX_SAMPLES = 300_000;
/** Part of a charge that nodes may miss. */
const MISSED = 0.1;

/** A charge that lies between the nodes is seen by no grid. @throws DomainError VALIDATION_FAILED */
export function assertSourceSeen({ source, lx, ly, nx, ny }: Plane): void {
  const count = Math.min(4, Math.floor(Math.sqrt(MAX_SAMPLES / (nx * ny))));
  if (source === undefined || count < 2) return;
  const [hx, hy] = [lx / nx, ly / ny];
  let [seen, all, size] = [0, 0, 0];
  for (let j = 0; j <= ny; j++)
    for (let i = 0; i <= nx; i++)
      seen += (i === 0 || i === nx ? 0.5 : 1) * (j === 0 || j === ny ? 0.5 : 1) * source(i * hx, j * hy);
  for (let j = 0; j < count * ny; j++)
    for (let i = 0; i < count * nx; i++) {
      const value = source(((i + 0.5) * hx) / count, ((j + 0.5) * hy) / count) / (count * count);
      all += value;
      size += Math.abs(value);
    }
  if (!(Math.abs(seen - all) > MISSED * size)) return;
  const [atNodes, between] = [seen, all].map((sum) => (sum * hx * hy).toPrecision(4));
  throw validationError(
    'source',
    `source has a charge over ε0 of ${atNodes} V at the nodes of ${nx} × ${ny} cells, and of ${between} V between them too; take more cells, or a wider source.`,
    'UNRESOLVED',
  );
}

/** What lies between the nodes of the grid alone: a thin layer, a wire, a peak along a side. @throws DomainError VALIDATION_FAILED */
export function assertPlaneSeen(problem: Plane): void {
  const { lx, ly, nx, ny, sides, permittivity, electrode } = problem;
  const remedy = 'take more cells, or a wider shape';
  for (const name of SIDES) {
    const potential = sides[name];
    if (potential === undefined) continue;
    const isAlongX = name === 'bottom' || name === 'top';
    const [to, cells] = isAlongX ? [lx, nx] : [ly, ny];
    const across = name === 'right' ? lx : name === 'top' ? ly : 0;
    assertSeen(name, isAlongX ? 'x' : 'y', (s) => (isAlongX ? potential(s, across) : potential(across, s)), {
      from: 0,
      to,
      first: 0,
      step: to / cells,
      remedy,
    });
  }
  const seen = { extents: [lx, ly], cells: [nx, ny], remedy } as const;
  if (electrode !== undefined) assertSeenOnPlane('electrode', (x, y) => Number(electrode(x, y) > 0), seen);
  if (permittivity !== undefined) assertSeenOnPlane('permittivity', permittivity, seen);
}

/** The part of an edge outside the electrode, from 0 to 1: all of it unless one of its nodes lies inside. */
function shareOf(
  { electrode }: Plane,
  held: Float64Array,
  [from, to]: readonly [number, number],
  [i, j]: readonly [number, number],
  [hx, hy]: readonly [number, number],
  axis: 0 | 1,
): readonly [number, number] {
  if (electrode === undefined || held[from] === held[to]) return [0, 1];
  const isInside = (t: number) =>
    checked(electrode((i + (axis === 0 ? t : 0)) * hx, (j + (axis === 1 ? t : 0)) * hy), 'electrode', 1e300) > 0;
  const isFirst = held[from] === 1;
  // A held side is no outline of an electrode.
  if (!isInside(isFirst ? 0 : 1) || isInside(isFirst ? 1 : 0)) return [0, 1];
  let [low, high] = [0, 1];
  for (let step = 0; step < OUTLINE_STEPS; step++) {
    const middle = 0.5 * (low + high);
    if (isInside(middle) === isFirst) low = middle;
    else high = middle;
  }
  return isFirst ? [Math.min(low, 1 - MIN_SHARE), 1] : [0, Math.max(high, MIN_SHARE)];
}

const OUTLINE_STEPS = 30;
const JUMP_STEPS = 30;
/** Least part of an edge outside an electrode, so that no coupling is too large for the iteration. */
const MIN_SHARE = 1e-3;
/** Samples half a cell apart that differ by this factor may lie on both sides of a jump. */
const JUMP = 1.1;

/** Ways through a half of a face, side by side: fewer on fine grids, whose sampling would take seconds. */
const waysThrough = ({ nx, ny }: Plane): number => (nx * ny <= 25_600 ? 4 : nx * ny <= 102_400 ? 2 : 1);

/** Means of the permittivity along the edges of a grid, over the two halves of their faces. */
function waysOf(problem: Plane, nx: number, ny: number) {
  const eps = permittivityOf(problem);
  if (problem.permittivity === undefined)
    return {
      hasJumps: false,
      coupling: (axis: 'x' | 'y', _: number, line: number, [a, b]: readonly [number, number]) =>
        (line === 0 || line === (axis === 'x' ? ny : nx) ? 0.5 : 1) / (b - a),
    };
  const [hx, hy] = [problem.lx / nx, problem.ly / ny];
  const ways = waysThrough(problem);
  const along = {
    x: linesOf((s, t) => eps(s * hx, t * hy), nx, ny, ways),
    y: linesOf((s, t) => eps(t * hx, s * hy), ny, nx, ways),
  };
  return {
    hasJumps: along.x.hasJumps || along.y.hasJumps,
    coupling: (axis: 'x' | 'y', edge: number, line: number, [a, b]: readonly [number, number]) => {
      const lines = along[axis];
      const last = axis === 'x' ? ny : nx;
      let sum = 0;
      for (let way = -ways; way < ways; way++) {
        const own = 2 * ways * line + way;
        if (own >= 0 && own < 2 * ways * last) sum += 0.5 / (ways * lines.resistance(own, edge, a, b));
      }
      return sum;
    },
  };
}

/**
 * Lines along the cells, in cells: `2 ways` side by side in each, and sample m of a line at (m + 1/2)/2.
 *
 * @param eps  at a place along the line and across it, in cells
 */
function linesOf(eps: (s: number, t: number) => number, cells: number, lines: number, ways: number) {
  const samples = 2 * cells;
  const values = new Float64Array(samples * 2 * ways * lines);
  // Where the medium of a sample ends.
  const ends = new Float64Array(samples * 2 * ways * lines);
  let hasJumps = false;
  for (let line = 0; line < 2 * ways * lines; line++) {
    const t = (line + 0.5) / (2 * ways);
    const first = line * samples;
    for (let m = 0; m < samples; m++) values[first + m] = eps(0.5 * (m + 0.5), t);
    for (let m = 0; m < samples; m++) {
      const [own, next] = [values[first + m] ?? 1, values[first + m + 1] ?? 1];
      const isJump = m < samples - 1 && Math.max(own, next) > JUMP * Math.min(own, next);
      hasJumps ||= isJump;
      ends[first + m] = isJump ? jumpOf((s) => eps(s, t), 0.5 * (m + 0.5), own, next) : 0.5 * (m + 1);
    }
  }
  return {
    hasJumps,
    /** Of a line, from `a` to `b` of an edge. */
    resistance(line: number, edge: number, a: number, b: number): number {
      let [sum, from] = [0, edge + a];
      const to = edge + b;
      for (let m = Math.max(0, 2 * edge - 1); from < to && m < samples; m++) {
        const end = m === samples - 1 ? to : Math.min(to, ends[line * samples + m] ?? to);
        if (end <= from) continue;
        sum += (end - from) / (values[line * samples + m] ?? 1);
        from = end;
      }
      return sum;
    },
  };
}

/** The place of a jump between two samples half a cell apart; their middle if the medium changes gradually. */
function jumpOf(eps: (s: number) => number, from: number, own: number, next: number): number {
  let [low, high] = [from, from + 0.5];
  let [before, behind] = [own, next];
  for (let step = 0; step < JUMP_STEPS; step++) {
    const middle = 0.5 * (low + high);
    const value = eps(middle);
    if (Math.abs(value - own) < Math.abs(value - next)) [low, before] = [middle, value];
    else [high, behind] = [middle, value];
  }
  return Math.abs(behind - before) > 0.5 * Math.abs(next - own) ? high : from + 0.25;
}

function permittivityOf({ permittivity }: Plane): FieldFunction {
  if (permittivity === undefined) return () => 1;
  return (x, y) => {
    const value = permittivity(x, y);
    if (!(value >= 1e-6 && value <= 1e6))
      throw validationError(
        'permittivity',
        `permittivity is ${value} somewhere; from 1e-6 to 1e6 is expected.`,
        'OUT_OF_RANGE',
      );
    return value;
  };
}

function checked(value: number, path: string, limit: number): number {
  if (!(Math.abs(value) <= limit))
    throw validationError(path, `${path} is ${value} somewhere; at most ${limit} is expected.`, 'OUT_OF_RANGE');
  return value;
}
