// From the energy of a pose to a dissociation constant, with the accuracy of the model.
//
// Kd = c0 exp(dG / RT) (BINDING_AFFINITY). Vina's score is a free energy that was fitted to measured ones, with a standard
// error of 2.85 kcal/mol (Trott & Olson 2010). The energy of a Lennard-Jones pose is none: what it lacks is estimated by the
// harmonic integral over the pose in a standard volume (Gilson et al. 1997), and that difference is the accuracy.

import { CODATA } from '../../core/codata.ts';
import { exp, log } from '../../core/elementary.ts';
import type { Quantity } from '../definition.ts';
import { quantity } from '../parts/fields.ts';
import type { DockInput } from './inputs.ts';
import type { Problem } from './problem.ts';

const KJ_PER_KCAL = 4.184;
const VINA_ERROR = 2.85;
const MAX_KD = 100;
const MIN_KD = 1e-18;
/** Of a curvature that is rounding: the kernel's own share. */
const FLAT = 1e-6;

export interface Affinity {
  readonly quantities: readonly Quantity[];
  readonly operatorInputs: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly notes: readonly string[];
}

const gasConstant = (): number => constant('molar gas constant') / 1000;

const constant = (name: string): number => CODATA.get(name)?.value ?? Number.NaN;

/** @param curvatures  f64[6] of the best pose */
export function affinityOf(
  input: DockInput,
  problem: Problem,
  {
    energy,
    uncertainty,
    curvatures,
  }: { readonly energy: number; readonly uncertainty: number; readonly curvatures: Float64Array },
): Affinity {
  const { isVina } = problem;
  const unit = isVina ? KJ_PER_KCAL : input.epsilon;
  const thermal = gasConstant() * input.T;
  const free = energy * unit;
  const entropy = isVina ? 2 * VINA_ERROR * KJ_PER_KCAL : harmonicDifference(input, problem, curvatures);
  const energies = isVina
    ? [quantity('affinity', energy, 'kcal/mol', uncertainty)]
    : [quantity('energy', free, 'kJ/mol', uncertainty * unit)];
  if (entropy === undefined) {
    const note =
      'No dissociation constant: the best pose moves without cost, so the accuracy of its energy is unknown.';
    return { quantities: energies, operatorInputs: {}, notes: [note] };
  }
  const wide = entropy + uncertainty * unit;
  const kd = exp(free / thermal);
  const isLawful = kd >= MIN_KD && kd <= MAX_KD;
  const constants = isLawful
    ? [quantity('dissociation_constant', kd, 'mol/L', kd * (exp(Math.min(600, wide / thermal)) - 1))]
    : [];
  return {
    quantities: [
      ...energies,
      quantity('binding_free_energy', free, 'kJ/mol', wide),
      quantity('p_kd', -free / thermal / Math.LN10, '1', wide / thermal / Math.LN10),
      ...constants,
    ],
    operatorInputs: isLawful ? { BINDING_AFFINITY: { T: input.T, Kd: kd } } : {},
    notes: isLawful
      ? []
      : [`The dissociation constant lies outside ${MIN_KD} to ${MAX_KD} mol/L, where the law holds.`],
  };
}

/**
 * |dG − E| in kJ/mol, from K c0 = c0 / (8 π²) ∫ exp(−u / kT) over translations and rotations of one pose; undefined where a
 * direction has no curvature that the shape of the ligand does not explain.
 */
function harmonicDifference({ epsilon, sigma, T }: DockInput, { ligand }: Problem, curvatures: Float64Array) {
  const kT = (gasConstant() * T) / epsilon;
  const atoms = ligand.scored.length;
  const largest = curvatures[0] ?? 0;
  const stiff = [...curvatures].filter((one) => one > FLAT * largest);
  const rotations = atoms === 1 ? 0 : isLinear(ligand.data) ? 2 : 3;
  if (!(largest > 0) || stiff.length !== 3 + rotations) return undefined;
  const squares = ligand.data.reduce((sum, one, k) => sum + (k % 5 < 3 ? one * one : 0), 0);
  const lever = Math.max(0.5, Math.sqrt(squares / atoms));
  // In units of sigma³: each direction √(2π kT / curvature), a rotation over the lever; 8π², 4π or 1 orientations.
  let logarithm = 0;
  for (const one of stiff) logarithm += 0.5 * log((2 * Math.PI * kT) / one);
  logarithm -= rotations * log(lever);
  logarithm -= rotations === 3 ? log(8 * Math.PI * Math.PI) : rotations === 2 ? log(4 * Math.PI) : 0;
  const litres = sigma * sigma * sigma * 1e-27 * constant('Avogadro constant');
  return Math.abs(epsilon * kT * (logarithm + log(litres)));
}

/** Whether all atoms lie on one line, within rounding. */
function isLinear(data: Float64Array): boolean {
  const [x, y, z] = [0, 1, 2].map((d) => (data[5 + d] ?? 0) - (data[d] ?? 0)) as [number, number, number];
  const length = Math.sqrt(x * x + y * y + z * z);
  for (let i = 10; i < data.length; i += 5) {
    const [u, v, w] = [0, 1, 2].map((d) => (data[i + d] ?? 0) - (data[d] ?? 0)) as [number, number, number];
    const cross = [y * w - z * v, z * u - x * w, x * v - y * u];
    if (Math.sqrt(cross.reduce((sum, one) => sum + one * one, 0)) > 1e-6 * length * length) return false;
  }
  return true;
}
