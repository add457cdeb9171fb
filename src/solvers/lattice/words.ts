// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: ['Kuramoto chain', 'Kuramoto model', 'coupled oscillators', 'phase oscillators', 'lattice of nodes'],
  topics: ['Kuramoto', 'synchroni*', 'coherence', 'phase locking', 'oscillators'],
  hints: ['nodes', 'coupling', 'phase', 'chain', 'ring'],
};
