// Words of the form: what its fields are called beside their names, and states to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'State S of the guard', unit: '1' },
  quantities: {
    S: 'State S of the guard',
    P: 'Product P of S and R(t)',
    l: 'Liveness',
    mu: 'Coefficient μ of the guard equation',
    k: 'Rate k of the branch',
    theta: 'Phase θ',
    R_t: 'Pulse R(t)',
    svcond: 'Count of svconds',
    t: 'Time',
  },
  labels: {
    t: 'Time',
    phase: 'Phase',
    health: 'Health check',
    liveness: 'Liveness',
    status: 'HTTP status',
  },
  arrays: {
    stand_theta: 'θ',
    stand_S: 'S',
    theta: 'θ',
    S_curve: 'this guard',
    S_ok_limit: 'limit of OK',
    S_degraded_limit: 'limit of DEGRADED',
    caps: 'allowed',
    ok_from: 'OK from',
    degraded_from: 'DEGRADED from',
    S_down: 'S',
  },
  numerics: [],
  examples: [
    {
      title: 'A healthy service',
      look: 'A service that answers well: the guard stands in the green.',
      input: { t: 1_790_000_000, phase: 1, health: 'up', liveness: 1, status: 200 },
    },
    {
      title: 'Slow answers',
      look: 'Slow answers lower the guard to degraded.',
      input: { t: 1_790_000_000, phase: 1, health: 'slow', liveness: 0.9 },
    },
    {
      title: 'Too many requests',
      look: 'The service says that it has too many requests, and the guard goes down.',
      input: { t: 1_790_000_000, phase: 2, health: 'up', status: 429 },
    },
    {
      title: 'Redirected',
      look: 'The answer points elsewhere, and the guard takes it for less than healthy.',
      input: { t: 1_790_000_000.25, health: 'up', liveness: 0.8, status: 301 },
    },
    {
      title: 'Heartbeats are missing',
      look: 'Too few signs of life: the guard reports a breach.',
      input: { t: 1_790_000_000.25, liveness: 0.4 },
    },
    {
      title: 'Service unavailable',
      look: 'The service says that it is not available: a breach.',
      input: { t: 1_790_000_000, phase: 3, health: 'up', liveness: 1, status: 503 },
    },
    {
      title: 'Down',
      look: 'No answer at all: the alarm.',
      input: { t: 1_790_000_000, phase: 5.5, health: 'down', liveness: 0, status: 0 },
    },
  ],
};
