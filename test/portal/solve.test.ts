import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeSolvers } from '../../scripts/portal/describe-solvers.ts';
import { asBound, unitOf } from '../../src/portal/kit/format.ts';
import { addressOf, draftFrom } from '../../src/portal/solve/address.ts';
import { tablesOf, toCsv } from '../../src/portal/solve/export.ts';
import { type Draft, guidanceOf, readDraft, standardDraft } from '../../src/portal/solve/fields.ts';
import { asCurl, asMcpCall, asTypeScript } from '../../src/portal/solve/snippets.ts';
import { findSolver, SOLVERS } from '../../src/solvers/index.ts';
import { runSolver } from '../suites/run-solver.ts';

const described = describeSolvers();
const find = (id: string) => {
  const solver = described.find((one) => one.id === id);
  if (!solver) throw new Error(`There is no solver ${id}.`);
  return solver;
};
const [heat, schrodinger] = [find('heat'), find('schrodinger')];

describe('the form of a solver', () => {
  test('every field of every solver is described, with its kind, help and unit', () => {
    expect(described.map(({ id }) => id)).toEqual(SOLVERS.map(({ id }) => id));
    for (const { id, fields } of described) {
      const solver = findSolver(id);
      const own = fields.filter(({ name }) => name !== 'operators');
      expect(own.map(({ name }) => name)).toEqual(Object.keys(solver?.inputs.shape ?? {}));
      expect(fields.length - own.length).toBe(solver?.open ? 1 : 0);
      expect(fields.filter(({ help, unit }) => help === '' || unit === '')).toEqual([]);
    }
  });

  test('what stands in it at first is what the solver takes by default', () => {
    for (const solver of described) {
      expect(readDraft(solver, standardDraft(solver))).toEqual({ input: {}, faults: {} });
    }
  });

  test('a decimal comma and a typographic minus are understood', () => {
    const draft = { ...standardDraft(schrodinger), xmin: '−2,5', richardson: false };
    expect(readDraft(schrodinger, draft)).toEqual({ input: { xmin: -2.5, richardson: false }, faults: {} });
  });

  test('beside operators the equations are those on screen, and none where the field is empty', () => {
    const unified = find('unified');
    const { equations = '' } = standardDraft(unified);
    const read = (draft: Draft) => readDraft(unified, { ...standardDraft(unified), ...draft });
    expect(read({ operators: 'QM5, FL1;' })).toEqual({ input: { operators: ['QM5', 'FL1'], equations }, faults: {} });
    expect(read({ operators: 'QM5', equations: '' }).input).toEqual({ operators: ['QM5'] });
    expect(read({ operators: ' , ' })).toEqual({ input: {}, faults: {} });
  });

  test.each([
    ['nx', '7', 'nx is 7; a whole number from 8 to 128 is expected.'],
    ['nx', '8.5', 'nx is 8.5; a whole number from 8 to 128 is expected.'],
    ['alpha', 'warm', 'alpha is "warm"; a number from 1e-12 to 1000000 is expected.'],
    ['alpha', 'Infinity', 'alpha is Infinity; a number from 1e-12 to 1000000 is expected.'],
    ['mode', 'cosine', 'mode is "cosine"; choose from the list.'],
  ])('%s = %s is refused as the solver would', (name, text, words) => {
    const { input, faults } = readDraft(heat, { ...standardDraft(heat), [name]: text });
    expect(faults[name]).toBe(words);
    expect(input).toEqual({});
  });

  test('a field of other potentials plays no part, and help speaks of the chosen one only', () => {
    const field = (name: string) => schrodinger.fields.find((one) => one.name === name) ?? schrodinger.fields[0];
    const guidance = (name: string, potential: string) => {
      const one = field(name);
      if (!one) throw new Error(`There is no field ${name}.`);
      return guidanceOf(one, schrodinger, { ...standardDraft(schrodinger), potential });
    };
    expect(guidance('V0', 'finite_well')).toEqual({ text: 'Depth.', isUsed: true });
    expect(guidance('V0', 'double_well')).toEqual({ text: 'Height of the barrier.', isUsed: true });
    expect(guidance('V0', 'hydrogen').isUsed).toBe(false);
    expect(guidance('mass', 'hydrogen').isUsed).toBe(true);
  });
});

describe('the address of an experiment', () => {
  const drafts = fc.record(
    Object.fromEntries(
      schrodinger.fields.map(({ name, kind }) => [
        name,
        kind === 'switch' ? fc.boolean() : fc.string({ unit: 'binary' }),
      ]),
    ),
  ) as fc.Arbitrary<Draft>;

  test('holds every field, whatever stands in it', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const address = new URL(addressOf(schrodinger, draft), 'http://node.invalid');
        expect(draftFrom(schrodinger, address.search)).toEqual(draft);
      }),
      { numRuns: 50 },
    );
  });

  test('names only what differs from the defaults, and ignores what the solver does not know', () => {
    expect(addressOf(heat, standardDraft(heat))).toBe('/solve/heat');
    expect(addressOf(heat, { ...standardDraft(heat), nx: '32' })).toBe('/solve/heat?nx=32');
    expect(draftFrom(heat, '?nx=32&colour=red')).toEqual({ ...standardDraft(heat), nx: '32' });
  });
});

describe('what is taken along', () => {
  test('a quote in an expression does not end the shell’s text', () => {
    expect(asCurl('http://node.invalid', 'schrodinger', { expression: "x'" })).toContain(`"x'\\''"`);
  });

  test('operators become laws in TypeScript', () => {
    const text = asTypeScript('unified', { equations: 'nu = E/h', operators: ['QM5'] });
    expect(text).toContain(`const laws = ["QM5"].map((id) => definitionOf(findOperator(id)));`);
    expect(text).toContain(`unified.solve({\n  "equations": "nu = E/h"\n}, { laws });`);
  });

  test('the MCP call names the tool of the solver', () => {
    expect(JSON.parse(asMcpCall('heat', { nx: 32 })).params).toEqual({ name: 'svc_heat', arguments: { nx: 32 } });
  });

  test('a table read back has the same bits', async () => {
    const solver = findSolver('schrodinger');
    if (!solver) throw new Error('There is no solver schrodinger.');
    const solution = await runSolver(solver, { N: 60, states: 2 });
    const tables = tablesOf(solution);
    expect(tables.map(({ name }) => name)).toEqual(['series', 'V-psi']);
    for (const table of tables) {
      const [head = '', ...rows] = toCsv(table).trimEnd().split('\r\n');
      expect(head.split(',')).toEqual(table.columns.map((column) => column.head));
      const cells = rows.map((row) => row.split(',').map(Number));
      const columns = table.columns.map((_, index) => cells.map((row) => row[index]));
      expect(columns).toEqual(table.columns.map(({ data }) => [...(data as Float64Array)]));
    }
  });

  test('units and bounds are written as people write them', () => {
    expect(unitOf('epsilon/sigma^3')).toBe('ε/σ³');
    expect(unitOf('length^-0.5')).toBe('length⁻⁰·⁵');
    expect([1e-12, 1e6, 128, -1e6, 0].map(asBound)).toEqual(['10⁻¹²', '10⁶', '128', '−10⁶', '0']);
  });
});
