// Builds the solution from the kernel outputs: S and P with their ±, the guard's state, and the curves.

import { ALPHA, PULSE_HZ, roundingOfSeconds } from '../../core/clock.ts';
import { decimalError } from '../../core/decimal-error.ts';
import { log } from '../../core/elementary.ts';
import { bound, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import { rowsOf } from '../../kernels/rows.ts';
import type { Invariant, Solution } from '../definition.ts';
import { TWO_PI } from '../parts/angle.ts';
import { last, maxMagnitude } from '../parts/arrays.ts';
import { exactly, field, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { ProtectFace } from './face.ts';
import { DEGRADED_FROM, OK_FROM } from './guard.ts';
import type { ProtectInput } from './inputs.ts';
import { RUNS } from './plan.ts';
import { type Problem, problemOf } from './problem.ts';

const { EPSILON } = Number;
/** Below this number of roundings, two runs show no order. */
const ROUND_OFF = 200;

interface Curve {
  readonly theta: Float64Array;
  readonly p: Float64Array;
  readonly slope: Float64Array;
}

function curveOf(outputs: readonly KernelOutput<ProtectFace>[], run: number): Curve {
  const { views, columns } = outputOf(outputs, run);
  const { column } = rowsOf(views.history ?? new Float64Array(), columns.history);
  return { theta: column('theta'), p: column('p'), slope: column('slope') };
}

export function solutionOf(outputs: readonly KernelOutput<ProtectFace>[], input: ProtectInput): Solution {
  const problem = problemOf(input);
  const [way, coarse, fine, turn, ok, down] = [
    curveOf(outputs, RUNS.closed),
    curveOf(outputs, RUNS.coarse),
    curveOf(outputs, RUNS.fine),
    curveOf(outputs, RUNS.turn),
    curveOf(outputs, RUNS.ok),
    curveOf(outputs, RUNS.down),
  ];
  const { guardState, branch, l, reasons, R_t } = problem;
  const [S, reference] = [last(way.p), last(fine.p)];
  const scale = maxMagnitude(way.p);
  const rounding = roundingOfS(problem, S, last(way.slope));
  const spread = maxMagnitude(fine.p.map((one, i) => one - (coarse.p[i] ?? Number.NaN)));
  const steps = outputOf(outputs, RUNS.fine).steps;
  const allowed = spread + ROUND_OFF * EPSILON * scale;
  const differences = fine.p.map((one, i) => Math.abs(one - (way.p[i] ?? Number.NaN)));
  const agreement = maxMagnitude(differences) / allowed;
  const order = orderOf(Math.abs(last(coarse.p) - S), Math.abs(reference - S), scale);
  return {
    value: S,
    ...uncertain([bound('rounding', rounding, 'roundings of liveness and phase, by what they do to S, and of S')]),
    bound: Math.max(rounding, Math.abs(reference - S)) / Math.max(Math.abs(reference), scale),
    converged: agreement <= 1,
    witness: {
      method: `the guard equation by Runge–Kutta of order 4 with ${steps} steps`,
      reference,
      scale,
      ...(order === undefined ? {} : { observedOrder: order }),
    },
    invariants: [
      agreementInvariant(agreement, maxMagnitude(differences)),
      energyInvariant(problem, way),
      branchInvariant(problem, turn),
    ],
    series: [
      series('theta', 'rad', turn.theta),
      series('S_curve', 'P', turn.p),
      series('S_ok_limit', 'P', ok.p),
      series(
        'S_degraded_limit',
        'P',
        turn.p.map(() => 1),
      ),
      series('S_down', 'P', down.p),
      series('way_theta', 'rad', way.theta),
      series('way_S', 'P', way.p),
      series('way_S_runge_kutta', 'P', fine.p),
      series('caps', '1', [problem.caps.liveness, problem.caps.health, problem.caps.status, l]),
      series('ok_from', '1', [OK_FROM, OK_FROM, OK_FROM, OK_FROM]),
      series('degraded_from', '1', [DEGRADED_FROM, DEGRADED_FROM, DEGRADED_FROM, DEGRADED_FROM]),
    ],
    fields: standOf(problem, S, turn),
    plots: [
      {
        kind: 'phase',
        title: `S over θ, and where the guard stands: ${guardState}`,
        x: 'stand_theta',
        y: 'stand_S',
        labels: ['S', 'this guard'],
      },
      {
        kind: 'line',
        title: 'S over θ: this guard, and the limits of OK (l = 0.75) and DEGRADED (l = 0.5)',
        x: 'theta',
        y: ['S_curve', 'S_ok_limit', 'S_degraded_limit'],
      },
      {
        kind: 'bars',
        title: 'Liveness that each input allows, and least liveness of OK and DEGRADED',
        y: ['caps', 'ok_from', 'degraded_from'],
        labels: ['liveness', 'health', 'status', 'all three'],
      },
      { kind: 'line', title: 'Alarm branch of a service that is down (l = 0)', x: 'theta', y: ['S_down'] },
    ],
    quantities: quantitiesOf(problem, S, rounding),
    findings: { guardState, branch, reasons },
    operatorInputs: operatorInputsOf(problem),
    functional: S,
    notes: [
      `Guard state ${guardState}, ${branch} branch: ${reasons.join('; ')}.`,
      ...(problem.isPulsePhase ? ['The phase is that of the pulse at t.'] : []),
      `P(t) = S R(t) = ${S} × ${R_t}.`,
    ],
  };
}

/** What the roundings of the given numbers do to S, those of the closed form, and three of S. */
function roundingOfS({ l, mu, angle }: Problem, S: number, slope: number): number {
  const { theta, uncertainty } = angle;
  // dS/dl = θ S' / μ, which is −θ² where μ vanishes.
  const byLiveness = Math.abs(mu) > 1e-6 ? Math.abs((theta * slope) / mu) : 2 * theta * theta;
  const rounding = decimalError(l) + EPSILON * Math.abs(mu);
  // √ and the product with θ round the angle twice.
  return byLiveness * rounding + Math.abs(slope) * (uncertainty + 2 * EPSILON * theta) + EPSILON * Math.abs(S);
}

function quantitiesOf(problem: Problem, S: number, rounding: number): Solution['quantities'] {
  const { l, mu, k, angle, R_t, svcond, t } = problem;
  const phi = TWO_PI * PULSE_HZ;
  const ofR = ALPHA * phi * roundingOfSeconds(t) + 2 * EPSILON;
  return [
    quantity('S', S, 'P', rounding),
    quantity('P', S * R_t, 'P', rounding * R_t + Math.abs(S) * ofR + EPSILON * Math.abs(S)),
    exactly('l', l, '1'),
    quantity('mu', mu, '1', 2 * decimalError(l) + EPSILON),
    quantity('k', k, '1', k === 0 ? 0 : (decimalError(l) + EPSILON) / k + EPSILON * k),
    quantity('theta', angle.theta, 'rad', angle.uncertainty),
    quantity('R_t', R_t, '1', ofR),
    exactly('svcond', svcond, '1'),
    exactly('t', t, 's'),
  ];
}

/** Two paths: the curve, and the line from zero to where the guard stands. */
function standOf({ angle }: Problem, S: number, turn: Curve) {
  const n = turn.theta.length;
  const x = new Float64Array(2 * n);
  const y = new Float64Array(2 * n);
  x.set(turn.theta);
  y.set(turn.p);
  for (let i = 0; i < n; i++) {
    x[n + i] = angle.theta;
    y[n + i] = (S * i) / (n - 1);
  }
  return [field('stand_theta', 'rad', [2, n], x), field('stand_S', 'P', [2, n], y)];
}

function orderOf(coarse: number, fine: number, scale: number): number | undefined {
  return fine > ROUND_OFF * EPSILON * scale ? log(coarse / fine) / Math.LN2 : undefined;
}

function agreementInvariant(agreement: number, value: number): Invariant {
  return {
    name: 'runge_kutta_agreement',
    label: 'closed form and Runge–Kutta differ by less than two runs do',
    value,
    drift: agreement,
    bound: 1,
  };
}

/** S'² + μ S² = μ along the way. */
function energyInvariant({ mu }: Problem, { p, slope }: Curve): Invariant {
  let drift = 0;
  for (const [i, one] of p.entries()) {
    const change = slope[i] ?? Number.NaN;
    const size = change * change + Math.abs(mu) * one * one + Math.abs(mu);
    drift = Math.max(drift, size === 0 ? 0 : Math.abs(change * change + mu * one * one - mu) / size);
  }
  return {
    name: 'energy',
    label: "S'² + μ S² stays at μ, relative to its terms",
    value: mu,
    drift,
    bound: 64 * EPSILON,
  };
}

/** The harmonic branch stays within −1 and 1, the hyperbolic one within 1 and cosh 2π. */
function branchInvariant({ branch }: Problem, { p }: Curve): Invariant {
  const drift = p.reduce((most, one) => Math.max(most, branch === 'harmonic' ? Math.abs(one) - 1 : 1 - one), 0);
  return {
    name: 'branch_range',
    label: 'S stays in the range of its branch',
    value: maxMagnitude(p),
    drift,
    bound: 4 * EPSILON,
  };
}

function operatorInputsOf({ branch, angle, l }: Problem): Solution['operatorInputs'] {
  const inputs = { phase: angle.theta, L: l };
  return branch === 'harmonic' ? { 'SVC-PROTECT-001': inputs } : { 'SVC-PROTECT-002': inputs };
}
