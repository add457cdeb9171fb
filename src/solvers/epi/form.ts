// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const SEIR = [
  { model: ['seir'] },
  { model: [null], preset: ['seir', 'lockdown', 'vaccination', 'endemic', 'age'] },
] as const;
const FIT = [{ cases: 'given' }, { preset: ['school'] }] as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Basic reproduction number R₀', unit: '1' },
  quantities: {
    peak_infectious: 'Infectious at the peak',
    peak_day: 'Day of the peak',
    peaks: 'Peaks',
    infected: 'Infected in all',
    attack_rate: 'Attack rate',
    susceptible_end: 'Susceptible at the end',
    infectious_end: 'Infectious at the end',
    final_size: 'Final size of an epidemic that runs out',
    R_start: 'Reproduction number at the start',
    herd_immunity: 'Threshold of herd immunity',
    growth_rate: 'Growth rate at the start',
    doubling_time: 'Doubling time at the start',
    beta: 'Transmission rate',
    infectious_days: 'Days of infectiousness',
    steps: 'Steps',
  },
  labels: {
    preset: 'Preset',
    model: 'Model',
    R0: 'Basic reproduction number',
    beta: 'Transmission rate',
    gamma: 'Recovery rate',
    sigma: 'Rate of becoming infectious',
    N: 'Population',
    I0: 'Infectious at the start',
    E0: 'Exposed at the start',
    immune: 'Immune at the start',
    days: 'Days',
    mu: 'Births and deaths',
    waning: 'Loss of immunity',
    windows: 'Interventions',
    groups: 'Groups',
    contacts: 'Contacts between groups',
    ensemble: 'Stochastic runs',
    seed: 'Seed',
    cases: 'Counted cases',
    observed: 'What was counted',
    fit: 'Fitted fields',
    reporting: 'Share that is counted',
    samples: 'Times of the curves',
  },
  arrays: {
    S: 'susceptible',
    E: 'exposed',
    I: 'infectious',
    R: 'recovered',
    V: 'vaccinated',
    incidence: 'new infections',
    R_t: 'R(t)',
    I_median: 'median of the runs',
    I_low: '5 % of the runs below',
    I_high: '5 % of the runs above',
    infected_in_run: 'infected',
    run_count: 'runs',
    I_by_group: 'group',
  },
  numerics: ['seed', 'samples'],
  usedWhen: {
    R0: { beta: [null] },
    beta: { R0: [null] },
    sigma: SEIR,
    E0: SEIR,
    contacts: [{ groups: 'given' }, { preset: ['age'] }],
    observed: FIT,
    fit: FIT,
    reporting: FIT,
  },
  shown: ['R0', 'gamma', 'N', 'I0', 'days'],
  examples: [
    {
      title: 'Measles before vaccination',
      look: 'With fifteen infections by each case, nearly everybody is ill within weeks.',
      input: { R0: 15, gamma: 0.125, N: 100000, I0: 5, days: 120 },
    },
    {
      title: 'Influenza with a closed school',
      look: 'Closing the school from day 30 to day 60 delays the wave.',
      input: { R0: 1.6, gamma: 0.25, N: 100000, I0: 10, days: 200, windows: [{ from: 30, to: 60, factor: 0.6 }] },
    },
    {
      title: 'Chance in a village',
      look: 'Five hundred runs of chance: the band holds nine of ten.',
      input: { R0: 2, gamma: 0.2, N: 500, I0: 2, ensemble: 500, days: 150 },
    },
    {
      title: 'Exposed before infectious',
      look: 'People are infected before they infect others, so the wave is slower.',
      input: { model: 'seir', R0: 3, gamma: 0.2, sigma: 0.25, N: 1000000, I0: 10, days: 250 },
    },
    {
      title: 'Half of the people are immune',
      look: 'Immune people slow the outbreak and keep it small.',
      input: { R0: 3, gamma: 0.2, N: 100000, I0: 10, immune: 0.5, days: 300 },
    },
    {
      title: 'Waves that come back with new births',
      look: 'Births bring new susceptible people, so that the disease returns in smaller waves.',
      input: { R0: 4, gamma: 0.1, N: 100000, I0: 10, mu: 0.001, days: 1500 },
    },
    {
      title: 'Children and adults',
      look: 'Children meet more people, and are ill earlier than adults.',
      input: {
        R0: 2.5,
        gamma: 0.2,
        I0: 10,
        days: 150,
        groups: [20000, 80000],
        contacts: [
          [8, 4],
          [1, 3],
        ],
      },
    },
  ],
};
