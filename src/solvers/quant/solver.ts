// Options by simulation, checked by closed forms and by integration.

import { defineSolver } from '../solver.ts';
import { QUANT_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { quantLive } from './live.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const quant = defineSolver({
  id: 'quant',
  revision: 5,
  title: 'Option prices',
  summary:
    'Monte Carlo with controls, importance or Sobol: European, digital, Asian, barrier; American by lattice; Heston’s variance; greeks, curves, dividends.',
  domain: 'Quantitative Finance',
  subject: 'Chance, signals and finance',
  equations: [
    String.raw`\mathrm dS = (r - q)\, S\, \mathrm dt + \sigma S\, \mathrm dW, \quad V = e^{-rT}\, \mathbb E\left[\text{payoff}\right]`,
    String.raw`\mathrm dv = \kappa (\theta - v)\, \mathrm dt + \xi \sqrt v\, \mathrm dW_v \quad\text{(Heston, } \sigma = \sqrt v\text{)}`,
  ],
  method: {
    name: 'Monte Carlo of exact lognormal paths; a lattice for early exercise; Fourier integrals or paths for Heston’s variance',
  },
  operatorChain: ['KO42', 'BLACK_SCHOLES'],
  unit: '$',
  inputs,
  form,
  words,
  kernel: QUANT_FACE,
  plan: planOf,
  collect: solutionOf,
  live: quantLive,
  references: [
    { cite: 'Black & Scholes, Journal of Political Economy 81 (1973)', at: 'pp. 637–654', doi: '10.1086/260062' },
    { cite: 'Glasserman, Monte Carlo Methods in Financial Engineering (2003)', at: 'chapters 4, 5 and 7' },
    {
      cite: 'Joe & Kuo, SIAM Journal on Scientific Computing 30 (2008)',
      at: 'pp. 2635–2654',
      doi: '10.1137/070709359',
    },
    {
      cite: 'Broadie & Detemple, Review of Financial Studies 9 (1996)',
      at: 'pp. 1211–1250',
      doi: '10.1093/rfs/9.4.1211',
    },
    { cite: 'Heston, Review of Financial Studies 6 (1993)', at: 'pp. 327–343', doi: '10.1093/rfs/6.2.327' },
    { cite: 'Lord & Kahl, Mathematical Finance 20 (2010)', at: 'pp. 671–694', doi: '10.1111/j.1467-9965.2010.00416.x' },
    {
      cite: 'Andersen, Journal of Computational Finance 11 (2008) no. 3',
      at: 'pp. 1–42',
      doi: '10.21314/JCF.2008.189',
    },
    { cite: 'Hull, Options, Futures, and Other Derivatives (9th ed., 2015)', at: 'chapters 15, 19 and 26' },
  ],
});
