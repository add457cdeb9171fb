// The error of the three-point differences in an energy, predicted from its wave function.
//
// On a grid of step h a wave of momentum k has the kinetic energy (4/h²) sin²(kh/2) instead of k², in units of ħ²/2m, and
// of a state k² = (E - V)/(ħ²/2m) at x. To the first order the energy is lower by the mean of the difference over |ψ|²
// (J. W. Paine, F. R. de Hoog & R. S. Anderssen, Computing 26 (1981) 123, corrected levels in the same way). Grids show
// the differences of these errors; where those agree with the prediction, the prediction says how large the errors are.

import { at } from '../parts/arrays.ts';
import type { StencilError } from './error-bound.ts';
import type { GridResult } from './grids.ts';
import { KIND } from './potential.ts';
import type { Problem } from './problem.ts';

interface MainGrid {
  readonly V: Float64Array;
  readonly psi: Float64Array;
}

/** (q h² - 4 sin²(√q h / 2)) / (q h²)² = 1/12 - q h²/360 + …, for q h² up to π², where the sine ends. */
const SERIES = [1 / 12, -1 / 360, 1 / 20_160, -1 / 1_814_400, 1 / 239_500_800] as const;
const MAX_PHASE = Math.PI * Math.PI;

/** The lost part of a kinetic energy q, times h². */
function lostPart(phase: number): number {
  if (phase > MAX_PHASE) return phase - 4;
  const x = Math.max(-MAX_PHASE, phase);
  return x * x * (SERIES[0] + x * (SERIES[1] + x * (SERIES[2] + x * (SERIES[3] + x * SERIES[4]))));
}

/** A difference of neighbouring values so much larger than those beside it is a jump. */
const JUMP = 4;
/** Extrapolation from steps h and h/2 leaves (4/3) h/4 + (1/3) h/2 of a jump that may be half a step from where it seems. */
const JUMP_SHARE = 0.5;

/** Undefined on the graded grid of the Coulomb potential, which follows the waves. */
export function stencilErrorOf(
  problem: Problem,
  { V, psi }: MainGrid,
  grids: readonly GridResult[],
  n: number,
): StencilError | undefined {
  const { kind, kinetic, xmin, xmax } = problem;
  if (kind === KIND.coulomb) return undefined;
  const energy = at(grids.at(-1)?.energies ?? V, n);
  const wave = psi.subarray(n * V.length, (n + 1) * V.length);
  const steps = grids.map(({ step }) => (xmax - xmin) * step);
  const errors = steps.map(() => 0);
  let norm = 0;
  let largest = 0;
  for (let i = 0; i < V.length; i++) {
    const weight = at(wave, i) * at(wave, i);
    const q = (energy - at(V, i)) / kinetic;
    norm += weight;
    largest = Math.max(largest, q);
    for (const [grid, h] of steps.entries()) errors[grid] = at(errors, grid) + weight * lostPart(q * h * h);
  }
  return {
    errors: errors.map((sum, grid) => (kinetic * sum) / (norm * at(steps, grid) * at(steps, grid))),
    phases: steps.map((h) => largest * h * h),
    jumps: kind === KIND.expression ? jumpsOf(V, wave) / norm : 0,
  };
}

/** Σ |ΔV| |ψ|² over the jumps between nodes. */
function jumpsOf(V: Float64Array, wave: Float64Array): number {
  const difference = (i: number) => (i < 0 || i + 1 >= V.length ? 0 : Math.abs(at(V, i + 1) - at(V, i)));
  let sum = 0;
  for (let i = 0; i + 1 < V.length; i++) {
    const jump = difference(i);
    if (!(jump > JUMP * Math.max(difference(i - 1), difference(i + 1)))) continue;
    sum += jump * Math.max(at(wave, i) * at(wave, i), at(wave, i + 1) * at(wave, i + 1));
  }
  return JUMP_SHARE * sum;
}
