// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'Lotka-Volterra',
    'predator prey',
    'predator and prey',
    'predators and prey',
    'prey and predator',
    'foxes and rabbits',
    'rabbits and foxes',
    'lynx and hare',
    'hare and lynx',
    'wolves and',
    'population cycle*',
    'sharks and',
  ],
  topics: [
    'prey',
    'predator*',
    'foxes',
    'rabbits',
    'lynx',
    'hares',
    'hare',
    'Volterra',
    'carrying capacity',
    'ecology',
    'wolves',
    'sharks',
  ],
  hints: ['harvest', 'cycle', 'period', 'population*', 'species', 'growth', 'oscillat*', 'animals', 'hunting'],
  inputs: {
    alpha: ['growth rate of prey', 'growth rate of the prey', 'prey growth', 'prey growth rate'],
    beta: ['predation rate', 'capture rate'],
    gamma: ['predator death rate', 'death rate of the predators', 'mortality of predators'],
    delta: ['predator growth', 'conversion'],
    x0: ['rabbits', 'hares', 'prey', 'initial prey', 'sheep', 'deer'],
    y0: ['foxes', 'lynx', 'predators', 'initial predators', 'wolves'],
    t_end: ['for', 'over', 'until'],
    carrying_capacity: ['carrying capacity', 'capacity'],
    harvest: ['harvest', 'harvested', 'hunting', 'fishing'],
  },
};
