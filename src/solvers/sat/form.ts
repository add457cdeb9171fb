// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './problem.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Decisions of the search' },
  labels: {
    problem: 'Problem',
    dimacs: 'DIMACS text',
    n: 'Size',
    k: 'Literals of a clause',
    ratio: 'Clauses over variables',
    colours: 'Colours',
    seed: 'Seed',
    method: 'Method',
    heuristic: 'Branching',
    assumptions: 'Assumptions',
    count_models: 'Count all models',
    proof: 'Return a proof',
    max_decisions: 'Most decisions',
    time_limit: 'Most work',
  },
  numerics: ['seed', 'heuristic', 'max_decisions', 'time_limit'],
  examples: [
    { title: 'A random formula', input: {} },
    { title: 'Pigeons and holes', input: { problem: 'pigeonhole', n: 6 } },
    { title: 'Eight queens', input: { problem: 'queens', n: 8 } },
    { title: 'A graph that needs four colours', input: { problem: 'mycielski', n: 4 } },
    { title: 'Among six people, three friends or three strangers', input: { problem: 'ramsey', n: 6 } },
    { title: 'All ways to place six queens', input: { problem: 'queens', n: 6, count_models: true } },
  ],
};
