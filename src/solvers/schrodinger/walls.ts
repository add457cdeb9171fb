// Default positions of the walls: so far out that the highest requested state has decayed.
//
// Beyond its turning point a state decays like exp(−∫κ dx), κ = sqrt(2m(V − E))/ħ, and a wall raises its energy by
// about the square of that. The walls are DECAY_LENGTHS decay lengths beyond the turning point.

import { KIND, type Potential, potentialAt } from './potential.ts';

/** A wall at this distance adds e^−30 = 1e-13 of the kinetic energy. */
const DECAY_LENGTHS = 15;

/**
 * Step of the outward integration, in units of 1/k, and the maximum number of steps, which cuts a barely bound state.
 */
const STEP_FRACTION = 0.125;
const MAX_STEPS = 20_000;

/** @param exact  the energies of the bound states in closed form, if known */
export function automaticWalls(
  potential: Potential,
  states: number,
  exact: readonly number[] | undefined,
): { xmin: number; xmax: number } {
  const energy = exact?.at(-1) ?? semiclassicalEnergy(potential, states - 1);
  const { kind, c2 } = potential;
  if (kind === KIND.linear) return { xmin: 0, xmax: decayedPosition(potential, energy, 0, 1) };
  // The integration starts inside the well; for a Coulomb state at c1/2|E|, the middle of its range.
  if (kind === KIND.coulomb)
    return { xmin: 0, xmax: decayedPosition(potential, energy, potential.c1 / -energy / 2, 1) };
  const start = kind === KIND.doubleWell ? c2 : 0;
  const xmax = decayedPosition(potential, energy, start, 1);
  return { xmin: kind === KIND.morse ? decayedPosition(potential, energy, 0, -1) : -xmax, xmax };
}

/** The x at which the state of this energy has decayed, starting from `from` in the given direction. */
function decayedPosition(potential: Potential, energy: number, from: number, direction: 1 | -1): number {
  const { kind, kinetic } = potential;
  const height = kind === KIND.coulomb ? -energy : energy - potentialAt(potential, from);
  const step = STEP_FRACTION * Math.sqrt(kinetic / height);
  let x = from;
  let decay = 0;
  for (let i = 0; i < MAX_STEPS && decay < DECAY_LENGTHS; i++) {
    x += direction * step;
    decay += step * Math.sqrt(Math.max(0, potentialAt(potential, x) - energy) / kinetic);
  }
  return x;
}

/** Cells of the phase integral, and bisections of the energy: an estimate suffices. */
const PHASE_CELLS = 200;
const BISECTIONS = 40;

/** ∫ sqrt(2m(E − V))/ħ dx = (n + 1/2) π over the classically allowed region of an even potential. */
function semiclassicalEnergy(potential: Potential, n: number): number {
  const { kind, kinetic, c1, c2 } = potential;
  const turningPoint = (energy: number): number =>
    kind === KIND.doubleWell
      ? c2 * Math.sqrt(1 + Math.sqrt(energy / c1))
      : Math.sqrt((2 * energy) / (c1 + Math.sqrt(c1 * c1 + 4 * c2 * energy)));
  const isPhaseReached = (energy: number): boolean => {
    const cell = turningPoint(energy) / PHASE_CELLS;
    let phase = 0;
    for (let i = 0; i < PHASE_CELLS; i++) {
      phase += 2 * cell * Math.sqrt(Math.max(0, energy - potentialAt(potential, (i + 0.5) * cell)) / kinetic);
    }
    return phase >= (n + 0.5) * Math.PI;
  };
  // Bracket the energy, starting from the kinetic energy of a wave of unit length, then bisect.
  let high = kinetic;
  while (!isPhaseReached(high)) high *= 4;
  while (isPhaseReached(high / 4)) high /= 4;
  let low = high / 4;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = 0.5 * (low + high);
    if (isPhaseReached(middle)) high = middle;
    else low = middle;
  }
  return high;
}
