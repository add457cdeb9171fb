// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'pn junction',
    'p-n junction',
    'semiconductor device*',
    'semiconductor junction',
    'Poisson equation',
    'Laplace equation',
    'Poisson–Boltzmann',
    'depletion region',
    'band diagram',
    'electrostatic potential',
    'potential between',
    'silicon diode',
    'MOS capacitor',
    'MOS stack',
    'metal-oxide-semiconductor',
  ],
  topics: [
    'doping',
    'acceptors',
    'donors',
    'depletion',
    'reverse bias',
    'built-in potential',
    'electrode',
    'C-V curve',
    'flat-band',
    'surface potential',
    'threshold voltage',
    'inversion layer',
  ],
  hints: ['junction', 'diode', 'silicon', 'bias', 'oxide', 'electrostatic*', 'Debye', 'band'],
  inputs: {
    Na: ['acceptors', 'acceptor doping'],
    Nd: ['donors', 'donor doping'],
    bias: ['bias', 'biased at', 'gate voltage'],
    tox: ['oxide thickness', 'oxide of', 'oxide', 'of oxide'],
    phi_m: ['work function'],
    T: ['temperature'],
    ni: ['intrinsic density'],
    eps: ['permittivity'],
    cells: ['cells'],
  },
  choices: {
    mode: {
      junction: ['pn junction', 'diode'],
      mos: ['MOS', 'metal-oxide-semiconductor'],
      plane: ['Laplace', 'Poisson equation', 'rectangle', 'between two electrodes', 'electrodes'],
    },
    profile: { step: ['abrupt', 'step'], linear: ['linear grade', 'graded'], gaussian: ['gaussian', 'diffused'] },
  },
  byUnit: ['bias', 'T', 'tox'],
};
