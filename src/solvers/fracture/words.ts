// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: ['peridynamic*', 'fracture mechanics', 'brittle fracture', 'crack growth', 'edge crack', 'notched plate'],
  topics: ['crack', 'notch', 'fracture', 'horizon', 'critical stretch', 'surface energy', 'Griffith'],
  hints: ['plate', 'bar', 'pull*', 'break*', 'brittle', 'glass', 'failure', 'tension', 'points', 'damage'],
  inputs: {
    nx: ['points across'],
    notchFrac: ['notch over width', 'notch fraction', 'notch over', 'notch of'],
    horizonM: ['horizon'],
    E: ['Young’s modulus', 'modulus'],
    strain: ['strain'],
    s0: ['critical stretch'],
    width: ['width', 'wide'],
    G0: ['surface energy', 'fracture energy'],
    rho: ['density'],
  },
  choices: {
    mode: { '2d': ['plate'], bar: ['bar', 'rod'] },
    notch: { no: ['without a notch', 'unnotched'] },
  },
  byUnit: ['E', 'width', 'G0'],
};
