// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './problem.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Decisions of the search' },
  quantities: {
    status: 'Status',
    satisfiable: 'Satisfiable (1) or not (0)',
    propagations: 'Propagations',
    conflicts: 'Conflicts',
    restarts: 'Restarts',
    learnt: 'Learnt clauses',
    deleted: 'Deleted clauses',
    visits: 'Visited clauses',
    work: 'Work, of the time limit',
    max_depth: 'Deepest level of decisions',
    variables: 'Variables',
    clauses: 'Clauses',
    literals: 'Literals',
    ratio: 'Clauses a variable',
  },
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
  arrays: {
    decisions_at_depth: 'decisions',
  },
  numerics: ['seed', 'heuristic', 'max_decisions', 'time_limit'],
  examples: [
    {
      title: 'A random formula',
      look: 'How often each depth of the search was tried before the formula was decided.',
      input: {},
    },
    {
      title: 'Pigeons and holes',
      look: 'More pigeons than holes: the solver proves that there is no way.',
      input: { problem: 'pigeonhole', n: 6 },
    },
    { title: 'Eight queens', look: 'Eight queens of which none attacks another.', input: { problem: 'queens', n: 8 } },
    {
      title: 'A graph that needs four colours',
      look: 'A graph without triangles that three colours cannot colour.',
      input: { problem: 'mycielski', n: 4 },
    },
    {
      title: 'Among six people, three friends or three strangers',
      look: 'Six people always have three who all know each other, or three who do not: proved.',
      input: { problem: 'ramsey', n: 6 },
    },
    {
      title: 'All ways to place six queens',
      look: 'All placements are counted: there are four.',
      input: { problem: 'queens', n: 6, count_models: true },
    },
  ],
};
