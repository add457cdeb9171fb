import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Solution } from '../../src/solvers/definition.ts';
import type { inputs } from '../../src/solvers/react/inputs.ts';
import { eulerGrayScott, fitzHughNagumoRest, grayScottStates } from '../../src/solvers/react/reference.ts';
import { react } from '../../src/solvers/react/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { thrownDomainError } from '../suites/domain-error.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof inputs>;

/** A front of Nagumo's equation on a line. */
const nagumo: Input = {
  dim: 1,
  reaction_u: 'u*(1-u)*(u-a)',
  a: 0.25,
  N: 200,
  length: 100,
  boundary: 'no-flux',
  initial: 'front',
  t_end: 120,
  measure: 'speed',
};
/** A smooth bump of Gray–Scott on a line of 60. */
const bump: Input = {
  dim: 1,
  length: 60,
  initial_u: '1 - 0.5*exp(-(x-30)^2/18)',
  initial_v: '0.25*exp(-(x-30)^2/18)',
};
/** Its mean at t = 40: ETDRK4 over 512 Fourier modes at 1e-12 (test/coverage/react.py). */
const BUMP_MEAN = 0.9008318766346415;

const quantityOf = ({ quantities }: Solution, name: string) => quantities.find((one) => one.name === name)?.value;

describeSolver(react, {
  cases: {
    'a line': { ...bump, N: 60, steps: 200, dt: 0.5 },
    defaults: { steps: 120 },
    'forward Euler': { ...bump, N: 80, method: 'euler', dt: 0.4, steps: 100 },
    'a rectangle without flow': { N: 36, Ny: 25, boundary: 'no-flux', steps: 60, painting: '..##..\n..##..\n......' },
    excitable: {
      model: 'fitzhugh-nagumo',
      dim: 1,
      N: 120,
      boundary: 'no-flux',
      initial: 'front',
      t_end: 20,
      measure: 'mean_u',
    },
    'kinetics of its own': nagumo,
  },
  conservation: true,
  golden: ['a line', 'defaults', 'forward Euler', 'a rectangle without flow', 'excitable', 'kinetics of its own'],
  convergence: [
    {
      name: 'Runge–Kutta 4 in space and time',
      order: 'space',
      levels: 4,
      at: (level) => ({ ...bump, N: 40 << level, dt: 0.8 / 2 ** level, steps: 50 << level }),
      error: ({ value }) => Math.abs(value - BUMP_MEAN),
      tolerance: 0.2,
    },
    {
      name: 'forward Euler, with the step as the square of the spacing',
      order: 2,
      levels: 4,
      at: (level): Input => ({
        ...bump,
        method: 'euler',
        N: 40 << level,
        dt: 0.8 / 4 ** level,
        steps: 50 << (2 * level),
      }),
      error: ({ value }) => Math.abs(value - BUMP_MEAN),
    },
  ],
  known: {
    // Forward Euler, dt = 1, 5-point differences, Pearson's square, computed with numpy.
    'the mean after 1000 steps': {
      input: { method: 'euler', N: 128, dt: 1, steps: 1000 },
      value: [0.9859608065782758, 1e-13],
    },
    'the mean of v after 2000 steps': {
      input: { method: 'euler', N: 64, dt: 1, steps: 2000, measure: 'mean_v' },
      value: [0.0299600095994616, 1e-12],
    },
    'the mean of u after 2000 steps': {
      input: { method: 'euler', N: 64, dt: 1, steps: 2000 },
      value: [0.916161141194571, 1e-12],
    },
    'the mean of v after 1000 steps': {
      input: { method: 'euler', N: 128, dt: 1, steps: 1000, measure: 'mean_v' },
      value: [0.004916544525510904, 1e-13],
    },
    // sqrt(D/2) (1 − 2a): Murray, Mathematical Biology I, section 13.5.
    "the speed of Nagumo's front": { input: nagumo, value: [0.353553390593274, 1e-4] },
    // FitzHugh–Nagumo without diffusion from (−1, 1), I = 0.5, t = 100: scipy LSODA at 1e-12.
    'the uniform FitzHugh–Nagumo': {
      input: {
        model: 'fitzhugh-nagumo',
        dim: 1,
        N: 16,
        I: 0.5,
        initial_u: '-1',
        initial_v: '1',
        t_end: 100,
        steps: 4000,
      },
      value: [-0.49966394, 1e-6],
    },
  },
  random: {
    of: fc.record({
      N: fc.integer({ min: 16, max: 28 }),
      Ny: fc.integer({ min: 16, max: 24 }),
      F: fc.double({ min: 0.01, max: 0.1, noNaN: true }),
      k: fc.double({ min: 0.03, max: 0.07, noNaN: true }),
      boundary: fc.constantFrom('periodic' as const, 'no-flux' as const),
      method: fc.constantFrom('rk4' as const, 'euler' as const),
      initial: fc.constantFrom('square' as const, 'front' as const, 'spiral' as const, 'noise' as const),
      seed: fc.integer({ min: 0, max: 1e9 }),
      steps: fc.integer({ min: 1, max: 60 }),
    }),
    count: 30,
  },
  refused: [
    { input: { dt: 1.64 }, code: 'UNSTABLE_SCHEME', field: 'dt', saysLimit: true },
    { input: { dt: 1.57, method: 'euler' }, code: 'UNSTABLE_SCHEME', field: 'dt', facts: { dt_max: 1.5625 } },
    { input: { dt: 1, steps: 10, t_end: 20 }, field: 't_end' },
    { input: { dt: 1e-3, t_end: 1e4 }, field: 't_end', reason: 'OUT_OF_RANGE' },
    { input: { model: 'custom' }, field: 'reaction_u', reason: 'MISSING' },
    { input: { model: 'gray-scott', reaction_u: 'u' }, field: 'reaction_u' },
    { input: { reaction_u: 'w' }, field: 'reaction_u', message: 'depends on w' },
    { input: { initial_u: 't' }, field: 'initial_u', message: 'depends on t' },
    { input: { dim: 1, Ny: 20 }, field: 'Ny' },
    { input: { dim: 1, probe_y: 3 }, field: 'probe_y' },
    { input: { probe_x: 65 }, field: 'probe_x', reason: 'OUT_OF_RANGE', message: 'from 0 to 64' },
    { input: { painting: '\n\n' }, field: 'painting', reason: 'OUT_OF_RANGE' },
    { input: { samples_u: [1, 2, 3] }, field: 'samples_u', message: '3 numbers' },
  ],
  outOfRange: [{ N: 15 }, { N: 401 }, { steps: 0 }, { Du: -1 }, { background: [1] }],
});

test('forward Euler agrees with the method in plain TypeScript', async () => {
  const n = 24;
  const solution = await runSolver(react, { method: 'euler', N: n, steps: 40 });
  const [u, v] = [new Float64Array(n * n).fill(1), new Float64Array(n * n)];
  for (let j = 8; j < 16; j++)
    for (let i = 8; i < 16; i++) {
      u[j * n + i] = 0.5;
      v[j * n + i] = 0.25;
    }
  eulerGrayScott(u, v, n, 40, { Du: 0.16, Dv: 0.08, F: 0.035, k: 0.065, dt: 1, h: 1 });
  for (const [name, expected] of [
    ['u', u],
    ['v', v],
  ] as const) {
    const last = solution.fields.find((one) => one.name === name)?.data.slice(-n * n) ?? new Float64Array();
    expect(Math.max(...last.map((value, i) => Math.abs(value - (expected[i] ?? Number.NaN))))).toBeLessThan(1e-14);
  }
});

test('expressions give the numbers of the models that they write', async () => {
  const shape: Input = { N: 20, Ny: 17, steps: 30, dt: 0.5, Du: 0.16, Dv: 0.08, boundary: 'no-flux' };
  const own = {
    reaction_u: 'F*(1-u) - u*v^2',
    reaction_v: 'u*v^2 - (F+k)*v',
    background: [1, 0],
    foreground: [0.5, 0.25],
  };
  for (const method of ['rk4', 'euler'] as const) {
    const [model, written] = [
      await runSolver(react, { ...shape, method }),
      await runSolver(react, { ...shape, ...own, method }),
    ];
    expect(Math.abs(model.value - written.value)).toBeLessThan(1e-14);
  }
});

describe('states in closed form', () => {
  test('Gray–Scott', () => {
    // mpmath, 30 digits.
    const [state] = grayScottStates(0.06, 0.062);
    expect(state?.[0]).toBeCloseTo(0.4560303134724235, 14);
    expect(state?.[1]).toBeCloseTo(0.2675260753414311, 14);
    expect(grayScottStates(0.035, 0.065)).toEqual([]);
    const [other] = grayScottStates(0.03, 0.05);
    expect(other?.[0]).toBeCloseTo(0.3085145784487324, 14);
    expect(other?.[1]).toBeCloseTo(0.2593070330817253, 14);
  });

  test('FitzHugh–Nagumo', () => {
    // mpmath, 30 digits.
    for (const [I, u, v] of [
      [0, -1.199408035244035, -0.6242600440550439],
      [0.5, -0.8048477470083344, -0.131059683760418],
    ] as const) {
      const rest = fitzHughNagumoRest(0.7, 0.8, I);
      expect(rest[0]).toBeCloseTo(u, 14);
      expect(rest[1]).toBeCloseTo(v, 14);
    }
  });

  test('a uniform state stays', async () => {
    const [[u, v] = [0, 0]] = grayScottStates(0.06, 0.062);
    const solution = await runSolver(react, {
      F: 0.06,
      k: 0.062,
      background: [u, v],
      foreground: [u, v],
      N: 16,
      steps: 50,
    });
    expect(Math.abs(solution.value - u)).toBeLessThan(1e-14);
    expect(quantityOf(solution, 'uniform_u')).toBeCloseTo(u, 14);
  });
});

test('the speed of Nagumo’s front by 5-point differences has the error of its grid, of order 2', async () => {
  // Forward Euler with D dt / h² = 0.2; the published speeds leave their step open.
  const exact = Math.sqrt(0.5) * 0.5;
  const errors: number[] = [];
  for (const [h, published] of [
    [0.2, 0.3533152],
    [0.1, 0.3534947],
  ] as const) {
    const { value } = await runSolver(react, {
      ...nagumo,
      method: 'euler',
      N: 40 / h,
      length: 40,
      initial_u: '1/(1+exp((x-14)/sqrt(2)))',
      t_end: 30,
      dt: 0.2 * h * h,
      initial: undefined,
    });
    expect(Math.abs(value - published)).toBeLessThan(2.5e-6);
    errors.push(exact - value);
  }
  expect(Math.log2((errors[0] ?? 0) / (errors[1] ?? 1))).toBeCloseTo(2, 2);
});

// v = ∓√(1 − ε b), where the trace 1 − v² − ε b of the slopes changes its sign.
test.each([
  [0.3312813374547458, -0.9674709297958259, 1],
  [1.4187186625452541, 0.9674709297958259, -1],
])('the Hopf point of FitzHugh and Nagumo at I = %d', async (I, v, towardsCycles) => {
  expect(fitzHughNagumoRest(0.7, 0.8, I)[0]).toBeCloseTo(v, 13);
  // Beside rest: the change of the distance from it in a time of 100, before and beyond the point.
  const growthAt = async (stimulus: number) => {
    const rest = fitzHughNagumoRest(0.7, 0.8, stimulus);
    const distance = async (t_end: number) => {
      const solution = await runSolver(react, {
        model: 'fitzhugh-nagumo',
        dim: 1,
        N: 16,
        I: stimulus,
        initial_u: String(rest[0] + 1e-4),
        initial_v: String(rest[1]),
        t_end,
        steps: t_end * 50,
      });
      const [u, w] = [solution.value - rest[0], (quantityOf(solution, 'mean_v') ?? 0) - rest[1]];
      // The matrix of the slopes at the Hopf point turns about this ellipse.
      return Math.sqrt(u * u * 0.08 + w * w - 2 * u * w * 0.064);
    };
    return Math.log((await distance(110)) / (await distance(10)));
  };
  for (const side of [-1, 1]) {
    const stimulus = I + 0.01 * side;
    const [u] = fitzHughNagumoRest(0.7, 0.8, stimulus);
    // Half of the trace is the rate.
    const rate = 0.5 * (1 - u * u - 0.08 * 0.8);
    expect(Math.sign(rate)).toBe(side * towardsCycles);
    expect(Math.abs((await growthAt(stimulus)) / (100 * rate) - 1)).toBeLessThan(0.05);
  }
});

// Periods of the two equations without diffusion, which others computed.
test.each([
  [0.5, 39.47441498023568],
  [0.8, 36.51803247231169],
  [1, 36.69879441659987],
])('the cycle of FitzHugh and Nagumo at I = %d returns after %d', async (I, period) => {
  const uniform = { model: 'fitzhugh-nagumo', dim: 1, N: 16, I, initial_u: '-1', initial_v: '1' } as const;
  const at = (t_end: number) => runSolver(react, { ...uniform, t_end, steps: Math.round(t_end / 0.02) });
  const [one, next] = [await at(200), await at(200 + period)];
  expect(Math.abs(next.value - one.value)).toBeLessThan(1e-8);
  expect(Math.abs((quantityOf(next, 'mean_v') ?? 0) - (quantityOf(one, 'mean_v') ?? 1))).toBeLessThan(1e-8);
});

describe('initial states', () => {
  test('a painting is the same on every grid', async () => {
    const painting = '....\n.##.\n.##.\n....';
    const still = { Du: 0, Dv: 0, F: 0, k: 0, steps: 1, dt: 1e-6, painting } as const;
    for (const N of [16, 23, 40]) {
      const { value } = await runSolver(react, { ...still, N });
      expect(value).toBeCloseTo(1 - 0.5 / 4, 5);
    }
  });

  test('rows of a painting are read from the top', async () => {
    const solution = await runSolver(react, {
      N: 16,
      steps: 1,
      dt: 1e-9,
      painting: '#.\n..',
      probe_x: 4,
      probe_y: 12,
      measure: 'probe_v',
    });
    expect(solution.value).toBeCloseTo(0.25, 6);
  });

  test('expressions with jumps keep their mean on every grid', async () => {
    for (const N of [16, 37, 64]) {
      const input = {
        dim: 1,
        N,
        length: 10,
        steps: 1,
        dt: 1e-9,
        reaction_u: '0',
        Du: 0,
        initial_u: 'x < 3.5',
      } as const;
      expect(Math.abs((await runSolver(react, input)).value - 0.35)).toBeLessThan(1e-3);
    }
  });

  test('what is beyond a side without flow is its mirror image: a straight line keeps its mean', async () => {
    const line = {
      dim: 1,
      N: 16,
      length: 8,
      steps: 1,
      dt: 1e-12,
      reaction_u: '0',
      Du: 0,
      boundary: 'no-flux',
    } as const;
    const { value, fields } = await runSolver(react, { ...line, initial_u: 'x + 0*(x < 3)' });
    expect(Math.abs(value - 4)).toBeLessThan(1e-12);
    const u = fields.find(({ name }) => name === 'u')?.data.slice(-16) ?? new Float64Array();
    // A hat of two cells, of which a part is mirrored: a 24th of a cell.
    expect(u[7]).toBeCloseTo(3.75, 12);
    expect((u[0] ?? 0) - 0.25).toBeCloseTo(0.5 / 24, 3);
    expect((u[0] ?? 0) + (u[15] ?? 0)).toBeCloseTo(8, 12);
  });
});

describe('what is measured', () => {
  test('a probe between cells along both axes', async () => {
    const still = { N: 20, Ny: 16, length: 10, steps: 1, dt: 1e-12, Du: 0, Dv: 0, F: 0, k: 0 } as const;
    const at = { boundary: 'no-flux', initial_u: '0*x', initial_v: 'x + 3*y', probe_x: 4.1, probe_y: 3.23 } as const;
    const { value } = await runSolver(react, { ...still, ...at, measure: 'probe_v' });
    expect(Math.abs(value - (4.1 + 3 * 3.23))).toBeLessThan(1e-9);
  });

  test('the place of a front is where the cubic through four cells crosses the level', async () => {
    const still = {
      dim: 1,
      N: 16,
      length: 16,
      steps: 1,
      dt: 1e-12,
      reaction_u: '0',
      Du: 0,
      boundary: 'no-flux',
    } as const;
    for (const root of [4.9, 7.31, 10.02]) {
      const initial_u = `(x - ${root})*(1 + (x - 6)^2)`;
      const [run] = react.plan(react.inputs.parse({ ...still, initial_u, level: 0 })).runs;
      if (run === undefined || typeof run === 'function') throw new Error('The plan has no run.');
      const centers = { ...run, parameters: { ...run.parameters, samples: 1 } };
      const { views, columns } = runInGroups(await coldInstance('react'), centers, Number.POSITIVE_INFINITY);
      expect(views.history?.[columns.history?.front ?? -1]).toBeCloseTo(root, 12);
    }
  });

  test.each(['rk4', 'euler'] as const)('rates know the time of their stage: %s', async (method) => {
    const dt = 0.1;
    const shape = { dim: 1, N: 16, steps: 20, dt, Du: 0, Dv: 0, initial_u: '0*x', measure: 'mean_u' } as const;
    const { value } = await runSolver(react, { ...shape, method, reaction_u: '3*t^2' });
    // Simpson's rule is exact, and Euler's sum is known.
    const sum = Array.from({ length: 20 }, (_, k) => 3 * dt * (k * dt) ** 2).reduce((all, one) => all + one, 0);
    expect(value).toBeCloseTo(method === 'rk4' ? 8 : sum, 11);
  });
});

describe('what is not known is not sealed as converged', () => {
  test('a pattern on a grid that is too coarse', async () => {
    const solution = await runSolver(react, { N: 32, length: 160, dt: 1, steps: 400 });
    expect(solution.converged).toBe(false);
    expect(solution.notes.join(' ')).toMatch(/more cells/);
  });

  test.each([
    [{ reaction_u: 'u^3', initial_u: '5', dim: 1, N: 16, dt: 0.1, steps: 200 }, 'reaction_u', 'has no value'],
    [{ reaction_u: '1/(x-0.5)', dim: 1, N: 16 }, 'reaction_u', 'x = 0.5'],
    [{ initial_u: 'log(x-3)', dim: 1, N: 16 }, 'initial_u', 'has no value at x = 0.5'],
    [{ dim: 1, measure: 'speed', steps: 10 }, 'measure', 'no front'],
    [{ model: 'fitzhugh-nagumo', dim: 1, N: 16, foreground: [60, 0], dt: 0.1, steps: 50 }, 'dt', 'smaller dt'],
  ] as const)('%j', async (input, field, message) => {
    const error = await runSolver(react, input as Input).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const { details, message: text } = thrownDomainError(() => {
      throw error;
    });
    expect(details.map(({ path }) => path)).toEqual([field]);
    expect(text).toContain(message);
  });
});
