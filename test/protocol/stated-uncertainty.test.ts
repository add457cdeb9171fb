// ± of sealed numbers that once said too little, and sealed nonsense, with the exact inputs at which they were found; what
// a room owns alone (ordinary inputs of laws, pulses between steps, scatter of replicas, search) is tested there.

import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { findOperator } from '../../src/operators/load.ts';
import type { ComputeRequest } from '../../src/protocol/compute-request.ts';
import { compute, solve } from './sealed-case.ts';

const lawOf = async (request: ComputeRequest) => (await compute(request)).pure;
const solved = async (id: string, fields: Record<string, unknown>) => (await solve(id, fields)).pure;

async function refusalOf(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw new Error(`not refused: ${String(error)}`);
}

describe('± of a law', () => {
  test('holds the constant of gravitation, twice 22 parts in a million', async () => {
    const { uncertainty } = await lawOf({ domain: 'CM2', inputs: { m1: 5.972e24, m2: 7.348e22, r: 3.844e8 } });
    expect(uncertainty / 4.45e15).toBeCloseTo(2, 1);
  });

  test('holds what a correlation is good for', async () => {
    const { value, uncertainty } = await lawOf({ domain: 'HT19', inputs: { Re: 5e4, Pr: 5, Tw: 350, Tb: 300 } });
    expect(uncertainty / value).toBeGreaterThan(0.2);
  });

  test('of a throw at its best angle is the width of the second order', async () => {
    const request = { domain: 'CM5', inputs: { v: 30, theta: 45, g: 9.81 }, uncertainties: { theta: 5 } };
    const { value, uncertainty } = await lawOf(request);
    // 95 % of the angles lie within 1.96 · 5°.
    const width = value * (1 - Math.cos((2 * 1.96 * 5 * Math.PI) / 180));
    expect(uncertainty / width).toBeGreaterThan(0.98);
    expect(uncertainty / width).toBeLessThan(1.04);
  });

  test('of a rest at an uncertain speed is 95 % of a square', async () => {
    const { value, uncertainty } = await lawOf({ domain: 'CM9', inputs: { m: 2, v: 0 }, uncertainties: { v: 1 } });
    expect(value).toBe(0);
    expect(uncertainty / 1.96 ** 2).toBeGreaterThan(0.99);
    expect(uncertainty / 1.96 ** 2).toBeLessThan(1.05);
  });

  test('of a rate with 5 % on everything is that of an independent Monte Carlo', async () => {
    const inputs = findOperator('CK11').examples[0]?.inputs ?? {};
    const uncertainties = Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, 0.05 * value]));
    const { uncertainty } = await lawOf({ domain: 'CK11', inputs, uncertainties });
    // numpy, 2,000,000 draws of its own generator: 95 % of the distances from the value are below 0.033466.
    expect(inputs).toEqual({ A: 4.6e13, Ea: 103_500, T: 318 });
    expect(uncertainty / 0.033466).toBeGreaterThan(0.97);
    expect(uncertainty / 0.033466).toBeLessThan(1.08);
  });

  test('of a power holds the rounding of its base', async () => {
    const { value, uncertainty } = await solved('unified', { equations: ['y=0.999999999999^1e12'] });
    // mpmath, 60 digits
    const error = Math.abs(value - 0.36787944117125837);
    expect(error).toBeGreaterThan(8e-6);
    expect(uncertainty).toBeGreaterThan(error);
  });
});

describe('± of a solver', () => {
  test.each([
    [{ dim: 1, nx: 9, kx: 1 }, 0.04321],
    [{ dim: 1, nx: 50, kx: 2, mode: 'step', lx: 0.8, alpha: 1.4e-7 }, 0.2445],
  ])('heat reads %j at the antinode, wherever the nodes are', async (fields, truth) => {
    const { value, uncertainty } = await solved('heat', fields);
    expect(Math.abs(value - truth)).toBeLessThan(uncertainty + 1e-4);
    expect(value).toBeCloseTo(truth, 3);
  });

  test('unified sees a pulse that is shorter than its steps', async () => {
    const equations = ["y'=-0.1*y+exp(-((t-p)/w)^2)/(w*sqrt(pi))", 'y(0)=1'];
    const vars = { w: 0.000455, p: 6.957 };
    const { value, uncertainty } = await solved('unified', { equations, vars, t_end: 20 });
    // e^-2 + e^(-0.1 (20 - p)) e^((0.1 w)²/4)
    const truth = Math.exp(-2) + Math.exp(-0.1 * (20 - vars.p));
    expect(truth).toBeCloseTo(0.4067, 4);
    expect(Math.abs(value - truth)).toBeLessThan(uncertainty + 1e-9);
  });

  test.each([
    [["y'=max(0,t-1)", 'y(0)=0'], 19 ** 2 / 2],
    [["y'=sqrt(t)", 'y(0)=0'], (2 / 3) * 20 ** 1.5],
  ])('unified starts from rest: %j', async (equations, truth) => {
    const { value, uncertainty } = await solved('unified', { equations });
    expect(Math.abs(value - truth)).toBeLessThanOrEqual(uncertainty);
  });

  test('a crystal at rest does not drift', async () => {
    const fields = { preset: 'crystal', N: 108, T0: 0, steps: 10, sample: 2 };
    const { converged, invariants } = await solved('evolve', fields);
    expect([converged, invariants.filter(({ holds }) => !holds)]).toEqual([true, []]);
  });

  test.each(['harmonic', 'hydrogen', 'double_well'])('schrodinger of %s is no empty box', async (potential) => {
    expect((await solved('schrodinger', { potential })).operator_id).toBe('solver:schrodinger');
  });

  test('the splitting of a double well has digits of its own', async () => {
    const { quantities } = await solved('schrodinger', { potential: 'double_well' });
    const { value = 0, uncertainty = 0 } = quantities.find(({ name }) => name === 'splitting') ?? {};
    expect(value).toBeGreaterThan(uncertainty);
    expect(uncertainty).toBeGreaterThan(0);
  });
});

describe('a law is not guessed', () => {
  test.each<[Pick<ComputeRequest, 'domain' | 'inputs'>, readonly string[]]>([
    [{ domain: 'CS', inputs: { m: 10_000, n: 1_000, k: 7 } }, ['CS8', 'CS82']],
    [{ domain: 'CM', inputs: { m: 1_200, v: 25 } }, ['CM9', 'CM11']],
  ])('%j', async (request, ids) => {
    const { code, facts } = await refusalOf(compute(request));
    expect(code).toBe('OPERATOR_AMBIGUOUS');
    const candidates = facts.candidates as { operator_id: string }[];
    expect(candidates.map(({ operator_id }) => operator_id)).toEqual(ids);
  });

  test('words decide', async () => {
    const inputs = { m: 1_200, v: 30 };
    const query = 'kinetic energy of a car';
    expect(await lawOf({ domain: 'CM', inputs, query })).toMatchObject({ operator_id: 'CM9', value: 540_000 });
  });
});

describe('unified is read as it is written', () => {
  test('an equation comes first, the number for its symbol later', async () => {
    const { value, quantities } = await solved('unified', { equations: 'y = sin(x)/x; x = 2' });
    expect(value).toBeCloseTo(Math.sin(2) / 2, 14);
    expect(quantities.map(({ name }) => name)).toEqual(['y', 'x']);
  });

  test.each(['k=4, c=0.3', 'k=4; c=0.3', 'k = 4,c = 0.3'])('numbers apart by %j', async (vars) => {
    const { value } = await solved('unified', { equations: "x''=-k*x-c*x'\nx(0)=1\nx'(0)=0", vars, t_end: 1 });
    // e^(-0.15 t) (cos ω t + 0.15/ω sin ω t), ω² = 4 - 0.15²
    const omega = Math.sqrt(4 - 0.15 ** 2);
    expect(value).toBeCloseTo(Math.exp(-0.15) * (Math.cos(omega) + (0.15 / omega) * Math.sin(omega)), 8);
  });

  test('a decimal comma is no separator', async () => {
    const { message } = await refusalOf(solved('unified', { equations: 'y = k', vars: 'k=1,5; c=2' }));
    expect(message).toMatch(/vars\.k is "1,5"; a number with a decimal point is expected/);
  });
});
