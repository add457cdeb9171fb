// Presets: each gives the fields that a request leaves out.

import type { Fitted } from './fitted.ts';

export interface Defaults {
  readonly model: 'sir' | 'seir';
  readonly R0: number;
  readonly gamma: number;
  readonly sigma: number;
  readonly N: number;
  readonly I0: number;
  readonly E0?: number;
  readonly immune?: number;
  readonly days: number;
  readonly mu?: number;
  readonly waning?: number;
  readonly windows?: readonly Window[];
  readonly groups?: readonly number[];
  readonly contacts?: readonly (readonly number[])[];
  readonly ensemble?: number;
  readonly cases?: string;
  readonly observed?: 'incidence' | 'prevalence';
  readonly fit?: readonly Fitted[];
}

/** From day to day: a factor of β, and a rate of vaccination of the susceptible in 1/day. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly factor: number;
  readonly vaccination: number;
}

const SIR = { model: 'sir', R0: 2, gamma: 0.1, sigma: 0.2, N: 1_000, I0: 1, days: 200 } as const;
const SEIR = { model: 'seir', R0: 2.5, gamma: 0.25, sigma: 0.2, N: 1e6, I0: 10, days: 250 } as const;

export const PRESETS = {
  /** The textbook's epidemic. */
  sir: SIR,
  /** With a latent period of five days and an infectious period of four. */
  seir: SEIR,
  /** Contacts cut to a third, later to a half, for 45 days each: the wave comes back. */
  lockdown: {
    ...SEIR,
    days: 365,
    windows: [
      { from: 40, to: 85, factor: 0.35, vaccination: 0 },
      { from: 150, to: 195, factor: 0.5, vaccination: 0 },
    ],
  },
  /** One in a hundred of the susceptible is vaccinated a day, from day 30 on. */
  vaccination: { ...SEIR, windows: [{ from: 30, to: 150, factor: 1, vaccination: 0.01 }] },
  /** As measles without vaccination: waves about the endemic state, in a city whose people live for 50 years. */
  endemic: {
    model: 'seir',
    R0: 15,
    gamma: 1 / 5,
    sigma: 1 / 8,
    N: 1e6,
    I0: 100,
    immune: 0.93,
    days: 7_300,
    mu: 1 / 18_250,
  },
  /** Immunity lasts for half a year. */
  waning: { ...SIR, R0: 3, gamma: 0.2, N: 1e5, I0: 10, days: 730, waning: 1 / 180 },
  /** Children, adults and the old; contacts a day. */
  age: {
    ...SEIR,
    N: 1e6,
    groups: [200_000, 600_000, 200_000],
    contacts: [
      [9, 5, 1],
      [1.6666666666666667, 8, 1.2],
      [1, 3.6, 2.5],
    ],
  },
  /** A village: chance decides whether an epidemic comes about. */
  village: { ...SIR, gamma: 0.2, N: 400, I0: 2, days: 120, ensemble: 500 },
  /** Boys in bed with influenza in a boarding school of 763, January 1978; Brit. Med. J. 1 (1978) 587. */
  school: {
    ...SIR,
    gamma: 0.5,
    N: 763,
    days: 25,
    cases: '3\n8\n26\n76\n225\n298\n258\n233\n189\n128\n68\n29\n14\n4\n',
    observed: 'prevalence',
    fit: ['beta', 'gamma', 'I0'],
  },
} as const satisfies Readonly<Record<string, Defaults>>;
