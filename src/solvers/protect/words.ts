// Words by which a sentence names this solver and its inputs.

import type { SolverWords } from '../solver-words.ts';
import type { inputs } from './inputs.ts';

export const words: SolverWords<typeof inputs> = {
  names: [
    'PulseGuard',
    'protect a service',
    'service protection',
    'protection state',
    'guard a service',
    'health of a service',
  ],
  topics: ['protect', 'liveness', 'health check', 'HTTP status', 'alarm', 'guard'],
  hints: ['service', 'health', 'status', 'slow', 'down', 'server', 'alive'],
  inputs: { liveness: ['liveness'], status: ['HTTP status', 'status code', 'status'], phase: ['phase'] },
  choices: {
    health: { up: ['health up', 'healthy'], slow: ['health slow', 'slow'], down: ['health down', 'is down', 'down'] },
  },
};
