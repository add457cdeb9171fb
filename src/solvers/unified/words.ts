// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'differential equation*',
    'ordinary differential',
    'ODE',
    'ODEs',
    'own equations',
    'system of equations',
    'integrate the equation*',
    'evaluate the expression',
    'initial value problem',
    'equations of motion',
  ],
  topics: [
    'integrate',
    'evaluate',
    'expression',
    'equation',
    'equations',
    'stiff',
    'rodas4',
    'dopri5',
    'event',
    'derivative',
    'chain of expressions',
    'with units',
  ],
  hints: [
    'solve',
    'system',
    'own',
    'bounc*',
    'tolerance',
    'own',
    'initial',
    'stop',
    'invariant*',
    'formula',
    'pendulum',
    'motion',
  ],
  inputs: {
    t_end: ['until t', 'until', 'to t', 'up to t', 'to', 'end time', 't from 0 to'],
    t0: ['from t', 'start time'],
    rtol: ['tolerance'],
    points: ['samples', 'points'],
    steps: ['steps'],
  },
  choices: {
    mode: {},
    method: {
      dopri5: ['dopri5', 'Dormand-Prince'],
      rodas4: ['rodas4', 'Rosenbrock method'],
      rk4: ['rk4', 'Runge-Kutta'],
    },
  },
  equations: 'equations',
};
