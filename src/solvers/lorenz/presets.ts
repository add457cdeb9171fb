// Presets: each gives the fields that a request leaves out.

export const SYSTEMS = ['lorenz', 'rossler', 'custom'] as const;

export type System = (typeof SYSTEMS)[number];

export interface Defaults {
  readonly system: System;
  readonly sigma: number;
  readonly rho: number;
  readonly beta: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly equations?: string;
  readonly constants?: string;
  readonly start: readonly number[];
  readonly dt: number;
  readonly steps: number;
  readonly watch?: string;
  readonly pair_time: number;
  readonly tolerance: number;
}

const LORENZ = {
  system: 'lorenz',
  sigma: 10,
  rho: 28,
  beta: 8 / 3,
  a: 0.2,
  b: 0.2,
  c: 5.7,
  start: [1, 1, 1],
  dt: 0.005,
  steps: 400_000,
  pair_time: 40,
  tolerance: 1,
} as const;

const ROSSLER = {
  ...LORENZ,
  system: 'rossler',
  start: [1, 1, 0],
  dt: 0.01,
  steps: 500_000,
  watch: 'x',
  pair_time: 400,
} as const;

const CUSTOM = { ...LORENZ, system: 'custom', dt: 0.01, pair_time: 100 } as const;

export const PRESETS = {
  /** Lorenz 1963. */
  lorenz: LORENZ,
  /** Wolf, Swift, Swinney & Vastano 1985: exponents of 2.16, 0 and −32.4 bits a unit of time. */
  wolf: { ...LORENZ, sigma: 16, rho: 45.92, beta: 4, dt: 0.0025, steps: 800_000, pair_time: 25 },
  /** A periodic window: rho from 99.524 to 100.795. */
  window: { ...LORENZ, rho: 100, dt: 0.0025, steps: 800_000, pair_time: 25 },
  /** Convection rolls that stand: the way ends in an equilibrium. */
  steady: { ...LORENZ, rho: 14, steps: 100_000 },
  /** Rössler 1976. */
  rossler: ROSSLER,
  /** Rössler 1979, four states: two exponents are positive. */
  hyperchaos: {
    ...CUSTOM,
    equations: "x' = -y - z\ny' = x + a*y + w\nz' = b + z*x\nw' = -c*z + d*w",
    constants: 'a = 0.25; b = 3; c = 0.5; d = 0.05',
    start: [-10, -6, 0, 10.1],
    dt: 0.005,
    steps: 400_000,
    watch: 'x',
  },
  /** Chua's circuit with a resistor of three straight pieces: the double scroll. */
  chua: {
    ...CUSTOM,
    equations: "x' = alpha*(y - x - m1*x - 0.5*(m0 - m1)*(abs(x + 1) - abs(x - 1)))\ny' = x - y + z\nz' = -beta*y",
    constants: 'alpha = 15.6; beta = 28; m0 = -1.142857142857143; m1 = -0.7142857142857143',
    start: [0.7, 0, 0],
    steps: 300_000,
    watch: 'x',
  },
  /** Thomas 1999: the same equation three times. */
  thomas: {
    ...CUSTOM,
    equations: "x' = sin(y) - b*x\ny' = sin(z) - b*y\nz' = sin(x) - b*z",
    constants: 'b = 0.18',
    start: [0.1, 1.1, -0.3],
    dt: 0.04,
    steps: 200_000,
    watch: 'x',
    pair_time: 600,
  },
  /** Hénon and Heiles 1964, energy near 1/6: a star that passes through a galaxy, in a sea of chaos. */
  galaxy: {
    ...CUSTOM,
    equations: "x' = u\ny' = v\nu' = -x - 2*x*y\nv' = -y - x^2 + y^2",
    start: [0, -0.15, 0.5555, 0],
    dt: 0.05,
    steps: 400_000,
    watch: 'y',
    pair_time: 400,
    tolerance: 0.1,
  },
  /** Van der Pol's oscillator: a limit cycle. */
  oscillator: {
    ...CUSTOM,
    equations: "x' = v\nv' = mu*(1 - x^2)*v - x",
    constants: 'mu = 1',
    start: [0.5, 0],
    steps: 100_000,
    watch: 'x',
    tolerance: 0.1,
  },
} as const satisfies Readonly<Record<string, Defaults>>;
