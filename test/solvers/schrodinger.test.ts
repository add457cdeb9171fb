import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import type { SchrodingerFace } from '../../src/solvers/schrodinger/face.ts';
import { cubeRoot } from '../../src/solvers/schrodinger/reference.ts';
import { schrodinger } from '../../src/solvers/schrodinger/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { planError } from '../suites/refusals.ts';
import { coldInstance, runInGroups, runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';
import truth from '../truth/schrodinger.json' with { type: 'json' };

const hydrogen = { potential: 'hydrogen' } as const;
const finiteWell = { potential: 'finite_well' } as const;

describeSolver(schrodinger, {
  cases: {
    defaults: {},
    'infinite well': { potential: 'infinite_well', N: 301, states: 9 },
    'finite well with box states': { potential: 'finite_well', N: 700 },
    'near-degenerate pairs': { potential: 'double_well', V0: 40, a: 2, N: 500, states: 6 },
    'without extrapolation': { potential: 'morse', N: 400, richardson: false, states: 3 },
    hydrogen: { ...hydrogen, l: 1, N: 300, states: 3 },
    'a ramp in eV and nm': { potential: 'linear', units: 'eV-nm', mass: 0.067, F: 0.05, N: 400 },
    'one state of a shallow well': { potential: 'poschl_teller', lambda: 1.5, N: 600, states: 1 },
    expression: { potential: 'custom', expression: 'abs(x)^3 - g*x', xmin: -5, xmax: 5, N: 350, states: 4 },
  },
  conservation: true,
  golden: ['defaults', 'infinite well', 'near-degenerate pairs', 'hydrogen', 'expression'],
  convergence: [
    { name: 'the oscillator, extrapolated', order: 'space', levels: 3, at: (level) => ({ N: (100 << level) - 1 }) },
    {
      name: 'the oscillator on one grid',
      order: 2,
      levels: 4,
      at: (level) => ({ N: (100 << level) - 1, richardson: false }),
    },
    {
      name: 'hydrogen, extrapolated',
      order: 'space',
      levels: 3,
      at: (level) => ({ ...hydrogen, N: (100 << level) - 1, states: 2 }),
    },
    {
      name: 'a jump between nodes, on one grid',
      order: 2,
      levels: 5,
      at: (level) => ({ ...finiteWell, richardson: false, N: (150 << level) - 1, xmin: -5.3, xmax: 5.1 }),
      tolerance: 0.2,
    },
  ],
  known: {
    // −R∞ c h, CODATA 2022; the 1–2 line for an infinitely heavy nucleus is 4 / (3 R∞), R∞ = 10973731.568157 / m.
    'hydrogen in electronvolt and nanometre': {
      input: { ...hydrogen, units: 'eV-nm', states: 2 },
      value: [-13.60569312299, 5e-8],
      quantities: { wavelength_0_1: [4e9 / (3 * 10973731.568157), 5e-7] },
    },
    // E = (ħπ)²/2mL² with ħ = h/2π and CODATA 2022, to 30 digits with mpmath.
    'an electron in a box of one nanometre': {
      input: { potential: 'infinite_well', units: 'eV-nm' },
      value: [0.376030162105, 5e-11],
    },
  },
  refused: [
    { input: { omega: 0 }, field: 'omega' },
    { input: { potential: 'quartic', omega: 0, g: 0 }, field: 'g' },
    { input: { potential: 'infinite_well', xmax: 2 }, field: 'xmax' },
    { input: { ...hydrogen, xmin: -1 }, field: 'xmin' },
    { input: { potential: 'linear', xmin: 0.1 }, field: 'xmin' },
    { input: { xmin: 2, xmax: 1 }, field: 'xmax' },
    { input: { potential: 'morse', D: 0.1, alpha: 1 }, field: 'D' },
    { input: { units: 'eV-nm', hbar: 1 }, field: 'hbar' },
    { input: { potential: 'custom', xmin: -1, xmax: 1 }, field: 'expression' },
    { input: { potential: 'custom', expression: 'x', xmin: -1 }, field: 'xmax' },
  ],
  illegalParameters: [{ potential: 9 }, { states: 0 }, { xmax: -100 }, { kinetic: 0 }, { needsVectors: 0.5 }],
});

describe('published and independently computed energies', () => {
  test.each(truth.cases)('$name', async ({ input, energies, tolerance }) => {
    const solution = await runSolver(schrodinger, schrodinger.inputs.parse(input));
    const found = numbersOf(solution, 'E');
    const claimed = numbersOf(solution, 'E_uncertainty');
    expect(energies.length).toBeGreaterThan(0);
    for (const [n, energy] of energies.entries()) {
      const error = Math.abs((found[n] ?? Number.NaN) - energy);
      expect([n, error <= tolerance * Math.max(1, Math.abs(energy))]).toEqual([n, true]);
      if (input.N === undefined) expect([n, error <= (claimed[n] ?? 0)]).toEqual([n, true]);
    }
  });

  test('the levels of the infinite well equal those of the difference equations to the last digits', async () => {
    const { invariants } = await runSolver(schrodinger, { potential: 'infinite_well', N: 20_000, states: 20 });
    const levels = invariants.find(({ name }) => name === 'difference_equations');
    expect(Math.abs(levels?.drift ?? 1)).toBeLessThan(1e-12);
  });

  test('the error of the oscillator on one grid is (h²/32)(2n² + 2n + 1)', async () => {
    const solution = await runSolver(schrodinger, { richardson: false, N: 999, xmin: -10, xmax: 10 });
    const h = quantityOf(solution, 'mean_cell');
    for (const [n, energy] of numbersOf(solution, 'E').entries()) {
      expect((n + 0.5 - energy) / ((h * h * (2 * n * n + 2 * n + 1)) / 32)).toBeCloseTo(1, 3);
    }
  });

  // 3/2 a_0 is <r> of the ground state; the Bohr radius is CODATA 2022.
  test('hydrogen has the mean radius 3/2 a_0', async () => {
    const solution = await runSolver(schrodinger, { ...hydrogen, units: 'eV-nm', states: 2 });
    expect(numbersOf(solution, 'mean_x')[0]).toBeCloseTo(1.5 * 0.0529177210544, 9);
  });
});

describe('states', () => {
  test('a split pair is ordered, even state first, with its splitting', async () => {
    const solution = await runSolver(schrodinger, { potential: 'double_well', V0: 4, a: 2, states: 2 });
    expect(quantityOf(solution, 'splitting')).toBeCloseTo(0.00971635, 8);
    const psi = solution.fields.find(({ name }) => name === 'psi');
    const [, n = 0] = psi?.shape ?? [];
    expect(psi?.data[0]).toBe(psi?.data[n - 1]);
    expect(psi?.data[n]).toBe(-(psi?.data[2 * n - 1] ?? 0));
    expect(numbersOf(solution, 'mean_x').every((x) => Math.abs(x) < 1e-12)).toBe(true);
  });

  // Spectral, 50 digits: 1.21896672889545e-17, while the levels are known to 1e-12.
  test('a pair split by less than rounding has a splitting with correct digits', async () => {
    const solution = await runSolver(schrodinger, { potential: 'double_well', V0: 60, a: 3, states: 2 });
    expect([...numbersOf(solution, 'nodes')]).toEqual([0, 1]);
    const splitting = solution.quantities.find(({ name }) => name === 'splitting');
    expect(Math.abs((splitting?.value ?? 0) / 1.21896672889545e-17 - 1)).toBeLessThan(2e-6);
    expect(splitting?.uncertainty).toBeLessThan(1e-22);
  });

  test('a pair of an uneven potential that drowns in its ± is from 0 to its bound', async () => {
    const expression = '60*((x/3)^2 - 1)^2 + 1e-30*x';
    const input = { potential: 'custom', expression, xmin: -5, xmax: 5.1, states: 2 } as const;
    const splitting = (await runSolver(schrodinger, input)).quantities.find(({ name }) => name === 'splitting');
    expect(splitting?.value).toBeGreaterThan(0);
    expect(splitting?.uncertainty).toBe(splitting?.value);
  });

  test('levels of a coarse grid have a ± that covers the exact ones beside them', async () => {
    const solution = await runSolver(schrodinger, { N: 60, states: 20 });
    const exact = numbersOf(solution, 'E_exact');
    const [levels, claimed] = [numbersOf(solution, 'E'), numbersOf(solution, 'E_uncertainty')];
    const missed = [...levels].filter((energy, n) => !(Math.abs(energy - (exact[n] ?? 0)) <= (claimed[n] ?? 0)));
    expect([exact.length, missed]).toEqual([20, []]);
  });

  test('the ± of a high level on a coarse grid is no more than a tenfold of its error', async () => {
    const { series } = await runSolver(schrodinger, { N: 60, states: 20 });
    const of = (name: string) => series.find((one) => one.name === name)?.data[19] ?? Number.NaN;
    expect(of('E_uncertainty') / Math.abs(of('E') - 19.5)).toBeLessThan(10);
  });

  test('grids that agree by chance do not hide an error', async () => {
    // A level whose next order passes through zero, a kink, and a step between nodes.
    const cases = [
      [{ expression: '5*cos(3*x)', xmin: -4, xmax: 5, N: 120, states: 12 }, 9.185704018542628],
      [{ expression: 'abs(x)', xmin: -22, xmax: 22, N: 50, states: 1 }, 0.8086165174655022],
    ] as const;
    for (const [input, truth] of cases) {
      const solution = await runSolver(schrodinger, { potential: 'custom', ...input });
      const [E, claimed] = ['E', 'E_uncertainty'].map((name) => numbersOf(solution, name).at(-1) ?? Number.NaN);
      expect(Math.abs((E ?? 0) - truth), input.expression).toBeLessThanOrEqual(claimed ?? 0);
    }
  });

  test('a level whose kinetic energy is not resolved has a ±', async () => {
    const input = { potential: 'custom', expression: '-30*exp(-x^2)', xmin: -6, xmax: 6, N: 50, states: 12 } as const;
    for (const claimed of numbersOf(await runSolver(schrodinger, input), 'E_uncertainty'))
      expect(claimed).toBeGreaterThan(0);
  });

  test('constants count where they enter: not for an oscillator, and by Rydberg alone for hydrogen', async () => {
    const budgetOf = async (input: Parameters<typeof runSolver<typeof schrodinger.inputs>>[1]) => {
      const { budget, value } = await runSolver(schrodinger, { units: 'eV-nm', states: 1, ...input });
      return budget.filter(({ source }) => source === 'constants').map((part) => Math.abs(part.value / value));
    };
    const [box = 0] = await budgetOf({ potential: 'infinite_well' });
    // Of m_e: 3.1e-10, CODATA 2022.
    expect(box / 3.07e-10).toBeCloseTo(1, 1);
    expect((await budgetOf({ potential: 'hydrogen' }))[0]).toBeCloseTo(1.1e-12, 13);
    expect((await budgetOf({}))[0] ?? 0).toBeLessThan(1e-14);
  });

  test('the first lobe is positive and the norm with weight h is 1', async () => {
    const solution = await runSolver(schrodinger, { N: 400, states: 6 });
    const psi = numbersOf(solution, 'psi');
    const h = quantityOf(solution, 'mean_cell');
    for (let n = 0; n < 6; n++) {
      const state = psi.subarray(n * 400, (n + 1) * 400);
      const max = Math.max(...state.map(Math.abs));
      expect(state.find((value) => Math.abs(value) > 0.01 * max)).toBeGreaterThan(0);
      expect(h * state.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 13);
    }
  });

  test('the oscillator has Δx Δp = (n + 1/2) ħ and <T> = <V>', async () => {
    const solution = await runSolver(schrodinger, { mass: 3, hbar: 0.5, omega: 2 });
    for (const [n, product] of numbersOf(solution, 'delta_x_delta_p').entries())
      expect(product).toBeCloseTo(n + 0.5, 8);
    const potential = numbersOf(solution, 'mean_V');
    for (const [n, kinetic] of numbersOf(solution, 'mean_T').entries())
      expect(kinetic).toBeCloseTo(potential[n] ?? 0, 8);
    expect(solution.value).toBeCloseTo(0.5, 10);
  });

  // <r> = (3n² − l(l + 1)) / 2Z, <r²> = n² (5n² + 1 − 3l(l + 1)) / 2Z²: Landau & Lifshitz, §36.
  test('hydrogen has the textbook radii', async () => {
    const solution = await runSolver(schrodinger, { potential: 'hydrogen', Z: 2, l: 1, states: 3 });
    const square = numbersOf(solution, 'mean_x2');
    for (const [i, r] of numbersOf(solution, 'mean_x').entries()) {
      const n = i + 2;
      expect(r).toBeCloseTo((3 * n * n - 2) / 4, 6);
      expect(square[i]).toBeCloseTo((n * n * (5 * n * n - 5)) / 8, 5);
    }
  });

  test('levels above the well are marked as unbound', async () => {
    const solution = await runSolver(schrodinger, { potential: 'morse', states: 6 });
    expect([...numbersOf(solution, 'is_bound')]).toEqual([1, 1, 1, 1, 0, 0]);
    expect(quantityOf(solution, 'bound_states_found')).toBe(4);
    expect(solution.notes.join(' ')).toContain('holds 4 bound states');
    expect(solution.series.some(({ name }) => name === 'E_exact')).toBe(false);
  });

  test('walls that perturb the state become part of its problem', async () => {
    const distant = await runSolver(schrodinger, { states: 1 });
    const near = await runSolver(schrodinger, { states: 1, xmin: -4, xmax: 4 });
    const narrow = await runSolver(schrodinger, { states: 1, xmin: -0.5, xmax: 0.5 });
    expect(distant.witness.method).toBe('closed form');
    // A tail cut at x = 4 raises the energy by about 8 e^-16 / sqrt(π); the uncertainty includes it.
    expect(near.value - 0.5).toBeGreaterThan(1e-7);
    expect(near.uncertainty).toBeGreaterThanOrEqual(near.value - 0.5);
    expect(quantityOf(near, 'wall_shift') / (near.value - 0.5)).toBeCloseTo(1, 0);
    expect(narrow.witness.method).toContain('refined grid');
    expect(narrow.value).toBeGreaterThan(4.9);
    expect(narrow.converged).toBe(true);
  });
});

describe('a custom potential', () => {
  test('equal to a built-in potential gives the same bits', async () => {
    const box = { xmin: -8, xmax: 8, N: 500 } as const;
    const builtIn = await runSolver(schrodinger, { ...box, omega: 1.5 });
    const custom = await runSolver(schrodinger, {
      ...box,
      omega: 1.5,
      potential: 'custom',
      expression: 'x*x*(mass*omega^2/2)',
    });
    expect(numbersOf(custom, 'E')).toEqual(numbersOf(builtIn, 'E'));
    expect(custom.witness.observedOrder).toBeCloseTo(2, 2);
  });

  test('with a jump has a large uncertainty that covers the error', async () => {
    const solution = await runSolver(schrodinger, {
      potential: 'custom',
      expression: 'abs(x) < 1 ? -10 : 0',
      xmin: -5.3,
      xmax: 5.1,
      N: 1000,
      states: 1,
    });
    expect(Math.abs(solution.value + 9.18025992623337)).toBeLessThan(solution.uncertainty);
    expect(solution.uncertainty).toBeGreaterThan(1e-4);
  });

  test('that is not finite at a node is rejected with the position', async () => {
    const input = { potential: 'custom', expression: '1/x', xmin: -1, xmax: 1, N: 51 } as const;
    const failed = runSolver(schrodinger, input);
    await expect(failed).rejects.toThrow('not finite at x = 0');
    await expect(failed).rejects.toBeInstanceOf(DomainError);
  });

  test.each([
    ['x + y', 'y'],
    ['x +', 'end'],
  ])('%s is rejected by the parser', (expression, found) => {
    const error = planError(schrodinger, { potential: 'custom', expression, xmin: -1, xmax: 1 });
    expect([error.code, error.message.includes(found)]).toEqual(['EXPRESSION_INVALID', true]);
  });

  test('the estimate of a sum is proportional to its terms', () => {
    const costOf = (expression: string) =>
      schrodinger.plan(schrodinger.inputs.parse({ potential: 'custom', expression, xmin: -1, xmax: 1 })).estimateNs;
    expect(costOf('sum(k, 1, 4000, cos(k*x))') / costOf('sum(k, 1, 400, cos(k*x))')).toBeGreaterThan(5);
  });
});

describe('the kernel', () => {
  const scaled = fc.record({
    omega: fc.double({ min: 0.05, max: 50, noNaN: true }),
    mass: fc.double({ min: 0.05, max: 50, noNaN: true }),
    hbar: fc.double({ min: 0.05, max: 50, noNaN: true }),
  });

  test('the oscillator energy is (n + 1/2) ħω in every scale', async () => {
    await fc.assert(
      fc.asyncProperty(scaled, async ({ omega, mass, hbar }) => {
        const solution = await runSolver(schrodinger, { omega, mass, hbar, N: 200, states: 3 });
        for (const [n, energy] of numbersOf(solution, 'E').entries()) {
          expect(Math.abs(energy / ((n + 0.5) * hbar * omega) - 1)).toBeLessThan(1e-5);
        }
      }),
      { numRuns: 25 },
    );
  });

  test('a shift of the potential shifts only the levels', async () => {
    const at = (shift: number) =>
      runSolver(schrodinger, { potential: 'custom', expression: `x^4 + ${shift}`, xmin: -3, xmax: 3, N: 201 });
    const [low, high] = [await at(0), await at(100)];
    const raised = numbersOf(high, 'E');
    for (const [n, energy] of numbersOf(low, 'E').entries()) expect((raised[n] ?? 0) - energy).toBeCloseTo(100, 10);
    expect(numbersOf(high, 'nodes')).toEqual(numbersOf(low, 'nodes'));
  });

  test('a run without enough steps is not converged', async () => {
    const input = schrodinger.inputs.parse({ N: 200 });
    const { runs } = schrodinger.plan(input);
    const instance = await coldInstance('schrodinger');
    const outputs = runs.map((run) => runInGroups<SchrodingerFace>(instance, { ...run, steps: 45 }, 1));
    expect(schrodinger.collect(outputs, input).converged).toBe(false);
  });
});

test('the cube root is accurate to the last digits', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-30, max: 1e30, noNaN: true }), (x) => {
      const root = cubeRoot(x);
      expect(Math.abs((root * root * root) / x - 1)).toBeLessThan(3e-15);
    }),
  );
});
