import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { kaplanYorke } from '../../src/solvers/lorenz/dimension.ts';
import type { inputs } from '../../src/solvers/lorenz/inputs.ts';
import { hopfRho, rolls } from '../../src/solvers/lorenz/reference.ts';
import { lorenz } from '../../src/solvers/lorenz/solver.ts';
import { runPlan } from '../../src/solvers/run.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const few = { steps: 40_000 } as const;

describeSolver(lorenz, {
  cases: {
    defaults: { steps: 60_000 },
    wolf: { preset: 'wolf', ...few },
    window: { preset: 'window', ...few },
    steady: { preset: 'steady', ...few },
    rossler: { preset: 'rossler', ...few },
    hyperchaos: { preset: 'hyperchaos', steps: 40_000, pair_time: 5 },
    chua: { preset: 'chua', steps: 20_000, pair_time: 5 },
    oscillator: { preset: 'oscillator', steps: 20_000 },
    'an unstable equilibrium': { start: [0, 0, 0], steps: 5_000 },
    'six states': {
      equations: ['a', 'b', 'c', 'd', 'e', 'f']
        .map((name, i, all) => {
          const [after, before, second] = [all[(i + 1) % 6], all[(i + 5) % 6], all[(i + 4) % 6]];
          return `${name}' = (${after} - ${second})*${before} - ${name} + F`;
        })
        .join('\n'),
      constants: { F: 6 },
      start: [6.01, 6, 6, 6, 6, 6],
      steps: 5_120,
      pair_time: 1,
    },
  },
  conservation: true,
  golden: ['defaults', 'steady', 'rossler', 'hyperchaos', 'chua', 'oscillator'],
  // The states at t = 1 of the design's table: a Taylor series of order 40 in quadruple precision.
  convergence: [
    {
      name: 'states of the way',
      order: 'time',
      levels: 4,
      at: (level) => ({ dt: 0.0025 / 2 ** level, steps: 2_560 << level, pair_time: 1 }),
      error: (solution) => {
        const times = numbersOf(solution, 't_path');
        const row = times.findIndex((t) => Math.abs(t - 1) < 1e-9);
        const at = (name: string) => numbersOf(solution, `${name}_path`)[row] ?? Number.NaN;
        return Math.hypot(at('x') + 9.378570010925062, at('y') + 8.357033788426644, at('z') - 29.36232533736343);
      },
      tolerance: 0.2,
    },
  ],
  random: {
    of: fc.record({
      sigma: fc.double({ min: 0.1, max: 30, noNaN: true }),
      rho: fc.double({ min: -20, max: 150, noNaN: true }),
      beta: fc.double({ min: 0.1, max: 8, noNaN: true }),
      dt: fc.constantFrom(0.001, 0.002),
      steps: fc.integer({ min: 2_560, max: 20_000 }),
      pair_time: fc.constantFrom(1, 3),
    }),
    count: 40,
  },
  illegalParameters: [{ kind: 3 }, { states: 4 }, { blocks: 0 }, { section: 3 }],
  refused: [
    { input: { a: 1 }, field: 'a', message: 'the system is lorenz' },
    { input: { preset: 'rossler', rho: 28 }, field: 'rho' },
    { input: { preset: 'rossler', system: 'lorenz', equations: "x' = y; y' = x" }, field: 'equations' },
    { input: { system: 'custom' }, field: 'equations', reason: 'MISSING' },
    { input: { equations: "x' = 1" }, field: 'equations', reason: 'OUT_OF_RANGE', message: 'expected 2 to 6' },
    { input: { equations: "x' = y; y' = -x; x' = 2" }, field: 'equations', reason: 'DUPLICATE' },
    { input: { equations: "x' = y; y' = -k*x" }, field: 'equations', message: 'k = 1' },
    { input: { equations: "x' = y; y' = cos(t) - x" }, field: 'equations', message: "p' = 1" },
    { input: { equations: "x' = y; y' = x > 0 ? 1 : -1" }, field: 'equations', reason: 'NO_DERIVATIVE' },
    { input: { equations: "x' = y; y' = -gamma(x)" }, field: 'equations', reason: 'NO_DERIVATIVE', message: 'gamma' },
    { input: { equations: "x' = y; y' = -x + floor(x)" }, field: 'equations', reason: 'NO_DERIVATIVE' },
    { input: { equations: "x' = y; nonsense" }, field: 'equations', message: 'nonsense' },
    { input: { equations: "x' = y; y' = -k*x", constants: 'k = 1; q = 2' }, field: 'constants.q', reason: 'UNUSED' },
    { input: { equations: "x' = y; y' = -x", constants: 'x = 1' }, field: 'constants.x', reason: 'DUPLICATE' },
    { input: { start: [1, 2] }, field: 'start', reason: 'COUNTS_DIFFER', message: 'expected 3: x, y, z' },
    { input: { watch: 'w' }, field: 'watch', message: 'one of x, y, z' },
    { input: { delta: 1e-3, tolerance: 1e-4 }, field: 'tolerance', reason: 'OUT_OF_RANGE', saysLimit: true },
  ],
});

const near = async (input: Input, name: string, truth: number, printed = 0) => {
  const solution = await runSolver(lorenz, input);
  const one = solution.quantities.find((each) => each.name === name) ?? solution;
  expect(Math.abs(one.value - truth), `${one.value} ± ${one.uncertainty}`).toBeLessThanOrEqual(
    (one.uncertainty ?? Number.NaN) + printed,
  );
  return solution;
};

describe('regimes', () => {
  test('below rho = 1 the exponents are the eigenvalues at the origin', async () => {
    const solution = await near({ rho: 0.5, steps: 20_000 }, 'lambda_1', 0.5 * (-11 + Math.sqrt(81 + 20)), 1e-13);
    expect(solution.converged).toBe(true);
    expect(quantityOf(solution, 'kaplan_yorke_dimension')).toBe(0);
  });

  test('beyond the Hopf value the rolls are unstable by their eigenvalues, and the way is chaotic', async () => {
    expect(Math.abs((hopfRho(10, 8 / 3) ?? 0) - 470 / 19)).toBeLessThan(1e-13);
    const solution = await runSolver(lorenz, { steps: 40_000 });
    const rates = solution.quantities.filter(({ name }) => name.startsWith('growth_at_equilibrium'));
    expect(rates.map(({ value }) => value.toFixed(8))).toEqual(['0.09395562', '0.09395562', '11.82772345']);
    const states = numbersOf(solution, 'equilibrium_states');
    for (const [k, roll] of [...rolls(28, 8 / 3)].sort(([a = 0], [b = 0]) => a - b).entries())
      for (const [i, one] of roll.entries()) expect(Math.abs((states[3 * k + i] ?? 0) - one)).toBeLessThan(1e-12);
  });

  test('chaos beside stable rolls may be transient, and is not sealed as converged', async () => {
    const solution = await runSolver(lorenz, { rho: 24.5, steps: 100_000 });
    expect(solution.converged).toBe(false);
    expect(solution.notes[0]).toContain('may be transient');
  });

  test('chaos that ends in the rolls while it is averaged has their exponent', async () => {
    const solution = await runSolver(lorenz, { rho: 22, transient: 0, steps: 400_000 });
    expect(solution.value).toBeLessThan(0);
    expect(solution.value).toBe(quantityOf(solution, 'growth_at_equilibrium_1'));
  });

  test('in a periodic window the largest exponent is 0 and no chaos is claimed', async () => {
    const solution = await near({ preset: 'window' }, 'lambda_2', -0.0265282, 1e-6);
    expect(Math.abs(solution.value)).toBeLessThan(solution.uncertainty);
    expect(quantityOf(solution, 'lyapunov_time')).toBeNaN();
    expect(quantityOf(solution, 'kaplan_yorke_dimension')).toBe(1);
  });

  test('a start on the stable manifold of the origin is not sealed: its neighbours leave', async () => {
    const solution = await runSolver(lorenz, { start: [0, 0, 5], steps: 40_000 });
    expect(solution.converged).toBe(false);
    expect(solution.notes[0]).toContain('do not agree');
  });

  test('a step that is too long is not sealed', async () => {
    const solution = await runSolver(lorenz, { dt: 0.05, steps: 40_000 });
    expect(solution.converged).toBe(false);
    expect(solution.notes.join(' ')).toContain('the step is too long');
  });

  test('an exponent of 0 that still falls as ln t over t is not sealed as chaos', async () => {
    const start = [0, -0.15, 0.1, 0];
    const solution = await near({ preset: 'galaxy', start, steps: 100_000 }, 'lambda_1', 0);
    expect(quantityOf(solution, 'entropy')).toBeNaN();
  });

  test('equations that are slow against the time are not sealed: the way has hardly turned', async () => {
    const equations = "x' = k*10*(y - x); y' = k*(x*(28 - z) - y); z' = k*(x*y - 8/3*z)";
    const solution = await runSolver(lorenz, { equations, constants: 'k = 0.001', start: [1, 1, 1], steps: 40_000 });
    expect(solution.converged).toBe(false);
    expect(solution.notes[0]).toContain('too short a time');
  });

  test('a way that has come to rest among many equilibria needs no turns', async () => {
    const equations = "s' = -2*s*i; i' = 2*s*i - i";
    const solution = await near({ equations, start: [0.99, 0.01], steps: 100_000, pair_time: 1 }, 'lambda_1', 0);
    expect(solution.converged).toBe(true);
  });

  test('a way that leaves every bound is refused with the time', async () => {
    const run = runSolver(lorenz, { equations: "x' = x^2; y' = -y", start: [1, 1], steps: 5_000 });
    await expect(run).rejects.toMatchObject({ code: 'NUMERIC_OVERFLOW', facts: { time: expect.closeTo(1, 1) } });
  });

  test('a step that leaves every bound alone is refused as unstable', async () => {
    const equations = "x' = -300*x + y; y' = -y";
    const run = runSolver(lorenz, { equations, dt: 0.05, steps: 5_000 });
    await expect(run).rejects.toMatchObject({
      code: 'UNSTABLE_SCHEME',
      message: expect.stringContaining('dt is 0.05'),
    });
  });
});

describe('laws', () => {
  test('the exponents of a Hamiltonian system come in pairs of opposite signs', async () => {
    const solution = await runSolver(lorenz, { preset: 'galaxy', steps: 100_000 });
    const [a = 0, b = 0, c = 0, d = 0] = [1, 2, 3, 4].map((k) => quantityOf(solution, `lambda_${k}`));
    expect(a).toBeGreaterThan(0.05);
    expect(Math.abs(a + d)).toBeLessThan(1e-5);
    expect(Math.abs(b + c)).toBeLessThan(1e-5);
  });

  test('another order of the equations of one system has the same exponents within ±', async () => {
    const own = (equations: string, start: number[]) =>
      runSolver(lorenz, { equations, start, dt: 0.005, steps: 100_000, pair_time: 1 });
    const first = await own("x' = 10*(y - x)\ny' = x*(28 - z) - y\nz' = x*y - 8/3*z", [1, 1, 1]);
    const second = await own("z' = x*y - 8/3*z\nx' = 10*(y - x)\ny' = x*(28 - z) - y", [1, 1, 1]);
    const native = await runSolver(lorenz, { steps: 100_000, pair_time: 1 });
    for (const other of [second, native])
      expect(Math.abs(first.value - other.value)).toBeLessThan(first.uncertainty + other.uncertainty);
  });

  test('the map of maxima has a cusp: what follows a maximum is one number', async () => {
    const solution = await runSolver(lorenz, { steps: 200_000 });
    const [now, next] = [numbersOf(solution, 'maximum'), numbersOf(solution, 'next_maximum')];
    expect(now.length).toBeGreaterThan(1_000);
    const sorted = Array.from(now, (one, i) => [one, next[i] ?? 0] as const).sort(([a], [b]) => a - b);
    const jumps = sorted.slice(1).filter(([a, b], i) => {
      const [before, after] = sorted[i] ?? [0, 0];
      return Math.abs(b - after) > 0.5 + 12 * (a - before);
    });
    expect(jumps.length).toBeLessThan(0.02 * sorted.length);
  });

  test('maxima between two steps are those of the cubic through both: on the unit circle they are one', async () => {
    const equations = "x' = y + x*(1 - x^2 - y^2)\ny' = -x + y*(1 - x^2 - y^2)";
    const solution = await runSolver(lorenz, { equations, start: [1, 0], watch: 'x', dt: 0.1, steps: 20_000 });
    const found = numbersOf(solution, 'maximum');
    expect(found.length).toBeGreaterThan(200);
    // Steps and cubic are off by a few 10⁻⁶; the largest state of a step by up to h²/8.
    for (const maximum of found) expect(Math.abs(maximum - 1)).toBeLessThan(1e-5);
  });

  test('the dimension after Kaplan and Yorke', () => {
    expect(kaplanYorke([0.9056, 0, -14.5723])).toBeCloseTo(2.06215, 4);
    expect(kaplanYorke([-1, -2])).toBe(0);
    expect(kaplanYorke([0, -1])).toBe(1);
    expect(kaplanYorke([1, 0, -0.5])).toBe(3);
  });

  test('two close starts part at the mean rate, until a forecast is lost', async () => {
    const solution = await runSolver(lorenz, { steps: 40_000, delta: 1e-9 });
    const horizon = quantityOf(solution, 'predictability_horizon');
    expect(horizon).toBeGreaterThan(15);
    expect(horizon).toBeLessThan(40);
    const { d = 0, d0 = 0, t = 0 } = solution.operatorInputs.NL10 ?? {};
    expect(Math.abs(Math.log(d / d0) / t - 0.9)).toBeLessThan(0.3);
    expect(Math.abs(d0 - 1e-9)).toBeLessThan(1e-15);
  });
});

describe('what the kernel records', () => {
  /** Of the value and of its witness. */
  async function outputsOf(input: Input) {
    const plan = lorenz.plan(lorenz.inputs.parse(input));
    const two = { ...plan, runs: plan.runs.slice(0, 2) };
    return (await runPlan(two, await loadKernel('lorenz'), new LocalRunner())).outputs;
  }

  /** Time and logarithms of the first block. */
  async function firstBlocks(input: Input, states: number): Promise<readonly Float64Array[]> {
    return (await outputsOf(input)).map(({ views }) => (views.blocks ?? new Float64Array()).slice(0, states + 1));
  }

  test('no maximum is of the transient', async () => {
    const equations = "x' = y; y' = -x - 0.2*y*(x*x + y*y - 1)";
    const [value] = await outputsOf({
      equations,
      start: [0, 6],
      dt: 0.01,
      transient: 10_000,
      steps: 20_000,
      watch: 'x',
    });
    const maxima = [...(value?.views.maxima ?? [])].filter((one) => one !== 0);
    expect(maxima.length).toBeGreaterThan(10);
    // The limit cycle is the unit circle; the start lies far outside.
    for (const one of maxima) expect(one).toBeCloseTo(1, 6);
  });

  test('the witness begins with a frame that lies along no axis', async () => {
    // The unit vector along x shrinks by its own rate for ever; any other one turns to y, which shrinks less.
    const [ours = [], other = []] = await firstBlocks({ equations: "x' = -2*x; y' = -y", steps: 400_000 }, 2);
    const rate = ([time = 0, first = 0]: ArrayLike<number> & Iterable<number>) => first / time;
    expect(rate(ours)).toBeCloseTo(-2, 3);
    expect(rate(other)).toBeGreaterThan(-1.2);
  });

  /** Run k of the plan with other parameters and start; k is 0 for the value, 1 for its witness, 2 and 3 for the pairs. */
  async function runOf(input: Input, k: number, parameters: Readonly<Record<string, number>>, initial?: Float64Array) {
    const run = lorenz.plan(lorenz.inputs.parse(input)).runs[k];
    if (run === undefined) throw new Error('The plan has no such run.');
    const changed = {
      ...run,
      parameters: { ...run.parameters, ...parameters },
      inputs: { ...run.inputs, ...(initial === undefined ? {} : { initial }) },
      steps: parameters.steps ?? run.steps,
    };
    const { info, views } = runInGroups(await coldInstance('lorenz'), changed, Number.POSITIVE_INFINITY);
    expect(info).toBe(0);
    return views;
  }

  test.each([2, 3])('the pair shows both ways and their distance: run %d', async (k) => {
    const turning: Input = { equations: "x' = y; y' = -x", start: [1, 0], watch: 'x', pair_time: 4 };
    const { pair = new Float64Array() } = await runOf(turning, k, {}, Float64Array.of(1, 0, 1.5, 0.2));
    expect(pair.length).toBe(3 * 2_001);
    for (let row = 0; row <= 2_000; row++) {
      const t = (4 * row) / 2_000;
      const [distance, first, second] = pair.subarray(3 * row);
      expect(distance).toBeCloseTo(Math.hypot(0.5, 0.2), 11);
      expect(first).toBeCloseTo(Math.cos(t), 11);
      expect(second).toBeCloseTo(1.5 * Math.cos(t) + 0.2 * Math.sin(t), 11);
    }
  });

  test.each([0, 1])('time and growth of blocks begin with the end of the transient: run %d', async (k) => {
    // The trace is −0.3 everywhere, and the sum of the logarithms is its integral.
    const damped: Input = {
      equations: "x' = y; y' = -x - 0.3*y",
      start: [1, 0],
      dt: 0.01,
      transient: 1_500,
      steps: 2_560,
    };
    const { blocks = new Float64Array() } = await runOf(damped, k, {});
    expect(blocks.length).toBe(256 * 5);
    for (let row = 0; row < 256; row++) {
      const [time = 0, first = 0, second = 0, trace = 0] = blocks.subarray(5 * row);
      expect(time).toBeCloseTo(0.1 * (row + 1), 10);
      expect(trace).toBeCloseTo(-0.3 * time, 8);
      expect(first + second).toBeCloseTo(-0.3 * time, 6);
    }
  });

  // The slope of x is quadratic in s, so that steps and cubic are exact however long they are.
  test.each([
    ["x' = -3*(s - 0.8)*(s + 0.3)", 0.544],
    ["x' = 3*(s - 0.2)*(s - 3)", 0.176],
    ["x' = 1 - 2*s", 0.25],
    ["x' = 1 - s", 0.5],
  ])('a maximum inside a long step is that of the cubic: %s', async (equation, value) => {
    const rising: Input = { equations: `s' = 1; ${equation}`, start: [0, 0], watch: 'x', dt: 1 };
    const { maxima = new Float64Array() } = await runOf(rising, 0, { steps: 2, transient: 0, blocks: 1 });
    expect(maxima[0]).toBeCloseTo(value, 13);
    expect(maxima[1]).toBe(0);
  });

  test('growth beyond all numbers in a block is summed', async () => {
    const equations = "x' = -1000*x; y' = -500*y + x";
    const rows = await firstBlocks({ equations, start: [1, 1], dt: 0.001, steps: 400_000, pair_time: 1 }, 2);
    for (const [time = 0, first = 0, second = 0] of rows) {
      // The smallest double is exp(−745); a step of 1/1000 is long, and errs by 2 %.
      expect(1000 * time).toBeGreaterThan(1_000);
      expect(Math.abs((first + second) / (-1500 * time) - 1)).toBeLessThan(0.03);
    }
  });
});
