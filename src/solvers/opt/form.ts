// Words of the form: what its fields are called beside their names, which ones steer the computation only, and problems
// to start from.

import type { SolverForm } from '../solver-form.ts';
import type { inputs } from './inputs.ts';

const TEST_FUNCTION = { expression: [null], residuals: [null], data: [null] } as const;
const FITTED = { data: 'given' } as const;

export const form: SolverForm<typeof inputs> = {
  answer: { name: 'Function at the end', unit: '1' },
  quantities: {
    known_minimum: 'Known minimum',
    above_known: 'Found minimum above the known one',
    slope_at_end: 'Slope at the end',
    f_start: 'Value at the start',
    iterations: 'Iterations',
    evaluations: 'Evaluations',
    gradients: 'Gradients',
    starts: 'Starts',
    variables: 'Variables',
    condition: 'Condition number',
  },
  labels: {
    function: 'Test function',
    n: 'Number of variables',
    expression: 'Own function',
    residuals: 'Own residuals',
    data: 'Data',
    model: 'Model of the data',
    response: 'Column to fit',
    sigma: 'Column of standard deviations',
    variables: 'Order of the variables',
    x0: 'Start',
    bounds: 'Bounds',
    constraints: 'Constraints',
    penalty: 'Weight of a violation',
    method: 'Method',
    gradient: 'Slopes',
    tol_g: 'Largest slope at the end',
    tol_f: 'Decrease that is left',
    max_iter: 'Iterations at most',
    memory: 'Memory',
    step: 'Fixed step',
    restarts: 'Starts',
    spread: 'Spread of the starts',
    seed: 'Seed',
    confidence: 'Level of intervals',
  },
  arrays: {
    log10_excess: 'log₁₀ of f less its end',
    log10_slope: 'log₁₀ of the slope',
    log10_map: 'log₁₀ of f less its end',
    x: 'value',
    local_f: 'f',
    local_starts: 'starts',
  },
  numerics: ['gradient', 'tol_g', 'tol_f', 'max_iter', 'memory', 'step', 'seed'],
  usedWhen: {
    function: TEST_FUNCTION,
    n: TEST_FUNCTION,
    expression: { function: [null], residuals: [null], data: [null] },
    residuals: { function: [null], expression: [null], data: [null] },
    data: { function: [null], expression: [null], residuals: [null] },
    model: FITTED,
    response: FITTED,
    sigma: FITTED,
    confidence: FITTED,
    variables: [{ expression: 'given' }, { residuals: 'given' }, FITTED],
    penalty: { constraints: 'given' },
    memory: { method: ['lbfgs'] },
    step: { method: ['gd'] },
    spread: { restarts: { not: [1] } },
  },
  shown: ['function', 'n', 'expression', 'x0'],
  examples: [
    {
      title: 'Rosenbrock’s valley by BFGS',
      look: 'The search must follow a narrow bent valley to its lowest point.',
      input: { function: 'rosenbrock' },
    },
    {
      title: 'A decay fitted to data',
      look: 'The curve through ten readings, and what is left over.',
      input: {
        method: 'lm',
        model: 'a*exp(-b*t) + c',
        x0: [5, 0.5, 0],
        data: 't,y\n0,10.1\n1,7.42\n2,5.53\n3,4.22\n4,3.28\n5,2.61\n6,2.19\n8,1.61\n10,1.28\n12,1.16',
      },
    },
    {
      title: 'Meyer: a fit that is hard',
      look: 'A fit whose numbers differ by many powers of ten.',
      input: { function: 'meyer', method: 'lm' },
    },
    {
      title: 'The shortest fence about a field',
      look: 'The shortest fence about 100 m² is that of a square.',
      input: { expression: '2*w + 2*h', constraints: 'w*h >= 100', bounds: [[0.1, 1000]], x0: [20, 20], penalty: 100 },
    },
    {
      title: 'Rastrigin from forty starts',
      look: 'A surface full of hollows: forty starts, to find the deepest one.',
      input: { function: 'rastrigin', restarts: 40, spread: 2 },
    },
    {
      title: 'A thousand variables with a short memory',
      look: 'A thousand unknowns, and only a few earlier steps are remembered.',
      input: { function: 'chained-rosenbrock', n: 1000, method: 'lbfgs' },
    },
    {
      title: 'An ellipse through points, within bounds',
      look: 'The ellipse nearest to four points.',
      input: {
        residuals: 'a*2^2 + b*1^2 - 1\na*0^2 + b*1.4^2 - 1\na*1.5^2 + b*1.2^2 - 1\na*2.3^2 + b*0.1^2 - 1',
        bounds: [[0, 10]],
        x0: [1, 1],
        method: 'lm',
      },
    },
  ],
};
