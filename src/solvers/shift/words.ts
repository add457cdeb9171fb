// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: ['phase shift series', 'clock series', 'shift series', 'pulse over', 'pulse series', 'series of the pulse'],
  topics: ['pulse', 'clock', 'phase shift', 'steps of the pulse'],
  hints: ['steps', 'series', 'phase', 'shift', 'ticks'],
  inputs: { steps: ['steps', 'ticks'] },
};
