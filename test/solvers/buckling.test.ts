import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { inputs } from '../../src/solvers/buckling/inputs.ts';
import { buckling } from '../../src/solvers/buckling/solver.ts';
import type { Solution } from '../../src/solvers/definition.ts';
import { describeSolver } from '../suites/describe-solver.ts';
import { runSolver } from '../suites/run-solver.ts';

type Input = z.input<typeof inputs>;

const UNIT: Input = { EI: '1', length: 1 };
const ENDS = {
  pinned: { bottom: 'pinned', top: 'pinned' },
  flag: { bottom: 'fixed', top: 'free' },
  fixed: { bottom: 'fixed', top: 'fixed' },
  propped: { bottom: 'fixed', top: 'pinned' },
} as const;
const PORTAL = { nodes: '0 0 pinned; 0 4; 6 4; 6 0 pinned', members: '1 2; 2 3; 3 4', loads: '2 0 -1; 3 0 -1' };

describeSolver(buckling, {
  cases: {
    defaults: {},
    'under its own weight': { preset: 'mast' },
    'a taper': { preset: 'pole' },
    'a step': { preset: 'crane' },
    'a brace': { preset: 'braced' },
    'in soil': { preset: 'pile' },
    'a portal': { preset: 'portal' },
    'two storeys': { preset: 'storeys', elements: 12 },
  },
  conservation: true,
  golden: ['defaults', 'under its own weight', 'a taper', 'a step', 'a brace', 'in soil', 'a portal', 'two storeys'],
  convergence: [
    { name: 'of a pinned column', order: 'space', levels: 4, at: (level) => ({ elements: 8 << level }) },
    {
      name: 'under its own weight',
      order: 'space',
      levels: 3,
      at: (level) => ({ preset: 'mast' as const, elements: 8 << level }),
    },
    {
      name: 'of a frame',
      order: 'space',
      levels: 3,
      at: (level) => ({ preset: 'portal' as const, elements: 4 << level }),
    },
  ],
  known: {
    // Timoshenko & Gere: π² EI/L² and so on, of a square steel bar of 20 mm, 2 m long.
    'between pins': { input: { ...ENDS.pinned }, value: [6908.72308, 2e-3], reference: [6908.72308, 1e-5] },
    'a flagpole': { input: { ...ENDS.flag }, reference: [1727.18077, 1e-5] },
    'fixed at both ends': { input: { ...ENDS.fixed }, reference: [27634.89232, 1e-5] },
    'fixed and pinned': { input: { ...ENDS.propped }, reference: [14133.50999, 1e-5] },
    'fixed and guided': { input: { bottom: 'fixed', top: 'guided' }, reference: [6908.72308, 1e-5] },
    'its own weight, by a zero of a Bessel function': {
      input: { ...UNIT, ...ENDS.flag, weight: '1', vary: 'weight', elements: 64 },
      value: [7.83734743894, 2e-7],
      reference: [7.83734743894, 1e-10],
    },
    // π² (m² + k L⁴/π⁴ m² EI), least for m = 3.
    'a foundation': {
      input: { ...UNIT, foundation: '5000', elements: 64 },
      reference: [Math.PI ** 2 * 9 + 5000 / (9 * Math.PI ** 2), 1e-8],
    },
    'Johnson, of a short bar': {
      // σ = 250 (1 − 250 / 4 σ_e), σ_e = π² E I / A L².
      input: { length: 0.4 },
      quantities: {
        bearable_load: [4e-4 * 250e6 * (1 - 250e6 / (4 * 431795192.5)), 0.05],
        slenderness: [69.2820323, 1e-4],
      },
    },
    'the transition': { input: {}, quantities: { transition_slenderness: [Math.PI * Math.sqrt(1680), 1e-9] } },
  },
  refused: [
    { input: { bottom: 'free', top: 'free' }, field: 'bottom', reason: 'MECHANISM' },
    { input: { bottom: 'pinned', top: 'free' }, field: 'bottom', reason: 'MECHANISM' },
    { input: { springs: '0.7 hinge' }, field: 'bottom', reason: 'MECHANISM' },
    { input: { springs: '3 k=1' }, field: 'springs', reason: 'OUTSIDE', saysLimit: false },
    { input: { springs: '1 z=1' }, field: 'springs', reason: 'MALFORMED' },
    { input: { springs: '1 k=-1' }, field: 'springs', reason: 'MALFORMED' },
    { input: { springs: '1 k=1; 1 k=2' }, field: 'springs', reason: 'REPEATED' },
    { input: { springs: '0 hinge' }, field: 'springs', reason: 'NOT_ALLOWED' },
    { input: { section: 'square 3' }, field: 'section', reason: 'MALFORMED' },
    { input: { section: 'tube 0.02 0.01' }, field: 'section', reason: 'MALFORMED' },
    { input: { EI: 'x-1' }, field: 'EI', reason: 'OUT_OF_RANGE' },
    { input: { EI: 'y' }, field: 'EI', message: 'symbol y' },
    { input: { EI: '1/x' }, field: 'EI', reason: 'OUT_OF_RANGE' },
    { input: { EI: '0 1; 1 2' }, field: 'EI', reason: 'NOT_COVERED' },
    { input: { EI: '0 1; 1.5 2; 1 2; 2 1' }, field: 'EI', reason: 'NOT_RISING' },
    { input: { EI: '0 1; 1 -2; 2 1' }, field: 'EI', reason: 'OUT_OF_RANGE' },
    { input: { EI: '0 1; 1 one; 2 1' }, field: 'EI', reason: 'MALFORMED' },
    { input: { foundation: '-1' }, field: 'foundation', reason: 'OUT_OF_RANGE' },
    { input: { vary: 'weight' }, field: 'weight', reason: 'MISSING' },
    { input: { loads: '1 -1; 0.5' }, field: 'loads', reason: 'MALFORMED' },
    { input: { loads: '2 -1' }, field: 'loads', reason: 'TENSION' },
    { input: { preset: 'crane', length: 3 }, field: 'EI', reason: 'MISSING' },
    { input: { members: '1 2' }, field: 'members', reason: 'MISSING' },
    { input: { nodes: '0 0 fixed; 1 0' }, field: 'members', reason: 'MISSING' },
    { input: { ...PORTAL, length: 3 }, field: 'length', reason: 'NOT_ALLOWED' },
    { input: { ...PORTAL, nodes: '0 0; 0 4; 6 4; 6 0' }, field: 'nodes', reason: 'DISCONNECTED' },
    { input: { ...PORTAL, nodes: '0 0 pinned; 0 4; 6 4; 0 4' }, field: 'nodes', reason: 'DUPLICATE_NODE' },
    { input: { ...PORTAL, members: '1 2; 2 2; 3 4' }, field: 'members', reason: 'NO_LENGTH' },
    { input: { ...PORTAL, members: '1 2; 2 3; 3 2' }, field: 'members', reason: 'DUPLICATE_MEMBER' },
    { input: { ...PORTAL, members: '1 2; 2 5' }, field: 'members', message: 'from 1 to 4' },
    { input: { ...PORTAL, members: '1 2; 3 4' }, field: 'nodes', reason: 'MECHANISM' },
    { input: { ...PORTAL, members: '1 2 hinge=end; 2 3; 3 4 hinge=start' }, field: 'nodes', reason: 'MECHANISM' },
    { input: { ...PORTAL, loads: '2 0 1; 3 0 1' }, field: 'loads', reason: 'TENSION' },
    { input: { ...PORTAL, loads: '9 0 1' }, field: 'loads', message: 'from 1 to 4' },
    { input: { ...PORTAL, loads: 'held 2 0 -1' }, field: 'loads', reason: 'MISSING' },
    { input: { nodes: '0 0 pinned', members: '1 1', loads: '' }, field: 'nodes', reason: 'TOO_FEW' },
    { input: { ...ENDS.fixed, elements: 1 }, field: 'elements' },
    { input: { EI: '2+sin(1e4*x)' }, field: 'EI', reason: 'UNRESOLVED' },
  ],
  illegalParameters: [{ modes: 25 }, { profile: 1 }, { tolerance: 1 }],
});

const numbers = ({ series }: Solution, name: string) => [...(series.find((one) => one.name === name)?.data ?? [])];

describe('digits of the elements that others computed', () => {
  // An independent assembly of the same elements with scipy.linalg.eigh.
  test.each<[keyof typeof ENDS, readonly number[], readonly number[]]>([
    ['pinned', [1, 2, 4, 8, 16], [12, 9.943846796, 9.874659026, 9.869927789, 9.869624735]],
    ['flag', [1, 2, 4, 8, 16], [2.485961699, 2.468664756, 2.467481947, 2.467406184, 2.467401418]],
    ['fixed', [2, 4, 8, 16], [40, 39.775387186, 39.498636103, 39.479711158]],
    ['propped', [1, 2, 4, 8, 16], [30, 20.708800621, 20.232212655, 20.19346773, 20.190902175]],
  ])('%s', async (ends, meshes, expected) => {
    for (const [i, elements] of meshes.entries()) {
      const { value } = await runSolver(buckling, { ...UNIT, ...ENDS[ends], elements });
      expect(Math.abs(value - (expected[i] ?? 0))).toBeLessThan(1e-8);
    }
  });

  test('rounding of 128 elements is below that of a dense solver', async () => {
    const { value } = await runSolver(buckling, { ...UNIT, elements: 128 });
    // h⁴ π⁶/720 = 4.97e-9 above π².
    expect(Math.abs(value - Math.PI ** 2 - 4.974e-9)).toBeLessThan(3e-11);
  });
});

describe('several loads', () => {
  test('of a column between pins are π² m², from above', async () => {
    const found = numbers(await runSolver(buckling, { ...UNIT, modes: 8, elements: 64 }), 'critical_load');
    expect(found).toHaveLength(8);
    for (const [i, load] of found.entries()) {
      const exact = (Math.PI * (i + 1)) ** 2;
      expect(load).toBeGreaterThan(exact * (1 - 1e-12));
      expect(load / exact - 1).toBeLessThan(1e-4);
    }
  });

  test('equal ones are found: two columns side by side, hinged to a beam, and a brace at a crossing of loads', async () => {
    const pair = await runSolver(buckling, {
      nodes: '0 0 fixed; 0 3 ux; 5 0 fixed; 5 3 ux',
      members: '1 2; 3 4',
      loads: '2 0 -1; 4 0 -1',
      modes: 4,
    });
    const [a = 0, b = 0, c = 0, d = 0] = numbers(pair, 'critical_load');
    expect(Math.abs(a - b) / a).toBeLessThan(1e-10);
    expect(Math.abs(c - d) / c).toBeLessThan(1e-10);
    expect(c).toBeGreaterThan(1.5 * a);
    // With k = m² (m + 1)² π⁴ the m-th and the next load of a column on a foundation are equal.
    const crossing = await runSolver(buckling, { ...UNIT, foundation: `${4 * Math.PI ** 4}`, elements: 64, modes: 3 });
    const [first = 0, second = 0] = numbers(crossing, 'critical_load');
    const exact = 5 * Math.PI ** 2;
    for (const load of [first, second])
      expect(Math.abs(load - exact)).toBeLessThanOrEqual(numbers(crossing, 'critical_load_uncertainty')[0] ?? 0);
    expect(crossing.converged).toBe(true);
  });

  test('five equal columns, more than a block holds', async () => {
    const bays = [0, 1, 2, 3, 4];
    const found = await runSolver(buckling, {
      nodes: bays.map((x) => `${x} 0 fixed; ${x} 3 ux`).join('; '),
      members: bays.map((x) => `${2 * x + 1} ${2 * x + 2}`).join('; '),
      loads: bays.map((x) => `${2 * x + 2} 0 -1`).join('; '),
      modes: 5,
    });
    const loads = numbers(found, 'critical_load');
    expect(loads).toHaveLength(5);
    for (const load of loads) expect(Math.abs(load / found.value - 1)).toBeLessThan(1e-9);
  });
});

describe('loads that are held', () => {
  test('a held weight takes from the load: none is left at its own critical value', async () => {
    const q = (share: number) => `${7.83734743894 * share}`;
    const half = await runSolver(buckling, { ...UNIT, ...ENDS.flag, weight: q(0.5) });
    expect(half.value).toBeGreaterThan(0);
    expect(half.value).toBeLessThan(Math.PI ** 2 / 4);
    await expect(runSolver(buckling, { ...UNIT, ...ENDS.flag, weight: q(1.01) })).rejects.toMatchObject({
      details: [{ path: 'weight', code: 'BUCKLED' }],
    });
  });

  test('a held tension stiffens: with T = π² the load between pins is 2 π²', async () => {
    const { witness } = await runSolver(buckling, { ...UNIT, loads: `held 1 ${-(Math.PI ** 2)}` });
    expect(Math.abs(witness.reference / (2 * Math.PI ** 2) - 1)).toBeLessThan(1e-10);
  });
});

describe('frames', () => {
  test('a column as a frame is the column', async () => {
    const [frame, column] = await Promise.all([
      runSolver(buckling, { nodes: '0 0 fixed; 3 4 ', members: '1 2 EI=1 EA=1e5', loads: '2 -3 -4', elements: 16 }),
      runSolver(buckling, { EI: '1', length: 5, ...ENDS.flag, elements: 16 }),
    ]);
    expect(Math.abs(frame.value / column.value - 1)).toBeLessThan(1e-9);
    expect(Math.abs(frame.witness.reference / column.witness.reference - 1)).toBeLessThan(1e-9);
  });

  test('a sway portal on pins obeys u tan u = 6 (I_b/L_b) / (I_c/h), and a held one does not sway', async () => {
    const stiff = { ...PORTAL, members: '1 2 EI=1 EA=1e8; 2 3 EI=1.5 EA=1e8; 3 4 EI=1 EA=1e8', elements: 16 };
    const { witness } = await runSolver(buckling, stiff);
    const u = 4 * Math.sqrt(witness.reference);
    expect(Math.abs(u * Math.tan(u) - 6 * (1.5 / 6) * 4)).toBeLessThan(1e-5);
    const braced = await runSolver(buckling, { ...stiff, nodes: '0 0 pinned; 0 4 ux; 6 4; 6 0 pinned' });
    expect(braced.value).toBeGreaterThan(Math.PI ** 2 / 16);
    expect(braced.value).toBeLessThan((4.493409457909064 / 4) ** 2);
  });
});
