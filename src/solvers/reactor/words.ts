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
  inputs: {
    Lambda: ['generation time', 'prompt generation time', 'neutron lifetime', 'prompt lifetime'],
    beta: ['delayed fraction', 'delayed neutron fraction', 'effective beta'],
    n0: ['initial power', 'power at the start', 'starting power'],
    t_end: ['for', 'until', 'after', 'over', 'for the first'],
    output_points: ['points', 'intervals'],
  },
  byUnit: ['t_end'],
  choices: {
    groups: {
      U235_thermal_Keepin: ['U235', 'U-235', 'uranium'],
      U235_fast: ['fast reactor', 'fast uranium'],
      Pu239: ['Pu239', 'Pu-239', 'plutonium'],
      benchmark: [],
      custom: [],
    },
  },
};
