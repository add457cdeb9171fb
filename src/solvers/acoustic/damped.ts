// Damped modes of a box with impedances: the run that follows them, and what its outputs say.

import { log } from '../../core/elementary.ts';
import type { KernelOutput, KernelRun } from '../../kernels/abi.ts';
import type { Invariant } from '../definition.ts';
import { outputOf } from '../parts/outputs.ts';
import { ACOUSTIC_FACE, type AcousticFace } from './face.ts';
import { type Complex, lossyMode, over, sizeOf } from './lossy-box.ts';
import type { Mesh } from './mesh.ts';
import type { Mode } from './mode.ts';
import type { Problem } from './problem.ts';
import type { Pole } from './response.ts';

/** Grids of the kernel, each finer by this ratio. */
const GRIDS = 3;
const RATIO = 3;
/** The last relative change of κ in a mode that has been found. */
const FOUND = 1e-11;
/** Relative change of κ from grid to grid beyond which a mode is one of the grid only. */
const STEADY = 0.05;
/** κ of the grid and of the equation that belong to one mode. */
const SAME = 0.02;
/** Frequencies below this part of the size of κ are none: the mode only decays. */
const OVERDAMPED = 1e-9;

/** Half-waves of the modes to follow: more than are shown, since walls change their order. */
function startsOf({ walls = [], lengths, modes }: Problem): readonly (readonly number[])[] {
  const count = modes + Math.ceil(modes / 2) + 6;
  let found: { readonly square: number; readonly halfWaves: readonly number[] }[] = [{ square: 0, halfWaves: [] }];
  walls.forEach(([first, last], d) => {
    const start = first.isFromOpen !== last.isFromOpen ? 0.5 : first.isFromOpen ? 1 : 0;
    const length = lengths[d] ?? 1;
    found = found
      .flatMap(({ square, halfWaves }) =>
        Array.from({ length: count }, (_, i) => {
          const k = start + i;
          return { square: square + (k / length) * (k / length), halfWaves: [...halfWaves, k] };
        }),
      )
      .sort((a, b) => a.square - b.square)
      .slice(0, count);
  });
  return found.map(({ halfWaves }) => halfWaves);
}

export function dampedRun(problem: Problem, mesh: Mesh): KernelRun<AcousticFace> {
  const { walls = [] } = problem;
  const starts = startsOf(problem);
  const sizes = walls.flatMap((pair, d) => [
    mesh.counts[d] ?? 1,
    mesh.spacings[d] ?? 1,
    ...pair.flatMap(({ isFromOpen, re, im }) => [Number(isFromOpen), re, im]),
  ]);
  return {
    parameters: { axes: walls.length, cells: axisCells(mesh), modes: starts.length },
    inputs: { sizes: Float64Array.from(sizes), starts: Float64Array.from(starts.flat()) },
    steps: starts.length,
    outputs: ['kappas', 'changes', 'slopes', 'profiles'],
    statistics: ACOUSTIC_FACE.statistics,
  };
}

export const axisCells = ({ counts }: Mesh): number => counts.reduce((sum, count) => sum + count, 0);

export interface DampedModes {
  readonly modes: readonly Mode[];
  readonly poles: readonly Pole[];
  /** Modes above 0 Hz that were lost on the way, or decay without a frequency. */
  readonly lost: number;
  readonly invariants: readonly Invariant[];
}

interface Followed {
  readonly kappas: readonly Complex[];
  readonly exact: Complex | undefined;
  readonly change: number;
  readonly halfWaves: readonly number[];
  readonly row: number;
}

export function dampedModes(problem: Problem, mesh: Mesh, outputs: readonly KernelOutput<AcousticFace>[]): DampedModes {
  const { walls = [], lengths, speed } = problem;
  const { kappas = EMPTY, changes = EMPTY, slopes = EMPTY, profiles = EMPTY } = outputOf(outputs, 0).views;
  const all = startsOf(problem).map((halfWaves, row): Followed => {
    const on = (grid: number): Complex => pairAt(kappas, row * GRIDS + grid);
    return {
      kappas: [on(0), on(1), on(2)],
      exact: lossyMode(walls, lengths, halfWaves),
      change: Array.from({ length: GRIDS }, (_, grid) => changes[row * GRIDS + grid] ?? 1).reduce(maxOf, 0),
      halfWaves,
      row,
    };
  });
  const isFound = ({ change, kappas: [, middle = NONE, fine = NONE] }: Followed) =>
    change <= FOUND && sizeOf(fine) > 0 && distance(middle, fine) <= STEADY * sizeOf(fine);
  const found = all.filter(isFound);
  // What the constant pressure becomes counts in the response only: it decays within a part of a period.
  const rings = found.filter(
    ({ kappas: [, , fine = NONE], halfWaves }) => fine[1] > OVERDAMPED * sizeOf(fine) && halfWaves.some((k) => k > 0),
  );
  const shown = rings
    .map((one) => ({ one, kappa: extrapolated(one.kappas) }))
    .sort((a, b) => a.kappa[1] - b.kappa[1] || a.one.row - b.one.row)
    .slice(0, problem.modes);
  const modes = shown.map(({ one, kappa }) => modeOf(one, kappa, speed, shapeOf(mesh, profiles, one.row)));
  const poles = found.map(({ kappas: [kappa = NONE], row }): Pole => {
    const product = timesOf(
      placeValue(mesh, profiles, row, problem.source),
      placeValue(mesh, profiles, row, problem.microphone),
    );
    return {
      kappa,
      residue: over(product, pairAt(slopes, row)),
      isReal: Math.abs(kappa[1]) <= OVERDAMPED * sizeOf(kappa),
    };
  });
  return {
    modes,
    poles,
    lost: all.filter(({ halfWaves }) => halfWaves.some((k) => k > 0)).length - rings.length,
    invariants: invariantsOf(shown.map(({ one }) => one)),
  };
}

const EMPTY = new Float64Array();
const NONE: Complex = [0, 0];
const maxOf = (a: number, b: number) => Math.max(a, b);

const pairAt = (from: Float64Array, i: number): Complex => [from[2 * i] ?? Number.NaN, from[2 * i + 1] ?? Number.NaN];
const timesOf = (a: Complex, b: Complex): Complex => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
const distance = (a: Complex, b: Complex) => sizeOf([a[0] - b[0], a[1] - b[1]]);

/** From the two finest grids, for an error of the second order. */
const extrapolated = ([, middle = NONE, fine = NONE]: readonly Complex[]): Complex => [
  fine[0] + (fine[0] - middle[0]) / (RATIO * RATIO - 1),
  fine[1] + (fine[1] - middle[1]) / (RATIO * RATIO - 1),
];

function modeOf(one: Followed, kappa: Complex, speed: number, shape: Float64Array): Mode {
  const { kappas, exact, halfWaves } = one;
  const [coarse = NONE, middle = NONE, fine = NONE] = kappas;
  const perRadian = speed / (2 * Math.PI);
  const [near, far] = [distance(fine, middle), distance(middle, coarse)];
  // What the extrapolation leaves is below the change that it makes; without the equation that change is the bound.
  const change = near / (RATIO * RATIO - 1);
  const isSame = exact !== undefined && distance(exact, kappa) <= SAME * sizeOf(kappa);
  const [decayError, error] = isSame
    ? [Math.abs(exact[0] - kappa[0]), Math.abs(exact[1] - kappa[1])]
    : [2 * change, 2 * change];
  return {
    frequency: perRadian * kappa[1],
    onGrid: perRadian * coarse[1],
    reference: perRadian * (isSame ? exact[1] : fine[1]),
    error: perRadian * error + 1e-12 * perRadian * kappa[1],
    isRegular: isSame,
    order: near > 1e-9 * sizeOf(kappa) && far > near ? log(far / near) / log(RATIO) : undefined,
    halfWaves,
    shape,
    decay: -speed * kappa[0],
    decayError: speed * (decayError + 1e-12 * sizeOf(kappa)),
  };
}

/** Positions of a cell along the axes, in the rows of the profiles. */
function rowsOf({ counts }: Mesh, cell: number): readonly number[] {
  let [rest, offset] = [cell, 0];
  return counts.map((count) => {
    const at = offset + (rest % count);
    rest = Math.floor(rest / count);
    offset += count;
    return at;
  });
}

function placeValue(mesh: Mesh, profiles: Float64Array, row: number, cell: number): Complex {
  const base = row * axisCells(mesh);
  return rowsOf(mesh, cell).reduce<Complex>((product, at) => timesOf(product, pairAt(profiles, base + at)), [1, 0]);
}

/** The pressure of all cells at the moment when its largest value is reached. */
function shapeOf(mesh: Mesh, profiles: Float64Array, row: number): Float64Array {
  const values = Array.from(mesh.volumes, (_, cell) => placeValue(mesh, profiles, row, cell));
  const largest = values.reduce((most, one) => (sizeOf(one) > sizeOf(most) ? one : most), NONE);
  const size = sizeOf(largest);
  const turn: Complex = size > 0 ? [largest[0] / size, -largest[1] / size] : [1, 0];
  return Float64Array.from(values, (one) => timesOf(one, turn)[0]);
}

function invariantsOf(shown: readonly Followed[]): readonly Invariant[] {
  const kappas = shown.map(({ kappas: [, , fine = NONE] }) => fine);
  const residual = shown.reduce((most, { change }) => Math.max(most, change), 0);
  const growth = kappas.reduce((most, kappa) => Math.max(most, kappa[0] / sizeOf(kappa)), 0);
  // Equal κ are one mode twice unless their half-waves are those of another axis of equal length and walls.
  const twice = shown.reduce(
    (sum, { halfWaves }, i) =>
      sum +
      shown.filter(
        (other, j) =>
          j < i &&
          distance(kappas[i] ?? NONE, kappas[j] ?? NONE) <= 1e-9 * sizeOf(kappas[i] ?? NONE) &&
          other.halfWaves.filter((k, d) => k !== halfWaves[d]).length < 2,
      ).length,
    0,
  );
  const value = shown.length;
  return [
    { name: 'residual', label: 'last change of κ, relative', value, drift: residual, bound: FOUND },
    { name: 'passivity', label: 'no mode grows', value, drift: growth, bound: 1e-12 },
    { name: 'distinct', label: 'modes found twice', value, drift: twice, bound: 0 },
  ];
}
