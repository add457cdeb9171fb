import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { KernelOutput, KernelRun } from '../../src/kernels/abi.ts';
import type { ViewName } from '../../src/kernels/face.ts';
import { loadKernel } from '../../src/kernels/load-node.ts';
import { LocalRunner } from '../../src/kernels/local-runner.ts';
import { rowsOf } from '../../src/kernels/rows.ts';
import type { EvolveFace } from '../../src/solvers/evolve/face.ts';
import {
  chainPositions,
  cubeRoot,
  latticeCells,
  latticePositions,
} from '../../src/solvers/evolve/initial-positions.ts';
import {
  type Bonds,
  configurationOf,
  lennardJones,
  type Pair,
  tailCorrections,
} from '../../src/solvers/evolve/reference.ts';
import { evolve } from '../../src/solvers/evolve/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf, uncertaintyOf } from '../suites/solution-parts.ts';

const PAIR = [
  [0, 0, 0],
  [0, 0, 1],
];

describeSolver(evolve, {
  cases: {
    liquid: { N: 108, steps: 200, sample: 9 },
    gas: { preset: 'lj-gas', N: 60, steps: 200, seed: 7 },
    crystal: { preset: 'crystal', N: 256, steps: 100, cutoff: 'shifted' },
    polymer: { preset: 'polymer', N: 100, steps: 200 },
    refined: { N: 108, steps: 150, cutoff: 'force-shifted' },
    canonical: { N: 32, rho: 0.6, rc: 1.7, steps: 2000, dtSim: 0.005, thermostat: 'bussi', tau: 0.1 },
    dimer: {
      positions: [
        [0, 0, 0],
        [1.3, 0, 0],
      ],
      velocities: [
        [0, 0.3, 0],
        [0, -0.3, 0],
      ],
      steps: 500,
      rc: 20,
    },
    'a box smaller than the cut-off': { N: 5, steps: 100, rho: 0.7, T0: 0.8 },
    'another scale': { N: 32, steps: 100, eps: 2, sig: 1.5, rc: 3.75 },
  },
  conservation: true,
  uncheckedParameters: ['seed'],
  golden: ['liquid', 'polymer', 'canonical'],
  convergence: [
    {
      name: 'the energy deviation is second order in the step',
      order: 'time',
      levels: 3,
      at: (level) => ({ N: 108, cutoff: 'force-shifted' as const, dtSim: 0.004 / 2 ** level, steps: 150 * 2 ** level }),
      error: (solution) => quantityOf(solution, 'energy_swing'),
    },
  ],
  refused: [
    { input: { rho: 2 }, field: 'rho', reason: 'TOO_DENSE', saysLimit: true },
    { input: { sig: 3.4 }, field: 'rc', reason: 'CUTOFF_IN_CORE', saysLimit: true },
    { input: { dtSim: 0.05 }, code: 'UNSTABLE_SCHEME', field: 'dtSim', reason: 'STEP_TOO_LONG', saysLimit: true },
    { input: { velocities: [[0, 0, 0]] }, field: 'velocities', reason: 'NO_POSITIONS' },
    { input: { box: [5, 5, 5] }, field: 'box', reason: 'NO_POSITIONS' },
    { input: { positions: PAIR, N: 3 }, field: 'N', reason: 'COUNTS_DIFFER' },
    { input: { positions: PAIR, rho: 0.1 }, field: 'rho', reason: 'GIVEN_TWICE' },
    { input: { positions: PAIR, velocities: PAIR, T0: 1 }, field: 'T0', reason: 'GIVEN_TWICE' },
    { input: { positions: PAIR, thermostat: 'bussi', T0: 1 }, field: 'thermostat', reason: 'NO_BOX' },
    {
      input: { positions: PAIR, velocities: PAIR, box: [6, 6, 6], thermostat: 'bussi' },
      field: 'velocities',
      reason: 'MOMENTUM',
    },
    { input: { positions: PAIR, box: [1, 1, 0.9] }, field: 'positions', reason: 'OUTSIDE_BOX', saysLimit: true },
    { input: { positions: PAIR, box: [1, 1, 1.2] }, field: 'box', reason: 'TOO_DENSE' },
    {
      input: {
        positions: [
          [0, 0, 0],
          [0, 0, 0.09],
        ],
      },
      field: 'positions',
      reason: 'ATOMS_TOO_CLOSE',
      saysLimit: true,
    },
    {
      input: {
        positions: [
          [0.01, 1, 1],
          [5.99, 1, 1],
        ],
        box: [6, 6, 6],
      },
      field: 'positions',
      reason: 'ATOMS_TOO_CLOSE',
    },
    { input: { positions: [[1, 2, 3]] }, field: 'positions', reason: 'TOO_FEW_ATOMS' },
    {
      input: { preset: 'polymer', kBond: 1e5 },
      code: 'UNSTABLE_SCHEME',
      field: 'dtSim',
      reason: 'STEP_TOO_LONG',
      saysLimit: true,
    },
  ],
  outOfRange: [{ N: 1 }, { N: 2001 }, { steps: 9 }, { steps: 200_001 }, { sample: 1 }, { sample: 501 }, { seed: -1 }],
});

/** Runs the first kernel run of the plan of `input`, with some parameters and initial views replaced. */
async function runKernel(
  input: z.input<typeof evolve.inputs>,
  changes: KernelRun<EvolveFace>['parameters'],
  initialViews: KernelRun<EvolveFace>['inputs'] = {},
): Promise<KernelOutput<EvolveFace>> {
  const [planned] = evolve.plan(evolve.inputs.parse(input)).runs;
  if (!planned) throw new Error('The plan has no run.');
  const output = await new LocalRunner().run(await loadKernel('evolve'), {
    ...planned,
    parameters: { ...planned.parameters, ...changes },
    inputs: { ...planned.inputs, ...initialViews },
    steps: changes.steps ?? planned.steps,
  });
  return output as KernelOutput<EvolveFace>;
}

const viewOf = (output: KernelOutput<EvolveFace>, name: ViewName<EvolveFace>): Float64Array =>
  output.views[name] ?? new Float64Array(0);

const recordsOf = (output: KernelOutput<EvolveFace>) => rowsOf(viewOf(output, 'records'), output.columns.record);

const largest = (values: Float64Array): number => values.reduce((max, x) => Math.max(max, Math.abs(x)), 0);

describe('forces', () => {
  const fraction = fc.integer({ min: 0, max: 1_000_000 }).map((x) => x / 1_000_000);
  const cases = fc.record({
    atoms: fc.integer({ min: 2, max: 40 }),
    rho: fraction.map((x) => 0.1 + x),
    rc: fraction.map((x) => 1.2 + 1.8 * x),
    skin: fraction.map((x) => 0.05 + 0.5 * x),
    cutoff: fc.constantFrom('truncated', 'shifted', 'force-shifted'),
    chainLength: fc.constantFrom(0, 2, 7),
    jitter: fc.array(fraction, { minLength: 120, maxLength: 120 }),
    boxes: fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 120, maxLength: 120 }),
  });

  test('equal a direct sum over all pairs and images', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ atoms, rho, rc, skin, cutoff, chainLength, jitter, boxes }) => {
        const { box, positions: sites } = latticePositions(atoms, rho);
        const edges = [box.x, box.y, box.z];
        const maxShift = 0.5 / cubeRoot(rho);
        const positions = sites.map(
          (x, k) => x + maxShift * (jitter[k] ?? 0) + (chainLength > 0 ? 0 : (boxes[k] ?? 0) * (edges[k % 3] ?? 1)),
        );
        const output = await runKernel(
          { N: atoms, rho, steps: 10 },
          {
            ...{ rc, skin, chainLength, maxNeighbours: 500, isForceShifted: Number(cutoff === 'force-shifted') },
            ...{ t0: 0, dt: 1e-300, steps: 1, frames: 2 },
          },
          { positions },
        );
        const pair: Pair = { eps: 1, sig: 1, rc, cutoff };
        const bonds: Bonds = { chainLength, k: 30, r0: 1 };
        const reference = configurationOf(positions, box, pair, bonds);
        const forces = viewOf(output, 'forces');
        const scale = 1 + largest(reference.forces);
        expect(largest(forces.map((f, k) => f - (reference.forces[k] ?? 0))) / scale).toBeLessThan(1e-10);
        const records = recordsOf(output);
        const energy = records.at(0, 'energy');
        const virial = records.at(0, 'virial');
        expect(records.at(0, 'inside')).toBe(reference.inside);
        expect(Math.abs(energy - reference.energy) / (1 + Math.abs(reference.energy))).toBeLessThan(1e-10);
        expect(Math.abs(virial - reference.virial) / (1 + Math.abs(reference.virial))).toBeLessThan(1e-10);
      }),
      { seed: 11, numRuns: 60 },
    );
  });

  test('are minus the gradient of the energy, and the virial is minus its derivative with the box size', () => {
    const { box, positions } = latticePositions(50, 0.7);
    const displaced = positions.map((x, k) => x + 0.2 * ((k * 0.618) % 1));
    const pair: Pair = { eps: 1.3, sig: 0.9, rc: 2.2, cutoff: 'force-shifted' } as const;
    const bonds: Bonds = { chainLength: 5, k: 12, r0: 1.1 };
    const { forces, virial } = configurationOf(displaced, box, pair, bonds);
    const h = 1e-5;
    const energyAt = (k: number, shift: number): number =>
      configurationOf(
        displaced.map((x, i) => (i === k ? x + shift : x)),
        box,
        pair,
        bonds,
      ).energy;
    for (const k of [0, 70, 149]) {
      const slope = (energyAt(k, h) - energyAt(k, -h)) / (2 * h);
      expect(Math.abs(slope + (forces[k] ?? 0))).toBeLessThan(1e-6 * (1 + largest(forces)));
    }
    const scaled = (factor: number): number => {
      const larger = { x: box.x * factor, y: box.y * factor, z: box.z * factor };
      return configurationOf(
        displaced.map((x) => x * factor),
        larger,
        pair,
        bonds,
      ).energy;
    };
    expect((scaled(1 + h) - scaled(1 - h)) / (2 * h)).toBeCloseTo(-virial, 3);
  });
});

describe('known energies', () => {
  test('a pair has its minimum -1 at 2^(1/6), and -0.016316891 at the cut-off 2.5', () => {
    const unit = { eps: 1, sig: 1 };
    expect(lennardJones(unit, 2 ** (1 / 6)).energy).toBeCloseTo(-1, 14);
    expect(lennardJones(unit, 2 ** (1 / 6)).f).toBeCloseTo(0, 13);
    expect(lennardJones(unit, 2.5).energy).toBeCloseTo(-0.016316891, 9);
  });

  test('two atoms at the minimum stay at rest with energy -1 minus the energy at the cut-off', async () => {
    const positions = Float64Array.of(1, 1, 1, 1 + 2 ** (1 / 6), 1, 1);
    const output = await runKernel({ N: 2, steps: 10, T0: 0 }, { boxX: 9, boxY: 9, boxZ: 9 }, { positions });
    const energy = recordsOf(output).at(0, 'energy');
    const inside = recordsOf(output).at(0, 'inside');
    expect(energy).toBeCloseTo(-1 + 0.016316891, 9);
    expect(inside).toBe(1);
    expect(largest(viewOf(output, 'forces'))).toBeLessThan(1e-12);
  });

  test('a cold crystal at zero pressure has the lattice energy of the full potential', async () => {
    // fcc sums A12 = 12.13188020 and A6 = 14.45392104: U0 = -A6^2 / (2 A12) at rho0 = 1.091512673.
    const rc = 8;
    const rho = 1.091512673;
    const solution = await runSolver(evolve, { preset: 'crystal', N: 108, rho, T0: 0, rc, steps: 10 });
    const tails = tailCorrections({ eps: 1, sig: 1, rc }, rho);
    const energy = numbersOf(solution, 'U')[0] ?? 0;
    expect(Math.abs(energy + tails.U + 8.61020015)).toBeLessThan(3e-4);
    expect(Math.abs((numbersOf(solution, 'P')[0] ?? 0) + tails.P)).toBeLessThan(3e-3);
    expect(quantityOf(solution, 'temperature_mean')).toBeLessThan(1e-20);
  });

  test('tail corrections at density 0.8442 and cut-off 2.5', () => {
    const { U, P } = tailCorrections({ eps: 1, sig: 1, rc: 2.5 }, 0.8442);
    expect(U).toBeCloseTo(-0.452013, 6);
    expect(P).toBeCloseTo(-0.762135, 6);
  });

  test('the lattice of the LAMMPS benchmark has the energy and pressure of LAMMPS', async () => {
    // LAMMPS 29 Sep 2021, lj/cut 2.5, fcc 5 x 10 x 10 at 0.8442 and T 1.44: E_pair -6.7733681, Press -5.0202771. Its pressure,
    // like ours, has the kinetic energy of N - 1 atoms, so that of 864 atoms differs from it by a known share of rho T.
    const solution = await runSolver(evolve, { N: 864, steps: 10 });
    const correction = 0.8442 * 1.44 * (1 / 2000 - 1 / 864);
    expect(numbersOf(solution, 'U')[0]).toBeCloseTo(-6.7733681, 7);
    expect(numbersOf(solution, 'P')[0]).toBeCloseTo(-5.0202771 + correction, 6);
    expect(numbersOf(solution, 'T')[0]).toBeCloseTo(1.44, 12);
  });
});

test('a canonical run that is too short for a mean is not converged, and says why', async () => {
  const solution = await runSolver(evolve, { N: 64, steps: 200, thermostat: 'bussi', tau: 0.5 });
  expect(solution.converged).toBe(false);
  expect(solution.notes.join(' ')).toContain('independent values');
});

describe('rest', () => {
  test('a crystal without motion conserves momentum and energy', async () => {
    const { invariants, converged } = await runSolver(evolve, {
      preset: 'crystal',
      N: 108,
      T0: 0,
      steps: 10,
      sample: 2,
    });
    expect(invariants.filter(({ drift, bound }) => !(Math.abs(drift) <= bound))).toEqual([]);
    expect(converged).toBe(true);
  });

  test('two atoms at rest out of reach stay where they are', async () => {
    const solution = await runSolver(evolve, {
      positions: [
        [0, 0, 0],
        [0, 0, 9],
      ],
      steps: 100,
      sample: 2,
    });
    expect(solution.converged).toBe(true);
    expect(solution.value).toBe(0);
    expect(quantityOf(solution, 'separation')).toBe(9);
  });
});

describe('motion', () => {
  test('only averages are told of a liquid after some tau, and all of a dimer', async () => {
    const told = async (input: z.input<typeof evolve.inputs>) => (await runSolver(evolve, input)).notes.at(-1) ?? '';
    const liquid = await told({ N: 108, cutoff: 'force-shifted', steps: 5000 });
    const from = Number(/from t = (\S+) on/.exec(liquid)?.[1]);
    expect(from).toBeGreaterThan(1);
    expect(from).toBeLessThan(14);
    expect(
      await told({
        positions: [
          [0, 0, 0],
          [1.3, 0, 0],
        ],
      }),
    ).toContain('to the end');
  });

  test('is time-reversible over 2 tau', async () => {
    const input = { N: 256, steps: 1000, dtSim: 0.002, cutoff: 'force-shifted' } as const;
    const forward = await runKernel(input, {});
    const reversed = viewOf(forward, 'velocities').map((v) => -v);
    const positions = viewOf(forward, 'positions');
    const backward = await runKernel(input, { hasVelocities: 1 }, { positions, velocities: reversed });
    const initial = viewOf(forward, 'trajectory').subarray(0, 3 * 256);
    expect(largest(positions.map((x, k) => x - (initial[k] ?? 0)))).toBeGreaterThan(0.3);
    expect(largest(viewOf(backward, 'positions').map((x, k) => x - (initial[k] ?? 0)))).toBeLessThan(1e-8);
  });

  test('the same seed gives the same bits, another seed another run', async () => {
    const run = (seed: number) => runSolver(evolve, { N: 32, steps: 50, seed });
    const [first, repeated, other] = [await run(1), await run(1), await run(2)];
    expect(Object.is(first.value, repeated.value)).toBe(true);
    expect(first.value).not.toBe(other.value);
  });

  test('a free atom moves in a straight line, and the trajectory is not wrapped', async () => {
    const solution = await runSolver(evolve, { preset: 'lj-gas', N: 2, rho: 1e-4, T0: 100, steps: 2000, dtSim: 0.002 });
    const t = numbersOf(solution, 't');
    const msd = numbersOf(solution, 'MSD');
    const speed2 = 2 * (numbersOf(solution, 'K')[0] ?? 0);
    const last = t.length - 1;
    expect(msd[last]).toBeGreaterThan(quantityOf(solution, 'shortest_edge'));
    expect((msd[last] ?? 0) / (speed2 * (t[last] ?? 0) ** 2)).toBeCloseTo(1, 3);
  });

  test('an atom outside the box by one rounding keeps its position', async () => {
    const positions = Float64Array.of(-1e-17, 4, 4, 4, 1, 8.999);
    const output = await runKernel({ N: 2, steps: 10, T0: 0 }, { boxX: 9, boxY: 9, boxZ: 9 }, { positions });
    const displaced = viewOf(output, 'positions').map((x, k) => x - (positions[k] ?? 0));
    expect(largest(displaced)).toBeLessThan(1e-12);
  });

  test('the list is rebuilt in time: a thin skin and a thick skin give the same trajectory', async () => {
    const input = { N: 108, steps: 60, cutoff: 'force-shifted' } as const;
    const thin = await runKernel(input, { skin: 0.05 });
    const thick = await runKernel(input, { skin: 0.8, maxNeighbours: 100 });
    expect([thin.info, thick.info]).toEqual([0, 0]);
    expect(thin.statistics.builds).toBeGreaterThan(5 * (thick.statistics.builds ?? 0));
    const difference = viewOf(thin, 'positions').map((x, k) => x - (viewOf(thick, 'positions')[k] ?? 0));
    expect(largest(difference)).toBeLessThan(1e-9);
  });
});

describe('correlations', () => {
  test('velocities correlate with themselves by 3 T, and lose it in a liquid', async () => {
    const solution = await runSolver(evolve, { N: 256, steps: 3000 });
    const correlation = numbersOf(solution, 'VACF');
    const first = correlation[0] ?? 0;
    expect(Math.abs(first / (3 * quantityOf(solution, 'temperature_mean')) - 1)).toBeLessThan(0.05);
    // The cage: negative before 0.4 tau (Rahman, Phys. Rev. 136 (1964) A405).
    const times = numbersOf(solution, 'VACF_t');
    expect(Math.min(...correlation.filter((_, i) => (times[i] ?? 0) > 0.15 && (times[i] ?? 0) < 0.4))).toBeLessThan(0);
  });

  test('the correlation of two free atoms never changes', async () => {
    const velocities = [
      [1, 2, 0],
      [-1, -2, 0],
    ];
    const positions = [
      [0, 0, 0],
      [9, 0, 9],
    ];
    const solution = await runSolver(evolve, { positions, velocities, steps: 1000 });
    for (const value of numbersOf(solution, 'VACF')) expect(value).toBeCloseTo(5, 12);
  });

  test('the structure factor is that of the positions, summed directly', async () => {
    const solution = await runSolver(evolve, { N: 32, rho: 0.6, steps: 20, sample: 2 });
    const [edge] = numbersOf(solution, 'box');
    const at = numbersOf(solution, 'positions').subarray(-96);
    const along = (wave: readonly number[]): number => {
      let [re, im] = [0, 0];
      for (let i = 0; i < 96; i += 3) {
        const phase = ((2 * Math.PI) / (edge ?? 1)) * wave.reduce((sum, n, d) => sum + n * (at[i + d] ?? 0), 0);
        [re, im] = [re + Math.cos(phase), im + Math.sin(phase)];
      }
      return (re * re + im * im) / 32;
    };
    const [k, s] = [numbersOf(solution, 'k'), numbersOf(solution, 'S')];
    const find = (value: number) => s[k.findIndex((x) => Math.abs(x - value) < 1e-9)];
    const unit = (2 * Math.PI) / (edge ?? 1);
    const mean = (waves: readonly (readonly number[])[]) =>
      waves.reduce((sum, wave) => sum + along(wave), 0) / waves.length;
    expect(find(unit)).toBeCloseTo(
      mean([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ]),
      9,
    );
    const diagonals = [
      [1, 1, 0],
      [1, -1, 0],
      [1, 0, 1],
      [1, 0, -1],
      [0, 1, 1],
      [0, 1, -1],
    ];
    expect(find(Math.sqrt(2) * unit)).toBeCloseTo(mean(diagonals), 9);
    // Twice a body diagonal; 2 sqrt(3) is no other wave number.
    expect(find(2 * Math.sqrt(3) * unit)).toBeCloseTo(
      mean([
        [2, 2, 2],
        [2, 2, -2],
        [2, -2, 2],
        [2, -2, -2],
      ]),
      9,
    );
  });

  test('a crystal has Bragg peaks, and a gas almost none', async () => {
    const peakOf = async (input: z.input<typeof evolve.inputs>) =>
      Math.max(...numbersOf(await runSolver(evolve, input), 'S'));
    expect(await peakOf({ preset: 'crystal', N: 108, T0: 0.1, steps: 200 })).toBeGreaterThan(80);
    expect(await peakOf({ preset: 'lj-gas', N: 108, steps: 500 })).toBeLessThan(8);
  });
});

describe('statistical mechanics', () => {
  test('the kinetic energy is equal in all directions', async () => {
    const solution = await runSolver(evolve, { N: 2000, steps: 400, dtSim: 0.005 });
    const velocities = numbersOf(solution, 'velocities');
    const temperature = numbersOf(solution, 'T').at(-1) ?? 0;
    for (let d = 0; d < 3; d++) {
      let squares = 0;
      for (let k = d; k < velocities.length; k += 3) squares += (velocities[k] ?? 0) ** 2;
      // Five standard errors of 2,000 squares.
      expect(Math.abs(squares / 2000 / temperature - 1)).toBeLessThan(5 * Math.sqrt(2 / 2000));
    }
  });

  test('a dilute gas has the second virial coefficient of the truncated potential, and g(r) = exp(-phi / T)', async () => {
    const rho = 0.02;
    const solution = await runSolver(evolve, {
      preset: 'lj-gas',
      N: 500,
      rho,
      T0: 1.5,
      steps: 12_000,
      dtSim: 0.004,
      sample: 500,
    });
    const t = quantityOf(solution, 'temperature_mean');
    const boltzmann = (r: number): number => (r < 2.5 ? Math.exp(-lennardJones({ eps: 1, sig: 1 }, r).energy / t) : 1);
    let b2 = 0;
    for (let k = 0; k < 25_000; k++) {
      const r = (k + 0.5) * 1e-4;
      b2 -= 2 * Math.PI * (boltzmann(r) - 1) * r * r * 1e-4;
    }
    const expected = rho * t * (1 - 1 / 500 + b2 * rho);
    // The third coefficient is of the order of one: rho^3 T.
    const allowed = 2 * uncertaintyOf(solution, 'pressure_mean') + 3 * rho ** 3 * t;
    expect(Math.abs(quantityOf(solution, 'pressure_mean') - expected)).toBeLessThan(allowed);
    expect(Math.abs(b2 * rho * rho * t)).toBeGreaterThan(3 * allowed);

    const r = numbersOf(solution, 'r');
    const g = numbersOf(solution, 'g');
    const at = (distance: number): number => r.findIndex((x) => x >= distance);
    const mean = (from: number, to: number, of: (bin: number) => number): number => {
      let sum = 0;
      for (let bin = at(from); bin < at(to); bin++) sum += of(bin);
      return sum / (at(to) - at(from));
    };
    expect(mean(0, 0.8, (bin) => g[bin] ?? 0)).toBeLessThan(0.01);
    const shell = mean(1, 1.5, (bin) => g[bin] ?? 0) / mean(1, 1.5, (bin) => boltzmann(r[bin] ?? 0));
    expect(Math.abs(shell - 1)).toBeLessThan(0.1);
    expect(Math.abs(mean(3, 5.9, (bin) => g[bin] ?? 0) - 1)).toBeLessThan(0.03);
  });

  test('a liquid has its first shell near 1.09 and g(r) = 1 at large distance', async () => {
    const solution = await runSolver(evolve, { N: 864, steps: 600, dtSim: 0.005 });
    const r = numbersOf(solution, 'r');
    const g = numbersOf(solution, 'g');
    const peak = g.indexOf(g.reduce((max, x) => Math.max(max, x), 0));
    expect(r[peak]).toBeGreaterThan(1.02);
    expect(r[peak]).toBeLessThan(1.16);
    expect(g[peak]).toBeGreaterThan(2.4);
    expect(g[g.length - 1]).toBeGreaterThan(0.9);
    expect(g[g.length - 1]).toBeLessThan(1.1);
  });

  test('the thermostat gives the temperature and its canonical variance', async () => {
    const atoms = 64;
    const solution = await runKernel(
      { preset: 'lj-gas', N: atoms, T0: 1.5, steps: 20_000, dtSim: 0.004, thermostat: 'bussi', tau: 0.1 },
      { recordEvery: 10 },
    );
    const kinetics = recordsOf(solution).column('kinetic').subarray(200);
    let sum = 0;
    let squares = 0;
    for (const kinetic of kinetics) {
      sum += kinetic;
      squares += kinetic * kinetic;
    }
    const count = kinetics.length;
    expect(count).toBeGreaterThan(1000);
    const degreesOfFreedom = 3 * atoms - 3;
    const mean = sum / count;
    expect(Math.abs((2 * mean) / degreesOfFreedom / 1.5 - 1)).toBeLessThan(0.02);
    // Var K = (freedom / 2) T².
    expect(Math.abs((squares / count - mean * mean) / (0.5 * degreesOfFreedom * 1.5 * 1.5) - 1)).toBeLessThan(0.25);
  });
});

describe('initial positions', () => {
  test('the cube root is exact for cubes and otherwise accurate to rounding', () => {
    for (const x of [1, 8, 27, 1e-9, 0.3, 12.5, 1e12]) expect(cubeRoot(x) ** 3 / x).toBeCloseTo(1, 14);
    expect(cubeRoot(27)).toBe(3);
  });

  test('the lattice has enough cells, few empty cells, and is a cube if one fits', () => {
    for (let count = 1; count <= 600; count++) {
      const [a, b, c] = latticeCells(count);
      expect(a * b * c).toBeGreaterThanOrEqual(count);
      expect(a * b * c).toBeLessThanOrEqual(Math.ceil(cubeRoot(count) - 1e-9) ** 3);
      expect(c / a).toBeLessThanOrEqual(2);
    }
    expect(latticeCells(64)).toEqual([4, 4, 4]);
    expect(latticeCells(2)).toEqual([1, 1, 2]);
  });

  test.each([2, 3, 31, 256, 999, 2000])('%d atoms have the requested density, on distinct sites', (atoms) => {
    for (const { box, positions } of [latticePositions(atoms, 0.8442), chainPositions(atoms, 0.1, 1.05)]) {
      const density = atoms / (box.x * box.y * box.z);
      expect(Math.min(Math.abs(density / 0.8442 - 1), Math.abs(density / 0.1 - 1))).toBeLessThan(1e-12);
      const sites = Array.from({ length: atoms }, (_, k) =>
        [...positions.subarray(3 * k, 3 * k + 3)].map((x) => x.toFixed(6)).join(),
      );
      expect(new Set(sites).size).toBe(atoms);
    }
  });

  test('consecutive beads are one step apart', () => {
    const { positions } = chainPositions(300, 0.1, 1.05);
    for (let k = 3; k < positions.length; k += 3) {
      const [dx, dy, dz] = [0, 1, 2].map((d) => (positions[k + d] ?? 0) - (positions[k + d - 3] ?? 0));
      expect(Math.hypot(dx ?? 0, dy ?? 0, dz ?? 0)).toBeCloseTo(1.05, 12);
    }
  });
});

test('a run that diverges is an error, not a result', async () => {
  // Two nearly coincident atoms: the force is too large for the step.
  const positions = Float64Array.of(1, 1, 1, 1.0001, 1, 1);
  const output = await runKernel({ N: 2, steps: 20 }, { boxX: 9, boxY: 9, boxZ: 9 }, { positions });
  expect(output.info).toBe(2);
  expect(() => evolve.collect([output], evolve.inputs.parse({ N: 2, steps: 20 }))).toThrow(/no longer finite/);
});

describe('equipartition judges a run under a thermostat', () => {
  const LIQUID = { N: 108, rho: 0.6, T0: 1.5, steps: 6000, thermostat: 'bussi' } as const;

  test('a thermostat slower than the run is found, though every mean has settled', async () => {
    // Means of two seeds that agree: -1.853 ± 0.0024 and -1.848 ± 0.0026, at T 1.26 instead of 1.5.
    for (const seed of [1, 2]) {
      const { converged, invariants, notes } = await evolve.solve({ ...LIQUID, N: 864, steps: 3000, tau: 1000, seed });
      const found = invariants.find(({ name }) => name === 'equipartition');
      expect(converged).toBe(false);
      expect(found?.value).toBeLessThan(1.3);
      expect(found?.drift).toBeGreaterThan(found?.bound ?? Number.NaN);
      expect(notes.some((note) => note.includes('has not reached T0'))).toBe(true);
    }
  });

  test('a run that reached T0 converges', async () => {
    const { converged, invariants } = await evolve.solve(LIQUID);
    expect(converged).toBe(true);
    expect(invariants.at(-1)).toMatchObject({ name: 'equipartition', unit: 'epsilon/k_B' });
  });
});
