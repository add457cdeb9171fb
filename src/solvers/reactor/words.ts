// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'point kinetics',
    'reactor period',
    'nuclear reactor',
    'delayed neutron*',
    'prompt critical',
    'inhour',
    'rod ejection',
    'reactivity insertion',
    'step reactivity',
    'neutron kinetics',
    'reactivity',
    'reactor power',
    'inverse kinetics',
    'SCRAM',
  ],
  topics: [
    'neutron*',
    'reactor',
    'pcm',
    'U235',
    'Pu239',
    'precursor*',
    'fission',
    'dollars of reactivity',
    'control rod',
    'delayed groups',
    'prompt jump',
  ],
  hints: ['power', 'period', 'groups', 'step', 'ramp', 'critical', 'thermal', 'fast', 'rod', 'feedback', 'nuclear'],
};
