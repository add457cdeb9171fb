// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Frequency of the mode' },
  labels: {
    shape: 'Cavity',
    lx: 'Length along x',
    ly: 'Length along y',
    lz: 'Height',
    outline: 'Corners',
    open: 'Open sides',
    impedance: 'Impedance of walls',
    c: 'Speed of sound',
    temperature: 'Air temperature',
    humidity: 'Relative humidity',
    alpha: 'Absorption',
    rt60: 'Reverberation time',
    source: 'Source',
    microphone: 'Microphone',
    modes: 'Modes',
    f_max: 'Highest frequency',
    mode: 'Mode of the value',
    cells: 'Cells along the longest side',
  },
  numerics: ['cells'],
  examples: [
    { title: 'A room', input: {} },
    { title: 'A plate of air with a degenerate pair', input: { shape: 'rectangle', lx: 6, ly: 4, mode: 5 } },
    { title: 'A pipe that is open at one end', input: { shape: 'line', lx: 1, open: 'right', modes: 6 } },
    { title: 'A round tank', input: { shape: 'disc', lx: 1, modes: 8 } },
    { title: 'A round membrane of air with an open rim', input: { shape: 'disc', lx: 1, open: 'all', f_max: 900 } },
    { title: 'An L-shaped room', input: { shape: 'l_shape', lx: 2, ly: 2, modes: 6 } },
    { title: 'A warm humid studio', input: { lx: 6.2, ly: 4.7, lz: 2.8, temperature: 26, humidity: 0.6, rt60: 0.4 } },
    {
      title: 'A room with a carpet and a treated wall',
      input: { impedance: 'all 60; floor alpha 0.25; left 6 -4', modes: 10 },
    },
    {
      title: 'A cabin of its own outline',
      input: { shape: 'outline', outline: '0 0; 3 0; 3.4 0.9; 2.2 1.5; 0.5 1.4', modes: 8, microphone: '2.5 0.7' },
    },
  ],
};
