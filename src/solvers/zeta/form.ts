// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './problem.ts';

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Zeros in the window' },
  answers: [{ when: { task: ['zero_k'] }, name: 'Number of the zero' }],
  quantities: {
    zeros_up_to_t_max: 'Zeros up to t_max',
    smooth_count: 'Zeros by the smooth count',
    s_at_t_max: 'S(t_max): zeros beyond the smooth count',
    certified: 'Certified (1) or not (0)',
    gram_intervals: 'Gram intervals',
    bad_gram_points: 'Bad Gram points',
    longest_gram_block: 'Longest Gram block',
    rosser_violations: 'Exceptions to Rosser’s rule',
    evaluations: 'Evaluations',
  },
  labels: {
    task: 'Task',
    t_min: 'Start of the window',
    t_max: 'End of the window',
    k: 'Number of the zero',
    rs_terms: 'Corrections',
    refine_tol: 'Width of a zero',
    rosser: "Rosser's rule",
    turing: "Turing's certificate",
    points: 'Samples of pictures',
  },
  arrays: {
    s_t: 't',
    S: 'S(t)',
    Z: 'Z(t)',
    gram_intervals_by_zeros: 'intervals',
    block_length: 'intervals',
    block_zeros: 'zeros',
    block_place: 'place',
    half_width: '±',
  },
  numerics: ['rs_terms', 'refine_tol', 'rosser', 'turing', 'points'],
  examples: [
    { title: 'The first zeros', look: 'How the count of zeros swings about its smooth part.', input: {} },
    {
      title: 'A close pair of Lehmer',
      look: 'Two zeros so close that the curve hardly crosses the axis between them.',
      input: { task: 'list', t_min: 7005, t_max: 7006 },
    },
    {
      title: 'The millionth zero',
      look: 'The function around its millionth zero.',
      input: { task: 'zero_k', k: 1000000 },
    },
    {
      title: 'The function on its line',
      look: 'Each crossing of the axis is a zero of the zeta function.',
      input: { task: 'plot_Z', t_min: 0, t_max: 60 },
    },
    {
      title: 'How many zeros below 10,000',
      look: 'The count is proved, not only guessed from the smooth formula.',
      input: { task: 'count', t_max: 10000 },
    },
    {
      title: 'The zeros up to 500, all on the line',
      look: 'Every zero of the strip up to here lies on its middle line.',
      input: { task: 'verify', t_max: 500 },
    },
  ],
};
