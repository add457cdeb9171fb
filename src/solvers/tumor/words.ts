// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: ['tumor', 'tumour', 'glioma*', 'glioblastoma*', 'Fisher-KPP', 'Fisher KPP', 'brain tumor', 'brain tumour'],
  topics: ['white matter', 'grey matter', 'gray matter', 'resection', 'radiotherapy', 'proliferation', 'motility'],
  hints: ['front', 'speed', 'invasion', 'chemotherapy', 'radius', 'growth', 'capacity', 'linear-quadratic'],
  inputs: {
    rho: ['proliferation', 'proliferation rate', 'growth rate'],
    D_white: ['white matter diffusion'],
    D_grey: ['diffusion', 'motility', 'grey matter diffusion'],
    L: ['long', 'length'],
    t_end: ['for', 'until', 'after'],
    nx: ['grid cells'],
  },
  byUnit: ['D_white', 'rho', 'L', 't_end'],
  choices: {
    geometry: { radial: ['ball', 'spherical', 'radial'], planar: ['planar', 'layer', 'one-dimensional'] },
    u0: { point: ['point'], step: ['step'], gauss: ['gaussian'], ramp: ['ramp'] },
  },
};
