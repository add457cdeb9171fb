import { describe, expect, test } from 'vitest';
import { FUNCTION_NAMES } from '../../src/solvers/opt/functions.ts';
import { opt } from '../../src/solvers/opt/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { quantityOf } from '../suites/solution-parts.ts';

const DATA = 't,y\n0,10.1\n1,7.42\n2,5.53\n3,4.22\n4,3.28\n5,2.61\n6,2.19\n8,1.61\n10,1.28\n12,1.16\n';

describeSolver(opt, {
  cases: {
    defaults: {},
    'steepest descent': { function: 'beale', method: 'gd' },
    'conjugate gradients': { function: 'wood', method: 'cg' },
    'a limited memory': { function: 'chained-rosenbrock', n: 60, method: 'lbfgs' },
    'a simplex': { function: 'helical-valley', method: 'nelder-mead' },
    newton: { function: 'brown-dennis', method: 'newton' },
    meyer: { function: 'meyer', method: 'lm' },
    'within bounds': { function: 'bard', bounds: [[0.5, 3]] },
    'a penalty': {
      expression: '2*w + 2*h',
      constraints: 'w*h >= 100',
      x0: [20, 20],
      bounds: [[0.1, 1e3]],
      penalty: 100,
    },
    'a fit': { data: DATA, model: 'a*exp(-b*t) + c', x0: [5, 0.5, 0], method: 'lm' },
    'by differences': { expression: 'floor(0*x) + (x - 2)^4 + (x - y)^2', gradient: 'central', tol_g: 1e-6 },
    'many starts': { function: 'rastrigin', restarts: 20 },
  },
  conservation: true,
  golden: ['defaults', 'conjugate gradients', 'a limited memory', 'a simplex', 'newton', 'meyer', 'a penalty', 'a fit'],
  known: {
    'Watson 12 by Levenberg and Marquardt, 40 digits': {
      input: { function: 'watson', n: 12, method: 'lm' },
      value: [4.72238110589e-10, 1e-17],
    },
  },
  uncheckedParameters: [],
  illegalParameters: [{ method: 7 }, { n: 0 }, { restarts: 0 }],
  refused: [
    { input: { function: 'beale', expression: 'x^2' }, field: 'expression', reason: 'GIVEN_TWICE' },
    { input: { function: 'beale', n: 3 }, field: 'n', reason: 'OUT_OF_RANGE', saysLimit: true },
    { input: { function: 'extended-powell', n: 6 }, field: 'n', reason: 'OUT_OF_RANGE', saysLimit: true },
    { input: { function: 'rastrigin', method: 'lm' }, field: 'method' },
    { input: { function: 'chained-rosenbrock', n: 500, method: 'newton' }, field: 'n', reason: 'TOO_LARGE' },
    { input: { x0: [1] }, field: 'x0', reason: 'COUNTS_DIFFER' },
    { input: { bounds: [[2, 1]] }, field: 'bounds.0', reason: 'CROSSED' },
    { input: { bounds: [[2, 3]], x0: [2.5, 4] }, field: 'x0.1', reason: 'OUT_OF_RANGE' },
    { input: { step: 0.1 }, field: 'step' },
    { input: { expression: '3 + 4' }, field: 'expression' },
    { input: { expression: 'x^2 + y', variables: 'x' }, field: 'variables' },
    { input: { model: 'a*x' }, field: 'data', reason: 'MISSING' },
    { input: { data: 'x,y\n1,2\n' }, field: 'model', reason: 'MISSING' },
    { input: { data: 'x,y\n1,2\n3,4\n', model: 'a*x + b' }, field: 'data', reason: 'TOO_FEW' },
    { input: { data: 'x,y\n1,2\n3,NaN\n4,5\n6,6\n', model: 'a*x + b' }, field: 'data', message: 'line 3' },
    { input: { data: 'x,y\n1,2\n3,four\n4,5\n6,6\n', model: 'a*x + b' }, field: 'data', message: 'column y' },
    { input: { data: '1,2\n3,4\n4,5\n', model: 'a*x + b' }, field: 'data', message: 'names of the columns' },
    { input: { data: DATA, model: 'a*x', response: 'z' }, field: 'response', reason: 'UNKNOWN_COLUMN' },
    { input: { data: DATA, model: 'a*t*y' }, field: 'model' },
    { input: { data: DATA, model: '3*t' }, field: 'model', reason: 'MISSING' },
    { input: { constraints: 'x1 + z <= 1' }, field: 'constraints' },
    { input: { constraints: 'x1 + x2' }, field: 'constraints' },
  ],
});

// Twice by Levenberg and Marquardt's method, in doubles and with 40 digits; of the design's tables.
const MINIMA: readonly (readonly [string, number | undefined, number, number])[] = [
  ['rosenbrock', undefined, 0, 1e-20],
  ['powell-badly-scaled', undefined, 0, 1e-20],
  ['brown-badly-scaled', undefined, 0, 1e-20],
  ['beale', undefined, 0, 1e-20],
  ['helical-valley', undefined, 0, 1e-18],
  ['powell-singular', undefined, 0, 1e-18],
  ['wood', undefined, 0, 1e-20],
  ['variably-dimensioned', undefined, 0, 1e-16],
  ['extended-rosenbrock', 100, 0, 1e-16],
  ['broyden-tridiagonal', 100, 0, 1e-16],
  ['freudenstein-roth', undefined, 48.9842536792, 1e-10],
  ['jennrich-sampson', undefined, 124.362182356, 1e-9],
  ['bard', undefined, 8.21487730658e-3, 1e-14],
  ['gaussian', undefined, 1.12793276962e-8, 1e-19],
  ['meyer', undefined, 87.9458551707, 1e-9],
  ['kowalik-osborne', undefined, 3.07505603849e-4, 1e-15],
  ['brown-dennis', undefined, 85822.2016264, 1e-7],
  ['osborne-1', undefined, 5.46489469748e-5, 1e-15],
  ['watson', 6, 2.28767005355e-3, 1e-13],
  ['watson', 9, 1.3997601381e-6, 1e-15],
  ['penalty-1', 4, 2.2499775008999e-5, 1e-17],
  ['penalty-1', 10, 7.0876514670904e-5, 1e-17],
  ['penalty-2', 4, 9.376293007355e-6, 1e-17],
  ['penalty-2', 10, 2.936605374567e-4, 1e-15],
  ['trigonometric', 10, 2.795056121879e-5, 1e-15],
  ['chebyquad', 8, 3.51687372568e-3, 1e-12],
  ['chebyquad', 9, 0, 1e-16],
  ['chebyquad', 10, 6.50395480088e-3, 1e-11],
  ['linear-rank-1', 10, 4.63414634146, 1e-11],
];

describe('minima from the standard start', () => {
  test.each(MINIMA.flatMap((one) => [[...one, 'lm'] as const, [...one, 'bfgs'] as const]))(
    '%s %d is %d (%d, %s)',
    async (name, n, minimum, printed, method) => {
      const input = { function: name as 'beale', method, ...(n === undefined ? {} : { n }) };
      const solution = await runSolver(opt, input);
      expect(solution.converged, solution.notes.join(' ')).toBe(true);
      expect(Math.abs(solution.value - minimum)).toBeLessThan(printed + solution.uncertainty);
      expect(solution.uncertainty).toBeLessThan(1e-8 * Math.max(Math.abs(minimum), 1e-8));
    },
  );
});

test.each([
  ['rosenbrock', 24.2],
  ['helical-valley', 2500],
  ['wood', 19192],
  ['powell-singular', 215],
  ['beale', 14.203125],
  ['brown-dennis', 7926693.337],
])('f of %s at the start is %d', async (name, start) => {
  const solution = await runSolver(opt, { function: name as 'wood' });
  expect(Math.abs((quantityOf(solution, 'f_start') ?? 0) - start)).toBeLessThan(1e-9 * start);
});

test('there are the 35 functions of the collection', () => {
  expect(FUNCTION_NAMES.length).toBeGreaterThanOrEqual(35 + 4);
});
