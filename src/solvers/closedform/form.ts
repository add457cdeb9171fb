// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'φ at the time t', unit: '1' },
  quantities: {
    dphi: 'Slope of φ at the time t',
    'rk#': 'φ by Runge–Kutta of order #',
    'rk#_steps': 'Steps of Runge–Kutta',
    energy_at_start: 'Energy at the start',
    period: 'Period',
    angular_frequency: 'Angular frequency',
    amplitude: 'Amplitude',
    elliptic_parameter: 'Elliptic parameter m',
    escape_time: 'Time of the escape',
    steady_amplitude: 'Amplitude of the steady answer',
    phase_lag: 'Lag of the steady answer behind the drive',
  },
  labels: {
    mu2_eff: 'Linear coefficient',
    lambda_eff: 'Cubic coefficient',
    F_eff: 'Strength of the drive',
    omega: 'Frequency of the drive',
    phase: 'Phase of the drive',
    damping: 'Damping',
    phi0: 'Initial field',
    dphi0: 'Initial slope',
    couplings: 'Further terms',
    compile: 'Factor of the terms',
    t: 'Time',
    samples: 'Times of the curves',
    steps: 'Steps of the cross-check',
  },
  arrays: {
    phi: 'φ',
    phi_rk4: 'φ by Runge–Kutta',
    dphi: 'φ′',
    phi_uncertainty: '± of the closed form',
    backbone_amplitude: 'amplitude',
    backbone_frequency: 'frequency',
  },
  numerics: ['samples', 'steps'],
  usedWhen: {
    omega: { F_eff: { not: [0] } },
    phase: { F_eff: { not: [0] } },
    compile: { couplings: 'given' },
  },
  examples: [
    {
      title: "Duffing's hardening spring",
      look: 'A spring that becomes stiffer: the larger the swing, the faster it is.',
      input: { lambda_eff: 1, t: 20 },
    },
    {
      title: 'Softening spring',
      look: 'A spring that becomes weaker: the larger the swing, the slower it is.',
      input: { lambda_eff: -0.5, t: 30 },
    },
    {
      title: 'Double well',
      look: 'A ball in one of two valleys; the formula and the steps agree.',
      input: { mu2_eff: -1, lambda_eff: 1, phi0: 1.2, t: 20 },
    },
    {
      title: 'Just above the barrier',
      look: 'The ball hardly gets over the hill, and stays long at its top.',
      input: { mu2_eff: -1, lambda_eff: 1, phi0: 1.4143, t: 40 },
    },
    {
      title: 'Escape in finite time',
      look: 'Nothing holds the ball, and it reaches infinity at a time that the formula knows.',
      input: { mu2_eff: -1, lambda_eff: -1, phi0: 0.01, dphi0: 0.2, t: 2.4 },
    },
    {
      title: 'Driven and damped',
      look: 'The first swing fades, and the rhythm of the drive remains.',
      input: { F_eff: 1, omega: 1.2, damping: 0.2, phi0: 0, t: 60 },
    },
    {
      title: 'Resonance',
      look: 'Pushed at its own frequency, the swing grows without end.',
      input: { F_eff: 0.1, omega: 1, phi0: 0, t: 60 },
    },
    {
      title: 'Free fall',
      look: 'A fall without air from 100 m: the curve is a parabola.',
      input: { mu2_eff: 0, F_eff: -9.80665, phi0: 100, t: 4 },
    },
    {
      title: 'Terms of the master field',
      look: 'An equation put together from named terms, with a closed formula for its motion.',
      input: { couplings: ['KO4', '0.5*KO1'], phi0: 0.3, t: 20 },
    },
  ],
};
