// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'shallow water',
    'dam break',
    'dam breaks',
    'tsunami',
    'Saint-Venant',
    'geostrophic',
    'flood wave',
    'storm surge',
  ],
  topics: [
    'Coriolis',
    'bathymetry',
    'Manning',
    'beta plane',
    'f-plane',
    'Rusanov',
    'Lax-Friedrichs',
    'wetting and drying',
  ],
  hints: ['water', 'flood', 'lake', 'ocean', 'jet', 'beach', 'gauge', 'bore', 'dry bed'],
  inputs: {
    nx: ['cells'],
    lx: ['long', 'length'],
    t_end: ['for', 'until', 'after'],
    depth: ['deep', 'depth', 'upstream depth', 'on the left', 'upstream'],
    h_right: ['downstream depth', 'tailwater', 'on the right', 'downstream'],
    amplitude: ['high', 'hump of', 'height of the hump'],
    manning: ['Manning', 'roughness'],
    f: ['Coriolis parameter'],
  },
  choices: {
    initial: { dam: ['dam'], hump: ['hump'], jet: ['jet'], lake: ['lake at rest'] },
    scheme: { 'lax-friedrichs': ['Lax-Friedrichs'], rusanov: ['Rusanov'], hll: ['HLL'] },
    boundary: { wall: ['walls'], open: ['open sides'], periodic: ['periodic'] },
    limiter: { none: [], 'van-leer': ['van Leer'], minmod: ['minmod'] },
    left: {},
    right: {},
    bottom: {},
    top: {},
  },
  byUnit: ['t_end', 'lx'],
};
