// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Frequency of the mode' },
  quantities: {
    frequency_on_grid: 'Frequency of the mode on this grid',
    speed_of_sound: 'Speed of sound',
    reverberation_time: 'Reverberation time',
    quality_factor: 'Quality factor',
    schroeder_frequency: 'Schroeder frequency',
    chosen_mode: 'Number of the chosen mode',
    cells: 'Cells of the grid',
  },
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
  arrays: {
    response_frequency: 'frequency',
    response_level: 'level in dB',
    nx: 'along x',
    ny: 'along y',
    nz: 'along z',
    uncertainty: '±',
  },
  numerics: ['cells'],
  usedWhen: {
    lx: { shape: { not: ['outline'] } },
    ly: { shape: ['box', 'rectangle', 'l_shape'] },
    lz: { shape: ['box'] },
    outline: { shape: ['outline'] },
    impedance: { shape: ['box', 'rectangle', 'line'] },
    c: { temperature: [null], humidity: [null] },
    temperature: { c: [null] },
    humidity: { c: [null] },
    alpha: { rt60: [null] },
    modes: { f_max: [null] },
  },
  examples: [
    {
      title: 'A room',
      look: 'The lowest note of the room: where pressure is high at one end, it is low at the other.',
      input: {},
    },
    {
      title: 'A plate of air with a degenerate pair',
      look: 'Red and blue patches swing against each other; two modes share this frequency.',
      input: { shape: 'rectangle', lx: 6, ly: 4, mode: 5 },
    },
    {
      title: 'A pipe that is open at one end',
      look: 'Pressure falls from the closed end to nothing at the open one: a quarter of a wave.',
      input: { shape: 'line', lx: 1, open: 'right', modes: 6 },
    },
    {
      title: 'A round tank',
      look: 'Air sloshes across the tank; along the line in the middle the pressure never changes.',
      input: { shape: 'disc', lx: 1, modes: 8 },
    },
    {
      title: 'A round membrane of air with an open rim',
      look: 'The rim is open, so the pressure is zero there and largest in the middle.',
      input: { shape: 'disc', lx: 1, open: 'all', f_max: 900 },
    },
    {
      title: 'An L-shaped room',
      look: 'The two arms of the room swing against each other around the inner corner.',
      input: { shape: 'l_shape', lx: 2, ly: 2, modes: 6 },
    },
    {
      title: 'A warm humid studio',
      look: 'The lowest mode of a studio whose air is warmer and damper than usual, so sound is faster.',
      input: { lx: 6.2, ly: 4.7, lz: 2.8, temperature: 26, humidity: 0.6, rt60: 0.4 },
    },
    {
      title: 'A room with a carpet and a treated wall',
      look: 'Soft walls damp each mode; the receipt has how long each note rings.',
      input: { impedance: 'all 60; floor alpha 0.25; left 6 -4', modes: 10 },
    },
    {
      title: 'A cabin of its own outline',
      look: 'A mode of a cabin with the outline that you give by its corners.',
      input: { shape: 'outline', outline: '0 0; 3 0; 3.4 0.9; 2.2 1.5; 0.5 1.4', modes: 8, microphone: '2.5 0.7' },
    },
  ],
};
