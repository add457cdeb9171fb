// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const GRAY_SCOTT = [{ model: ['gray-scott', 'custom'] }, { model: [null] }] as const;
const FITZHUGH_NAGUMO = [{ model: ['fitzhugh-nagumo', 'custom'] }, { model: [null], reaction_u: 'given' }] as const;
const CUSTOM = [{ model: ['custom'] }, { model: [null] }] as const;
const PLANE = { dim: [2] } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'What is measured' },
  labels: {
    model: 'Kinetics',
    N: 'Cells along x',
    Ny: 'Cells along y',
    dim: 'Dimensions',
    length: 'Length',
    dt: 'Time step',
    steps: 'Time steps',
    t_end: 'End time',
    Du: 'Diffusivity of u',
    Dv: 'Diffusivity of v',
    F: 'Feed rate',
    k: 'Removal rate',
    epsilon: 'Rate of v over that of u',
    a: 'Constant of v',
    b: 'Decay of v',
    I: 'Stimulus of u',
    reaction_u: 'Rate of u',
    reaction_v: 'Rate of v',
    boundary: 'Sides',
    method: 'Scheme',
    initial: 'Initial state',
    background: 'Background, u and v',
    foreground: 'Foreground, u and v',
    initial_u: 'Initial u',
    initial_v: 'Initial v',
    painting: 'Painted start',
    samples_u: 'Initial u, as numbers',
    samples_v: 'Initial v, as numbers',
    seed: 'Seed',
    measure: 'Value',
    probe_x: 'Probe, x',
    probe_y: 'Probe, y',
    level: 'Level of the front',
  },
  arrays: {
    mean_u: 'mean of u',
    mean_v: 'mean of v',
    front_t: 't',
    front: 'place of the front',
    probe_u: 'u',
    probe_v: 'v',
  },
  numerics: ['N', 'Ny', 'dt', 'steps', 'method', 'seed'],
  usedWhen: {
    Ny: PLANE,
    F: GRAY_SCOTT,
    k: GRAY_SCOTT,
    epsilon: FITZHUGH_NAGUMO,
    a: FITZHUGH_NAGUMO,
    b: FITZHUGH_NAGUMO,
    I: FITZHUGH_NAGUMO,
    reaction_u: CUSTOM,
    reaction_v: CUSTOM,
    initial: { painting: [null] },
    seed: { initial: ['noise'], painting: [null] },
    probe_y: PLANE,
  },
  shown: ['model', 't_end', 'length'],
  examples: [
    { title: 'Spots that divide', look: 'Spots of a chemical grow and split in two.', input: { F: 0.035, k: 0.065 } },
    {
      title: 'Waves of excitation',
      look: 'Rings of excitation run outwards, as in heart muscle.',
      input: { model: 'fitzhugh-nagumo', steps: 300 },
    },
    {
      title: 'A front that grows',
      look: 'A front moves into empty space at a speed that theory knows.',
      input: {
        model: 'custom',
        dim: 1,
        N: 200,
        reaction_u: 'u*(1-u)',
        initial_u: 'exp(-x*x)',
        t_end: 20,
        boundary: 'no-flux',
        measure: 'speed',
      },
    },
    {
      title: 'A spiral wave',
      look: 'Excitation that is cut turns into a spiral and keeps turning.',
      input: { model: 'fitzhugh-nagumo', N: 96, steps: 600, initial: 'spiral' },
    },
    {
      title: 'A pulse along a nerve',
      look: 'A pulse of excitation travels along a fibre at a steady speed.',
      input: {
        model: 'fitzhugh-nagumo',
        dim: 1,
        N: 300,
        steps: 600,
        initial: 'front',
        boundary: 'no-flux',
        measure: 'speed',
      },
    },
    {
      title: 'Two phases that part',
      look: 'Each place decides for one of two phases, and their borders straighten.',
      input: {
        model: 'custom',
        N: 64,
        length: 32,
        reaction_u: 'u-u^3',
        initial_u: '0.3*sin(0.7*x+1)*cos(0.5*y)+0.2*sin(0.4*x-0.9*y)',
        boundary: 'no-flux',
        t_end: 5,
      },
    },
  ],
};
