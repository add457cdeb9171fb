// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'room mode*',
    'room acoustics',
    'acoustic mode*',
    'acoustic resonance*',
    'acoustic cavity',
    'cavity modes of sound',
    'Helmholtz eigen*',
    'standing sound wave*',
    'resonances of a room',
    'organ pipe',
  ],
  topics: ['acoustic*', 'sound', 'reverberation', 'Schroeder frequency', 'microphone', 'resonance*'],
  hints: ['room', 'modes', 'pipe', 'tube', 'speed of sound', 'absorption', 'rigid walls', 'degenerate', 'Hz'],
  inputs: {
    lx: ['long', 'length', 'diameter'],
    ly: ['wide', 'width'],
    lz: ['high', 'height'],
    c: ['speed of sound', 'sound speed'],
    rt60: ['reverberation time', 'RT60'],
    temperature: ['temperature'],
    alpha: ['absorption'],
    modes: ['modes'],
    f_max: [
      'modes below',
      'modes up to',
      'modes under',
      'resonances below',
      'resonances up to',
      'up to',
      'highest frequency',
    ],
    cells: ['cells'],
  },
  choices: {
    shape: {
      box: ['room', 'box'],
      rectangle: ['rectangle', 'rectangular', '2-D'],
      line: ['pipe', 'tube', '1-D'],
      l_shape: ['L-shape', 'L-shaped'],
      disc: ['disc', 'circular', 'round'],
    },
  },
  byUnit: ['c', 'lx', 'temperature', 'rt60', 'f_max'],
};
