// Builds the solution from the kernel outputs: energy and its witness, orbits with ±, events, invariants, pictures.

import { bound, standard, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution } from '../definition.ts';
import { type Energy, energyAt } from './energy.ts';
import { encounterOf, endOf, escapingBodies, momentsOf } from './events.ts';
import type { MultibodyFace } from './face.ts';
import { historiesOf } from './histories.ts';
import type { MultibodyInput } from './inputs.ts';
import { invariantsOf } from './invariants.ts';
import { picturesOf } from './pictures.ts';
import type { Problem } from './problem.ts';
import { quantitiesOf } from './quantities.ts';
import { type Result, resultOf } from './result.ts';

/** Beyond this part of the terms, two runs do not agree on the energy. */
const MAX_ENERGY_DIFFERENCE = 1e-6;

export function solutionOf(outputs: readonly KernelOutput<MultibodyFace>[], input: MultibodyInput): Solution {
  const result = resultOf(outputs, input);
  const { problem, best, witnesses, comparison, last, energies } = result;
  const { joule, jouleUncertainty, G } = problem.units;
  const [start, end] = [energyAt(problem, best, 0), energyAt(problem, best, last)];
  const [other, third] = [energyAt(problem, witnesses[0], last), energyAt(problem, witnesses[1], last)];
  const difference = Math.max(Math.abs(end.total - other.total), Math.abs(end.total - third.total));
  // Without drag and couplings the energy at the start is that of all times.
  const energy = problem.hasWork ? end : start;
  const value = energy.total * joule;
  const potential = problem.strength === 0 ? 0 : pairEnergy(problem, start);
  const budget = uncertain([
    bound('rounding', energy.rounding * joule, 'terms of the energy, and the digits of the inputs'),
    ...(problem.hasWork
      ? [
          bound(
            'discretisation',
            10 * difference * joule,
            'extrapolation with other steps from a start half a rounding away',
          ),
        ]
      : []),
    standard(
      'constants',
      Math.abs(value) * jouleUncertainty,
      'Newtonian constant of gravitation, in the mass of the Sun',
    ),
    standard(
      'constants',
      problem.strength === 0 ? 0 : Math.abs(potential) * (problem.strengthUncertainty / problem.strength) * joule,
      'Newtonian constant of gravitation',
    ),
  ]);
  const scale = energies.reduce((most, { magnitude }) => Math.max(most, magnitude), 0) * joule;
  const reference = other.total * joule;
  const stop = endOf(problem, best);
  const encounter = encounterOf(result);
  const escaping = escapingBodies(problem, best, last);
  const histories = historiesOf(result);
  const isAgreed = Math.abs(value - reference) <= MAX_ENERGY_DIFFERENCE * scale + budget.uncertainty;
  const isWhole = !comparison.isCut && stop.isAnswer && witnesses.every((run) => run.end === best.end);
  return {
    value,
    ...budget,
    bound:
      scale > 0 ? Math.max(budget.uncertainty, Math.abs(value - reference)) / Math.max(Math.abs(reference), scale) : 0,
    converged: isAgreed && isWhole && comparison.isMethodAccurate,
    witness: {
      method: 'energy at the last time shown, by extrapolation with other steps from a start half a rounding away',
      reference,
      scale: Math.max(scale, Number.MIN_VALUE),
    },
    invariants: invariantsOf(result),
    ...picturesOf(result, histories, momentsOf(result, stop, escaping)),
    quantities: quantitiesOf(result, { stop, encounter, escaping, horizon: horizonOf(result) }),
    operatorInputs: {},
    functional: value,
    notes: [
      ...(input.bodies === undefined ? [`Fields that were left out are those of the preset ${input.preset}.`] : []),
      ...problem.notes,
      ...(problem.law === 'gravity'
        ? [
            `G = ${problem.strength}${problem.strength === G ? `, that of the units ${problem.units.length}, ${problem.units.time}` : ''}.`,
          ]
        : []),
      ...(stop.note === '' ? [] : [stop.note]),
      ...(comparison.isCut
        ? [
            `Not predictable after t = ${problem.times[last]}: runs that begin half a rounding apart differ by more than a thousandth of the distance to the nearest body from then on.`,
          ]
        : []),
      ...(comparison.isMethodAccurate
        ? []
        : [
            `dt = ${problem.fixed?.dt} is too long for ${input.method}: its error exceeds a hundredth of the system's size.`,
          ]),
      ...escaping.map(
        (i) => `${problem.bodies[i]?.name} escapes: its energy against the others is positive, and it recedes.`,
      ),
    ],
  };
}

/** The potential energy of all pairs, which G multiplies. */
function pairEnergy(problem: Problem, start: Energy): number {
  return problem.law === 'field' ? 0 : 0.5 * (start.total - start.magnitude);
}

/** The last time that is predictable. */
const horizonOf = ({ problem, last }: Result): number => problem.times[last] ?? problem.tEnd;
