// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'Navier-Stokes',
    'incompressible flow',
    'lid-driven cavity',
    'lid driven cavity',
    'Taylor-Green',
    'Taylor-Green vortex',
    'flow in a channel with an obstacle',
  ],
  topics: [
    'channel flow',
    'Couette',
    'Poiseuille',
    'vorticity',
    'streamfunction',
    'drag',
    'lift',
    'viscous flow',
    'semi-Lagrangian',
    'projection method',
    'Ghia',
  ],
  hints: ['fluid', 'flow*', 'lid', 'cavity', 'vortex', 'vortices', 'channel', 'obstacle', 'inflow', 'plates'],
  inputs: {
    N: ['cells', 'cells across'],
    steps: ['steps'],
    dt: ['time step'],
    visc: ['viscosity', 'kinematic viscosity'],
    speed: ['speed', 'lid speed', 'inflow speed'],
    size: ['side', 'height', 'box'],
  },
  choices: {
    case: {
      cavity: ['cavity'],
      'taylor-green': ['Taylor-Green'],
      plates: ['plates', 'Couette', 'Poiseuille'],
      channel: ['channel'],
    },
    scheme: { linear: ['linear interpolation'], cubic: ['cubic'], maccormack: ['MacCormack'] },
  },
  byUnit: ['visc', 'speed', 'dt', 'size'],
};
