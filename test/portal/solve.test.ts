import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeSolvers } from '../../scripts/portal/describe-solvers.ts';
import { asBound, capitalised, unitOf } from '../../src/portal/kit/format.ts';
import { addressOf, draftFrom } from '../../src/portal/solve/address.ts';
import { tablesOf, toCsv } from '../../src/portal/solve/export.ts';
import { type Draft, guidanceOf, readDraft, standardDraft, standardOf } from '../../src/portal/solve/fields.ts';
import { asCurl, asMcpCall, asTypeScript } from '../../src/portal/solve/snippets.ts';
import { findSolver, SOLVERS } from '../../src/solvers/index.ts';
import { runSolver } from '../suites/run-solver.ts';

const described = describeSolvers();
const find = (id: string) => {
  const solver = described.find((one) => one.id === id);
  if (!solver) throw new Error(`There is no solver ${id}.`);
  return solver;
};
const [heat, schrodinger, unified] = [find('heat'), find('schrodinger'), find('unified')];
const fieldOf = ({ fields }: typeof heat, name: string) => {
  const field = fields.find((one) => one.name === name);
  if (!field) throw new Error(`There is no field ${name}.`);
  return field;
};

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

  test.each([
    ['?steps=20%2C000', { steps: 'steps is "20,000"; a whole number from 10 to 200000 is expected, without commas.' }],
    ['?dtSim=1%2C000', { dtSim: 'dtSim is "1,000", which may be 1 or 1000; write 1.0 or 1000.' }],
  ])('a comma that may stand between thousands is refused, in an address too: %s', (search, faults) => {
    const evolve = find('evolve');
    expect(readDraft(evolve, draftFrom(evolve, search))).toEqual({ input: {}, faults });
    const [name = '', text] = [...new URLSearchParams(search)][0] ?? [];
    expect(draftFrom(evolve, search)[name]).toBe(text);
  });

  test('code at the head of a description keeps its letters, a word gets a capital', () => {
    const textOf = (name: string) => guidanceOf(fieldOf(unified, name), unified, standardDraft(unified)).text;
    expect(textOf('events')).toBe(
      'y = 0 down -> stop; x = 1 up -> v = -0.8*v; x > 2 is counted. Those at one time happen in the order written.',
    );
    expect(textOf('mode')).toMatch(/^auto takes what/);
    const codes = ["x' = v", 'x(0) = 1', 'sin(x)', 't_end', 'rk4', 'k', 'omega=2', 'x is a symbol'];
    expect(codes.map(capitalised)).toEqual(codes);
    const words = ['depth', 'whole, from 1', 'half-width', 'x-axis', 'machine’s name', "machine's name", 'time (in s)'];
    expect(words.map(capitalised)).toEqual([
      'Depth',
      'Whole, from 1',
      'Half-width',
      'X-axis',
      'Machine’s name',
      "Machine's name",
      'Time (in s)',
    ]);
  });

  test('only of an empty number is it said what the solver does with it', () => {
    for (const name of ['vars', 'initial', 'units', 'events', 'invariants', 'outputs'])
      expect([name, standardOf(fieldOf(unified, name))]).toEqual([name, '']);
    expect(standardOf(fieldOf(unified, 't_end'))).toBe('Chosen for you when empty.');
    expect(standardOf(fieldOf(unified, 'points'))).toBe('Default 201.');
  });

  test('a field of other potentials plays no part, and help speaks of the chosen one only', () => {
    const guidance = (name: string, potential: string) =>
      guidanceOf(fieldOf(schrodinger, name), schrodinger, { ...standardDraft(schrodinger), potential });
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
