import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { compileKernel, drive, instantiate } from '../../src/kernels/instance.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { contourLines } from '../../src/solvers/opt/contours.ts';
import { FUNCTION_NAMES } from '../../src/solvers/opt/functions.ts';
import { opt } from '../../src/solvers/opt/solver.ts';
import { studentQuantile } from '../../src/solvers/opt/student.ts';
import { randomWord } from '../../src/solvers/parts/random.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';

const DATA = 't,y\n0,10.1\n1,7.42\n2,5.53\n3,4.22\n4,3.28\n5,2.61\n6,2.19\n8,1.61\n10,1.28\n12,1.16\n';

describeSolver(opt, {
  cases: {
    defaults: {},
    'steepest descent': { function: 'beale', method: 'gd' },
    'conjugate gradients': { function: 'wood', method: 'cg' },
    'a limited memory': { function: 'chained-rosenbrock', n: 60, method: 'lbfgs' },
    'a simplex': { function: 'helical', method: 'nelder-mead' },
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
    { input: { function: 'ext-powell', n: 6 }, field: 'n', reason: 'OUT_OF_RANGE', saysLimit: true },
    { input: { function: 'rastrigin', method: 'lm' }, field: 'method' },
    { input: { function: 'chained-rosenbrock', n: 500, method: 'lm' }, field: 'n', reason: 'TOO_LARGE' },
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
    { input: { data: 'x,y\n1,2\n3,\n4,5\n6,6\n', model: 'a*x + b' }, field: 'data', message: 'line 3: got ""' },
    { input: { data: 'x,y\n1,2\n3\n4,5\n6,6\n', model: 'a*x + b' }, field: 'data', message: 'line 3: got 1 columns' },
    {
      input: { data: `x,y\n${'1,2\n'.repeat(20_001)}`, model: 'a*x + b' },
      field: 'data',
      message: 'line 20002: more than 20000 rows',
    },
    {
      input: { data: `x,y\n${'1 '.repeat(499_000)}`, model: 'a*x + b' },
      field: 'data',
      message: 'line 2: got 499000 columns',
    },
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
  ['powell-bad', undefined, 0, 1e-20],
  ['brown-bad', undefined, 0, 1e-20],
  ['beale', undefined, 0, 1e-20],
  ['helical', undefined, 0, 1e-18],
  ['powell-singular', undefined, 0, 1e-18],
  ['wood', undefined, 0, 1e-20],
  ['variable-dim', undefined, 0, 1e-16],
  ['ext-rosenbrock', 100, 0, 1e-16],
  ['broyden-tri', 100, 0, 1e-16],
  ['freudenstein', undefined, 48.9842536792, 1e-10],
  ['jennrich', undefined, 124.362182356, 1e-9],
  ['bard', undefined, 8.21487730658e-3, 1e-14],
  ['gaussian', undefined, 1.12793276962e-8, 1e-19],
  ['meyer', undefined, 87.9458551707, 1e-9],
  ['kowalik', undefined, 3.07505603849e-4, 1e-15],
  ['brown-dennis', undefined, 85822.2016264, 1e-7],
  ['osborne-1', undefined, 5.46489469748e-5, 1e-15],
  ['watson', 6, 2.28767005355e-3, 1e-13],
  ['watson', 9, 1.3997601381e-6, 1e-15],
  ['penalty-1', 4, 2.2499775008999e-5, 1e-17],
  ['penalty-1', 10, 7.0876514670904e-5, 1e-17],
  ['penalty-2', 4, 9.376293007355e-6, 1e-17],
  ['penalty-2', 10, 2.936605374567e-4, 1e-15],
  ['trigonometric', 10, 2.795056121879e-5, 1e-15],
  ['watson', 12, 4.72238110589e-10, 1e-17],
  ['chebyquad', 8, 3.51687372568e-3, 1e-12],
  ['chebyquad', 9, 0, 1e-16],
  ['chebyquad', 10, 6.50395480088e-3, 1e-11],
  ['linear-rank-1', 10, 4.63414634146, 1e-11],
];

describe('second slopes that read no variable', () => {
  // The slopes of t a a a read a as a right operand alone; those of a t² + b t read no variable at all.
  const cubic = { data: 't,y\n1,8\n2,16.5\n3,23\n4,32\n', model: 't*a*a*a', method: 'newton' } as const;
  const linear = { data: 't,y\n1,2\n2,5\n3,11\n4,17\n', model: 'a*t^2 + b*t', method: 'newton' } as const;

  test('are kept, and others are not: Newton’s method takes the steps that it took without', async () => {
    const { converged, quantities } = await runSolver(opt, { ...cubic, x0: [1.2] });
    expect(converged).toBe(true);
    // With each second slope computed anew; with some kept that must not be, fewer than 12.
    expect(quantities.find(({ name }) => name === 'iterations')?.value).toBe(16);
  });

  test('are not those of the problem that the instance ran before', async () => {
    const instance = instantiate(await compileKernel(await loadKernel('opt')));
    const run = (input: Parameters<typeof opt.inputs.parse>[0], on = instance) => {
      const [first] = opt.plan(opt.inputs.parse(input)).runs;
      if (first === undefined) throw new Error('The plan has no run.');
      const chunks = drive(on, first, () => 0);
      for (;;) {
        const next = chunks.next();
        if (next.done) return next.value.statistics;
      }
    };
    const fresh = run(cubic, instantiate(await compileKernel(await loadKernel('opt'))));
    run(linear);
    expect(run(cubic)).toEqual(fresh);
  });

  test('are not those of another problem with the same table, started on the same memory', async () => {
    const of = (term: string) => {
      const data = 't,y\n1,2\n2,5\n3,11\n4,17\n';
      const model = `a*t^2 + ${term}*t`;
      const [run] = opt.plan(opt.inputs.parse({ data, model, method: 'newton', x0: [1.2, 1.5], max_iter: 6 })).runs;
      if (run === undefined) throw new Error('The plan has no run.');
      // Code and constants of each have the same room.
      const code = new Int32Array(200);
      const pool = new Float64Array(40);
      code.set(run.inputs?.code ?? []);
      pool.set(run.inputs?.pool ?? []);
      const parameters = { ...run.parameters, codeWords: code.length, poolValues: pool.length, slots: 10 };
      return { ...run, parameters, inputs: { ...run.inputs, code, pool } };
    };
    const warm = await coldInstance('opt');
    const held = await coldInstance('opt');
    let started = held;
    for (const term of ['b^2', 'b^3', 'b^2', 'b^4']) {
      const alone = runInGroups(await coldInstance('opt'), of(term), Number.POSITIVE_INFINITY);
      expect(runInGroups(warm, of(term), Number.POSITIVE_INFINITY)).toEqual(alone);
      expect(runInGroups(started, of(term), Number.POSITIVE_INFINITY)).toEqual(alone);
      started = { ...held, exports: { ...held.exports, reserve: () => 0 } };
    }
    // Of both the second slope by b is computed, and reads b in one alone.
    expect(of('b^2').inputs.table?.length).toBe(of('b^3').inputs.table?.length);
  });
});

describe('operations of programs', () => {
  const runOf = async (input: Parameters<typeof opt.inputs.parse>[0], parameters: Readonly<Record<string, number>>) => {
    const [run] = opt.plan(opt.inputs.parse(input)).runs;
    if (run === undefined) throw new Error('The plan has no run.');
    const changed = { ...run, parameters: { ...run.parameters, ...parameters } };
    return { run, ...runInGroups(await coldInstance('opt'), changed, Number.POSITIVE_INFINITY) };
  };

  test('count as often as values and slopes are computed, until they are spent', async () => {
    const input = { function: 'wood', method: 'gd', step: 1e-6, max_iter: 1_000 } as const;
    const n = 4;
    for (const maxWork of [500, 3_000, 12_345]) {
      const { run, statistics } = await runOf(input, { maxWork });
      const { programs = [], table = [], elements = [] } = run.inputs ?? {};
      let operations = 0;
      for (let e = 0; e < elements.length; e += 4) {
        const program = 3 * (elements[e] ?? 0);
        const [locals = 0, , first = 0] = programs.slice(program, program + 3);
        for (let row = first; row <= first + locals; row++)
          if ((table[3 * row] ?? 0) >= 0) operations += table[3 * row + 2] ?? 0;
      }
      expect(operations).toBeGreaterThan(10);
      // Value and slopes at the start and after each step, and a number for each variable of a step.
      const steps = Math.floor((maxWork - operations) / (operations + n)) + 1;
      expect(statistics).toMatchObject({ status: 4, iterations: steps });
    }
  });

  test('count for second slopes that are kept as if these were computed', async () => {
    const data = 't,y\n1,2\n2,5\n3,11\n4,17\n';
    for (const model of ['a*t^2 + b*t', 'a*t^2 + b^2*t', 't*a*a*a + b']) {
      const input = { data, model, method: 'newton', x0: [1.2, 1.5], max_iter: 6 } as const;
      const kept = await runOf(input, {});
      // Rows of so many variables would need too much memory to be kept.
      const computed = await runOf(input, { locals: 1_000 });
      expect(kept.statistics).toEqual(computed.statistics);
      expect(kept.views).toEqual(computed.views);
      expect(kept.statistics.work).toBeGreaterThan(100);
    }
  });
});

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
  ['helical', 2500],
  ['wood', 19192],
  ['powell-singular', 215],
  ['beale', 14.203125],
  ['brown-dennis', 7926693.337],
])('f of %s at the start is %d', async (name, start) => {
  const solution = await runSolver(opt, { function: name as 'wood' });
  expect(Math.abs((quantityOf(solution, 'f_start') ?? 0) - start)).toBeLessThan(1e-9 * start);
});

describe('Levenberg and Marquardt’s method', () => {
  test.each([
    ['powell-bad', undefined, 25],
    ['watson', 12, 12],
    ['brown-bad', undefined, 20],
    ['rosenbrock', undefined, 25],
    ['meyer', undefined, 200],
    ['jennrich', undefined, 45],
  ] as const)('needs for %s few values of f', async (name, n, most) => {
    const solution = await runSolver(opt, { function: name, method: 'lm', ...(n === undefined ? {} : { n }) });
    expect(solution.converged).toBe(true);
    expect(quantityOf(solution, 'evaluations')).toBeLessThan(most);
  });

  test('takes the same steps in other units of the variables, to the last bit', async () => {
    const data = 't,y\n1,9.1\n2,5.2\n3,3.3\n4,1.7\n6,0.8\n';
    const steps = { data, method: 'lm', max_iter: 5 } as const;
    const plain = await runSolver(opt, { ...steps, model: 'a*exp(-b*t)', x0: [1, 3] });
    const other = await runSolver(opt, { ...steps, model: '(4096*a)*exp(-(b/1024)*t)', x0: [1 / 4096, 3 * 1024] });
    expect(quantityOf(plain, 'iterations')).toBe(5);
    expect(quantityOf(other, 'evaluations')).toBe(quantityOf(plain, 'evaluations'));
    expect(other.value).toBe(plain.value);
    expect(4096 * (quantityOf(other, 'estimate_a') ?? 0)).toBe(quantityOf(plain, 'estimate_a'));
    expect((quantityOf(other, 'estimate_b') ?? 0) / 1024).toBe(quantityOf(plain, 'estimate_b'));
  });
});

test('in the valley of Watson, BFGS takes the inverse of the exact second slopes and ends soon', async () => {
  const solution = await runSolver(opt, { function: 'watson', n: 12, method: 'bfgs' });
  expect(Math.abs(solution.value - 4.72238110589e-10)).toBeLessThanOrEqual(solution.uncertainty);
  expect(quantityOf(solution, 'iterations')).toBeLessThan(100);
  // A search that rounding hides ends after a few tries: it took eight a step.
  expect(quantityOf(solution, 'evaluations')).toBeLessThan(150);
});

test('there are the 35 functions of the collection', () => {
  expect(FUNCTION_NAMES.length).toBeGreaterThanOrEqual(35 + 4);
});

describe('runs that have no answer say why', () => {
  test.each([
    [{ expression: 'log(x)', x0: [-1] }, 'x0', 'NO_VALUE'],
    [{ expression: '1/x', x0: [0] }, 'x0', 'NO_VALUE'],
    [{ expression: 'x^3', x0: [-1] }, 'expression', 'UNBOUNDED_BELOW'],
    [{ expression: '-x - y', method: 'nelder-mead' as const }, 'expression', 'UNBOUNDED_BELOW'],
    [{ expression: '-exp(x)', method: 'newton' as const }, 'expression', 'UNBOUNDED_BELOW'],
    [{ function: 'rosenbrock' as const, method: 'gd' as const, step: 0.1 }, 'step', 'STEP_TOO_LONG'],
    [{ expression: 'x^2 + sum(k, 1, 10000000*x, k)' }, 'expression', 'EXPRESSION_FAILED'],
  ])('%o', async (input, field, code) => {
    const refusal = await runSolver(opt, input).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DomainError);
    expect((refusal as DomainError).details?.[0]).toMatchObject({ path: field, code });
  });

  test.each([
    [{ expression: 'x^2 - y^2', x0: [1, 0] }, 'saddle'],
    [{ function: 'rosenbrock' as const, method: 'gd' as const, max_iter: 50 }, 'iterations are spent'],
    [{ function: 'ackley' as const, x0: [0.5, 0.5] }, 'kink'],
    [{ expression: 'x^3', x0: [1] }, 'smaller value beside the end'],
    [{ expression: 'x^3 + y^2 + x*y^2', x0: [1, 1], method: 'newton' as const }, 'smaller value beside the end'],
  ])('%o is not converged', async (input, words) => {
    const solution = await runSolver(opt, input);
    expect(solution.converged).toBe(false);
    expect(solution.notes.join(' ')).toContain(words);
  });

  test('a flat function is its own minimum', async () => {
    const { value, converged, uncertainty } = await runSolver(opt, { expression: '3 + 0*x' });
    expect([value, converged]).toEqual([3, true]);
    expect(uncertainty).toBeLessThan(1e-14);
  });

  test('a smaller known minimum is named', async () => {
    const { notes } = await runSolver(opt, { function: 'freudenstein' });
    expect(notes.join(' ')).toContain('A smaller value of freudenstein is known: 0');
  });
});

describe('slopes', () => {
  test.each(['gulf', 'osborne-2', 'chebyquad', 'trigonometric', 'ackley'] as const)(
    'of %s by differences lead to the same minimum',
    async (name) => {
      const [exact, central] = await Promise.all([
        runSolver(opt, { function: name }),
        runSolver(opt, { function: name, gradient: 'central', tol_g: 1e-6 }),
      ]);
      expect(Math.abs(exact.value - central.value)).toBeLessThan(1e-9 + exact.uncertainty + central.uncertainty);
    },
  );

  test('a limited memory and a dense inverse agree on 100 variables', async () => {
    for (const method of ['lbfgs', 'bfgs', 'cg', 'newton'] as const) {
      const solution = await runSolver(opt, { function: 'broyden-banded', n: 100, method });
      expect(solution.converged, method).toBe(true);
      expect(solution.value).toBeLessThan(1e-15);
    }
  });

  test('the iterations of bfgs on Rosenbrock are few, those of steepest descent many', async () => {
    const [bfgs, gd] = await Promise.all([
      runSolver(opt, { function: 'rosenbrock' }),
      runSolver(opt, { function: 'rosenbrock', method: 'gd', max_iter: 100_000 }),
    ]);
    expect(quantityOf(bfgs, 'iterations')).toBeLessThan(50);
    expect(quantityOf(gd, 'iterations')).toBeGreaterThan(1_000);
    expect(gd.converged).toBe(true);
  });
});

test('on a quadratic of condition κ, steepest descent with the step 2/(L + l) contracts by (κ − 1)/(κ + 1)', async () => {
  const kappa = 50;
  const solution = await runSolver(opt, {
    expression: `0.5*x^2 + ${kappa / 2}*y^2`,
    x0: [kappa, 1],
    method: 'gd',
    step: 2 / (1 + kappa),
    max_iter: 40,
  });
  const f = numbersOf(solution, 'f');
  const rate = Math.sqrt((f[40] ?? 0) / (f[20] ?? 1)) ** (1 / 20);
  expect(Math.abs(rate - (kappa - 1) / (kappa + 1))).toBeLessThan(1e-9);
});

test('Newton is quadratic: the exponents of the slopes double', async () => {
  const solution = await runSolver(opt, { expression: 'exp(x) + exp(-2*x)', x0: [1], method: 'newton', tol_g: 1e-12 });
  const slopes = numbersOf(solution, 'slope').filter((one) => one > 1e-14);
  const [a = 1, b = 1] = slopes.slice(-2);
  expect(b).toBeLessThan(Math.max(10 * a * a, 1e-13));
});

describe('many starts', () => {
  test('find the smallest of many minima, and count them', async () => {
    const solution = await runSolver(opt, { function: 'rastrigin', restarts: 60, bounds: [[-3, 3]] });
    expect(solution.value).toBeLessThan(1e-12);
    expect(quantityOf(solution, 'local_minima')).toBeGreaterThan(5);
    expect(numbersOf(solution, 'local_starts').reduce((sum, one) => sum + one, 0)).toBe(60);
  });

  test('another seed draws other starts, the same seed the same', async () => {
    const of = (seed: number) => runSolver(opt, { function: 'rastrigin', restarts: 12, seed });
    const [a, b, c] = await Promise.all([of(1), of(1), of(2)]);
    expect(numbersOf(a, 'local_f')).toEqual(numbersOf(b, 'local_f'));
    expect(numbersOf(a, 'local_f')).not.toEqual(numbersOf(c, 'local_f'));
  });
});

describe('fits', () => {
  // Closed forms of a straight line: y = 1, 3, 2, 5 over x = 0 … 3.
  test('a straight line has the closed forms of its parameters and errors', async () => {
    const data = 'x y\n0 1\n1 3\n2 2\n3 5\n';
    const solution = await runSolver(opt, { data, model: 'a + b*x', method: 'lm' });
    const near = (name: string, truth: number) =>
      expect(Math.abs((quantityOf(solution, name) ?? 0) - truth), name).toBeLessThan(1e-9);
    near('estimate_b', 1.1);
    near('estimate_a', 1.1);
    near('standard_error_b', Math.sqrt(2.7 / 2 / 5));
    near('standard_error_a', Math.sqrt((2.7 / 2) * (1 / 4 + 2.25 / 5)));
    near('r_squared', 1 - 2.7 / 8.75);
    near('student_t', 4.302652729696142);
    expect(Math.abs((numbersOf(solution, 'correlation')[1] ?? 0) + 1.5 / Math.sqrt(3.5))).toBeLessThan(1e-9);
  });

  test('a column of standard deviations weighs the rows', async () => {
    const data = 'x,y,s\n0,1,0.1\n1,3,10\n2,3,0.1\n3,4,0.1\n';
    const solution = await runSolver(opt, { data, model: 'a + b*x', sigma: 's', response: 'y' });
    expect(Math.abs((quantityOf(solution, 'estimate_b') ?? 0) - 1)).toBeLessThan(1e-3);
  });

  test('parameters that the data do not tell apart are not converged', async () => {
    const solution = await runSolver(opt, { data: DATA, model: '(a + b)*exp(-k*t)', method: 'lm', x0: [5, 5, 0.3] });
    expect(solution.converged).toBe(false);
    expect(solution.notes.join(' ')).toContain('do not tell the parameters apart');
  });

  test('intervals of 95 % hold the parameter of 95 of 100 drawn tables', async () => {
    const RUNS = 150;
    let held = 0;
    for (let run = 0; run < RUNS; run++) {
      const rows = Array.from({ length: 12 }, (_, i) => {
        const [u, v] = [0, 1].map((k) => (randomWord(7, 1000 * run + 2 * i + k) + 0.5) / 2 ** 32);
        const noise = Math.sqrt(-2 * Math.log(u ?? 0.5)) * Math.cos(2 * Math.PI * (v ?? 0));
        return `${i},${5 * Math.exp(-0.4 * i) + 1 + 0.1 * noise}`;
      });
      const data = `t,y\n${rows.join('\n')}\n`;
      const { quantities } = await runSolver(opt, { data, model: 'a*exp(-b*t) + c', x0: [4, 0.5, 0.5], method: 'lm' });
      const b = quantities.find(({ name }) => name === 'estimate_b');
      if (b !== undefined && Math.abs(b.value - 0.4) <= (b.uncertainty ?? 0)) held++;
    }
    expect(held / RUNS).toBeGreaterThan(0.9);
    expect(held / RUNS).toBeLessThan(0.995);
  });
});

test.each([
  [0.95, 1, 12.706204736174698],
  [0.95, 10, 2.2281388519649385],
  [0.99, 3, 5.840909309733355],
  [0.95, 10_000, 1.960201239890626],
  [0.5, 5, 0.7266868438004226],
])('the quantile of Student at %d with %d degrees of freedom is %d', (level, freedom, truth) => {
  expect(Math.abs(studentQuantile(level, freedom) / truth - 1)).toBeLessThan(1e-10);
});

test('lines of equal height of a cone are circles', () => {
  const axis = Float64Array.from({ length: 41 }, (_, i) => (i - 20) / 20);
  const heights = Float64Array.from({ length: 41 * 41 }, (_, i) =>
    Math.hypot(axis[Math.floor(i / 41)] ?? 0, axis[i % 41] ?? 0),
  );
  const { x, y, count } = contourLines(heights, axis, axis, [[0, 0]]);
  const points = x.length / count;
  expect(count).toBeGreaterThan(6);
  for (let line = 1; line < 6; line++) {
    const radii = Array.from({ length: points }, (_, i) =>
      Math.hypot(x[line * points + i] ?? 0, y[line * points + i] ?? 0),
    );
    expect(Math.max(...radii) - Math.min(...radii)).toBeLessThan(0.01);
  }
});
