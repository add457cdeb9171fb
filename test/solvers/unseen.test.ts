// Refusals of what varies between the steps or cells of a run, where all of its grids miss it alike.

import { describe, expect, test } from 'vitest';
import { climate } from '../../src/solvers/climate/solver.ts';
import { assertSeen, assertSeenOnPlane } from '../../src/solvers/parts/unseen.ts';
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

describe('functions of a plane', () => {
  const plane = { extents: [2, 1], cells: [40, 20], remedy: 'take more' } as const;
  const spot = (x0: number, y0: number, width: number) => (x: number, y: number) =>
    Math.exp(-((x - x0) * (x - x0) + (y - y0) * (y - y0)) / (width * width));

  test.each([false, true])(
    'a spot between places is found, a wide one and a jump are not; middles: %s',
    (isMiddles) => {
      const scan = (f: (x: number, y: number) => number) => assertSeenOnPlane('f', f, { ...plane, isMiddles });
      const shift = isMiddles ? -0.025 : 0;
      for (const [x, y] of [
        [0.7251, 0.3249],
        [1.0123, 0.5117],
        [1.9874, 0.9876],
      ] as const)
        expect(thrownDomainError(() => scan(spot(x + shift, y + shift, 0.01))).details).toEqual([
          expect.objectContaining({ path: 'f', code: 'UNRESOLVED' }),
        ]);
      for (const f of [spot(0.7251, 0.3249, 0.1), (x: number, y: number) => Number(x + 2 * y > 1.7), () => 3])
        expect(() => scan(f)).not.toThrow();
    },
  );

  test('a function is compared with the means that a run takes instead of it', () => {
    const wall = (x: number) => Number(Math.abs(x - 1.025) < 0.02);
    const means = (height: number) => Float64Array.from({ length: 800 }, (_, k) => (k % 40 === 20 ? height : 0));
    const scan = (height: number) => assertSeenOnPlane('f', wall, { ...plane, isMiddles: true, taken: means(height) });
    expect(() => scan(0.8)).not.toThrow();
    expect(() => scan(0.4)).toThrow();
  });
});

describe('solvers', () => {
  const slice = 'wwwwwwwwww\n'.repeat(10);
  const line = { dim: 1, N: 64, length: 1, Du: 0.01, t_end: 0.5 } as const;
  test.each([
    ['waveform', () => wave.plan(wave.inputs.parse({ waveform: '10000*exp(-((t-0.7313)/0.0001)^2)', t_end: 1.5 }))],
    ['initial_u', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', initial_u: 'exp(-((x-0.5078)/0.0005)^2)' }))],
    ['initial_v', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', initial_v: 'exp(-((x-0.5078)/0.0005)^2)' }))],
    ['density', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', density: 'abs(x-0.5078)<0.00005?1000:1' }))],
    ['tension', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', tension: 'abs(x-0.5078)<0.00005?0.01:1' }))],
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
    ['damping', () => wave.plan(wave.inputs.parse({ mode: 'wave1d', damping: '1000*exp(-((x-0.5078)/0.0005)^2)' }))],
    ['initial_u', () => wave.plan(wave.inputs.parse({ nx: 40, ny: 40, initial_u: 'exp(-((x-0.5121)/0.001)^2)' }))],
    ['initial_v', () => wave.plan(wave.inputs.parse({ initial_v: `exp(-((x-0.5121)^2+(y-0.6371)^2)/0.00001)` }))],
    ['density', () => wave.plan(wave.inputs.parse({ nx: 40, ny: 40, density: 'abs(y-0.5078)<0.0005?1000:1' }))],
    ['tension', () => wave.plan(wave.inputs.parse({ nx: 40, ny: 40, tension: 'abs(x-0.5078)<0.0005?0.01:1' }))],
    ['damping', () => wave.plan(wave.inputs.parse({ nx: 40, ny: 40, damping: 'abs(x-0.5078)<0.0005?1000:0' }))],
    ['width', () => wave.plan(wave.inputs.parse({ initial: 'gaussian', width: 0.001, x0: 0.5121, y0: 0.6371 }))],
    ['width', () => wave.plan(wave.inputs.parse({ source: 'ricker', width: 0.001, x0: 0.5121, frequency: 1 }))],
    [
      'initial_u',
      () => react.plan(react.inputs.parse({ N: 64, initial_u: '1+500*exp(-((x-20.99)^2+(y-33.98)^2)*50)' })),
    ],
    ['initial_v', () => react.plan(react.inputs.parse({ N: 64, initial_v: 'abs(x-20.5)<0.01 ? 1 : 0' }))],
    [
      'reaction_u',
      () => react.plan(react.inputs.parse({ N: 64, t_end: 1, reaction_u: '-u + 500*exp(-((y-20.03)/0.03)^2)' })),
    ],
    [
      'initial_u',
      () =>
        tumor.plan(
          tumor.inputs.parse({ map: slice, initial_u: '0.6*exp(-(x-5)^2-(y-5)^2)+(abs(x-7.0123)<0.002?0.3:0)' }),
        ),
    ],
    ['r0', () => tumor.plan(tumor.inputs.parse({ map: slice, r0: 0.004, x0: 4.915, y0: 4.915, nx: 60 }))],
    ['level', () => climate.plan(climate.inputs.parse({ level: '3 + 50*exp(-((x-50)/0.0015)^2)' }))],
    ['u', () => climate.plan(climate.inputs.parse({ u: 'abs(x-50.1015) < 0.003 ? 300 : 0' }))],
    ['v', () => climate.plan(climate.inputs.parse({ v: 'abs(x-50.1015) < 0.003 ? 300 : 0' }))],
    ['bed', () => climate.plan(climate.inputs.parse({ bed: 'abs(x-60) < 0.01 ? 9 : 0' }))],
    [
      'bed_table',
      () =>
        climate.plan(
          climate.inputs.parse({
            bed_table: [
              [0, 0],
              [60, 0],
              [60.01, 9],
              [60.02, 0],
              [100, 0],
            ],
          }),
        ),
    ],
    ['bed_map', () => climate.plan(climate.inputs.parse({ dim: 2, bed_map: `${'.'.repeat(133)}#${'.'.repeat(266)}` }))],
    ['bed', () => climate.plan(climate.inputs.parse({ dim: 2, bed: 'abs(x-60.3) < 0.1 ? 9 : 0' }))],
    [
      'level',
      () => climate.plan(climate.inputs.parse({ dim: 2, level: 'abs(x-60.15625)+abs(y-31.25) < 0.15 ? 900 : 3' })),
    ],
    ['u', () => climate.plan(climate.inputs.parse({ dim: 2, u: 'abs(y-60.3) < 0.02 ? 900 : 0' }))],
    ['width', () => climate.plan(climate.inputs.parse({ initial: 'hump', depth: 4000, width: 0.001, x0: 50 }))],
    ['width', () => climate.plan(climate.inputs.parse({ initial: 'jet', width: 0.001, x0: 50, f: 1e-4 }))],
  ])('%s that no grid sees is refused', (field, plan) => {
    const error = thrownDomainError(plan);
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details).toEqual([expect.objectContaining({ path: field, code: 'UNRESOLVED' })]);
  });

  test.each([
    ['a lens', () => wave.plan(wave.inputs.parse({ density: '(x-0.5)^2+(y-0.5)^2 < 0.04 ? 4 : 1' }))],
    ['a hump of a cell', () => wave.plan(wave.inputs.parse({ initial: 'gaussian', width: 0.02, x0: 0.5121 }))],
    ['a wedge', () => wave.plan(wave.inputs.parse({ lx: 0.1, nx: 16, ny: 16, density: 'x > y ? 3 : 0.5' }))],
    ['a layer of three cells', () => wave.plan(wave.inputs.parse({ damping: 'x > 0.95 ? 40 : 0' }))],
    ['painted rates', () => react.plan(react.inputs.parse({ reaction_u: 'x > 30 ? u*(1-u) : -u', t_end: 1 }))],
    ['stripes', () => react.plan(react.inputs.parse({ initial_u: '1+0.1*sin(x)*cos(y)' }))],
    ['a hill', () => climate.plan(climate.inputs.parse({ dim: 2, bed: '2*exp(-((x-60)^2+(y-40)^2)/9)' }))],
    ['a wall of two cells', () => climate.plan(climate.inputs.parse({ bed: 'abs(x-60) < 0.13 ? 9 : 0' }))],
    ['a wave on a deep sea', () => climate.plan(climate.inputs.parse({ depth: 4000, initial: 'hump', width: 3 }))],
    [
      'a level of no exact number',
      () => climate.plan(climate.inputs.parse({ level: '4000.1+exp(sin(x)^2+cos(x)^2)' })),
    ],
    ['an island', () => climate.plan(climate.inputs.parse({ dim: 2, bed_map: '....\n.##.\n....' }))],
    ['a tumor', () => tumor.plan(tumor.inputs.parse({ map: slice, initial_u: '0.6*exp(-(x-5)^2-(y-5)^2)' }))],
  ])('%s is answered', (_, plan) => {
    expect(plan).not.toThrow();
  });
});
