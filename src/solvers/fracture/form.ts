// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Largest nominal stress, in Pa; of a wave its phase speed, in m/s' },
  labels: {
    mode: 'Body',
    nx: 'Points across',
    ny: 'Points along the pull',
    notchFrac: 'Notch over width',
    horizonM: 'Horizon over spacing',
    N: 'Points of the bar',
    E: 'Young’s modulus',
    strain: 'Strain at the end',
    s0: 'Stretch at first failure',
    sf: 'Stretch at full failure',
    loadSteps: 'Load steps',
    relaxIters: 'Most iterations a step',
    width: 'Width, or length of a bar',
    notch: 'Notched',
    G0: 'Surface energy',
    load: 'Load',
    notches: 'Own notches',
    rho: 'Density',
    t_end: 'End time',
    dt: 'Time step',
    ramp: 'Rise time',
    stress: 'Stress on the ends',
    waves: 'Wavelengths',
  },
  arrays: {
    frame_strain: 'mean strain',
    strain: 'mean strain',
    crack_tip: 'tip of the crack',
    kinetic: 'kinetic energy',
    amplitude: 'strain of the wave',
  },
  numerics: ['nx', 'ny', 'N', 'loadSteps', 'relaxIters', 'dt'],
  examples: [
    {
      title: 'Soda-lime glass with an edge notch',
      look: 'Damage runs from the notch through the plate as it is pulled.',
      input: { G0: 135 },
    },
    {
      title: 'A long notch',
      look: 'A longer notch makes the plate break at a smaller load.',
      input: { notchFrac: 0.5 },
    },
    {
      title: 'A plate without a notch',
      look: 'Without a notch, damage begins at several places at once.',
      input: { notch: 'no' },
    },
    {
      title: 'A steel bar below its limit',
      look: 'Every bond holds: the bar comes back to its length when it is let go.',
      input: { mode: 'bar', E: 210e9, strain: 1e-3, s0: 2e-3 },
    },
    {
      title: 'A brittle bar to failure',
      look: 'Stress grows with the pull until the bar breaks.',
      input: { mode: 'bar', strain: 2e-3, s0: 1e-3 },
    },
    {
      title: 'A crack branches in glass (Ha and Bobaru)',
      look: 'A fast crack in glass splits in two, as in the experiment.',
      input: { load: 'stress', nx: 96, ny: 38, width: 0.1, notchFrac: 0.5, G0: 135, stress: 12e6, ramp: 0 },
    },
    {
      title: 'A strip is held, then its crack runs',
      look: 'The strip is stretched and held; then the crack is free to run.',
      input: { load: 'release', nx: 64, ny: 16, notchFrac: 0.25, G0: 135, strain: 8e-4 },
    },
    {
      title: 'A bar spalls where two waves meet',
      look: 'Two waves of tension meet, and the bar breaks where they add up.',
      input: { mode: 'bar', load: 'stress', N: 200, width: 0.1, s0: 1e-3, stress: 50e6, t_end: 3e-5 },
    },
    {
      title: 'A short wave in a peridynamic bar',
      look: 'Short waves are slower than long ones in this model of a bar.',
      input: { mode: 'bar', load: 'wave', N: 100, waves: 8, strain: 1e-4 },
    },
    {
      title: 'A wide horizon',
      look: 'Bonds that reach farther smear the crack over a wider band.',
      input: { horizonM: 4, notchFrac: 0.25 },
    },
  ],
};
