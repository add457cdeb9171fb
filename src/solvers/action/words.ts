// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'symplectic',
    'leapfrog energy',
    'Kepler orbit with',
    'Yoshida integrator',
    'symplectic map',
    'symplectic integrator',
    'geometric integration',
    'energy error of',
    'Störmer-Verlet',
    'long-term energy',
    'Hamiltonian system',
  ],
  topics: [
    'leapfrog',
    'Yoshida',
    'Kepler',
    'energy error',
    'pendulum',
    'integrator',
    'phase portrait',
    'eccentricity',
    'Hamiltonian',
    'oscillator',
  ],
  hints: ['order', 'orbit', 'steps', 'energy', 'map', 'drift', 'dt', 'omega', 'compare'],
  inputs: {
    order: ['order', 'of order', 'th order'],
    steps: ['steps', 'time steps'],
    dt: ['time step', 'step size'],
    eccentricity: ['eccentric'],
    omega: ['frequency', 'angular frequency'],
  },
  choices: {
    order: {
      2: ['second order', 'leapfrog'],
      4: ['fourth order'],
      6: ['sixth order'],
      8: ['eighth order'],
    },
    system: {
      kepler: ['Kepler', 'Kepler orbit'],
      oscillator: ['oscillator', 'harmonic oscillator'],
      pendulum: ['pendulum'],
    },
  },
};
