// Pictures of a run: both populations over time, the phase plane with nullclines and level sets, and the drift of V.

import { cos, exp, sin } from '../../core/elementary.ts';
import type { Field } from '../field.ts';
import { maxMagnitude } from '../parts/arrays.ts';
import { field } from '../parts/fields.ts';
import type { LotkaInput } from './inputs.ts';
import type { Problem } from './problem.ts';
import { excess, logOfExcess } from './reference.ts';

const POINTS = 181;
/** Amplitudes of the level sets, as parts of that of the orbit. */
const LEVELS = [0.25, 0.5, 0.75, 1, 1.25];

/** Level sets of V about the equilibrium; none of other models. */
export function levelSets({ orbit, equilibrium, alpha, gamma, p0, q0 }: Problem): readonly Field[] {
  if (orbit === undefined || equilibrium === undefined) return [];
  const energy = gamma * excess(p0) + alpha * excess(q0);
  const [A, B] = [Math.sqrt((2 * energy) / gamma), Math.sqrt((2 * energy) / alpha)];
  const along = (amplitude: number, scale: number, of: (angle: number) => number) =>
    LEVELS.flatMap((level) =>
      Array.from({ length: POINTS }, (_, i) => {
        const angle = (2 * Math.PI * (i % (POINTS - 1))) / (POINTS - 1);
        return scale * exp(logOfExcess(level * amplitude * of(angle)));
      }),
    );
  const shape = [LEVELS.length, POINTS];
  return [
    field('level_prey', '1', shape, Float64Array.from(along(A, equilibrium.prey, cos))),
    field('level_predators', '1', shape, Float64Array.from(along(B, equilibrium.predators, sin))),
  ];
}

/** Where the prey neither grow nor fall, where the predators do not, and the way itself: three paths of one plane. */
export function phasePaths(
  input: LotkaInput,
  { equilibrium, alpha }: Problem,
  prey: Float64Array,
  predators: Float64Array,
): readonly Field[] {
  if (equilibrium === undefined) return [];
  const { beta, carrying_capacity: K, half_saturation: H } = input;
  const count = prey.length;
  const [right, top] = [maxMagnitude(prey), maxMagnitude(predators)];
  const part = (i: number) => i / (count - 1);
  const along = Float64Array.from({ length: count }, (_, i) => right * part(i));
  const growthless = along.map((x) =>
    Math.max(0, ((alpha - (K > 0 ? (input.alpha * x) / K : 0)) * (1 + (H > 0 ? x / H : 0))) / beta),
  );
  const upright = along.map(() => equilibrium.prey);
  const height = Float64Array.from({ length: count }, (_, i) => top * part(i));
  const shape = [3, count];
  return [
    field('plane_prey', '1', shape, Float64Array.from([...prey, ...along, ...upright])),
    field('plane_predators', '1', shape, Float64Array.from([...predators, ...growthless, ...height])),
  ];
}
