import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { NETWORK_NAMES } from '../../src/solvers/grid/cases/index.ts';
import type { inputs } from '../../src/solvers/grid/inputs.ts';
import { grid } from '../../src/solvers/grid/solver.ts';
import { bridgesOf } from '../../src/solvers/grid/topology.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf, uncertaintyOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

/** A triangle with a transfer from 1 to 3, and one line to a fourth bus. */
const triangle: Input = {
  buses: [
    [1, 3],
    [2, 1],
    [3, 1, 90],
    [4, 1, 10],
  ],
  branches: [
    [1, 2, 0, 0.1],
    [2, 3, 0, 0.1],
    [1, 3, 0, 0.1],
    [3, 4, 0, 0.1],
  ],
};
const two: Input = {
  buses: [
    [1, 3],
    [2, 1, 100],
  ],
  branches: [[1, 2, 0.01, 0.1]],
};

describeSolver(grid, {
  cases: {
    defaults: {},
    'ac, 14 buses': { method: 'ac' },
    'ratings and factors': { network: 'five', factors: true },
    '118 buses with limits': { network: 'ieee118', method: 'ac', q_limits: true },
    tables: triangle,
  },
  conservation: true,
  golden: ['defaults', 'ac, 14 buses', 'ratings and factors', '118 buses with limits', 'tables'],
  known: {
    // Angles and powers of MATPOWER's dcpf; losses and the power of the reference of its runpf.
    'case14, dc': {
      input: { branch: 1 },
      value: [1.47838596, 1e-8],
      quantities: { reference_power: [219, 1e-6], lowest_angle: [-17.18828757, 1e-7] },
    },
    'case9, dc': {
      input: { network: 'case9' },
      quantities: { lowest_angle: [-4.06340049, 1e-7], reference_power: [67, 1e-6] },
    },
    'case_ieee30, dc': {
      input: { network: 'ieee30', branch: 1 },
      value: [1.61026347, 1e-8],
      quantities: { lowest_angle: [-18.492118892, 1e-8], reference_power: [243.4, 1e-6] },
    },
    'case30, dc': { input: { network: 'alsac30' }, quantities: { lowest_angle: [-4.0088813351, 1e-9] } },
    'case57, dc': {
      input: { network: 'ieee57' },
      quantities: { lowest_angle: [-20.2278648196, 1e-9], reference_power: [450.8, 1e-6] },
    },
    'case118, dc': {
      input: { network: 'ieee118', branch: 9 },
      value: [-4.5, 1e-9],
      quantities: { lowest_angle: [10.2003999383, 1e-9], reference_power: [381, 1e-6] },
    },
    'case9, ac': {
      input: { network: 'case9', method: 'ac' },
      quantities: { losses: [4.641, 1e-3], reference_power: [71.641, 1e-3] },
    },
    'case14, ac': { input: { method: 'ac' }, quantities: { losses: [13.393, 1e-3], reference_power: [232.393, 1e-3] } },
  },
  random: {
    of: fc.record({
      network: fc.constantFrom(...NETWORK_NAMES),
      method: fc.constantFrom('dc' as const, 'ac' as const),
      load_factor: fc.double({ min: 0, max: 1.1, noNaN: true }),
      contingencies: fc.boolean(),
    }),
    count: 30,
  },
  refused: [
    { input: { network: 'five', buses: [[1, 3]] }, field: 'buses', reason: 'TWO_NETWORKS' },
    { input: { branches: [[1, 2, 0, 0.1]] }, field: 'buses', reason: 'MISSING' },
    { input: { buses: [] }, field: 'buses', reason: 'MISSING' },
    { input: { buses: [[1, 1, 10]] }, field: 'generators', reason: 'NO_SOURCE' },
    {
      input: {
        ...two,
        buses: [
          [1, 3],
          [1, 1],
        ],
      },
      field: 'buses',
      message: 'bus 1 is there twice',
    },
    {
      input: {
        ...two,
        buses: [
          [1, 5],
          [2, 1],
        ],
      },
      field: 'buses',
      message: 'type is 5',
    },
    {
      input: {
        ...two,
        buses: [
          [1.5, 3],
          [2, 1],
        ],
      },
      field: 'buses',
      message: 'number is 1.5',
    },
    {
      input: {
        ...two,
        buses: [
          [1, 3],
          [2, 1, 1e300],
        ],
      },
      field: 'buses',
      message: 'Pd is 1e+300',
    },
    { input: { ...two, branches: [[1, 2, 0]] }, field: 'branches', message: 'at least 4 are needed' },
    { input: { ...two, branches: [[1, 3, 0, 0.1]] }, field: 'branches', message: 'bus 3 is not among the buses' },
    { input: { ...two, branches: [[1, 1, 0, 0.1]] }, field: 'branches', message: 'joins bus 1 to itself' },
    { input: { ...two, branches: [[1, 2, 0, 0]] }, field: 'branches', message: 'at least 1e-9 pu' },
    { input: { ...two, branches: [[1, 2, 0, 0.1, 0, -5]] }, field: 'branches', message: 'a rating is -5' },
    { input: { ...two, branches: [[1, 2, 0, 0.1, 0, 0, 0, 0, -1]] }, field: 'branches', message: 'ratio is -1' },
    { input: { ...two, generators: [[1, 5, 0, -1, 1]] }, field: 'generators', message: 'Qmin must not be above Qmax' },
    { input: { ...two, branches: [[1, 2, 0.01, 0]] }, field: 'method', reason: 'ZERO_REACTANCE' },
    { input: { branch: 21 }, field: 'branch', saysLimit: true },
    { input: { outage: 21 }, field: 'outage', saysLimit: true },
    { input: { branch: 3, outage: 3 }, field: 'branch', message: 'out of service' },
    { input: { at_bus: 99 }, field: 'at_bus' },
    { input: { extra_load: 5 }, field: 'at_bus', reason: 'MISSING' },
    { input: { reference: 99 }, field: 'reference' },
  ],
});

const failure = async (input: Input): Promise<string> => {
  try {
    await runSolver(grid, input);
    return 'an answer';
  } catch (error) {
    return String(error);
  }
};

describe('a DC flow', () => {
  test('of a triangle takes two thirds of the direct way', async () => {
    const solution = await runSolver(grid, { ...triangle, base: 90 });
    const flows = numbersOf(solution, 'flow');
    for (const [k, flow] of [100 / 3, 100 / 3, 200 / 3, 10].entries()) expect(flows[k]).toBeCloseTo(flow, 10);
    expect(solution.notes.join(' ')).toContain('Without 3–4 (branch 4) bus 4 is cut off: load 10.0 MW');
  });

  test('is linear: flows of two injections together are the sum of each', async () => {
    const at = async (first: number, second: number) =>
      numbersOf(
        await runSolver(grid, {
          ...triangle,
          buses: [
            [1, 3],
            [2, 1, first],
            [3, 1, second],
            [4, 1],
          ],
        }),
        'flow',
      );
    const [both, first, second] = [await at(70, 110), await at(70, 0), await at(0, 110)];
    for (const [k, flow] of both.entries()) expect(flow).toBeCloseTo((first[k] ?? 0) + (second[k] ?? 0), 10);
  });

  test('does not depend on which bus is the reference', async () => {
    // Without a generator at the old reference the balance is taken up elsewhere: move its power by hand.
    const balanced: Input = { ...triangle, generators: [[1, 100]] };
    const flows = numbersOf(await runSolver(grid, balanced), 'flow');
    const other = numbersOf(await runSolver(grid, { ...balanced, reference: 3 }), 'flow');
    for (const [k, flow] of flows.entries()) expect(other[k]).toBeCloseTo(flow, 10);
  });

  test('sums parallel branches and leaves out those out of service', async () => {
    const branches = [
      [1, 2, 0, 0.1],
      [1, 2, 0, 0.3],
      [1, 2, 0, 0.2, 0, 0, 0, 0, 0, 0, 0],
    ];
    const flows = numbersOf(await runSolver(grid, { ...two, branches }), 'flow');
    expect([...flows].map((flow) => Math.round(flow * 1e9) / 1e9)).toEqual([75, 25, 0]);
  });

  test('turns a ring by a phase shift, and divides by taps', async () => {
    const branches = [
      [1, 2, 0, 0.1, 0, 0, 0, 0, 0, 6],
      [1, 2, 0, 0.1, 0, 0, 0, 0, 2],
    ];
    // b = 10 and 5: 1 = 10 (θ − φ) + 5 θ.
    const phi = (6 * Math.PI) / 180;
    const theta = (1 + 10 * phi) / 15;
    const flows = numbersOf(await runSolver(grid, { ...two, branches }), 'flow');
    expect(flows[0]).toBeCloseTo(1000 * (theta - phi), 9);
    expect(flows[1]).toBeCloseTo(500 * theta, 9);
  });

  test('names islands and buses without a source, and solves the rest', async () => {
    const solution = await runSolver(grid, {
      buses: [
        [1, 3],
        [2, 1, 10],
        [3, 2],
        [4, 1, 20],
        [5, 1, 30],
        [6, 4, 40],
      ],
      generators: [[3, 20]],
      branches: [
        [1, 2, 0, 0.1],
        [3, 4, 0, 0.1],
        [5, 6, 0, 0.1],
      ],
    });
    const notes = solution.notes.join('\n');
    expect(notes).toContain('An island without a reference: buses 3, 4. Bus 3 is its reference now.');
    expect(notes).toContain('Without a source, so without voltage: bus 5.');
    expect(notes).toContain('Isolated (type 4): bus 6.');
    expect(notes).toContain('2 islands');
    expect(notes).toContain('Out of service at isolated buses: branch 3');
    expect(quantityOf(solution, 'load_without_voltage')).toBeCloseTo(70, 10);
    expect(quantityOf(solution, 'load')).toBeCloseTo(30, 10);
    expect([...numbersOf(solution, 'flow')].map((flow) => Math.round(flow * 1e9) / 1e9)).toEqual([10, 20, 0]);
    expect(solution.converged).toBe(true);
  });

  test('takes series capacitors, and refuses those that cancel a line', async () => {
    const buses = [
      [1, 3],
      [2, 1],
      [3, 1, 100],
    ];
    const capacitor = await runSolver(grid, {
      buses,
      branches: [
        [1, 2, 0, 0.1],
        [2, 3, 0, -0.04],
        [1, 3, 0, 0.06],
      ],
    });
    expect([...numbersOf(capacitor, 'flow')].map((flow) => Math.round(flow * 1e9) / 1e9)).toEqual([50, 50, 50]);
    const message = await failure({
      buses,
      branches: [
        [1, 2, 0, 0.1],
        [2, 3, 0, -0.1],
        [1, 3, 0, 0.06],
      ],
    });
    expect(message).toContain('singular at bus');
  });

  test('keeps two references at their angles', async () => {
    const buses = [
      [1, 3, 0, 0, 0, 0, 1, 1, 3],
      [2, 1, 50],
      [3, 3, 0, 0, 0, 0, 1, 1, -3],
    ];
    const solution = await runSolver(grid, {
      buses,
      branches: [
        [1, 2, 0, 0.1],
        [2, 3, 0, 0.1],
      ],
    });
    const [first = 0, , last = 0] = numbersOf(solution, 'angle');
    expect([first, last]).toEqual([3, -3].map((x) => expect.closeTo(x, 12)));
    expect(quantityOf(solution, 'reference_power')).toBeCloseTo(50, 10);
  });
});

describe('factors and outages', () => {
  test.each(['five', 'ieee14', 'alsac30'] as const)(
    '%s: PTDF and LODF agree with flows that are solved again',
    async (network) => {
      const solution = await runSolver(grid, { network, factors: true });
      const [flow, lodf, ptdf] = ['flow', 'lodf', 'ptdf'].map((name) => numbersOf(solution, name)) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      const [m, n] = [flow.length, numbersOf(solution, 'bus').length];
      const base = 100;
      for (const out of [0, 1, m - 1]) {
        const without = await runSolver(grid, { network, outage: out + 1 });
        if (without.notes.some((note) => note.includes('Without a source') || note.includes('island'))) continue;
        const again = numbersOf(without, 'flow');
        for (let l = 0; l < m; l++)
          expect(Math.abs((flow[l] ?? 0) + (lodf[l * m + out] ?? 0) * (flow[out] ?? 0) - (again[l] ?? 0))).toBeLessThan(
            1e-9 * base,
          );
      }
      const number = numbersOf(solution, 'bus')[n - 1] ?? 0;
      const more = numbersOf(await runSolver(grid, { network, at_bus: number, extra_load: 10 }), 'flow');
      for (let l = 0; l < m; l++)
        expect(Math.abs((flow[l] ?? 0) - 10 * (ptdf[l * n + n - 1] ?? 0) - (more[l] ?? 0))).toBeLessThan(1e-9 * base);
    },
  );

  test('the ranking is that of flows that are solved again, worst first', async () => {
    const solution = await runSolver(grid, { network: 'five' });
    const [outage, branch, after] = ['outage', 'suffering_branch', 'flow_afterwards'].map((name) =>
      numbersOf(solution, name),
    );
    for (const [k, out] of [...(outage ?? [])].entries()) {
      const again = numbersOf(await runSolver(grid, { network: 'five', outage: out }), 'flow');
      expect(again[(branch?.[k] ?? 0) - 1]).toBeCloseTo(after?.[k] ?? 0, 9);
    }
    const loadings = [...numbersOf(solution, 'loading_afterwards')];
    expect(loadings).toEqual(loadings.toSorted((a, b) => b - a));
  });

  test('branches that part the network are those without which a search does not reach a bus', () => {
    const pairs = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 14 });
    fc.assert(
      fc.property(pairs, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (drawn, isReference) => {
        const ends = drawn.filter(([a, b]) => a !== b);
        const reach = (without: number) => {
          const reached = new Set(isReference.flatMap((is, i) => (is ? [i] : [])));
          for (let round = 0; round < 8; round++)
            for (const [l, [a, b]] of ends.entries()) {
              if (l === without) continue;
              if (reached.has(a)) reached.add(b);
              if (reached.has(b)) reached.add(a);
            }
          return reached;
        };
        const all = reach(-1);
        const expected = ends.flatMap((_, branch) => {
          const left = reach(branch);
          const buses = [...all].filter((i) => !left.has(i)).toSorted((a, b) => a - b);
          return buses.length > 0 ? [{ branch, buses }] : [];
        });
        const found = bridgesOf(isReference, ends).map(({ branch, buses }) => ({
          branch,
          buses: buses.toSorted((a, b) => a - b),
        }));
        expect(found).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('an AC flow', () => {
  test('of two buses is that of the quadratic equation', async () => {
    // V² from P and Q at the end of an impedance without charging: V⁴ + (2 (P r + Q x) − 1) V² + (P² + Q²) |z|² = 0.
    const [r, x, p, q] = [0.02, 0.1, 0.9, 0.3];
    const buses = [
      [1, 3],
      [2, 1, 100 * p, 100 * q],
    ];
    const solution = await runSolver(grid, { buses, generators: [[1, 0]], branches: [[1, 2, r, x]], method: 'ac' });
    const c = 2 * (p * r + q * x) - 1;
    const square = (-c + Math.sqrt(c * c - 4 * (p * p + q * q) * (r * r + x * x))) / 2;
    expect(quantityOf(solution, 'lowest_voltage')).toBeCloseTo(Math.sqrt(square), 13);
    expect(quantityOf(solution, 'losses')).toBeCloseTo((100 * r * (p * p + q * q)) / square, 10);
  });

  test('beyond the largest load is refused, and sealed just below it', async () => {
    // Of a lossless line at unit power factor the largest load is 1 / (2 x).
    const at = (load: number): Input => ({
      buses: [
        [1, 3],
        [2, 1, load],
      ],
      generators: [[1, 0]],
      branches: [[1, 2, 0, 0.1]],
      method: 'ac',
    });
    const below = await runSolver(grid, at(499));
    expect(below.converged).toBe(true);
    expect(Math.abs(quantityOf(below, 'lowest_voltage') - Math.sqrt((1 + Math.sqrt(1 - 0.998 ** 2)) / 2))).toBeLessThan(
      uncertaintyOf(below, 'lowest_voltage'),
    );
    for (const load of [501, 700, 5_000]) {
      const message = await failure(at(load));
      expect(message).toContain('No AC flow was found');
      expect(message).toContain('at bus 2');
    }
  });

  test('holds generators at their limits of reactive power, and lets them return', async () => {
    const free = await runSolver(grid, { method: 'ac' });
    const held = await runSolver(grid, { method: 'ac', q_limits: true, load_factor: 1.1 });
    expect(free.notes.join(' ')).not.toContain('At a limit');
    expect(held.notes.join(' ')).toContain('At a limit of reactive power, so without their voltage: bus');
    expect(held.invariants.map(({ name }) => name)).toContain('reactive_limits');
    expect(held.converged).toBe(true);
  });

  test('has a DC flow beside it, unless a branch has no reactance', async () => {
    const solution = await runSolver(grid, { method: 'ac', branch: 1 });
    expect(quantityOf(solution, 'dc_flow')).toBeCloseTo(1.4783859555890955, 12);
    const resistive = await runSolver(grid, {
      ...two,
      generators: [[1, 0]],
      branches: [[1, 2, 0.05, 0]],
      method: 'ac',
    });
    expect(resistive.notes.join(' ')).toContain('There is no DC flow: branch 1 (1 to 2) has no reactance');
    expect(resistive.converged).toBe(true);
  });
});
