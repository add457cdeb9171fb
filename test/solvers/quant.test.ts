import fc from 'fast-check';
import { quant } from '../../src/solvers/quant/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';

const paths = 20_000;

describeSolver(quant, {
  cases: {
    defaults: {},
    'a put by Sobol': { type: 'put', sampler: 'sobol', paths },
    'a digital by likelihood': { style: 'digital', greeks: 'likelihood', paths },
    'an asian': { style: 'asian', paths },
    'a barrier': { style: 'barrier', H: 90, paths },
    'a barrier on dates by Sobol': { style: 'barrier', barrier: 'up-in', H: 130, dates: 20, sampler: 'sobol', paths },
    'far out of the money': { K: 300, paths },
    curves: {
      ...{
        rates: [
          [0.5, 0.01],
          [1, 0.06],
        ],
        vols: [
          [0.3, 0.4],
          [1, 0.25],
        ],
        dividends: [[0.4, 2]],
      },
      ...{ style: 'asian', dates: 6, paths },
    },
    'an american put': { style: 'american', type: 'put' },
    expired: { T: 0, K: 90 },
    'without volatility': { sigma: 0, style: 'asian' },
  },
  conservation: true,
  golden: [
    'defaults',
    'a put by Sobol',
    'a digital by likelihood',
    'an asian',
    'a barrier',
    'a barrier on dates by Sobol',
    'far out of the money',
    'curves',
    'an american put',
  ],
  random: {
    of: fc.record({
      type: fc.constantFrom('call' as const, 'put' as const),
      style: fc.constantFrom('european' as const, 'digital' as const, 'asian' as const),
      S0: fc.double({ min: 1, max: 1e4, noNaN: true }),
      K: fc.double({ min: 1, max: 1e4, noNaN: true }),
      r: fc.double({ min: -0.1, max: 0.3, noNaN: true }),
      q: fc.double({ min: -0.1, max: 0.3, noNaN: true }),
      sigma: fc.double({ min: 0.01, max: 1.5, noNaN: true }),
      T: fc.double({ min: 0.01, max: 5, noNaN: true }),
      sampler: fc.constantFrom('random' as const, 'sobol' as const),
      paths: fc.integer({ min: 100, max: 5000 }),
      seed: fc.integer({ min: 0, max: 1e9 }),
    }),
    count: 40,
  },
  refused: [
    { input: { style: 'barrier' }, field: 'H', reason: 'MISSING' },
    { input: { style: 'barrier', H: 110 }, field: 'H', reason: 'ALREADY_CROSSED', facts: { S0: 100 } },
    { input: { style: 'barrier', barrier: 'up-in', H: 90 }, field: 'H', reason: 'ALREADY_CROSSED' },
    { input: { style: 'barrier', H: 90, T: 0 }, field: 'T', reason: 'EXPIRED' },
    { input: { style: 'barrier', H: 90, dividends: [[0.5, 1]] }, field: 'dividends', reason: 'NEEDS_DATES' },
    { input: { style: 'asian', dates: 0 }, field: 'dates', reason: 'OUT_OF_RANGE' },
    { input: { price: 3 }, field: 'price', reason: 'ARBITRAGE' },
    { input: { price: 101 }, field: 'price', reason: 'ARBITRAGE' },
    { input: { price: 3, T: 0, K: 98 }, field: 'price' },
    { input: { price: 3, style: 'digital' }, field: 'price' },
    { input: { dividends: [[0.5, 120]] }, field: 'dividends', reason: 'DIVIDENDS_TOO_LARGE' },
    { input: { dividends: [[-1, 1]] }, field: 'dividends', reason: 'MALFORMED_CURVE' },
    {
      input: {
        rates: [
          [1, 0.02],
          [1, 0.03],
        ],
      },
      field: 'rates',
      reason: 'MALFORMED_CURVE',
    },
    { input: { rates: [[1, 7]] }, field: 'rates', reason: 'MALFORMED_CURVE' },
    {
      input: {
        vols: [
          [1, 0.4],
          [2, 0.1],
        ],
      },
      field: 'vols',
      reason: 'MALFORMED_CURVE',
    },
    { input: { vols: [[1, -0.4]] }, field: 'vols', reason: 'MALFORMED_CURVE' },
  ],
  outOfRange: [{ S0: -1 }, { K: 0 }, { sigma: -0.1 }, { price: -2 }, { paths: 10 }, { T: -1 }],
  known: {
    'Hull 2015, §15.9: a call': { input: { S0: 42, K: 40, r: 0.1, T: 0.5 }, reference: [4.759422392871533, 1e-11] },
    'Hull 2015, §15.9: a put': {
      input: { type: 'put', S0: 42, K: 40, r: 0.1, T: 0.5 },
      reference: [0.8085993729000936, 1e-11],
    },
    'greeks of the call at the money, by mpmath': {
      input: { price: 10.45058357218557 },
      quantities: {
        delta_closed_form: [0.6368306511756191, 1e-13],
        gamma_closed_form: [0.01876201734584689, 1e-14],
        vega_closed_form: [37.52403469169379, 1e-11],
        theta_closed_form: [-6.414027546438196, 1e-11],
        rho_closed_form: [53.23248154537634, 1e-11],
        implied_volatility: [0.2, 1e-14],
      },
    },
    'an american put, by the integral equation of QuantLib': {
      input: { style: 'american', type: 'put' },
      value: [6.090370606535, 1e-4],
    },
    'a digital, by mpmath': { input: { style: 'digital' }, reference: [0.5323248154537634, 1e-13] },
    'a down-and-out call watched always, by the reflection principle': {
      input: { style: 'barrier', H: 90 },
      reference: [8.665471658245677, 1e-8],
    },
  },
  illegalParameters: [
    { phi: 0 },
    { strike: 0 },
    { samples: 0 },
    { dates: 0 },
    { shift: Number.NaN },
    { seed: -1 },
    { levels: -1 },
    { levelVariance: -1 },
  ],
});
