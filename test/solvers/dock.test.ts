import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../src/solvers/dock/bodies.ts';
import { dock } from '../../src/solvers/dock/solver.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';
import { numbersOf } from '../suites/solution-parts.ts';
import { BENZENE_WATER } from './dock-files.ts';
import { expectReached } from './dock-seeds.ts';

const FEW = { exhaustiveness: 4 } as const;

describeSolver(dock, {
  cases: {
    'two tetrahedra': {},
    'an atom on a triangle': { receptor: 'triangle', ligand: 'atom', ...FEW },
    'two atoms': { receptor: 'atom', ligand: 'atom', ...FEW },
    'a dimer on an octahedron': { receptor: 'octahedron', ligand: 'dimer', ...FEW },
    'a triangle on an icosahedron': { receptor: 'ico13', ligand: 'triangle' },
    'water at benzene': { ...BENZENE_WATER, exhaustiveness: 4, hops: 60 },
    'water at benzene in a box': {
      ...{ ...BENZENE_WATER, exhaustiveness: 4, hops: 60 },
      ...{ center_x: 0, center_y: 0, center_z: 3, size_x: 8, size_y: 8, size_z: 6 },
    },
    'the score of a pose': { ...BENZENE_WATER, mode: 'score' },
  },
  conservation: true,
  golden: [
    'two tetrahedra',
    'an atom on a triangle',
    'a triangle on an icosahedron',
    'water at benzene',
    'the score of a pose',
  ],
  known: {
    // 1000 starts of L-BFGS by two other programs; all digits that they share.
    'an atom on a tetrahedron': { input: { ligand: 'atom' }, value: [-3.103154265293919, 1e-12] },
    'a dimer on a tetrahedron': { input: { ligand: 'dimer' }, value: [-5.298786932506, 1e-11] },
    'two tetrahedra': { input: {}, value: [-7.164061500421, 1e-11] },
    'a dimer on an octahedron': { input: { receptor: 'octahedron', ligand: 'dimer' }, value: [-5.655837109483, 1e-11] },
    'a triangle on an icosahedron': {
      input: { receptor: 'ico13', ligand: 'triangle' },
      value: [-8.679109286628, 1e-11],
    },
    // Three pairs at their minimum.
    'an atom on a triangle': { input: { receptor: 'triangle', ligand: 'atom' }, value: [-3, 1e-12] },
    // Wales & Doye 1997: LJ4, LJ7 and LJ13.
    'clusters of 4 and 7 atoms': {
      input: { receptor: 'tetrahedron', ligand: 'lj7', ...FEW },
      quantities: { receptor_energy: [-6, 1e-12], ligand_energy: [-16.505384, 5e-7] },
    },
    'a cluster of 13 atoms': {
      input: { receptor: 'lj13', ligand: 'atom' },
      quantities: { receptor_energy: [-44.326801, 5e-7] },
    },
  },
  random: {
    of: fc.record({
      receptor: fc.constantFrom('atom', 'dimer', 'triangle', 'square', 'tetrahedron', 'octahedron', 'lj7'),
      ligand: fc.constantFrom('atom', 'dimer', 'triangle', 'square', 'tetrahedron', 'octahedron', 'lj7'),
      exhaustiveness: fc.integer({ min: 1, max: 4 }),
      T: fc.double({ min: 200, max: 500, noNaN: true }),
      epsilon: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      num_modes: fc.integer({ min: 1, max: 50 }),
      seed: fc.integer({ min: 0, max: 1e9 }),
    }) as fc.Arbitrary<object>,
    count: 30,
  },
  outOfRange: [
    { T: 0 },
    { T: -5 },
    { exhaustiveness: 0 },
    { receptor: 'cube' },
    { size_x: 0 },
    { scoring: 'ad4' },
    { epsilon: 0 },
  ],
  uncheckedParameters: [],
  illegalParameters: [
    { receptorAtoms: 0 },
    { isVina: 2 },
    { factor: 0 },
    { chains: 1.5 },
    { halfY: -1 },
    { search: -1 },
  ],
});

describe('solver dock', () => {
  test('at least 9 of 10 seeds reach the tabulated minimum of each pair within 1e-4', () => expectReached(20, 0.9));

  test('the second minimum of two tetrahedra is the second row of the table', async () => {
    const energies = numbersOf(await runSolver(dock, {}), 'pose_energy');
    expect(energies[0]).toBeCloseTo(-7.164061500421, 10);
    expect(energies[1]).toBeCloseTo(-6.768026, 6);
  });

  test('an atom completes the cluster of 13 atoms, as a file without a vertex is docked', async () => {
    const [centre, ...rest] = bodyOf('lj13');
    if (!centre) throw new Error('The body is empty.');
    const open = [centre, ...rest.slice(1)];
    const text = [
      `${open.length}`,
      'icosahedron without a vertex',
      ...open.map((place) => `Ar ${place.join(' ')}`),
    ].join('\n');
    const solution = await runSolver(dock, { receptor_file: text, ligand: 'atom' });
    const inside = solution.quantities.find(({ name }) => name === 'receptor_energy')?.value ?? 0;
    expect(Math.abs(solution.value + inside - -44.326801)).toBeLessThan(5e-7);
    expect(solution.converged).toBe(true);
  });

  test('the energy does not change with the place and the turn of the files', async () => {
    const [c, s] = [0.28, 0.96];
    const file = (turn: boolean, shift: number) => {
      const places = bodyOf('octahedron').map(([x, y, z]) =>
        turn ? [c * x - s * y + shift, s * x + c * y - shift, z + 7] : [x, y, z],
      );
      return ['6', '', ...places.map((place) => `Ar ${place.join(' ')}`)].join('\n');
    };
    const here = await runSolver(dock, { receptor_file: file(false, 0), ligand: 'dimer' });
    const there = await runSolver(dock, { receptor_file: file(true, 3.5), ligand: 'dimer' });
    expect(Math.abs(there.value / here.value - 1)).toBeLessThan(1e-12);
  });

  test('a search that is too short says so, with both numbers', async () => {
    const input = { exhaustiveness: 1, hops: 0 } as const;
    const short = await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => runSolver(dock, { ...input, seed })));
    const failed = short.filter(({ converged }) => !converged);
    expect(failed.length).toBeGreaterThan(0);
    for (const { notes, uncertainty, value, witness } of failed) {
      expect(notes.join()).toContain('second search');
      expect(uncertainty).toBeGreaterThanOrEqual(Math.abs(value - witness.reference));
    }
  });
});
