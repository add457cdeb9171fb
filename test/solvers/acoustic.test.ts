import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acoustic } from '../../src/solvers/acoustic/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';

type Answer = Awaited<ReturnType<typeof runSolver>>;

const column = ({ series }: Pick<Answer, 'series'>, name: string) =>
  Array.from(series.find((one) => one.name === name)?.data ?? []);
const number = ({ quantities }: Pick<Answer, 'quantities'>, name: string) =>
  quantities.find((one) => one.name === name)?.value ?? Number.NaN;

const SMALL = { shape: 'rectangle', lx: 1, ly: 0.7, modes: 8, cells: 24 } as const;

describeSolver(acoustic, {
  cases: {
    'a rectangle': SMALL,
    'a pipe': { shape: 'line', lx: 1, open: 'right', modes: 4, cells: 40 },
    'a small room': { cells: 10, modes: 6 },
    'a disc': { shape: 'disc', lx: 1, modes: 5, cells: 24 },
    'walls of an impedance': { cells: 10, modes: 5, open: 'back', impedance: 'all 40; floor alpha 0.3; left 6 -4' },
    'walls nearly open': { shape: 'line', lx: 1, modes: 3, cells: 40, impedance: 'left 0.2 0.4; right 3' },
    'an open disc': { shape: 'disc', lx: 1, modes: 4, cells: 24, open: 'all' },
    'an outline with an open edge': {
      shape: 'outline',
      outline: '0 0; 3 0; 3.4 0.9; 2.2 1.5; 0.5 1.4',
      modes: 3,
      cells: 24,
      open: '2',
    },
    'an outline': { shape: 'outline', outline: '0 0; 3 0; 3.4 0.9; 2.2 1.5; 0.5 1.4', modes: 4, cells: 24 },
  },
  conservation: true,
  golden: ['a rectangle', 'a pipe', 'a small room', 'a disc', 'an outline', 'walls of an impedance', 'an open disc'],
  convergence: [
    {
      name: 'of finite volumes, in space',
      order: 'space',
      levels: 3,
      at: (level) => ({ ...SMALL, mode: 3, cells: 20 << level }),
      error: (solution) => solution.witness.reference - number(solution, 'frequency_on_grid'),
    },
    {
      name: 'after the correction of boxes',
      order: 8,
      levels: 3,
      at: (level) => ({ shape: 'line' as const, lx: 1, modes: 4, mode: 4, cells: 24 << level }),
      tolerance: 0.2,
    },
    {
      name: 'with walls of an impedance, in space',
      order: 'space',
      levels: 3,
      at: (level) => ({ ...SMALL, modes: 4, mode: 2, cells: 12 << level, impedance: 'all 4 -1' }),
      error: (solution) => solution.witness.reference - number(solution, 'frequency_on_grid'),
    },
    {
      name: 'within open edges that cut cells, in space',
      order: 'space',
      levels: 3,
      at: (level) => ({
        shape: 'outline' as const,
        outline: '0 0; 4 3; 1 7; -3 4',
        open: 'all',
        modes: 1,
        cells: 21 * 2 ** level,
      }),
      error: (solution) => (343 / 10) * Math.SQRT2 - solution.value,
      tolerance: 0.3,
    },
  ],
  known: {
    '1-D, closed, on 64 cells': {
      input: { shape: 'line', lx: 1, cells: 64, modes: 3 },
      value: [171.5, 1e-10],
    },
    'closed at one end': { input: { shape: 'line', lx: 1, cells: 64, modes: 3, open: 'left' }, value: [85.75, 1e-10] },
    'the lowest mode of a room': { input: { cells: 12 }, value: [34.3, 2e-7] },
    'a disc': { input: { shape: 'disc', lx: 1, modes: 6 }, value: [201.020981, 0.06] },
    'a disc with an open rim': {
      input: { shape: 'disc', lx: 1, modes: 6, open: 'all' },
      value: [(343 * 2.404825557695773) / Math.PI, 0.09],
    },
    'a tube with real impedances at both ends': {
      input: { shape: 'line', lx: 1, cells: 64, modes: 3, impedance: 'all 2' },
      value: [171.5, 1e-6],
    },
    'an L': { input: { shape: 'l_shape', lx: 2, ly: 2, modes: 5 }, value: [66.313688, 0.15] },
  },
  refused: [
    { input: { shape: 'outline', outline: '0 0; 0x10 0; 1 1' }, field: 'outline' },
    { input: { source: '0x1 1 1' }, field: 'source' },
    { input: { microphone: '1 1 Infinity' }, field: 'microphone' },
    { input: { mode: 13 }, field: 'mode' },
    { input: { shape: 'line', open: 'floor' }, field: 'open' },
    { input: { shape: 'disc', open: '1' }, field: 'open' },
    { input: { shape: 'l_shape', open: '7' }, field: 'open' },
    { input: { shape: 'disc', impedance: 'all 3' }, field: 'impedance' },
    { input: { impedance: 'roof 3' }, field: 'impedance' },
    { input: { impedance: 'all -3' }, field: 'impedance' },
    { input: { impedance: 'all' }, field: 'impedance' },
    { input: { impedance: 'all 3 4 5' }, field: 'impedance' },
    { input: { impedance: 'all NaN' }, field: 'impedance' },
    { input: { impedance: ' ; ' }, field: 'impedance' },
    { input: { impedance: 'floor alpha 1.5' }, field: 'impedance' },
    { input: { impedance: 'left 3', open: 'left' }, field: 'impedance' },
    { input: { impedance: 'left 3', rt60: 1 }, field: 'rt60' },
    { input: { f_max: 2000 }, field: 'f_max' },
    { input: { shape: 'outline', outline: '0 0; 1 0; 1 1; 1 1; 0 1' }, field: 'outline' },
    { input: { shape: 'outline', outline: '0 0; 2 0; 1 0; 1 1' }, field: 'outline' },
    { input: { shape: 'outline', outline: '0 0; 4 0; 4 4; 2 0; 0 4' }, field: 'outline' },
    { input: { shape: 'outline', outline: '0 0; 1e-5 0; 0 1e-5' }, field: 'outline' },
    { input: { shape: 'outline', outline: '0 0; 1e5 0; 0 1' }, field: 'outline' },
    { input: { shape: 'outline', outline: '0 0; 1 1; 2 2' }, field: 'outline' },
    { input: { shape: 'outline', outline: '0 0; Infinity 0; 0 1' }, field: 'outline' },
    { input: { shape: 'outline' }, field: 'outline' },
    { input: { shape: 'outline', outline: '0 0; 1 1; 1 0; 0 1' }, field: 'outline' },
    { input: { shape: 'outline', outline: '0 0; 1 x; 1 0' }, field: 'outline' },
    { input: { outline: '0 0; 1 0; 1 1' }, field: 'outline' },
    { input: { c: 340, temperature: 20 }, field: 'c' },
    { input: { cells: 200 }, field: 'cells' },
    { input: { shape: 'disc', cells: 4, modes: 1 }, field: 'cells' },
    { input: { cells: 4, modes: 40 }, field: 'modes' },
    { input: { shape: 'rectangle', cells: 140, modes: 40 }, field: 'modes' },
    { input: { lx: 1e4, ly: 1e-3 }, field: 'ly' },
    { input: { source: '9 9 9' }, field: 'source' },
    { input: { microphone: '1 1' }, field: 'microphone' },
  ],
  random: {
    of: fc.record({
      shape: fc.constantFrom('rectangle' as const, 'line' as const, 'disc' as const, 'l_shape' as const),
      lx: fc.constantFrom(0.01, 0.3, 1, 7),
      ly: fc.constantFrom(0.01, 0.3, 1, 7),
      cells: fc.integer({ min: 24, max: 40 }),
      modes: fc.integer({ min: 1, max: 3 }),
      alpha: fc.double({ min: 1e-4, max: 1, noNaN: true }),
    }),
    count: 12,
  },
});

describe('acoustic', () => {
  test('finite volumes give c/π √(sin²(nπ/2N)) N/L exactly', async () => {
    const answer = await runSolver(acoustic, { shape: 'line', lx: 1, cells: 64, modes: 3 });
    const expected = [171.48278212307, 342.86226943034, 514.03522932695];
    column(answer, 'frequency_on_grid').forEach((f, i) => {
      expect(Math.abs(f / (expected[i] ?? 0) - 1)).toBeLessThan(1e-12);
    });
  });

  test('the first eight modes of a room of 5 x 4 x 3 m, with their half-waves', async () => {
    const answer = await runSolver(acoustic, { modes: 8, cells: 20 });
    const table = [34.3, 42.875, 54.90679, 57.166667, 66.667217, 68.6, 71.458333, 79.264011];
    column(answer, 'frequency').forEach((f, i) => {
      expect(Math.abs(f - (table[i] ?? 0))).toBeLessThan(2e-6);
    });
    const halfWaves = ['nx', 'ny', 'nz'].map((name) => column(answer, name));
    expect(table.map((_, i) => halfWaves.map((one) => one[i]).join(''))).toEqual([
      '100',
      '010',
      '110',
      '001',
      '101',
      '200',
      '011',
      '111',
    ]);
  });

  test('modes of a plate of air of 1.0 x 0.7 m', async () => {
    const answer = await runSolver(acoustic, { ...SMALL, cells: 40 });
    const table = [171.5, 245, 299.060613, 343, 421.513938, 490, 514.5, 519.145692];
    column(answer, 'frequency').forEach((f, i) => {
      expect(Math.abs(f - (table[i] ?? 0))).toBeLessThan(1e-6);
    });
  });

  test('a degenerate pair is found and parted', async () => {
    const answer = await runSolver(acoustic, { shape: 'rectangle', lx: 6, ly: 4, modes: 8, cells: 36 });
    const [nx, ny] = [column(answer, 'nx'), column(answer, 'ny')];
    const pair = column(answer, 'frequency').flatMap((f, i) =>
      Math.abs(f - 85.75) < 1e-5 ? [`${nx[i]} ${ny[i]}`] : [],
    );
    expect(pair.sort()).toEqual(['0 2', '3 0']);
    expect(column(answer, 'multiplicity').filter((count) => count === 2)).toHaveLength(2);
  });

  test('one of a pair at the end of the modes that are asked for is no missed one', async () => {
    const answer = await runSolver(acoustic, { shape: 'rectangle', lx: 1, ly: 1, modes: 1, cells: 24 });
    expect(answer.converged).toBe(true);
    expect(answer.invariants.find(({ name }) => name === 'mode_count')?.drift).toBe(0);
  });

  test('six modes of a cube have one frequency', async () => {
    const answer = await runSolver(acoustic, { lx: 2, ly: 2, lz: 2, cells: 12, modes: 25 });
    const six = column(answer, 'frequency').filter((f) => Math.abs(f / ((343 / 4) * Math.sqrt(5)) - 1) < 1e-6);
    expect(six).toHaveLength(6);
  });

  test('modes of a disc come in pairs, near the zeros of derivatives of Bessel functions', async () => {
    const answer = await runSolver(acoustic, { shape: 'disc', lx: 1, modes: 5, cells: 60 });
    const table = [201.020981, 201.020981, 333.462477, 333.462477, 418.346773];
    column(answer, 'frequency').forEach((f, i) => {
      expect(Math.abs(f / (table[i] ?? 0) - 1)).toBeLessThan(6e-4);
    });
  });

  test('an L-shaped room has Dauge’s eigenvalues', async () => {
    const answer = await runSolver(acoustic, { shape: 'l_shape', lx: 2, ly: 2, modes: 5 });
    const table = [1.47562182408, 3.53403136678, Math.PI ** 2, Math.PI ** 2, 11.3894793979];
    const half = column(answer, 'uncertainty');
    column(answer, 'frequency').forEach((f, i) => {
      const exact = (343 * Math.sqrt(table[i] ?? 0)) / (2 * Math.PI);
      expect(Math.abs(f - exact)).toBeLessThanOrEqual(half[i] ?? 0);
      expect(Math.abs(f / exact - 1)).toBeLessThan(3e-3);
    });
  });

  test('the response has its largest values near modes', async () => {
    const input = { shape: 'rectangle', lx: 6, ly: 4, modes: 8, rt60: 20, cells: 24 } as const;
    const answer = await runSolver(acoustic, { ...input, source: '0.1 0.1', microphone: '5.9 3.9' });
    const [f, level] = [column(answer, 'response_frequency'), column(answer, 'response_level')];
    const peaks = f.filter(
      (_, i) => i > 1 && (level[i] ?? 0) > (level[i - 1] ?? 0) && (level[i] ?? 0) > (level[i + 1] ?? 0),
    );
    const modes = column(answer, 'frequency');
    expect(peaks.length).toBeGreaterThan(4);
    for (const peak of peaks) expect(Math.min(...modes.map((one) => Math.abs(one - peak)))).toBeLessThan(1);
  });

  test('a tube between walls of ζ = 2 decays by the logarithm of their reflection', async () => {
    const answer = await runSolver(acoustic, { shape: 'line', lx: 1, cells: 64, modes: 3, impedance: 'all 2' });
    for (const rate of column(answer, 'decay_rate')) expect(rate).toBeCloseTo(343 * Math.log(3), 4);
  });

  test('an absorption coefficient is the real impedance of that absorption', async () => {
    const root = Math.sqrt(0.7);
    const zeta = (1 + root) / (1 - root);
    const input = { shape: 'rectangle', cells: 16, modes: 3 } as const;
    const byAlpha = await runSolver(acoustic, { ...input, impedance: 'all alpha 0.3' });
    const byZeta = await runSolver(acoustic, { ...input, impedance: `all ${zeta}` });
    column(byAlpha, 'frequency').forEach((f, i) => {
      expect(Math.abs(f / (column(byZeta, 'frequency')[i] ?? 0) - 1)).toBeLessThan(1e-12);
    });
  });

  test('weak walls give the decay of a diffuse field of grazing and normal modes, to the first order', async () => {
    const answer = await runSolver(acoustic, { lx: 5, ly: 4, lz: 3, cells: 10, modes: 3, impedance: 'all 1e5' });
    // Re ζ⁻¹ c Σ ε S/(2 V): ε is 2 for walls across half-waves, and 1 for those along.
    const rate = (1e-5 * 343 * (2 * 2 * 12 + 2 * 15 + 2 * 20)) / (2 * 60);
    expect(Math.abs((column(answer, 'decay_rate')[0] ?? 0) / rate - 1)).toBeLessThan(1e-3);
  });

  test('walls that take every mode away are said not to converge', async () => {
    const answer = await runSolver(acoustic, { shape: 'line', lx: 1, cells: 40, modes: 2, impedance: 'all 1' });
    expect(answer.converged).toBe(false);
  });

  test('modes up to a frequency: those of the closed form, and no others', async () => {
    const answer = await runSolver(acoustic, { lx: 5, ly: 4, lz: 3, cells: 14, f_max: 80 });
    expect(column(answer, 'frequency')).toHaveLength(8);
    expect(answer.converged).toBe(true);
  });

  test('a ring may be closed by its first corner', async () => {
    const input = { shape: 'outline', modes: 2, cells: 20 } as const;
    const [open, closed] = [
      await runSolver(acoustic, { ...input, outline: '0 0; 3 0; 2 2; 0 1' }),
      await runSolver(acoustic, { ...input, outline: '0 0; 3 0; 2 2; 0 1; 0 0' }),
    ];
    expect(closed.value).toBe(open.value);
  });

  test('any text of corners is refused by name or has an answer', async () => {
    const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(1e-9, 1e4, 0.1, 1e5));
    const corners = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.property(corners, (places) => {
        const outline = places.map(([x, y]) => `${x} ${y}`).join('; ');
        try {
          const { runs } = acoustic.plan(
            acoustic.inputs.parse({
              shape: 'outline',
              outline,
              modes: 1,
              cells: 16,
              ...(places.length % 2 === 0 ? {} : { open: '1' }),
            }),
          );
          for (const { inputs } of runs) {
            expect(inputs?.volumes?.every((volume) => volume > 0)).toBe(true);
            expect(inputs?.conductances?.every((one) => one > 0 && Number.isFinite(one))).toBe(true);
          }
        } catch (error) {
          expect(error).toMatchObject({ code: 'VALIDATION_FAILED' });
        }
      }),
      { numRuns: 200 },
    );
  });

  test('Sabine and Schroeder', async () => {
    const answer = await runSolver(acoustic, { cells: 10, modes: 2, alpha: 0.1 });
    const sabine = (24 * Math.LN10 * 60) / (343 * 94 * 0.1);
    expect(number(answer, 'reverberation_time')).toBeCloseTo(sabine, 9);
    expect(number(answer, 'schroeder_frequency')).toBeCloseTo(2000 * Math.sqrt(sabine / 60), 7);
  });

  test('sound in air of 20 °C: 343.2 m/s dry, more with humidity', async () => {
    const speed = async (humidity: number) =>
      number(await runSolver(acoustic, { cells: 8, modes: 1, temperature: 20, humidity }), 'speed_of_sound');
    expect(await speed(0)).toBeCloseTo(343.24, 1);
    expect((await speed(1)) - (await speed(0))).toBeGreaterThan(0.8);
  });
});
