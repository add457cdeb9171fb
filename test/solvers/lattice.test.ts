import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { inputs } from '../../src/solvers/lattice/inputs.ts';
import { laws } from '../../src/solvers/lattice/laws.ts';
import { lattice } from '../../src/solvers/lattice/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const chain = (...omega: readonly number[]): Input['nodes'] => omega.map((one) => ({ inputs: { omega: one } }));
const started = (omega: readonly number[], theta0: readonly number[]): Input['nodes'] =>
  omega.map((one, i) => ({ inputs: { omega: one, theta0: theta0[i] ?? 0 } }));
const T = 1_790_000_000;
/** Twelve beats of the pair that drifts. */
const BEATS = 251.32741228718345;
const computed = { operator_id: 'CM9', value: 9, unit: 'J', uncertainty: 2e-15, converged: true };

describeSolver(lattice, {
  cases: {
    defaults: {},
    'a pair that drifts': { nodes: chain(1, 1.5), K: 0.2, tMax: BEATS },
    'three that lock': { nodes: chain(0.9, 1, 1.2), K: 0.5 },
    'five that drift': { nodes: chain(0.9, 1, 1.1, 1.2, 1.3), K: 0.2, tMax: 60 },
    'a ring of four': { nodes: chain(0.8, 1.1, 0.95, 1.25), K: 0.6, topology: 'ring', tMax: 40 },
    'all to all': { nodes: chain(0.5, 1, 1.5, 2, 2.5), K: 0.4, topology: 'all', tMax: 40 },
    'a negative coupling': { nodes: started([1, 1.1, 1.3], [0, 3, 0.2]), K: -0.5 },
    'nodes on the pulse': {
      t: T,
      nodes: [{ inputs: { theta0: 0 } }, { domain: 'CM9', inputs: { m: 2, v: 3, theta0: 2 }, computed }],
    },
    uncoupled: { nodes: chain(1, 2), K: 0, tMax: 20 },
  },
  conservation: true,
  golden: ['defaults', 'a pair that drifts', 'five that drift', 'a ring of four', 'all to all'],
  convergence: [
    {
      name: 'phases at the end of three that drift',
      order: 'time',
      levels: 3,
      at: (level) => ({ nodes: started([0, 1, 2.5], [0, 1, 2]), K: 0.6, tMax: 20, steps: 400 << level }),
      // scipy's DOP853 at 1e-13.
      error: (solution) => Math.abs(quantityOf(solution, 'first_to_last') + 1.6245998894602),
    },
    {
      name: 'a pair whose r has kinks',
      order: 'time',
      levels: 4,
      at: (level) => ({ nodes: started([0, 3], [0, 1]), K: 0.5, tMax: 61, steps: 400 << level }),
      tolerance: 0.4,
    },
  ],
  known: {
    'two, K = 1': {
      input: { nodes: chain(1, 1.5), K: 1 },
      value: [0.992029696267167, 1e-12],
      quantities: { K_c: [0.25, 1e-15], r_locked: [0.992029696267167, 1e-14], slowest_rate: [-1.936491673, 1e-9] },
    },
    'three, K = 0.5': {
      input: { nodes: chain(0.9, 1, 1.2), K: 0.5 },
      value: [0.969120768267299, 1e-12],
      quantities: { K_c: [0.166666667, 1e-9], slowest_rate: [-0.4765629019, 1e-10] },
    },
    'four, K = 0.6': {
      input: { nodes: chain(0.8, 1.1, 0.95, 1.25), K: 0.6 },
      value: [0.93220711408123, 1e-12],
      quantities: { K_c: [0.225, 1e-14], slowest_rate: [-0.3328769914, 1e-10] },
    },
    'five, K = 0.5': {
      input: { nodes: chain(0.9, 1, 1.1, 1.2, 1.3), K: 0.5 },
      value: [0.717284844477174, 1e-11],
      quantities: { K_c: [0.3, 1e-14], slowest_rate: [-0.1582575695, 1e-10], random_phases: [0.401632369089, 1e-12] },
    },
    'identical nodes decay with 2 K (1 − cos(π / N))': {
      input: { nodes: started([1, 1, 1, 1], [0, 0.5, 1, 1.5]), K: 0.7 },
      quantities: { slowest_rate: [-2 * 0.7 * (1 - Math.SQRT1_2), 1e-14], r_locked: [1, 1e-14] },
    },
    'a pair over whole beats': {
      input: { nodes: chain(1, 1.5), K: 0.2, tMax: BEATS },
      value: [0.656699573206044, 1e-10],
      quantities: { random_phases: [0.636619772368, 1e-12] },
    },
  },
  random: {
    of: fc.record({
      nodes: fc.array(
        fc.record({
          inputs: fc.record({
            omega: fc.double({ min: -3, max: 3, noNaN: true }),
            theta0: fc.double({ min: -4, max: 4, noNaN: true }),
          }),
        }),
        { minLength: 2, maxLength: 5 },
      ),
      K: fc.double({ min: -1, max: 2, noNaN: true }),
      topology: fc.constantFrom('chain' as const, 'ring' as const, 'all' as const),
      tMax: fc.double({ min: 0.1, max: 20, noNaN: true }),
    }),
    count: 40,
  },
  outOfRange: [
    { nodes: chain(1) },
    { nodes: chain(1, 2, 3, 4, 5, 6) },
    { nodes: 'two' },
    { t: -1 },
    { topology: 'star' },
  ],
  refused: [
    {
      input: { nodes: chain(1, 1e6), K: 1, tMax: 1000 },
      field: 'nodes[0].inputs.omega',
      reason: 'TOO_MANY_STEPS',
    },
  ],
  illegalParameters: [
    { isAdaptive: 2 },
    { nodes: 1 },
    { nodes: 6 },
    { topology: 3 },
    { coupling: Number.POSITIVE_INFINITY },
    { tEnd: 0 },
    { samples: 1 },
    { stepsPerSample: 0 },
    { tolerance: 0 },
    { omega3: Number.NEGATIVE_INFINITY },
  ],
});

describe('r does not change', () => {
  const omega = [0.9, 1.4, 0.7, 2];
  const theta = [0, 1, -2, 0.5];
  const coherence = async (nodes: Input['nodes']) => (await runSolver(lattice, { nodes, K: 0.3, tMax: 30 })).value;

  test('with a common phase', async () => {
    const moved = theta.map((one) => one + 0.8125);
    expect(await coherence(started(omega, moved))).toBeCloseTo(await coherence(started(omega, theta)), 10);
  });

  test('with the chain reversed', async () => {
    const reversed = started(omega.toReversed(), theta.toReversed());
    expect(await coherence(reversed)).toBeCloseTo(await coherence(started(omega, theta)), 10);
  });

  test('with a whole turn of one node', async () => {
    const turned = theta.map((one, i) => (i === 1 ? one + 2 * Math.PI : one));
    expect(await coherence(started(omega, turned))).toBeCloseTo(await coherence(started(omega, theta)), 9);
  });

  test('with a common frequency', async () => {
    const faster = omega.map((one) => one + 16);
    expect(await coherence(started(faster, theta))).toBeCloseTo(await coherence(started(omega, theta)), 10);
  });
});

test('nodes on one pulse are coherent, and the answer says that this says nothing', async () => {
  const solution = await runSolver(lattice, { t: T, nodes: [{}, {}, {}] });
  expect(solution.findings?.locked).toBe(true);
  expect(solution.findings?.coherenceScore).toBeCloseTo(1, 14);
  expect(solution.notes.join(' ')).toContain('says nothing about them');
});

test('each node has its R(t) at the end, within α of 1', async () => {
  const { findings, converged } = await runSolver(lattice, { nodes: chain(1, 1.5, 2), K: 0.2, tMax: 20 });
  expect(converged).toBe(true);
  expect(findings?.nodes?.length).toBe(3);
  for (const { R_t, theta } of findings?.nodes ?? []) expect(R_t).toBeCloseTo(1 + 0.001 * Math.sin(theta), 15);
});

test('the equation has the numbers of each node', async () => {
  const { findings } = await runSolver(lattice, { nodes: chain(1, 2, 3), K: 0.5, tMax: 5 });
  expect(findings?.lattice_equation).toBe(
    "θ1' = 1 + 0.5 sin(θ2 − θ1); θ2' = 2 + 0.5 (sin(θ1 − θ2) + sin(θ3 − θ2)); θ3' = 3 + 0.5 sin(θ2 − θ3)",
  );
});

test('a state that nothing pushes from its unstable rest is not called the locked one', async () => {
  const solution = await runSolver(lattice, { nodes: started([1, 1], [0, Math.PI]), K: 1, tMax: 10 });
  expect(solution.value).toBeLessThan(1e-6);
  expect(solution.witness.method).toContain('DOP853');
  expect(quantityOf(solution, 'r_locked')).toBe(1);
});

test('phases are no inputs of the law of a node', () => {
  const nodes = [{ domain: 'CM9', inputs: { m: 2, v: 3, omega: 1 } }, { inputs: { theta0: 1 } }];
  expect(laws.requests({ nodes })).toEqual([
    { path: 'nodes[0]', label: 'Node 1', domain: 'CM9', inputs: { m: 2, v: 3 } },
  ]);
});
