// Refusals of what varies between the steps or cells of a run, where all of its grids miss it alike.

import { describe, expect, test } from 'vitest';
import { assertSeen } from '../../src/solvers/parts/unseen.ts';
import { react } from '../../src/solvers/react/solver.ts';
import { tumor } from '../../src/solvers/tumor/solver.ts';
import { wave } from '../../src/solvers/wave/solver.ts';
import { thrownDomainError } from '../suites/domain-error.ts';

const seen = { from: 0, to: 1, first: 0, step: 1 / 50, remedy: 'take more' };
const check = (f: (x: number) => number, more = {}) => assertSeen('f', 'x', f, { ...seen, ...more });
const bump = (place: number, width: number) => (x: number) => Math.exp(-(((x - place) / width) ** 2));

describe('functions between places', () => {
  test.each([0.013, 0.3141, 0.5, 0.7777, 0.991])('a bump of 10⁻⁴ of the way about %f is found', (place) => {
    expect(thrownDomainError(() => check((x) => 3 + bump(place + 1e-3, 1e-4)(x))).message).toMatch(
      /^f is .* about x = .*, and 3 to 3 at the places about it that the run takes, 0.02 apart; take more\.$/,
    );
  });

  test('what the places show passes: jumps, kinks, four places a wave, noise, poles outside, constants', () => {
    for (const f of [
      (x: number) => (x < 0.3337 ? 1 : 0),
      (x: number) => Math.abs(x - 0.4142),
      (x: number) => Math.sin((2 * Math.PI * x) / 0.08 + 0.3),
      (x: number) => 1 / (x + 0.01),
      () => 7,
      () => 0,
      (x: number) => (x > 0.5 ? Number.NaN : x),
      bump(0.51, 0.03),
    ])
      expect(() => check(f)).not.toThrow();
  });

  test('denser places see more', () => {
    expect(() => check(bump(0.51, 0.004))).toThrow();
    expect(() => check(bump(0.51, 0.004), { step: 1 / 400 })).not.toThrow();
  });
});

describe('solvers', () => {
  const line = { dim: 1, N: 64, length: 1, Du: 0.01, t_end: 0.5 } as const;
  test.each([
    ['waveform', () => wave.plan(wave.inputs.parse({ waveform: '10000*exp(-((t-0.7313)/0.0001)^2)', t_end: 1.5 }))],
    ['initial_u', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', initial_u: 'exp(-((x-0.5078)/0.0005)^2)' }))],
    ['initial_v', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', initial_v: 'exp(-((x-0.5078)/0.0005)^2)' }))],
    ['density', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', density: 'abs(x-0.5078)<0.001?1000:1' }))],
    ['tension', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', tension: 'abs(x-0.5078)<0.001?0.01:1' }))],
    ['initial_u', () => react.plan(react.inputs.parse({ ...line, initial_u: '1+500*exp(-((x-0.5037)/0.0004)^2)' }))],
    ['reaction_u', () => react.plan(react.inputs.parse({ ...line, reaction_u: '500*exp(-((x-0.5037)/0.0004)^2)' }))],
    [
      'reaction_v',
      () =>
        react.plan(
          react.inputs.parse({ ...line, dim: 2, reaction_u: '-u', reaction_v: 'exp(-((t-0.123405)/0.0001)^2)' }),
        ),
    ],
    [
      'initial_u',
      () =>
        tumor.plan(tumor.inputs.parse({ L: 20, nx: 100, initial_u: '0.6*exp(-(x/2)^2)+(abs(x-7.0123)<0.002?0.9:0)' })),
    ],
  ])('%s that no grid sees is refused', (field, plan) => {
    const error = thrownDomainError(plan);
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details).toEqual([expect.objectContaining({ path: field, code: 'UNRESOLVED' })]);
  });
});
