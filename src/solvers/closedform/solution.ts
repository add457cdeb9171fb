// Builds the solution from the kernel outputs: φ in closed form, its cross-check by Runge–Kutta, and what follows.

import { log } from '../../core/elementary.ts';
import { DomainError } from '../../core/errors.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import { INFO, type KernelOutput } from '../../kernels/abi.ts';
import type { Invariant, Solution } from '../definition.ts';
import { last, maxMagnitude } from '../parts/arrays.ts';
import { unstableError } from '../parts/errors.ts';
import { series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import { energyInvariant } from './energy.ts';
import type { ClosedformFace } from './face.ts';
import { type History, historyOf } from './history.ts';
import type { ClosedformInput } from './inputs.ts';
import { type Problem, problemOf } from './problem.ts';
import { quantitiesOf } from './quantities.ts';
import { backboneOf } from './regime.ts';

/** Two runs that differ by more than this part of the scale are no cross-check. */
const MAX_CROSS_CHECK = 1e-3;
const BACKBONE_ROWS = 60;
/** Below this, numbers lose digits. */
const UNDERFLOW = 1e-300;

export function solutionOf(outputs: readonly KernelOutput<ClosedformFace>[], input: ClosedformInput): Solution {
  const problem = problemOf(input);
  assertFinite(outputs, problem);
  const closed = historyOf(outputOf(outputs, 0), problem.cancellation);
  const coarse = historyOf(outputOf(outputs, 1), 1);
  const fine = historyOf(outputOf(outputs, 2), 1);
  const steps = 2 * problem.stepsPerSample * (problem.samples - 1);
  const [value, reference, rounding] = [last(closed.phi), last(fine.phi), last(closed.phiUncertainty)];
  const scale = Math.max(maxMagnitude(closed.phi), Number.MIN_VALUE);
  const check = crossCheck(closed, coarse, fine, steps);
  const errors = [last(coarse.phi), reference].map((one) => Math.abs(one - value));
  const [coarseError = 0, fineError = 0] = errors;
  const order = fineError > 100 * rounding ? log(coarseError / fineError) / Math.LN2 : undefined;
  const budget = uncertain([bound('rounding', rounding, 'roundings of each number, by what they do to φ')]);
  const energy = energyInvariant(problem, closed);
  const backbone = backboneArrays(problem);
  return {
    value,
    ...budget,
    bound: Math.max(rounding, fineError) / Math.max(Math.abs(reference), scale),
    converged: check.agreement <= 1 && check.spread <= MAX_CROSS_CHECK * scale,
    witness: {
      method: `Runge–Kutta of order 4 with ${steps} steps`,
      reference,
      scale,
      ...(order === undefined ? {} : { observedOrder: order }),
    },
    invariants: [check.invariant, ...(energy === undefined ? [] : [energy])],
    series: [
      series('t', 's', closed.t),
      series('phi', 'phi', closed.phi),
      series('phi_uncertainty', 'phi', closed.phiUncertainty),
      series('phi_rk4', 'phi', fine.phi),
      series('dphi', 'phi/s', closed.dphi),
      series('dphi_uncertainty', 'phi/s', closed.dphiUncertainty),
      series('difference', 'phi', check.differences),
      ...backbone,
    ],
    fields: [],
    plots: [
      { kind: 'line', title: 'φ in closed form, and by Runge–Kutta', x: 't', y: ['phi', 'phi_rk4'] },
      { kind: 'phase', title: 'Phase portrait', x: 'phi', y: 'dphi' },
      {
        kind: 'line',
        title: 'Difference of the two, and ± of the closed form',
        x: 't',
        y: ['difference', 'phi_uncertainty'],
      },
      ...(backbone.length === 0
        ? []
        : [
            {
              kind: 'line',
              title: 'Frequency over amplitude',
              x: 'backbone_amplitude',
              y: ['backbone_frequency'],
            } as const,
          ]),
    ],
    quantities: quantitiesOf(problem, {
      dphi: last(closed.dphi),
      dphiUncertainty: last(closed.dphiUncertainty),
      reference,
      referenceUncertainty: fineError + rounding,
      lag: outputOf(outputs, 0).statistics.lag ?? 0,
    }),
    operatorInputs: {},
    functional: value,
    notes: notesOf(problem, check, scale),
  };
}

/** @throws DomainError UNSTABLE_SCHEME, NUMERIC_OVERFLOW */
function assertFinite(
  outputs: readonly KernelOutput<ClosedformFace>[],
  { t, name, stepsPerSample, samples }: Problem,
): void {
  const [closed, coarse, fine] = [0, 1, 2].map((i) => outputOf(outputs, i));
  if (closed?.info !== INFO.ok) {
    const message = `φ of the branch ${name} exceeds every double before t = ${t}. Take a smaller t.`;
    throw new DomainError('NUMERIC_OVERFLOW', message, { facts: { t } });
  }
  if (coarse?.info === INFO.ok && fine?.info === INFO.ok) return;
  const steps = stepsPerSample * (samples - 1);
  const message = `steps is ${steps}; the cross-check by Runge–Kutta diverges with so few. Take more, or leave the field out.`;
  throw unstableError('steps', message, 'TOO_FEW', { steps });
}

interface CrossCheck {
  readonly differences: Float64Array;
  /** Largest difference, in parts of what is allowed. */
  readonly agreement: number;
  /** Largest difference of the two runs. */
  readonly spread: number;
  readonly invariant: Invariant;
}

/**
 * At each time, the closed form and the finer run differ by less than two runs have differed so far, and what rounding of
 * as many steps does.
 */
function crossCheck(closed: History, coarse: History, fine: History, steps: number): CrossCheck {
  const differences = fine.phi.map((one, i) => Math.abs(one - (closed.phi[i] ?? Number.NaN)));
  const growth = 4 + 2 * Math.sqrt(steps);
  let spread = 0;
  let agreement = 0;
  let largest = 0;
  for (const [i, difference] of differences.entries()) {
    spread = Math.max(spread, Math.abs((fine.phi[i] ?? 0) - (coarse.phi[i] ?? 0)));
    largest = Math.max(largest, Math.abs(closed.phi[i] ?? 0));
    const allowed = spread + growth * ((closed.phiUncertainty[i] ?? 0) + Number.EPSILON * largest) + UNDERFLOW;
    agreement = Math.max(agreement, difference / allowed);
  }
  const invariant = {
    name: 'rk4_agreement',
    label: 'closed form and Runge–Kutta differ by less than two runs do',
    value: maxMagnitude(differences),
    drift: agreement,
    bound: 1,
  };
  return { differences, agreement, spread, invariant };
}

function backboneArrays({ b, a, regime }: Problem) {
  const amplitude = regime?.amplitude;
  if (b === 0 || amplitude === undefined || !Number.isFinite(amplitude)) return [];
  const rows = backboneOf(a, b, amplitude, BACKBONE_ROWS);
  if (rows.length < 2) return [];
  return [
    series(
      'backbone_amplitude',
      'phi',
      rows.map((row) => row.amplitude),
    ),
    series(
      'backbone_frequency',
      'rad/s',
      rows.map((row) => row.frequency),
    ),
  ];
}

function notesOf(
  { name, formula, cancellation }: Problem,
  { agreement, spread }: CrossCheck,
  scale: number,
): readonly string[] {
  return [
    `Branch: ${name}. φ(t) = ${formula}.`,
    ...(cancellation > 1e3 ? [`The terms of a coefficient cancel to 1 part in ${cancellation.toPrecision(3)}.`] : []),
    ...(agreement <= 1 ? [] : ['The cross-check by Runge–Kutta does not agree with the closed form.']),
    ...(spread <= MAX_CROSS_CHECK * scale
      ? []
      : ['The cross-check by Runge–Kutta takes steps that are too long to say anything. Take more steps.']),
  ];
}
