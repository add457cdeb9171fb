// Builds the solution from the clock series and the kernel's check of it.

import { ALPHA, roundingOfSeconds } from '../../core/clock.ts';
import { bound, standard, uncertain } from '../../core/uncertainty.ts';
import type { KernelOutput } from '../../kernels/abi.ts';
import type { Solution } from '../definition.ts';
import { at, last, maxMagnitude } from '../parts/arrays.ts';
import { exactly, quantity, series } from '../parts/fields.ts';
import { outputOf } from '../parts/outputs.ts';
import type { ShiftFace } from './face.ts';
import type { ShiftInput } from './inputs.ts';
import { clockSeries } from './problem.ts';

const { EPSILON } = Number;
/** 2π f. */
const RATE = 8.0864594757;

export const unitOf = ({ computed }: ShiftInput): string => computed?.unit ?? '1';

export function solutionOf(outputs: readonly KernelOutput<ShiftFace>[], input: ShiftInput): Solution {
  const { t = 0, steps: count, computed, domain } = input;
  const { views } = outputOf(outputs, 0);
  const { modulation = new Float64Array() } = views;
  const steps = clockSeries(t, count);
  const R = Float64Array.from(steps, ({ R_t }) => R_t);
  const S = computed?.value ?? 1;
  const unit = unitOf(input);
  const ofS = computed?.uncertainty ?? 0;
  const ofR = ALPHA * RATE * roundingOfSeconds(t) + 2 * EPSILON;
  const differences = R.map((one, k) => one - at(modulation, k));
  const drift = maxMagnitude(differences);
  const budget =
    ofS === 0 ? [] : [standard('propagation', ofS / 2, `± of ${computed?.operator_id ?? 'S'} in its receipt`)];
  const largest = maxMagnitude(R.map((one) => one - 1));
  return {
    value: S,
    ...uncertain(computed === undefined ? [bound('rounding', 0, 'S is 1 by definition')] : budget),
    bound: S === 0 ? 0 : ofS / Math.abs(S),
    converged: computed?.converged ?? true,
    witness: {
      method:
        computed === undefined
          ? 'S is 1; R by the pulse as a rotating pair'
          : `the receipt of ${computed.operator_id}; R by the pulse as a rotating pair`,
      reference: S,
      scale: Math.max(Math.abs(S), Number.MIN_VALUE),
    },
    invariants: [
      {
        name: 'pulse_agreement',
        label: 'R(t) of the clock and of a rotating pair agree',
        value: last(modulation),
        drift,
        bound: 2 * EPSILON + ALPHA * EPSILON * 16 * count,
      },
      {
        name: 'modulation_bound',
        label: '|R(t) − 1| stays within α',
        value: largest,
        drift: Math.max(0, largest - ALPHA),
        bound: EPSILON,
      },
    ],
    series: [
      series(
        'step',
        '1',
        steps.map((_, k) => k),
      ),
      series('R_t', '1', R),
      series(
        'delta',
        '1',
        steps.map(({ delta }) => delta),
      ),
      series(
        't',
        's',
        steps.map((one) => one.t),
      ),
      series(
        'phase',
        '1',
        steps.map(({ phase }) => phase),
      ),
      series(
        'svcond',
        '1',
        steps.map(({ svcond }) => svcond),
      ),
      series(
        'S_R_t',
        unit,
        R.map((one) => S * one),
      ),
      series(
        'R_t_uncertainty',
        '1',
        R.map(() => ofR),
      ),
      series(
        'S_R_t_uncertainty',
        unit,
        R.map((one) => ofS * one + Math.abs(S) * (ofR + EPSILON)),
      ),
    ],
    fields: [],
    plots: [
      { kind: 'line', title: 'R(t) at each step', x: 'step', y: ['R_t'] },
      { kind: 'bars', title: 'Change of R(t) from the step before', x: 'step', y: ['delta'] },
      {
        kind: 'line',
        title: computed === undefined ? 'S R(t), with S = 1' : `S R(t), with S by ${computed.operator_id}`,
        x: 'step',
        y: ['S_R_t'],
      },
      { kind: 'table', title: 'The steps', columns: ['t', 'phase', 'svcond', 'R_t', 'delta', 'S_R_t'] },
    ],
    quantities: [
      quantity('S', S, unit, ofS),
      quantity('R_first', at(R, 0), '1', ofR),
      quantity('R_last', last(R), '1', ofR),
      exactly('t_0', t, 's'),
      exactly('steps', count, '1'),
    ],
    findings: { steps: steps.map(({ frac: _, ...step }) => ({ ...step, S_R_t: S * step.R_t })) },
    operatorInputs: {},
    functional: S,
    notes: [
      computed === undefined
        ? `No inputs of ${domain}: S is 1, so S R(t) is R(t).`
        : `S = ${computed.value} ${computed.unit} by ${computed.operator_id}, computed once; its receipt stands in receipts.`,
    ],
  };
}
