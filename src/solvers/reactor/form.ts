// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const CUSTOM = { groups: ['custom'] } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Power at the end over the nominal power', unit: '1' },
  quantities: {
    reactivity_pcm: 'Reactivity',
    reactivity_dollars: 'Reactivity in dollars',
    growth_rate: 'Growth rate',
    asymptotic_period: 'Asymptotic period',
    doubling_time: 'Doubling time',
    peak: 'Peak of the power',
    peak_time: 'Time of the peak',
    energy: 'Energy released',
    prompt_jump: 'Prompt jump β/(β − ρ)',
    beta: 'Fraction of delayed neutrons',
    t_reached: 'Time reached',
    steps: 'Steps',
  },
  labels: {
    groups: 'Delayed neutrons',
    beta_i: 'Fractions of the groups',
    lambda_i: 'Decay constants of the groups',
    beta: 'Effective delayed fraction',
    Lambda: 'Prompt generation time',
    reactivity: 'Program of reactivity',
    feedback: 'Feedback by temperature',
    n0: 'Power at the start',
    source: 'Neutron source',
    t_end: 'Length of the run',
    output_points: 'Intervals of the curves',
    rtol: 'Tolerance of a step',
    trip: 'Trip level',
    power: 'Measured power',
  },
  arrays: {
    n: 'power',
    startup_rate: 'start-up rate',
    inhour_root: 'root',
    reading_t: 't',
    reading_reactivity: 'reactivity',
  },
  numerics: ['output_points', 'rtol'],
  usedWhen: {
    beta_i: CUSTOM,
    lambda_i: CUSTOM,
    reactivity: { power: [null] },
    feedback: { power: [null] },
  },
  shown: ['reactivity'],
  examples: [
    {
      title: 'A step of 0.3 dollars',
      look: 'The power jumps, then rises slowly: delayed neutrons hold it back.',
      input: { reactivity: { value: 0.3, unit: '$' } },
    },
    {
      title: 'Rod drop',
      look: 'The power drops at once, and a slow tail remains.',
      input: { reactivity: { value: -3, unit: '$' }, t_end: 200 },
    },
    {
      title: 'Prompt critical',
      look: 'At one dollar the delayed neutrons no longer hold the power back.',
      input: { reactivity: { value: 1, unit: '$' }, t_end: 1, trip: 100 },
    },
    {
      title: 'A slow ramp',
      look: 'Reactivity is added evenly, and the power rises ever faster.',
      input: { reactivity: { kind: 'ramp', value: 0.5, unit: '$', rate: 0.1 }, t_end: 10 },
    },
    {
      title: 'A rod that oscillates',
      look: 'The power follows a rod that moves up and down.',
      input: { reactivity: { kind: 'sine', value: 100, unit: 'pcm', period: 5 }, t_end: 40 },
    },
    {
      title: 'Pulse of a research reactor with its own brake',
      look: 'The fuel becomes hot and stops the pulse by itself.',
      input: {
        groups: 'benchmark',
        Lambda: 5e-5,
        reactivity: { value: 1.5, unit: '$' },
        feedback: { alpha_T: -2.5e-6 },
        t_end: 1,
      },
    },
    {
      title: 'Start-up with a source',
      look: 'A source alone brings a reactor below critical to a steady power.',
      input: { n0: 0, source: 100, reactivity: { value: -1, unit: '$' }, t_end: 100 },
    },
    {
      title: 'Reactivity from a measured power',
      look: 'Worked backwards: what reactivity explains these readings.',
      input: { power: '0, 1\n1, 1.05\n2, 1.1\n4, 1.22\n8, 1.5\n12, 1.8\n20, 2.7' },
    },
  ],
};
