import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { DomainError } from '../../src/core/errors.ts';
import { evolve } from '../../src/solvers/evolve/solver.ts';
import { planError } from '../suites/refusals.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf, quantityOf } from '../suites/solution-parts.ts';

type Input = z.input<typeof evolve.inputs>;

const WATER_LIKE = ['3', 'three atoms', 'Ar 0 0 0', 'Ar 1.2 0 0', 'Ar 0 1.2 0'];
const xyz = (...lines: readonly string[]) => lines.join('\n');
const THREE = [
  [0, 0, 0],
  [1.2, 0, 0],
  [0, 1.2, 0],
];

describe('XYZ text', () => {
  test('places the same atoms as arrays, whatever the line ends and blanks', async () => {
    const expected = await runSolver(evolve, { positions: THREE, steps: 50 });
    for (const text of [
      xyz(...WATER_LIKE),
      `${WATER_LIKE.join('\r\n')}\r\n\r\n`,
      xyz(...WATER_LIKE).replaceAll(' ', '\t '),
    ]) {
      expect((await runSolver(evolve, { positions: text, steps: 50 })).value).toBe(expected.value);
    }
  });

  test('has velocities behind x y z, and the box in its comment', async () => {
    const positions = xyz('2', 'Lattice="6 0 0 0 7 0 0 0 8" pbc="T T T"', 'A 1 1 1 0 0.5 0', 'A 2 2 2 0 -0.5 0');
    const solution = await runSolver(evolve, { positions, steps: 20 });
    expect([...numbersOf(solution, 'box')]).toEqual([6, 7, 8]);
    expect(numbersOf(solution, 'K')[0]).toBe(0.125);
    const arrays: Input = {
      positions: [
        [1, 1, 1],
        [2, 2, 2],
      ],
      velocities: [
        [0, 0.5, 0],
        [0, -0.5, 0],
      ],
      box: '6 7 8',
    };
    expect((await runSolver(evolve, { ...arrays, steps: 20 })).value).toBe(solution.value);
  });

  const refusals: readonly (readonly [string, Input, string, string])[] = [
    ['a count that lies', { positions: xyz('4', ...WATER_LIKE.slice(1)) }, 'XYZ_COUNT', 'says 4 atoms; 3 lines'],
    ['a text cut short', { positions: xyz(...WATER_LIKE.slice(0, 4)) }, 'XYZ_COUNT', 'says 3 atoms; 2 lines'],
    ['a line cut short', { positions: xyz(...WATER_LIKE).slice(0, -2) }, 'XYZ_LINE', 'line 5'],
    ['a second frame', { positions: xyz(...WATER_LIKE, ...WATER_LIKE) }, 'XYZ_COUNT', '8 lines'],
    ['NaN', { positions: xyz(...WATER_LIKE.slice(0, 4), 'Ar 0 NaN 0') }, 'XYZ_LINE', '"NaN" is not a number'],
    ['infinity', { positions: xyz(...WATER_LIKE.slice(0, 4), 'Ar 0 1e999 0') }, 'XYZ_LINE', 'line 5: "1e999"'],
    ['hexadecimal', { positions: xyz(...WATER_LIKE.slice(0, 4), 'Ar 0 0x10 0') }, 'XYZ_LINE', '"0x10"'],
    ['no count', { positions: xyz(...WATER_LIKE.slice(1)) }, 'XYZ_LINE', 'line 1: "three atoms"'],
    ['too many atoms', { positions: '2001\n\n' }, 'XYZ_LINE', 'from 2 to 2000'],
    [
      'velocities of some',
      { positions: xyz(...WATER_LIKE.slice(0, 4), 'Ar 0 1.2 0 1 1 1') },
      'XYZ_LINE',
      'line 5: has 6',
    ],
    [
      'a slanted box',
      { positions: xyz('2', 'Lattice="6 1 0 0 6 0 0 0 6"', 'A 0 0 0', 'A 1 1 1') },
      'XYZ_LATTICE',
      'right angles',
    ],
    [
      'two boxes',
      { positions: xyz('2', 'Lattice="6 0 0 0 6 0 0 0 6"', 'A 0 0 0', 'A 1 1 1'), box: [6, 6, 6] },
      'GIVEN_TWICE',
      'Lattice',
    ],
    [
      'too few velocities',
      { positions: THREE, velocities: THREE.slice(1) },
      'COUNTS_DIFFER',
      '2 rows; positions has 3',
    ],
    [
      'a bond across the box',
      { preset: 'polymer', positions: xyz('2', '', 'A 0.5 3 3', 'A 5.5 3 3'), box: [6, 6, 6] },
      'BOND_TOO_LONG',
      'atoms 1 and 2',
    ],
    ['a box of two edges', { positions: THREE, box: '6 6' }, 'NOT_A_BOX', 'three edges'],
  ];
  test.each(refusals)('with %s is refused', (_, input, reason, message) => {
    const error = planError(evolve, input);
    expect(error.details.map(({ code }) => code)).toEqual([reason]);
    expect(error.message).toContain(message);
  });

  test('of any bytes is planned or refused by name, and never anything else', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'Ar',
        '1',
        '0.5',
        '-3',
        '1e3',
        '1e-400',
        'NaN',
        'Infinity',
        '',
        'Lattice="5 0 0 0 5 0 0 0 5"',
        '0x1',
        '٣',
      ),
      fc.string({ maxLength: 6 }),
    );
    const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    const text = fc.oneof(
      fc.array(line, { maxLength: 8 }).map((lines) => lines.join('\n')),
      fc.tuple(fc.nat(xyz(...WATER_LIKE).length), fc.string({ maxLength: 3 })).map(([at, other]) => {
        const whole = xyz(...WATER_LIKE);
        return whole.slice(0, at) + other + whole.slice(at + other.length);
      }),
    );
    let planned = 0;
    const holds = (positions: string, velocities: string, box: string) => {
      const parsed = evolve.inputs.safeParse({ positions, velocities, box, steps: 10 });
      if (!parsed.success) return;
      try {
        const { runs } = evolve.plan(parsed.data);
        for (const { inputs } of runs)
          for (const data of Object.values(inputs ?? {})) expect(data.every(Number.isFinite)).toBe(true);
        planned++;
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        expect(['VALIDATION_FAILED', 'UNSTABLE_SCHEME']).toContain(error.code);
        expect(error.details.length).toBe(1);
      }
    };
    fc.assert(fc.property(text, fc.oneof(fc.constant(''), text), fc.oneof(fc.constant(''), line), holds), {
      numRuns: 3000,
      seed: 5,
    });
    expect(planned).toBeGreaterThan(50);
  });
});

describe('arrays', () => {
  test.each([
    [
      'a missing component',
      {
        positions: [
          [0, 0, 0],
          [1, 1],
        ],
      },
    ],
    [
      'not a number',
      {
        positions: [
          [0, 0, 0],
          [1, 1, Number.NaN],
        ],
      },
    ],
    [
      'too large a number',
      {
        positions: [
          [0, 0, 0],
          [1, 1, 1e7],
        ],
      },
    ],
    ['too many atoms', { positions: Array.from({ length: 2001 }, (_, i) => [i, 0, 0]) }],
    ['a flat box', { positions: THREE, box: [5, 5, 0] }],
  ])('with %s are refused', (_, input) => {
    expect(evolve.inputs.safeParse(input).success).toBe(false);
  });
});

describe('free space', () => {
  test('has no images: a fast atom flies on, and the energy is that of the pair alone', async () => {
    const positions = [
      [0, 0, 0],
      [1.5, 0, 0],
    ];
    const velocities = [
      [0, 0, 0],
      [12, 0, 0],
    ];
    const solution = await runSolver(evolve, { positions, velocities, steps: 4000, dtSim: 0.0015 });
    expect(quantityOf(solution, 'separation')).toBeGreaterThan(70);
    expect(quantityOf(solution, 'shortest_edge')).toBeGreaterThan(2 * 70);
    expect(solution.converged).toBe(true);
    expect(quantityOf(solution, 'momentum')).toBeCloseTo(12, 10);
  });
});
