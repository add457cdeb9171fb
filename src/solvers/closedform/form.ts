// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'φ at the time t', unit: '1' },
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
  numerics: ['samples', 'steps'],
  examples: [
    { title: "Duffing's hardening spring", input: { lambda_eff: 1, t: 20 } },
    { title: 'Softening spring', input: { lambda_eff: -0.5, t: 30 } },
    { title: 'Double well', input: { mu2_eff: -1, lambda_eff: 1, phi0: 1.2, t: 20 } },
    { title: 'Just above the barrier', input: { mu2_eff: -1, lambda_eff: 1, phi0: 1.4143, t: 40 } },
    { title: 'Escape in finite time', input: { mu2_eff: -1, lambda_eff: -1, phi0: 0.01, dphi0: 0.2, t: 2.4 } },
    { title: 'Driven and damped', input: { F_eff: 1, omega: 1.2, damping: 0.2, phi0: 0, t: 60 } },
    { title: 'Resonance', input: { F_eff: 0.1, omega: 1, phi0: 0, t: 60 } },
    { title: 'Free fall', input: { mu2_eff: 0, F_eff: -9.80665, phi0: 100, t: 4 } },
    { title: 'Terms of the master field', input: { couplings: ['KO4', '0.5*KO1'], phi0: 0.3, t: 20 } },
  ],
};
