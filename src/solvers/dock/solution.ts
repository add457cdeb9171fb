// Builds the solution from the searches: the least energy, its certificate, whether the searches agree, poses and affinity.

import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Quantity, Solution } from '../definition.ts';
import { validationError } from '../parts/errors.ts';
import { exactly, quantity } from '../parts/fields.ts';
import { affinityOf } from './affinity.ts';
import type { DockFace } from './face.ts';
import type { DockInput } from './inputs.ts';
import { picturesOf, termNames } from './pictures.ts';
import { minimaOf, rankPoses } from './poses.ts';
import { type Problem, problemOf } from './problem.ts';
import { internalEnergy, type PlainEnergy, plainEnergy, tabulatedScore } from './reference.ts';

/** Difference of two searches that have found one minimum. */
const AGREES = { lj: 1e-4, vina: 1e-2 } as const;
/** Relative rounding of a sum over pairs. */
const ROUNDING = 2e-14;
/** Of the gradient against differences, and of the length of a quaternion. */
const GRADIENT = 1e-6;
const UNIT = 1e-12;
/** What kinks may keep a search without gradients from, in kcal/mol: several times what was seen. */
const POLL_RESIDUE = 1e-5;
/** What a Newton step may still gain, over the energy. */
const RESIDUE = 1e-9;

/** Of the table of AutoDock Vina, where rounding decides the step of a pair. */
const TABULATED = 1e-4;

const NOT_BOUND = 'The energy is positive: the bodies repel each other in this pose and are not bound.';

interface Found {
  readonly energy: number;
  readonly pose: Float64Array;
  readonly curvatures: Float64Array;
  readonly statistics: KernelOutput<DockFace>['statistics'];
}

export function solutionOf(outputs: readonly KernelOutput<DockFace>[], input: DockInput): Solution {
  const problem = problemOf(input);
  const searches = outputs.map(foundOf);
  const [best] = [...searches].filter((one) => one !== undefined).sort((a, b) => a.energy - b.energy);
  if (!best) throw noPose(input);
  const plain = plainEnergy(problem, best.pose);
  const judged = judge(input, problem, searches, best, plain);
  const minima = minimaOf(outputs, problem);
  const isDock = input.mode === 'dock';
  const ranked = rankPoses(problem, minima, input.num_modes, input.energy_range);
  const budget = uncertain([
    bound('rounding', judged.rounding, 'sums over pairs of atoms'),
    bound('iteration', judged.left, 'what a Newton step would gain, and the distance of the searches'),
  ]);
  const { energy } = best;
  const affinity = affinityOf(input, problem, {
    energy,
    uncertainty: budget.uncertainty,
    curvatures: input.mode === 'score' ? new Float64Array(6) : best.curvatures,
  });
  const scale = Math.max(Math.abs(judged.reference), judged.tolerance);
  return {
    value: energy,
    ...budget,
    bound: judged.tolerance / scale,
    converged: judged.converged,
    witness: { method: judged.method, reference: judged.reference, scale },
    invariants: invariantsOf(best, plain),
    ...picturesOf(problem, outputs, minima.length > 0 ? minima : [], ranked, best.pose),
    quantities: [
      ...affinity.quantities,
      ...termQuantities(problem, plain, judged),
      ...bodyQuantities(problem, best, budget.uncertainty),
      exactly('receptor_atoms', problem.receptor.scored.length, '1'),
      exactly('ligand_atoms', problem.ligand.scored.length, '1'),
      exactly('rotors', problem.rotors, '1'),
      exactly(
        'evaluations',
        searches.reduce((sum, one) => sum + (one?.statistics.evaluations ?? 0), 0),
        '1',
      ),
      ...(isDock
        ? [
            exactly(
              'minimisations',
              outputs.reduce((sum, { steps }) => sum + steps, 0),
              '1',
            ),
            exactly('poses_found', ranked.length, '1'),
            exactly('best_pose_hits', ranked[0]?.hits ?? 0, '1'),
          ]
        : []),
    ],
    operatorInputs: affinity.operatorInputs,
    functional: energy,
    notes: [...problem.notes, ...judged.notes, ...(energy > 0 ? [NOT_BOUND] : []), ...affinity.notes],
  };
}

function foundOf({ views, statistics }: KernelOutput<DockFace>): Found | undefined {
  const { energy = Number.NaN, row = -1 } = statistics;
  if (row < 0 || !Number.isFinite(energy)) return undefined;
  const { best = new Float64Array(7), curvatures = new Float64Array(6) } = views;
  return { energy, pose: best, curvatures, statistics };
}

function noPose({ mode }: DockInput) {
  if (mode !== 'dock')
    return validationError(
      'ligand_file',
      'An atom of the ligand lies on one of the receptor: no finite energy.',
      'CLASH',
    );
  const message = 'No local minimum of the energy lies inside the box: size_x, size_y and size_z must be larger.';
  return validationError('size_x', message, 'NO_POSE_IN_BOX');
}

interface Judgement {
  readonly method: string;
  readonly reference: number;
  readonly tolerance: number;
  readonly rounding: number;
  readonly left: number;
  readonly converged: boolean;
  readonly notes: readonly string[];
}

function judge(
  { mode }: DockInput,
  problem: Problem,
  searches: readonly (Found | undefined)[],
  best: Found,
  plain: PlainEnergy,
): Judgement {
  const { energy, statistics } = best;
  const rounding = ROUNDING * plain.magnitude + Math.abs(energy - plain.energy);
  const again = { method: 'every pair in plain TypeScript, in another frame', reference: plain.energy };
  const agreesAgain = Math.abs(energy - plain.energy) <= 1e-11 * plain.magnitude + 1e-13;
  if (mode === 'score')
    return { ...again, tolerance: 2 * rounding, rounding, left: 0, converged: agreesAgain, notes: [] };
  const { decrement = Number.NaN, falling = Number.NaN, slope = Number.NaN } = statistics;
  const isMinimum = problem.isVina || (falling === 0 && decrement <= RESIDUE * (1 + Math.abs(energy)));
  const notes = isMinimum ? [] : [`The best pose is no minimum yet: its gradient is ${slope.toPrecision(2)}.`];
  const residue = problem.isVina ? POLL_RESIDUE : 2 * decrement;
  const other = searches.find((one) => one !== best);
  const difference = other ? Math.abs(energy - other.energy) : Math.abs(energy);
  const limit = problem.isVina ? AGREES.vina : AGREES.lj;
  const agrees = difference <= limit;
  const word = other ? `${other.energy}` : 'no pose in the box';
  const doubt =
    mode === 'dock'
      ? `The second search ended at ${word}, the first at ${energy}: a lower minimum may exist. Raise exhaustiveness.`
      : `From a start beside the pose the minimum is ${word}, not ${energy}: the pose lies between two of them.`;
  return {
    method: mode === 'dock' ? 'a second search with other random numbers' : 'a start beside the pose',
    reference: other?.energy ?? 0,
    tolerance: limit + rounding,
    rounding,
    left: difference + residue,
    converged: agrees && isMinimum && agreesAgain,
    notes: agrees ? notes : [...notes, doubt],
  };
}

/** Terms move with the pose to first order, so that their bound is what another search shows. */
function termQuantities({ isVina }: Problem, { terms, magnitude }: PlainEnergy, { rounding, left }: Judgement) {
  const slack = rounding + (isVina ? 1e-5 : 1e-9) * magnitude + (left > 0 ? Math.sqrt(left * magnitude) : 0);
  return termNames(isVina).map((name, k) => quantity(`term_${name}`, terms[k] ?? 0, 'epsilon', slack));
}

function bodyQuantities(problem: Problem, { energy, pose }: Found, uncertainty: number): readonly Quantity[] {
  const { isVina, receptor, ligand } = problem;
  const atoms = ligand.scored.length;
  const efficiency = quantity(
    'ligand_efficiency',
    -energy / atoms,
    'epsilon',
    uncertainty / atoms + 1e-16 * Math.abs(energy),
  );
  if (isVina) {
    // A pair at the end of a step may fall on either side of it.
    const score = tabulatedScore(problem, pose);
    return [efficiency, quantity('affinity_tabulated', score, 'kcal/mol', uncertainty + TABULATED)];
  }
  const inside = [internalEnergy(receptor), internalEnergy(ligand)] as const;
  const rounding = (value: number, n: number) => 1e-14 * (1 + n * n + Math.abs(value));
  return [
    efficiency,
    quantity('receptor_energy', inside[0], 'epsilon', rounding(inside[0], receptor.scored.length)),
    quantity('ligand_energy', inside[1], 'epsilon', rounding(inside[1], atoms)),
  ];
}

function invariantsOf({ energy, statistics }: Found, plain: PlainEnergy): readonly Invariant[] {
  const { gradientFault = Number.NaN, unitFault = Number.NaN } = statistics;
  const scale = Math.max(plain.magnitude, 1e-300);
  return [
    {
      name: 'frame',
      label: 'energy in another frame, every pair in plain TypeScript',
      value: energy,
      drift: (energy - plain.energy) / scale,
      bound: UNIT,
    },
    {
      name: 'gradient',
      label: 'gradient against differences of the energy',
      value: 0,
      drift: gradientFault,
      bound: GRADIENT,
    },
    { name: 'unit_quaternion', label: 'length of a quaternion', value: 1, drift: unitFault, bound: UNIT },
  ];
}
