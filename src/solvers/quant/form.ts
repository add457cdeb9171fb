// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Price of the option' },
  labels: {
    type: 'Right',
    style: 'Style',
    S0: 'Price of the underlying',
    K: 'Strike',
    r: 'Interest rate',
    q: 'Dividend yield',
    sigma: 'Volatility',
    T: 'Time to expiry',
    paths: 'Paths',
    sampler: 'Random numbers',
    variance: 'Variance reduction',
    greeks: 'Method of greeks',
    dates: 'Dates',
    barrier: 'Kind of barrier',
    H: 'Barrier',
    dividends: 'Cash dividends',
    rates: 'Curve of rates',
    vols: 'Curve of volatilities',
    price: 'Market price',
    seed: 'Seed',
  },
  numerics: ['paths', 'sampler', 'variance', 'greeks', 'seed'],
  examples: [
    { title: 'A European call', input: {} },
    { title: 'An Asian call', input: { style: 'asian' } },
    { title: 'An American put', input: { type: 'put', style: 'american' } },
    { title: 'A barrier that knocks out', input: { style: 'barrier', barrier: 'down-out', H: 85 } },
    { title: 'Volatility from a market price', input: { price: 12 } },
    { title: 'A digital call, paid or not', input: { style: 'digital' } },
    { title: 'A put as insurance', input: { type: 'put', K: 90, T: 0.5 } },
  ],
};
