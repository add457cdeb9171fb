import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { exp } from '../../src/core/elementary.ts';
import { GROUPS } from '../../src/solvers/reactor/groups.ts';
import type { inputs } from '../../src/solvers/reactor/inputs.ts';
import { inhourRoots } from '../../src/solvers/reactor/reference.ts';
import { reactor } from '../../src/solvers/reactor/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof inputs>;

const set: Input = { groups: 'benchmark', output_points: 20 };
const step = (value: number, t_end: number, more: Input = {}): Input => ({
  ...set,
  reactivity: { value },
  t_end,
  ...more,
});
/** solvers.md, eigen-decomposition with 40 digits. */
const known = (input: Input, value: number, relative = 1e-9) => ({ input, value: [value, relative * value] as const });
const pulse: Input = {
  ...set,
  Lambda: 5e-5,
  reactivity: { value: 1.5, unit: '$' },
  feedback: { alpha_T: -2.5e-6 },
};
const keepin = (value: number, t_end: number): Input => ({
  Lambda: 1e-4,
  reactivity: { value, unit: '$' },
  t_end,
  output_points: 10,
});

/** Rows of a time and 0.01. */
const numbered = (rows: number): string => Array.from({ length: rows }, (_, i) => `${i} 0.01`).join('\n');

describeSolver(reactor, {
  cases: {
    defaults: { output_points: 40 },
    'rod drop': { reactivity: { value: -3, unit: '$' }, t_end: 50, output_points: 20 },
    ramp: { ...set, reactivity: { kind: 'ramp', value: 0.5, unit: '$', rate: 0.1 }, t_end: 8 },
    sine: { ...set, reactivity: { kind: 'sine', value: 100, unit: 'pcm', period: 5 }, t_end: 12 },
    pulse: { ...set, reactivity: { kind: 'pulse', value: 0.3, unit: '$', start: 1, duration: 2 }, t_end: 6 },
    table: { ...set, reactivity: { kind: 'table', table: 't, rho\n0 0\n1 0.001\n4 -0.002\n5 0' }, t_end: 10 },
    'own brake': { ...pulse, t_end: 1 },
    cooled: { ...set, reactivity: { value: 100, unit: 'pcm' }, feedback: { alpha_T: -1e-5, cooling: 0.2 }, t_end: 60 },
    'start-up with a source': { ...set, n0: 0, source: 100, reactivity: { value: -1, unit: '$' }, t_end: 50 },
    critical: { ...set, reactivity: { value: 0 }, t_end: 100 },
    'from a measured power': { output_points: 20, power: '0, 1\n1, 1.05\n2, 1.1\n4, 1.22\n8, 1.5\n12, 1.8' },
  },
  conservation: true,
  golden: ['defaults', 'ramp', 'sine', 'own brake', 'from a measured power'],
  known: {
    'ρ = 0.003 at 1 s': known(step(0.003, 1), 2.2098404569827),
    'ρ = 0.003 at 10 s': known(step(0.003, 10), 8.0191999732273),
    'ρ = 0.003 at 20 s': {
      input: step(0.003, 20),
      value: [28.297399781012, 1e-9],
      quantities: { asymptotic_period: [8.094718944, 1e-9] },
    },
    'ρ = 0.0055 at 0.1 s': known(step(0.0055, 0.1), 5.2100283900123),
    'ρ = 0.0055 at 2 s': known(step(0.0055, 2), 43.025143515704),
    'ρ = 0.0055 at 10 s': {
      input: step(0.0055, 10),
      value: [138860.22560167, 1e-3],
      quantities: { asymptotic_period: [0.9915980998, 1e-10] },
    },
    'prompt critical at 0.01 s': known(step(0.007, 0.01), 4.5088584863523),
    'prompt critical at 0.5 s': known(step(0.007, 0.5), 5345.8876120449),
    'prompt critical at 2 s': known(step(0.007, 2), 2.0591560178193e11),
    'ρ = 0.008 at 0.01 s': known(step(0.008, 0.01), 6.2028535750937),
    'ρ = 0.008 at 0.1 s': known(step(0.008, 0.1), 1410.4218035912),
    'ρ = 0.008 at 1 s': known(step(0.008, 1), 6.1633337499076e23),
    'ρ = −0.007 at 0.1 s': known(step(-0.007, 0.1), 0.4900696093211),
    'ρ = −0.007 at 1 s': known(step(-0.007, 1), 0.42978204626536),
    'ρ = −0.007 at 10 s': known(step(-0.007, 10), 0.23508140672695),
    'ρ = −0.003 at 1 s': known(step(-0.003, 1), 0.63895587541965),
    'ρ = −0.003 at 10 s': known(step(-0.003, 10), 0.4344069146792),
    'ρ = −0.003 at 100 s': known(step(-0.003, 100), 0.08735498658883),
    'Λ = 5e-4, ρ = 0.001 at 1 s': known(step(0.001, 1, { Lambda: 5e-4 }), 1.2182579497526),
    'Λ = 5e-4, ρ = 0.001 at 10 s': known(step(0.001, 10, { Lambda: 5e-4 }), 1.5583108883817),
    'Λ = 5e-4, ρ = 0.003 at 1 s': known(step(0.003, 1, { Lambda: 5e-4 }), 2.0848386815983),
    'Λ = 5e-4, ρ = 0.003 at 10 s': known(step(0.003, 10, { Lambda: 5e-4 }), 7.2766831272492),
    'Keepin, 0.1 $ at 1 s': known(keepin(0.1, 1), 1.1468291715568),
    'Keepin, 0.1 $ at 10 s': {
      input: keepin(0.1, 10),
      value: [1.3411355347525, 1e-9],
      quantities: { asymptotic_period: [98.7178801865, 1e-7] },
    },
    'Keepin, 0.5 $ at 1 s': known(keepin(0.5, 1), 2.647668150129),
    'Keepin, 0.5 $ at 10 s': {
      input: keepin(0.5, 10),
      value: [14.80803681966, 1e-8],
      quantities: { asymptotic_period: [5.79986376729, 1e-9] },
    },
    'Keepin, −1 $ at 1 s': known(keepin(-1, 1), 0.43341517938892),
    'Keepin, −1 $ at 10 s': known(keepin(-1, 10), 0.24037317199012),
    'own brake at 1 s': {
      input: { ...pulse, t_end: 1 },
      value: [893.06062946, 1e-6],
      quantities: { peak: [50661.678, 1e-3], peak_time: [0.15738451, 1e-8] },
    },
    'own brake at 5 s': known({ ...pulse, t_end: 5 }, 252.91716303, 1e-8),
    'own brake at 10 s': known({ ...pulse, t_end: 10 }, 115.00092973, 1e-8),
    'a rod drop falls with 80.6 s in the end': {
      input: { reactivity: { value: -0.9 }, t_end: 10, output_points: 10 },
      quantities: { asymptotic_period: [-80.7, 0.1], prompt_jump: [0.0065 / 0.9065, 1e-12] },
    },
    'critical for 100 s': { input: { ...set, reactivity: { value: 0 }, t_end: 100 }, value: [1, 1e-12] },
  },
  random: {
    of: fc.record({
      groups: fc.constantFrom('U235_thermal_Keepin', 'U235_fast', 'Pu239', 'benchmark'),
      Lambda: fc.constantFrom(1e-7, 2e-5, 1e-3),
      reactivity: fc.record({ value: fc.double({ min: -5, max: 0.9, noNaN: true }), unit: fc.constant('$' as const) }),
      source: fc.constantFrom(0, 0, 50),
      t_end: fc.double({ min: 0.1, max: 30, noNaN: true }),
      output_points: fc.constant(10),
    }),
    count: 20,
  },
  outOfRange: [{ beta_i: [1, 2] }, { reactivity: 1 }, { power: 3 }],
  refused: [
    { input: { groups: 'custom' }, field: 'beta_i', reason: 'MISSING' },
    { input: { beta_i: [0, 0, 0, 0, 0, 0.01] }, field: 'beta_i', reason: 'NOT_ALLOWED' },
    {
      input: { groups: 'custom', beta: 0.0065, beta_i: [0.1, 0.2, 0.2, 0.3, 0.1, 0.05], lambda_i: [1, 2, 3, 4, 5, 6] },
      field: 'beta_i',
      reason: 'SUM',
    },
    {
      input: { groups: 'custom', beta_i: [0.03, 0.2, 0.2, 0.4, 0.1, 0.07], lambda_i: [1, 2, 3, 4, 5, 6] },
      field: 'beta_i',
      reason: 'SUM',
    },
    {
      input: { groups: 'custom', beta_i: [1e-3, 0, 0, 0, 0, 0], lambda_i: [1, 2, 2, 4, 5, 6] },
      field: 'lambda_i.2',
      reason: 'NOT_INCREASING',
    },
    { input: { reactivity: { value: 2e5, unit: 'pcm' } }, field: 'reactivity.value', reason: 'OUT_OF_RANGE' },
    { input: { reactivity: { kind: 'sine' } }, field: 'reactivity.period', reason: 'MISSING' },
    { input: { reactivity: { kind: 'pulse' } }, field: 'reactivity.duration', reason: 'MISSING' },
    { input: { reactivity: { kind: 'ramp', rate: -1 } }, field: 'reactivity.rate' },
    { input: { reactivity: { kind: 'ramp' } }, field: 'reactivity.duration', reason: 'MISSING' },
    { input: { reactivity: { kind: 'table' } }, field: 'reactivity.table', reason: 'MISSING' },
    {
      input: { reactivity: { kind: 'table', table: '0 0\n2 0.001\n2 0.002' } },
      field: 'reactivity.table',
      reason: 'MALFORMED_SERIES',
      message: 'line 3',
    },
    {
      input: { reactivity: { kind: 'table', table: '0 0\n2 much' } },
      field: 'reactivity.table',
      message: 'line 2',
    },
    { input: { reactivity: { kind: 'table', table: '0 0' } }, field: 'reactivity.table', reason: 'TOO_FEW' },
    { input: { power: '0 1\n1 NaN' }, field: 'power', message: 'line 2' },
    { input: { power: '0 1\n1 0' }, field: 'power', message: 'above 0' },
    { input: { power: '0 1\n1 1\n\n0.5 2' }, field: 'power', message: 'times must increase' },
    { input: { power: '0 1\n1 1 1' }, field: 'power', message: '3 columns' },
    { input: { power: '0 1\n1\n2 1' }, field: 'power', message: 'line 2: got 1 columns' },
    { input: { power: numbered(5_001) }, field: 'power', message: 'line 5001: more than 5000 rows' },
    {
      input: { reactivity: { kind: 'table', table: numbered(5_001) } },
      field: 'reactivity.table',
      message: 'line 5001: more than 5000 rows',
    },
    { input: { power: '0 1\n1 1', reactivity: {} }, field: 'reactivity', reason: 'GIVEN_TWICE' },
    { input: { power: '0 1\n1 1', feedback: { alpha_T: 1e-5 } }, field: 'feedback' },
    { input: { n0: 0 }, field: 'n0', reason: 'NOTHING' },
    {
      input: { reactivity: { kind: 'sine', period: 1e-6 }, t_end: 1 },
      field: 'reactivity.period',
      reason: 'TOO_MANY_WAVES',
    },
  ],
  illegalParameters: [
    { isSecond: 2 },
    { samples: 1 },
    { segments: 0 },
    { maxSteps: 0 },
    { lifetime: 0 },
    { n0: -1 },
    { tEnd: 0 },
    { rtol: 1 },
    { cooling: -1 },
  ],
});

describe('point kinetics', () => {
  test('an excursion is followed up to where doubles end, and says so', async () => {
    const { value, converged, notes } = await runSolver(reactor, {
      ...set,
      reactivity: { value: 0.02 },
      output_points: 200,
    });
    expect(value).toBeGreaterThan(1e250);
    expect(converged).toBe(true);
    expect(notes.join(' ')).toContain('leaves the range of doubles');
  });

  test('the roots of the inhour equation lie one between each two decay constants', () => {
    const groups = GROUPS.U235_thermal_Keepin;
    for (const rho of [-0.1, -0.001, 0.001, 0.0065, 0.02]) {
      const roots = inhourRoots(rho, 2e-5, groups);
      expect(roots.length).toBe(7);
      for (const [i, decay] of groups.lambda.entries()) {
        expect(roots[i]).toBeGreaterThan(-decay);
        expect(roots[i + 1]).toBeLessThan(-decay);
      }
    }
  });

  test('steps, pieces of a table and units mean the same', async () => {
    const one = await runSolver(reactor, step(0.0007, 5));
    const other = await runSolver(reactor, { ...set, reactivity: { value: 0.1, unit: '$' }, t_end: 5 });
    const third = await runSolver(reactor, { ...set, reactivity: { value: 70, unit: 'pcm' }, t_end: 5 });
    const table = await runSolver(reactor, {
      ...set,
      reactivity: { kind: 'table', table: '0 0.0007\n9 0.0007' },
      t_end: 5,
    });
    for (const { value } of [other, third, table]) expect(Math.abs(value / one.value - 1)).toBeLessThan(1e-10);
  });

  test('a power that grows with a period gives the reactivity of the inhour equation back', async () => {
    const omega = 0.05;
    const rows = Array.from({ length: 201 }, (_, i) => `${i}, ${exp(omega * i)}`);
    const { groups, Lambda } = { groups: GROUPS.U235_thermal_Keepin, Lambda: 2e-5 };
    const solution = await runSolver(reactor, { power: rows.join('\n'), output_points: 10 });
    const rho = groups.beta.reduce(
      (sum, b, i) => sum + (b * omega) / (omega + (groups.lambda[i] ?? 0)),
      omega * Lambda,
    );
    expect(Math.abs((numbersOf(solution, 'reading_reactivity').at(-1) ?? 0) / (1e5 * rho) - 1)).toBeLessThan(1e-5);
    expect(Math.abs(solution.value / solution.witness.reference - 1)).toBeLessThan(1e-3);
  });

  test('feedback brakes, and a positive coefficient is said to drive', async () => {
    const input = { ...set, reactivity: { value: 50, unit: 'pcm' as const }, t_end: 20 };
    const free = await runSolver(reactor, input);
    const braked = await runSolver(reactor, { ...input, feedback: { alpha_T: -1e-5 } });
    const driven = await runSolver(reactor, { ...input, feedback: { alpha_T: 1e-6 } });
    expect(braked.value).toBeLessThan(free.value);
    expect(driven.value).toBeGreaterThan(free.value);
    expect(driven.notes.join(' ')).toContain('alpha_T is positive');
  });

  test('the trip is where the power passes its level', async () => {
    const solution = await runSolver(reactor, { ...step(0.003, 20), trip: 8.0191999732273 });
    expect(Math.abs(quantityOf(solution, 'trip_time') - 10)).toBeLessThan(1e-8);
  });
});
