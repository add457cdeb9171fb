// Where to put the walls when the caller does not say: so far out that the highest state asked for is gone.
//
// Beyond its turning point a state falls like exp(−∫κ dx), κ = sqrt(2m(V − E))/ħ, and a wall raises its energy by
// about the square of that. The integral is carried to DECAY decay lengths.

import { KIND, type Potential, potentialAt } from './potential.ts';

/** e^−30 = 1e-13 of the kinetic energy is what a wall at this distance adds. */
const DECAY = 15;

/** Steps of the march outwards, each an eighth of the wave's 1/k; a barely bound state is cut after all of them. */
const STEP = 0.125;
const MAX_STEPS = 20_000;

/** @param exact  the bound states in closed form, if there are any */
export function automaticBox(
  potential: Potential,
  states: number,
  exact: readonly number[] | undefined,
): { xmin: number; xmax: number } {
  const energy = exact?.at(-1) ?? semiclassicalEnergy(potential, states - 1);
  const { kind, c2 } = potential;
  if (kind === KIND.linear) return { xmin: 0, xmax: march(potential, energy, 0, 1) };
  // The march begins inside the well; of a Coulomb state at c1/2|E|, the middle of its range.
  if (kind === KIND.coulomb) return { xmin: 0, xmax: march(potential, energy, potential.c1 / -energy / 2, 1) };
  const outer = kind === KIND.doubleWell ? c2 : 0;
  const xmax = march(potential, energy, outer, 1);
  return { xmin: kind === KIND.morse ? march(potential, energy, 0, -1) : -xmax, xmax };
}

/** The x at which the state of this energy has decayed, looking from `from` in the given direction. */
function march(potential: Potential, energy: number, from: number, direction: 1 | -1): number {
  const { kind, kinetic } = potential;
  const height = kind === KIND.coulomb ? -energy : energy - potentialAt(potential, from);
  const step = STEP * Math.sqrt(kinetic / height);
  let x = from;
  let decay = 0;
  for (let i = 0; i < MAX_STEPS && decay < DECAY; i++) {
    x += direction * step;
    decay += step * Math.sqrt(Math.max(0, potentialAt(potential, x) - energy) / kinetic);
  }
  return x;
}

/** Cells of the phase integral, and halvings of the energy: an estimate is all that is wanted. */
const PHASE_CELLS = 200;
const HALVINGS = 40;

/** ∫ sqrt(2m(E − V))/ħ dx = (n + 1/2) π over the classically allowed region of an even potential. */
function semiclassicalEnergy(potential: Potential, n: number): number {
  const { kind, kinetic, c1, c2 } = potential;
  const turningPoint = (energy: number): number =>
    kind === KIND.doubleWell
      ? c2 * Math.sqrt(1 + Math.sqrt(energy / c1))
      : Math.sqrt((2 * energy) / (c1 + Math.sqrt(c1 * c1 + 4 * c2 * energy)));
  const isEnough = (energy: number): boolean => {
    const cell = turningPoint(energy) / PHASE_CELLS;
    let phase = 0;
    for (let i = 0; i < PHASE_CELLS; i++) {
      phase += 2 * cell * Math.sqrt(Math.max(0, energy - potentialAt(potential, (i + 0.5) * cell)) / kinetic);
    }
    return phase >= (n + 0.5) * Math.PI;
  };
  // From the kinetic energy of a wave of unit length up or down to a bracket, then by halves.
  let high = kinetic;
  while (!isEnough(high)) high *= 4;
  while (isEnough(high / 4)) high /= 4;
  let low = high / 4;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = 0.5 * (low + high);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
