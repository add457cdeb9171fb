// PulseGuard protection: the record that routes, documents and tests are read from.

import { defineSolver } from '../solver.ts';
import { PROTECT_FACE } from './face.ts';
import { form } from './form.ts';
import { inputs } from './inputs.ts';
import { planOf } from './plan.ts';
import { solutionOf } from './solution.ts';
import { words } from './words.ts';

export const protect = defineSolver({
  id: 'protect',
  revision: 1,
  title: 'PulseGuard protection',
  summary: 'State of a service from health, liveness and status: a harmonic guard branch, or a hyperbolic alarm.',
  domain: 'PulseGuard Protection',
  subject: 'Clock and service',
  equations: [String.raw`\frac{\mathrm d^2 P}{\mathrm d \theta^2} + (2 l - 1)\, P = 0, \quad P(0) = 1`],
  method: {
    name: 'guard equation in closed form; Runge–Kutta of order 4 as the cross-check',
    order: { time: 4 },
    stability: 'exact; the cross-check is explicit: h k < 2.8',
  },
  operatorChain: ['KO42', 'SVC-PROTECT-001', 'SVC-PROTECT-002'],
  unit: 'P',
  inputs,
  clock: 't',
  form,
  words,
  kernel: PROTECT_FACE,
  plan: planOf,
  collect: solutionOf,
  references: [
    {
      cite: 'Boyce & DiPrima, Elementary Differential Equations and Boundary Value Problems (10th ed., 2012)',
      at: 'linear equations of the second order with constant coefficients',
    },
  ],
});
