// Words of the form: what its fields are called beside their names, and states to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'State S of the guard', unit: '1' },
  labels: {
    t: 'Time',
    phase: 'Phase',
    health: 'Health check',
    liveness: 'Liveness',
    status: 'HTTP status',
  },
  numerics: [],
  examples: [
    { title: 'A healthy service', input: { t: 1_790_000_000, phase: 1, health: 'up', liveness: 1, status: 200 } },
    { title: 'Slow answers', input: { t: 1_790_000_000, phase: 1, health: 'slow', liveness: 0.9 } },
    { title: 'Too many requests', input: { t: 1_790_000_000, phase: 2, health: 'up', status: 429 } },
    { title: 'Redirected', input: { t: 1_790_000_000.25, health: 'up', liveness: 0.8, status: 301 } },
    { title: 'Heartbeats are missing', input: { t: 1_790_000_000.25, liveness: 0.4 } },
    { title: 'Service unavailable', input: { t: 1_790_000_000, phase: 3, health: 'up', liveness: 1, status: 503 } },
    { title: 'Down', input: { t: 1_790_000_000, phase: 5.5, health: 'down', liveness: 0, status: 0 } },
  ],
};
