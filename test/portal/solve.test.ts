import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { describeSolver } from '../../scripts/portal/describe-solver.ts';
import { capitalise, formatBound, formatUnit } from '../../src/portal/kit/format.ts';
import { readingChoices } from '../../src/portal/kit/unit-choices.ts';
import { changedCount, fieldGroups, type GuidedField } from '../../src/portal/solve/field-groups.ts';
import { fieldHelp, holds } from '../../src/portal/solve/field-help.ts';
import { type Draft, defaultDraft, defaultText, isChanged, parseDraft } from '../../src/portal/solve/fields.ts';
import { loadUnits, readingText } from '../../src/portal/solve/reading.ts';
import { nextNumber, numberAt, positionOf, sliderRange } from '../../src/portal/solve/slider.ts';
import { toCurl, toMcpCall, toTypeScript } from '../../src/portal/solve/snippets.ts';
import { toggleOptions } from '../../src/portal/solve/toggle.ts';
import { draftFromSearch, urlOf } from '../../src/portal/solve/url.ts';
import { tablesOf, toCsv } from '../../src/protocol/solution-tables.ts';
import { findSolver, SOLVERS } from '../../src/solvers/index.ts';
import type { Condition } from '../../src/solvers/solver-form.ts';
import { runSolver } from '../suites/run-solver.ts';

const descriptions = SOLVERS.map(describeSolver);
const find = (id: string) => {
  const solver = descriptions.find((description) => description.id === id);
  if (!solver) throw new Error(`Solver ${id} not found.`);
  return solver;
};
const [heat, schrodinger, unified, evolve] = [find('heat'), find('schrodinger'), find('unified'), find('evolve')];
const fieldOf = ({ fields }: typeof heat, name: string) => {
  const field = fields.find((candidate) => candidate.name === name);
  if (!field) throw new Error(`Field ${name} not found.`);
  return field;
};

/** Fields that people give: others are bound by the service. */
const listedIn = (shape: Readonly<Record<string, z.ZodType>>): string[] =>
  Object.entries(shape).flatMap(([name, field]) => (field.meta()?.unlisted === true ? [] : [name]));

describe('the form of a solver', () => {
  test('every field of every solver has a description with kind, help and unit', () => {
    expect(descriptions.map(({ id }) => id)).toEqual(SOLVERS.map(({ id }) => id));
    for (const { id, fields } of descriptions) {
      const solver = findSolver(id);
      const inputFields = fields.filter(({ name }) => name !== 'operators');
      expect(inputFields.map(({ name }) => name)).toEqual(listedIn(solver?.inputs.shape ?? {}));
      expect(fields.length - inputFields.length).toBe(solver?.open ? 1 : 0);
      expect(fields.filter(({ help, unit }) => help === '' || unit === '')).toEqual([]);
    }
  });

  test('the default draft parses to an empty input', () => {
    for (const solver of descriptions) {
      expect(parseDraft(solver, defaultDraft(solver))).toEqual({ input: {}, faults: {} });
    }
  });

  test('a decimal comma and a typographic minus are accepted', () => {
    const draft = { ...defaultDraft(schrodinger), xmin: '−2,5', richardson: false };
    expect(parseDraft(schrodinger, draft)).toEqual({ input: { xmin: -2.5, richardson: false }, faults: {} });
  });

  test('with operators the equations on screen are sent even if unchanged, and an empty field sends none', () => {
    const { equations = '' } = defaultDraft(unified);
    const read = (draft: Draft) => parseDraft(unified, { ...defaultDraft(unified), ...draft });
    expect(read({ operators: 'QM5, FL1;' })).toEqual({ input: { operators: ['QM5', 'FL1'], equations }, faults: {} });
    expect(read({ operators: 'QM5', equations: '' }).input).toEqual({ operators: ['QM5'] });
    expect(read({ operators: ' , ' })).toEqual({ input: {}, faults: {} });
  });

  test('arrays are numbers between commas, or JSON; a field that may be a text or an array takes both', () => {
    const layers = [{ to: 0.5, k: 1, c: 2 }];
    const draft = {
      ...defaultDraft(heat),
      probe_x: '0.25, 0.5; 7e-1',
      samples: '[0, 1]',
      layers: JSON.stringify(layers),
    };
    const input = { probe_x: [0.25, 0.5, 0.7], samples: [0, 1], layers };
    expect(parseDraft(heat, draft)).toEqual({ input, faults: {} });
    const pair = [0, 1.2].map((x) => [x, 0, 0]);
    const xyz = '2\n\nAr 0 0 0\nAr 1.2 0 0';
    const positionsOf = (positions: string) => parseDraft(evolve, { ...defaultDraft(evolve), positions }).input;
    expect(positionsOf(JSON.stringify(pair))).toEqual({ positions: pair });
    expect(positionsOf(xyz)).toEqual({ positions: xyz });
    const expected = 'numbers with commas between them, or a JSON array, are expected.';
    for (const probe_x of ['0.25, half', '[0.25', '0.5,']) {
      const { faults } = parseDraft(heat, { ...defaultDraft(heat), probe_x });
      expect(faults).toEqual({ probe_x: `probe_x is "${probe_x}"; ${expected}` });
    }
  });

  test.each([
    ['0,5; 0,7', 'a comma may be a decimal mark here'],
    ['0,5\n0,7', 'a comma may be a decimal mark here'],
    ['0,5 0,7', 'a comma may be a decimal mark here'],
    ['0,5\t0,7', 'a comma may be a decimal mark here'],
    ['1.234,5; 2.345,6', 'a comma may be a decimal mark here'],
    ['1 000', 'digits without groups are expected'],
    ['1\u202f000; 2\u202f500', 'digits without groups are expected'],
    ['1 500; 2 500', 'digits without groups are expected'],
    ["1'500, 2'500", 'digits without groups are expected'],
  ])('a pasted column %j is asked about, not guessed', (probe_x, words) => {
    const { input, faults } = parseDraft(heat, { ...defaultDraft(heat), probe_x });
    expect([input, faults.probe_x]).toEqual([{}, expect.stringContaining(words)]);
  });

  test.each([
    ['0.1,0.2', [0.1, 0.2]],
    ['0.1 0.2', [0.1, 0.2]],
    ['0.1;0.2', [0.1, 0.2]],
    ['1,\n2,\n3', [1, 2, 3]],
    ['100 200 300', [100, 200, 300]],
    ['0.1, 100 200', [0.1, 100, 200]],
    ['1, 100, 200', [1, 100, 200]],
    ['0.25\n-0.5', [0.25, -0.5]],
  ])('a list %j is read as it stands', (probe_x, values) => {
    expect(parseDraft(heat, { ...defaultDraft(heat), probe_x })).toEqual({ input: { probe_x: values }, faults: {} });
  });

  test.each([
    ['nx', '7', 'nx is 7; a whole number from 8 to 128 is expected.'],
    ['nx', '8.5', 'nx is 8.5; a whole number from 8 to 128 is expected.'],
    ['alpha', 'warm', 'alpha is "warm"; a number from 1e-12 to 1000000 is expected.'],
    ['alpha', 'Infinity', 'alpha is Infinity; a number from 1e-12 to 1000000 is expected.'],
    ['mode', 'cosine', 'mode is "cosine"; choose from the list.'],
  ])('%s = %s is rejected with the message of the solver', (name, text, words) => {
    const { input, faults } = parseDraft(heat, { ...defaultDraft(heat), [name]: text });
    expect(faults[name]).toBe(words);
    expect(input).toEqual({});
  });

  test.each([
    ['lx', '12 cm', 0.12],
    ['lx', '1,5km', 1500],
    ['lx', '2e3 mm', 2],
    ['lx', '0.5 m', 0.5],
    ['lx', '3 µm', 3e-6],
    ['alpha', '97.5 mm²/s', 9.75e-5],
    ['t_end', '2 h', 7200],
  ])('%s = %s is understood in the unit of the field', async (name, text, value) => {
    await loadUnits();
    expect(parseDraft(heat, { ...defaultDraft(heat), [name]: text })).toEqual({ input: { [name]: value }, faults: {} });
  });

  test('a reading is shown as it is sent, temperatures with their offset', async () => {
    await loadUnits();
    expect(readingText(fieldOf(heat, 'lx'), '12 cm')).toBe('= 0.12 m');
    expect(readingText(fieldOf(heat, 'lx'), '0.12')).toBeUndefined();
    expect(readingText(fieldOf(heat, 'lx'), '1e5')).toBeUndefined();
    expect(readingText(fieldOf(find('device'), 'T'), '20 °C')).toBe('= 293.15 K');
  });

  test.each([
    ['lx', '5 kg', 'lx is "5 kg"; a number in m is expected, and kg cannot be converted to that.'],
    ['kx', '5 m', 'kx is "5 m"; it has no unit, and m cannot be converted to that.'],
    ['lx', '1,000 cm', 'lx is "1,000", which may be 1 or 1000; write 1.0 or 1000.'],
    ['lx', '5000 km', 'lx is 5000000; a number from 0.000001 to 1000000 is expected.'],
  ])('%s = %s is refused with both units, or the number that it may be', async (name, text, fault) => {
    await loadUnits();
    expect(parseDraft(heat, { ...defaultDraft(heat), [name]: text }).faults[name]).toBe(fault);
  });

  test.each([
    ['?steps=20%2C000', { steps: 'steps is "20,000"; a whole number from 10 to 200000 is expected, without commas.' }],
    ['?dtSim=1%2C000', { dtSim: 'dtSim is "1,000", which may be 1 or 1000; write 1.0 or 1000.' }],
  ])('an ambiguous comma is rejected, also in a URL: %s', (search, faults) => {
    const evolve = find('evolve');
    expect(parseDraft(evolve, draftFromSearch(evolve, search))).toEqual({ input: {}, faults });
    const [name = '', text] = [...new URLSearchParams(search)][0] ?? [];
    expect(draftFromSearch(evolve, search)[name]).toBe(text);
  });

  test('a description is capitalised unless it starts with code', () => {
    const textOf = (name: string) => fieldHelp(fieldOf(unified, name), unified, defaultDraft(unified)).text;
    expect(textOf('events')).toBe(
      'y = 0 down -> stop; x = 1 up -> v = -0.8*v; x > 2 is counted. Simultaneous events happen in the given order.',
    );
    expect(textOf('mode')).toBe('Detected from the equations.');
    const codes = ["x' = v", 'x(0) = 1', 'sin(x)', 't_end', 'rk4', 'k', 'omega=2', 'x is a symbol'];
    expect(codes.map(capitalise)).toEqual(codes);
    const words = ['depth', 'whole, from 1', 'half-width', 'x-axis', 'machine’s name', "machine's name", 'time (in s)'];
    expect(words.map(capitalise)).toEqual([
      'Depth',
      'Whole, from 1',
      'Half-width',
      'X-axis',
      'Machine’s name',
      "Machine's name",
      'Time (in s)',
    ]);
  });

  test('numeric fields tell a default that they no longer show', () => {
    for (const name of ['vars', 'initial', 'units', 'events', 'invariants', 'outputs'])
      expect([name, defaultText(fieldOf(unified, name), 'x')]).toEqual([name, '']);
    expect(defaultText(fieldOf(unified, 't_end'), '3')).toBe('');
    expect(defaultText(fieldOf(unified, 'points'), '201')).toBe('');
    expect(defaultText(fieldOf(unified, 'points'), '77')).toBe('Default 201.');
  });

  test('a field is changed if it differs from its default, however that is written', () => {
    const changed = (name: string, value: string | boolean) => isChanged(fieldOf(unified, name), value);
    expect([changed('points', '201'), changed('points', '77'), changed('t_end', ''), changed('t_end', '3')]).toEqual([
      false,
      true,
      false,
      true,
    ]);
    const steady = fieldOf(heat, 'steady');
    expect([isChanged(steady, false), isChanged(steady, undefined), isChanged(steady, true)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test.each(SOLVERS.map(({ id, form, inputs }) => ({ id, form, inputs })))(
    'the form of $id has words of its own for every field, and something to change before its numerics',
    ({ form, inputs }) => {
      const names = Object.keys(inputs.shape);
      expect(Object.keys(form?.labels ?? {}).toSorted()).toEqual(names.toSorted());
      for (const label of Object.values(form?.labels ?? {})) expect(label).toMatch(/^\p{Lu}[^.;]{2,34}$/u);
      expect(new Set(Object.values(form?.labels ?? {})).size).toBe(names.length);
      expect(form?.numerics.length).toBeLessThan(names.length);
    },
  );

  test('a field of other potentials is unused, and help shows the chosen potential only', () => {
    const guidance = (name: string, potential: string) =>
      fieldHelp(fieldOf(schrodinger, name), schrodinger, { ...defaultDraft(schrodinger), potential });
    expect(guidance('V0', 'finite_well')).toEqual({ text: 'Depth.', isUsed: true });
    expect(guidance('V0', 'double_well')).toEqual({ text: 'Height of the barrier.', isUsed: true });
    expect(guidance('V0', 'hydrogen').isUsed).toBe(false);
    expect(guidance('mass', 'hydrogen').isUsed).toBe(true);
  });

  const unusedOf = (id: string, choices: Readonly<Record<string, string>>) => {
    const solver = find(id);
    const draft = { ...defaultDraft(solver), ...choices };
    return solver.fields.filter((field) => !fieldHelp(field, solver, draft).isUsed).map(({ name }) => name);
  };

  test('of device: a junction, a stack and a plane show their own fields, and the choices among these', () => {
    const [junction, mos, plane] = ['junction', 'mos', 'plane'].map((mode) => unusedOf('device', { mode }));
    const ofMos = ['body', 'tox', 'eps_ox', 'phi_m', 'Qf', 'cv_to'];
    expect(junction).toEqual(expect.arrayContaining([...ofMos, 'lx', 'left', 'permittivity', 'probe_x', 'width']));
    expect(junction).not.toContain('profile');
    expect(mos).toEqual(expect.arrayContaining(['profile', 'lp', 'lx', 'top', 'electrode', 'nx']));
    for (const name of [...ofMos, 'Na', 'Nd', 'ln', 'bias', 'T', 'cells']) expect(mos).not.toContain(name);
    expect(plane).toEqual(expect.arrayContaining([...ofMos, 'profile', 'Na', 'doping', 'bias', 'T', 'chi', 'cells']));
    for (const name of ['lx', 'left', 'permittivity', 'tolerance', 'nx', 'mode']) expect(plane).not.toContain(name);
    expect(unusedOf('device', { profile: 'linear' })).not.toContain('width');
  });

  test('of flow: each case shows its own fields', () => {
    const own = {
      cavity: [],
      'taylor-green': ['kx', 'ky', 'mean_u', 'mean_v'],
      plates: ['force'],
      channel: ['iters', 'length', 'obstacles', 'drawing'],
    };
    const all = Object.values(own).flat().toSorted();
    for (const [name, fields] of Object.entries(own))
      expect(unusedOf('flow', { case: name }).toSorted()).toEqual(all.filter((one) => !fields.includes(one as never)));
  });

  test('of fracture: plates and bars, equilibrium and motion show their own fields', () => {
    const plate = ['nx', 'ny', 'notchFrac', 'notch', 'notches', 'G0'];
    const motion = ['rho', 't_end', 'dt', 'ramp', 'stress', 'waves'];
    expect(unusedOf('fracture', {}).toSorted()).toEqual(['N', ...motion].toSorted());
    expect(unusedOf('fracture', { mode: 'bar' }).toSorted()).toEqual([...plate, ...motion].toSorted());
    expect(unusedOf('fracture', { load: 'stress' }).toSorted()).toEqual(
      ['N', 'loadSteps', 'relaxIters', 'sf', 'strain', 'waves'].toSorted(),
    );
    expect(unusedOf('fracture', { load: 'release' })).not.toContain('relaxIters');
  });

  test('a field that any choice uses is shown for the first of its choices that does', () => {
    for (const solver of descriptions) {
      const choices = solver.fields.filter(({ kind }) => kind === 'choice');
      for (const field of solver.fields.filter(({ usedWhen }) => usedWhen === undefined)) {
        const shown = choices.some((choice) =>
          (choice.choices ?? []).some(
            (word) => fieldHelp(field, solver, { ...defaultDraft(solver), [choice.name]: word }).isUsed,
          ),
        );
        expect([solver.id, field.name, choices.length === 0 || shown]).toEqual([solver.id, field.name, true]);
      }
    }
  });

  test('conditions name fields and values that there are, and each can hold', () => {
    let count = 0;
    for (const solver of descriptions)
      for (const { name, usedWhen = [] } of solver.fields)
        for (const condition of usedWhen) {
          count++;
          for (const [other, values = []] of Object.entries(condition)) {
            expect([solver.id, name, other === name]).toEqual([solver.id, name, false]);
            const { choices, kind, min = 0, max = 0, defaultValue } = fieldOf(solver, other);
            const list = values === 'given' ? [] : 'not' in values ? values.not : values;
            for (const value of list) {
              const isKnown =
                value === null
                  ? defaultValue === undefined
                  : kind === 'switch'
                    ? typeof value === 'boolean'
                    : (choices?.includes(String(value)) ?? (Number(value) >= min && Number(value) <= max));
              expect([solver.id, name, other, value, isKnown]).toEqual([solver.id, name, other, value, true]);
            }
          }
          expect([solver.id, name, holds(condition, draftWhere(solver, condition))]).toEqual([solver.id, name, true]);
        }
    expect(count).toBeGreaterThan(150);
  });

  test('of wave: a membrane, a string and Maxwell’s equations show their own fields', () => {
    const membrane = unusedOf('wave', {});
    for (const name of ['eps', 'mu', 'polarization', 'mode_k', 'x0', 'y0', 'width', 'frequency'])
      expect(membrane).toContain(name);
    const string = unusedOf('wave', { mode: 'wave1d' });
    expect(string).toEqual(expect.arrayContaining(['dim', 'ly', 'kx', 'ky', 'bottom', 'top', 'probe_y']));
    expect(string).not.toContain('mode_k');
    expect(unusedOf('wave', { dim: '1' })).toContain('ly');
    const source = unusedOf('wave', { source: 'ricker' });
    expect(source).toEqual(expect.arrayContaining(['kx', 'ky', 'waveform']));
    for (const name of ['x0', 'y0', 'width', 'frequency']) expect(source).not.toContain(name);
  });
});

/** A draft in which the condition holds. */
function draftWhere(solver: typeof heat, condition: Condition): Draft {
  const valueFor = (name: string, values: Condition[string]) => {
    if (values === 'given' || values === undefined) return '1';
    if (!('not' in values)) return values[0];
    const { choices = [], min = 0, max = 1 } = fieldOf(solver, name);
    return [...choices, String(max), String(min)].find((one) => !values.not.some((value) => String(value) === one));
  };
  const entries = Object.entries(condition).map(([name, values]) => {
    const value = valueFor(name, values);
    return [name, typeof value === 'boolean' ? value : String(value ?? '')];
  });
  return { ...defaultDraft(solver), ...Object.fromEntries(entries) };
}

describe('the parts of a form', () => {
  const names = (group: readonly GuidedField[]) => group.map(({ field }) => field.name);
  const groupsOf = (draft: Draft, opened = draft) => {
    const defaults = defaultDraft(heat);
    return fieldGroups(heat, { ...defaults, ...draft }, { ...defaults, ...opened });
  };

  test('a long form shows what has a default, and folds the rest of the physics', () => {
    const { main, optional, numerics, unused } = groupsOf({});
    // Those first that decide which fields there are.
    expect(names(main)).toEqual([
      'dim',
      'kx',
      'ky',
      'alpha',
      'mode',
      'boundary',
      'lx',
      'ly',
      't_end',
      'initial',
      'steady',
    ]);
    expect(names(optional)).toContain('source');
    expect(names(numerics)).toEqual(['method', 'nx', 'ny', 'dt', 'steps']);
    expect(names(unused)).toEqual(['samples']);
  });

  test('what the form was opened with stays in sight; what is typed stays where it is', () => {
    const filled = { source: 'x' };
    expect(names(groupsOf(filled).main)).toContain('source');
    const typed = groupsOf(filled, {});
    expect(names(typed.main)).not.toContain('source');
    expect(changedCount(typed.optional, { ...defaultDraft(heat), ...filled })).toBe(1);
  });

  test('a field that a choice brings into use is shown', () => {
    const wave = find('wave');
    const draft = { ...defaultDraft(wave), source: 'sine' };
    expect(names(fieldGroups(wave, draft, defaultDraft(wave)).main)).toContain('frequency');
  });

  test('short forms fold nothing but numerics and what is unused', () => {
    for (const solver of descriptions) {
      const { main, optional } = fieldGroups(solver, defaultDraft(solver), defaultDraft(solver));
      expect([solver.id, main.length + optional.length > 10 || optional.length === 0]).toEqual([solver.id, true]);
      expect([solver.id, main.length > 0]).toEqual([solver.id, true]);
    }
  });

  test('sliders span close bounds, or a decade to both sides, in three digits', () => {
    const rangeOf = (solver: typeof heat, name: string, value: number, opened = value) =>
      sliderRange(fieldOf(solver, name), value, opened);
    expect(rangeOf(heat, 'kx', 1)).toEqual({ from: 1, to: 64, isLog: false, isWhole: true });
    expect(rangeOf(heat, 'lx', 2)).toEqual({ from: 0.2, to: 20, isLog: true, isWhole: false });
    // The range stays while the slider moves, and follows a number that was typed outside of it.
    expect(rangeOf(heat, 'lx', 15, 2)).toEqual({ from: 0.2, to: 20, isLog: true, isWhole: false });
    expect(rangeOf(heat, 'lx', 1e3, 2)).toEqual({ from: 100, to: 1e4, isLog: true, isWhole: false });
    expect(rangeOf(find('climate'), 'f', 0)).toEqual({ from: -10, to: 10, isLog: false, isWhole: false });
    expect(rangeOf(find('climate'), 'amplitude', -1)).toBeUndefined();
    expect(rangeOf(heat, 'mode', 1)).toBeUndefined();
    const whole = { from: 1, to: 64, isLog: false, isWhole: true } as const;
    expect([nextNumber(whole, 1, 0.005), nextNumber(whole, 64, 0.99), nextNumber(whole, 1, 0.5)]).toEqual([2, 63, 33]);
    const range = { from: 0.2, to: 20, isLog: true, isWhole: false } as const;
    expect([0, 0.123, 0.5, 1].map((position) => numberAt(range, position))).toEqual([0.2, 0.352, 2, 20]);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (position) => {
        expect(positionOf(range, numberAt(range, position))).toBeCloseTo(position, 2);
      }),
    );
  });

  test('few short words are a toggle, also whole numbers; more are a list', () => {
    const wordsOf = (solver: typeof heat, name: string) =>
      toggleOptions(fieldOf(solver, name))?.map(({ word }) => word);
    expect(wordsOf(heat, 'dim')).toEqual(['1', '2']);
    expect(wordsOf(heat, 'mode')).toEqual(['sine', 'step', 'gaussian']);
    expect(wordsOf(find('wave'), 'dim')).toEqual(['automatic', '1', '2']);
    expect(wordsOf(find('wave'), 'left')).toBeUndefined();
    expect(wordsOf(heat, 'kx')).toBeUndefined();
    expect(wordsOf(heat, 'alpha')).toBeUndefined();
  });
});

describe('the URL of an experiment', () => {
  const drafts = fc.record(
    Object.fromEntries(
      schrodinger.fields.map(({ name, kind }) => [
        name,
        kind === 'switch' ? fc.boolean() : fc.string({ unit: 'binary' }),
      ]),
    ),
  ) as fc.Arbitrary<Draft>;

  test('preserves every field with any content', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const url = new URL(urlOf(schrodinger, draft), 'http://node.invalid');
        expect(draftFromSearch(schrodinger, url.search)).toEqual(draft);
      }),
      { numRuns: 50 },
    );
  });

  test('contains only fields that differ from the defaults, and ignores unknown fields', () => {
    expect(urlOf(heat, defaultDraft(heat))).toBe('/solve/heat');
    expect(urlOf(heat, { ...defaultDraft(heat), nx: '32' })).toBe('/solve/heat?nx=32');
    expect(draftFromSearch(heat, '?nx=32&colour=red')).toEqual({ ...defaultDraft(heat), nx: '32' });
  });
});

describe('snippets and exports', () => {
  test('a quote in an expression is escaped for the shell', () => {
    expect(toCurl('http://node.invalid', 'schrodinger', { expression: "x'" })).toContain(`"x'\\''"`);
  });

  test('operators become laws in TypeScript', () => {
    const text = toTypeScript('unified', { equations: 'nu = E/h', operators: ['QM5'] });
    expect(text).toContain(`const laws = ["QM5"].map((id) => definitionOf(findOperator(id)));`);
    expect(text).toContain(`unified.solve({\n  "equations": "nu = E/h"\n}, { laws });`);
  });

  test('the MCP call names the tool of the solver', () => {
    expect(JSON.parse(toMcpCall('heat', { nx: 32 })).params).toEqual({ name: 'svc_heat', arguments: { nx: 32 } });
  });

  test('parsing an exported table returns the same bits', async () => {
    const solver = findSolver('schrodinger');
    if (!solver) throw new Error('Solver schrodinger not found.');
    const solution = await runSolver(solver, { N: 60, states: 2 });
    const tables = tablesOf(solution);
    expect(tables.map(({ name }) => name)).toEqual(['series', 'V-psi']);
    for (const table of tables) {
      const [header = '', ...rows] = toCsv(table).trimEnd().split('\r\n');
      expect(header.split(',')).toEqual(table.columns.map((column) => column.header));
      const cells = rows.map((row) => row.split(',').map(Number));
      const columns = table.columns.map((_, index) => cells.map((row) => row[index]));
      expect(columns).toEqual(table.columns.map(({ data }) => [...(data as Float64Array)]));
    }
  });

  test('units and bounds are formatted for display', () => {
    expect(formatUnit('epsilon/sigma^3')).toBe('ε/σ³');
    expect(formatUnit('length^-0.5')).toBe('length⁻⁰·⁵');
    expect([1e-12, 1e6, 128, -1e6, 0].map(formatBound)).toEqual(['10⁻¹²', '10⁶', '128', '−10⁶', '0']);
  });
});

test('the time of own equations is no tonne: it is offered no units, and takes no masses', async () => {
  await loadUnits();
  expect(readingChoices('t')).toEqual([]);
  expect(readingChoices('kg')).toContain('t');
  const { faults } = parseDraft(find('unified'), { ...defaultDraft(find('unified')), t_end: '5 kg' });
  expect(faults.t_end).toBe('t_end is "5 kg"; a number in t is expected, and kg cannot be converted to that.');
});

test('a ± within equations or numbers is told where it belongs', async () => {
  const place = 'Give a standard uncertainty in uncertainties, as x = 0.1.';
  for (const input of [{ equations: "x' = -x\nx(0) = 2(1)" }, { equations: 'y = 2*k', vars: 'k = 2 ± 0.1' }])
    await expect(runSolver(findSolver('unified') as never, input)).rejects.toThrow(place);
});
