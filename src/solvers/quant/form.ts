// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const BARRIER = { style: ['barrier'] } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Price of the option' },
  quantities: {
    closed_form: 'Price by the closed form',
    standard_error: 'Standard error',
    delta: 'Delta',
    gamma: 'Gamma',
    vega: 'Vega',
    rho: 'Rho',
    theta: 'Theta',
    delta_closed_form: 'Delta by the closed form',
    gamma_closed_form: 'Gamma by the closed form',
    vega_closed_form: 'Vega by the closed form',
    theta_closed_form: 'Theta by the closed form',
    rho_closed_form: 'Rho by the closed form',
    forward: 'Forward price',
    discount: 'Discount factor',
    paths: 'Paths',
    samples_that_pay: 'Share of samples that pay',
  },
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
  arrays: {
    forwards: 'forward',
    price_of_forward: 'price',
    payoff_of_forward: 'payoff',
    low: '2 standard errors below',
    high: '2 standard errors above',
    reference: 'closed form',
    strikes: 'strike',
    volatilities: 'volatility',
    price_map: 'price',
    lattice_price: 'of the lattice',
    price: 'exact',
  },
  numerics: ['paths', 'sampler', 'variance', 'greeks', 'seed'],
  usedWhen: {
    r: { rates: [null] },
    sigma: { vols: [null] },
    dates: { style: ['asian', 'barrier'] },
    barrier: BARRIER,
    H: BARRIER,
    price: { style: ['european'] },
  },
  examples: [
    {
      title: 'A European call',
      look: 'Price by strike and volatility: bright where the right to buy is worth most.',
      input: {},
    },
    {
      title: 'An Asian call',
      look: 'The simulated price closes in on its value as paths are added.',
      input: { style: 'asian' },
    },
    {
      title: 'An American put',
      look: 'A right that may be used early is worth at least what it pays at once.',
      input: { type: 'put', style: 'american' },
    },
    {
      title: 'A barrier that knocks out',
      look: 'The right ends if the price falls to 85, so it is cheaper.',
      input: { style: 'barrier', barrier: 'down-out', H: 85 },
    },
    { title: 'Volatility from a market price', look: 'Which volatility gives a price of 12.', input: { price: 12 } },
    {
      title: 'A digital call, paid or not',
      look: 'It pays one or nothing: its value is the chance, discounted.',
      input: { style: 'digital' },
    },
    {
      title: 'A put as insurance',
      look: 'What it costs to be sure of at least 90 for half a year.',
      input: { type: 'put', K: 90, T: 0.5 },
    },
  ],
};
