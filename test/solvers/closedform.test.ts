import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { coefficientsOf } from '../../src/solvers/closedform/coefficients.ts';
import { inputs } from '../../src/solvers/closedform/inputs.ts';
import { rungeKutta } from '../../src/solvers/closedform/reference.ts';
import { closedform } from '../../src/solvers/closedform/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const duffing = (mu2_eff: number, lambda_eff: number, phi0: number, t: number): Input => ({
  mu2_eff,
  lambda_eff,
  phi0,
  t,
});

describeSolver(closedform, {
  cases: {
    defaults: {},
    free: { mu2_eff: 0, dphi0: -0.3 },
    'uniform acceleration': { mu2_eff: 0, F_eff: -9.80665, phi0: 100, t: 4 },
    hyperbolic: { mu2_eff: -1, t: 5 },
    damped: { damping: 0.3, dphi0: 1 },
    'critically damped': { mu2_eff: 4, damping: 4 },
    driven: { F_eff: 1, omega: 1.2, phase: 0.4, damping: 0.2, phi0: 0, t: 30 },
    resonance: { F_eff: 0.5, omega: 1, phi0: 0, t: 40 },
    hardening: { lambda_eff: 1, dphi0: 0.5 },
    softening: { lambda_eff: -0.5, dphi0: -0.2 },
    'one well': { mu2_eff: -1, lambda_eff: 1, phi0: 1.2 },
    'both wells': { mu2_eff: -1, lambda_eff: 1, phi0: 1.6, dphi0: 0.1 },
    separatrix: { mu2_eff: -2, lambda_eff: 1, phi0: 2, t: 4 },
    'kink of the barrier': { mu2_eff: 1, lambda_eff: -1, phi0: 0, dphi0: Math.SQRT1_2, t: 4 },
    rest: { mu2_eff: -1, lambda_eff: 1, phi0: 1 },
    'an escape': { mu2_eff: 1, lambda_eff: -1, phi0: 1.5, t: 1.1 },
    'an escape past zero': { mu2_eff: -1, lambda_eff: -1, phi0: 0.5, dphi0: -2, t: 1.2 },
    'an escape past a turn': { mu2_eff: 1, lambda_eff: -2, phi0: 3, dphi0: -5, t: 0.6 },
    'an escape without barrier': { mu2_eff: 2, lambda_eff: -1, phi0: -1, dphi0: 2.5, t: 1.4 },
    couplings: { couplings: ['KO4', '0.5*KO1 - 0.25*phi'], compile: { scale: 0.5 }, phi0: 0.3 },
    'couplings of a drive': { couplings: ['0.2*sin(1.5*t + 0.3) - 0.1*dphi', '2 + KO27/10'], t: 12 },
  },
  conservation: true,
  golden: ['defaults', 'driven', 'hardening', 'one well', 'softening', 'an escape past a turn', 'couplings'],
  convergence: [
    {
      name: 'Duffing in time',
      order: 'time',
      levels: 5,
      at: (level) => ({ lambda_eff: 1, samples: 5, steps: 64 << level }),
    },
    {
      name: 'a driven oscillator in time',
      order: 'time',
      levels: 5,
      at: (level) => ({ F_eff: 1, omega: 1.7, damping: 0.1, samples: 5, steps: 64 << level }),
    },
    {
      name: 'steps that shrink towards a pole',
      order: 'time',
      levels: 5,
      at: (level) => ({ lambda_eff: -1, phi0: 1.5, t: 1.3, samples: 5, steps: 64 << level }),
    },
  ],
  known: {
    // mpmath, 30 digits.
    'hardening (1, 1, 1)': {
      input: duffing(1, 1, 1, 5),
      value: [0.94712954208022, 2e-14],
      quantities: { period: [4.7680220291025, 1e-13] },
    },
    'hardening (1, 0.5, 2)': {
      input: duffing(1, 0.5, 2, 10),
      value: [-1.9996517989822, 1e-13],
      quantities: { period: [4.0043095218244, 1e-13] },
    },
    'softening (1, -0.1, 1)': {
      input: duffing(1, -0.1, 1, 10),
      value: [-0.98217802474709, 1e-13],
      quantities: { period: [6.5338401189263, 1e-13] },
    },
    'cubic (0, 1, 1)': {
      input: duffing(0, 1, 1, 10),
      value: [-0.51229003466699, 1e-13],
      quantities: { period: [7.4162987092055, 1e-13] },
    },
    'stiff (1, 10, 1)': {
      input: duffing(1, 10, 1, 3),
      value: [-0.62170570801994, 1e-13],
      quantities: { period: [2.1918291127259, 1e-13] },
    },
    'one well (-1, 1, 1.2)': {
      input: duffing(-1, 1, 1.2, 1),
      quantities: { period: [4.62390522181191, 1e-13] },
    },
    'the steady answer to a drive': {
      input: { F_eff: 1, omega: 1.2, damping: 0.2 },
      quantities: { steady_amplitude: [1.9952172111691, 1e-12], phase_lag: [2.6422459319097, 1e-12] },
    },
    'the inverted oscillator': { input: { mu2_eff: -1, t: 2 }, value: [3.7621956910836, 1e-12] },
  },
  random: {
    of: fc.record({
      mu2_eff: fc.double({ min: -3, max: 3, noNaN: true }),
      lambda_eff: fc.double({ min: 0.01, max: 3, noNaN: true }),
      phi0: fc.double({ min: -3, max: 3, noNaN: true }),
      dphi0: fc.double({ min: -3, max: 3, noNaN: true }),
      t: fc.double({ min: 0.01, max: 8, noNaN: true }),
      samples: fc.constant(21),
    }),
    count: 60,
  },
  outOfRange: [{ couplings: 'phi' }, { compile: 2 }],
  refused: [
    { input: { couplings: ['0.1*phi^2'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'phi squared' },
    { input: { couplings: ['KO34'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'phi squared' },
    { input: { couplings: ['sqrt(1 + phi)'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'square root' },
    { input: { couplings: ['phi^0.5'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'square root' },
    { input: { couplings: ['exp(-phi)'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'exponential' },
    { input: { couplings: ['KO9'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'exponential' },
    { input: { couplings: ['2^phi'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'exponential' },
    { input: { couplings: ['KO26'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'square root' },
    { input: { couplings: ['KO6'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'a sine of phi' },
    { input: { couplings: ['KO33'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'a wave in t' },
    { input: { couplings: ['-phi^5'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'phi to the power 5' },
    { input: { couplings: ['dphi*abs(dphi)'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'absolute' },
    { input: { couplings: ['0.1*t'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'has t' },
    { input: { couplings: ['1/phi'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'quotient' },
    { input: { couplings: ['chi'] }, field: 'couplings', reason: 'SYMBOL_UNKNOWN', message: 'chi' },
    { input: { couplings: ['phi +'] }, code: 'EXPRESSION_INVALID', field: 'couplings', message: 'couplings[0]' },
    {
      input: { couplings: ['cos(t)'], F_eff: 1, omega: 2 },
      field: 'couplings',
      reason: 'NO_CLOSED_FORM',
      message: 'one drive',
    },
    { input: { lambda_eff: 1, damping: 0.1 }, field: 'damping', reason: 'NO_CLOSED_FORM', message: 'damping' },
    { input: { lambda_eff: 1, F_eff: 1, omega: 1 }, field: 'F_eff', reason: 'NO_CLOSED_FORM', message: 'a drive' },
    { input: { lambda_eff: 1, F_eff: 1 }, field: 'F_eff', reason: 'NO_CLOSED_FORM', message: 'a constant force' },
    { input: { lambda_eff: 1, couplings: ['KO27'] }, field: 'couplings', reason: 'NO_CLOSED_FORM', message: 'damping' },
    { input: { lambda_eff: -1, phi0: 2, t: 5 }, field: 't', reason: 'ESCAPED', saysLimit: true },
    { input: { mu2_eff: 1e6, t: 1e6 }, field: 't', reason: 'TOO_MANY_STEPS', saysLimit: true },
  ],
  illegalParameters: [
    { samples: 1 },
    { samples: 2.5 },
    { stepsPerSample: 0 },
    { tEnd: 0 },
    { tEnd: -1 },
    { pole: -1 },
    { pole: 1e-3 },
    { byRungeKutta: 2 },
    { a: Number.POSITIVE_INFINITY },
  ],
});

test('the cross-check is Runge and Kutta’s method in plain TypeScript', async () => {
  const given: Input = { couplings: ['-0.3*dphi', 'sin(2*t)'], dphi0: 1, t: 7, samples: 8, steps: 70 };
  const { witness } = await runSolver(closedform, given);
  const [phi] = rungeKutta(coefficientsOf(inputs.parse(given)), [1, 1], 7, 140);
  expect(Math.abs(witness.reference - phi)).toBeLessThan(1e-13);
});

describe('properties', () => {
  test('a scale of 0 leaves the couplings out', async () => {
    const bare = await runSolver(closedform, { dphi0: 0.3 });
    const scaled = await runSolver(closedform, { dphi0: 0.3, couplings: ['KO4', 'dphi'], compile: { scale: 0 } });
    expect(scaled.value).toBe(bare.value);
  });

  test('the same force as fields and as couplings gives the same value', async () => {
    const fields = await runSolver(closedform, { mu2_eff: -1, lambda_eff: 0.5, phi0: 0.7 });
    const terms = await runSolver(closedform, { mu2_eff: 0, couplings: ['phi - phi^3/2'], phi0: 0.7 });
    expect(terms.value).toBe(fields.value);
  });

  test('after a whole period the field is at its start', async () => {
    for (const [a, b, x, v] of [
      [1, 1, 1, 0.5],
      [1, -0.3, 0.9, 0.4],
      [-1, 1, 1.1, 0.2],
      [-1, 2, 0.4, 1],
    ] as const) {
      const given = { mu2_eff: a, lambda_eff: b, phi0: x, dphi0: v };
      const period = quantityOf(await runSolver(closedform, given), 'period');
      const { value, uncertainty } = await runSolver(closedform, { ...given, t: 3 * period });
      expect(Math.abs(value - x)).toBeLessThanOrEqual(uncertainty);
    }
  });

  test('φ grows as 1 / (T − t) towards the time of escape', async () => {
    const given: Input = { mu2_eff: 1, lambda_eff: -2, phi0: 3, dphi0: -5 };
    const pole = quantityOf(await runSolver(closedform, { ...given, t: 0.1 }), 'escape_time');
    const { value } = await runSolver(closedform, { ...given, t: pole * (1 - 1e-6) });
    expect(Math.abs(value * pole * 1e-6 - 1)).toBeLessThan(1e-5);
  });

  test('curves begin at the start and end with the value', async () => {
    const solution = await runSolver(closedform, { lambda_eff: 2, phi0: 0.5, samples: 11 });
    const [t, phi] = ['t', 'phi'].map((name) => numbersOf(solution, name));
    expect([t?.[0], phi?.[0], t?.at(-1), phi?.at(-1)]).toEqual([0, 0.5, 10, solution.value]);
  });
});
