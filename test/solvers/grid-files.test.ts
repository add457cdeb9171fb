import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { builtInCase, NETWORK_NAMES } from '../../src/solvers/grid/cases/index.ts';
import { parseCommonFormat } from '../../src/solvers/grid/common-format.ts';
import { parseMatpower } from '../../src/solvers/grid/matpower.ts';
import { grid } from '../../src/solvers/grid/solver.ts';
import { planError } from '../suites/refusals.ts';
import { runSolver } from '../suites/run-solver.ts';
import { commonOf, matpowerOf } from './grid-files.ts';

describe('files say what the tables of the program say', () => {
  test.each(NETWORK_NAMES)('%s in the form of MATPOWER', (name) => {
    const { title: _title, notes: _notes, ...network } = builtInCase(name);
    expect(parseMatpower(matpowerOf(builtInCase(name)))).toMatchObject(network);
  });

  test.each(['ieee14', 'ieee57'] as const)('%s as cards of the common format', async (name) => {
    const text = commonOf(builtInCase(name));
    const network = parseCommonFormat(text);
    expect(network.branches).toEqual(builtInCase(name).branches);
    const [fromFile, built] = [
      await runSolver(grid, { file: text, method: 'ac' }),
      await runSolver(grid, { network: name, method: 'ac' }),
    ];
    expect(Math.abs(fromFile.value - built.value)).toBeLessThan(1e-12);
  });
});

const SMALL = `function mpc = small
%% a comment, and a block
%{
mpc.bus = [ not read ];
%}
mpc.version = "2";
mpc.baseMVA = 1e2; % base
mpc.bus = [ 1, 3 0 0 0 0 1 1 0 12.66 1 1.1 0.9  % first
  2 1 50 ... the rest is on the next line
  0 0 0 1 1 0 12.66 1 1.1 .9];
mpc.gen = [1 50 0 Inf -Inf 1 100 1 100 0];
mpc.branch = [1 2 0 1.D-1 0 0 0 0 0 0 1 -360 360;];
mpc.gencost = [2 0 0 3 0.1 5 0];
mpc.bus_name = {'First; [bus]'; 'Second'};
mpc.if.map = [1 2];
`;

test('comments, continuations, commas, exponents, infinities and names are read', () => {
  const { buses, branches, generators, names, title } = parseMatpower(SMALL);
  expect(title).toBe('small');
  expect(names).toEqual(['First; [bus]', 'Second']);
  expect(buses.map(({ load, kilovolts }) => [load, kilovolts])).toEqual([
    [0, 12.66],
    [50, 12.66],
  ]);
  expect(branches[0]?.reactance).toBe(0.1);
  expect(generators[0]?.highest).toBe(1e9);
});

test('the usual conversions of distribution networks are done', () => {
  const conversion = `
[PQ, PV, REF, NONE, BUS_I, BUS_TYPE, PD, QD] = idx_bus;
[F_BUS, T_BUS, BR_R, BR_X] = idx_brch;
Vbase = mpc.bus(1, BASE_KV) * 1e3;      %% in Volts
Sbase = mpc.baseMVA * 1e6;              %% in VA
mpc.branch(:, [BR_R BR_X]) = mpc.branch(:, [BR_R BR_X]) / (Vbase^2 / Sbase);
mpc.bus(:, [PD, QD]) = mpc.bus(:, [PD, QD]) / 1e3;
`;
  const { buses, branches, notes } = parseMatpower(SMALL + conversion);
  expect(buses[1]?.load).toBe(0.05);
  expect(branches[0]?.reactance).toBeCloseTo(0.1 / (12.66e3 ** 2 / 1e8), 15);
  expect(notes).toHaveLength(2);
});

describe('what is not read names its line', () => {
  const lines = SMALL.split('\n').length;
  test.each([
    ['mpc.branch(:, 3) = 2 * mpc.branch(:, 3);', lines, 'files are read, not run'],
    ['mpc.branch(:, [BR_R BR_X]) = mpc.branch(:, [BR_R BR_X]) / (Vbase^2 / Sbase);', lines, 'Vbase and Sbase'],
    ['mpc = loadcase("other");', lines, 'files are read, not run'],
    ['system("ls");', lines, 'files are read, not run'],
    ['mpc.bus = [1 3];', lines, 'mpc.bus is given twice'],
    ['mpc.baseMVA = 10;', lines, 'baseMVA is given twice'],
    ['mpc.x = [1 2; 3];', lines, 'the row has 1 numbers; the first row has 2'],
    ['mpc.x = [1/3 2];', lines, 'got "1/3"'],
    ["mpc.x = [1 2]';", lines, 'part of an expression'],
    ['mpc.x = [1 2', lines, 'does not end with ]'],
    ['mpc.x = {1 2', lines, 'does not end with }'],
    ['mpc.x = [1 two];', lines, 'got "two"'],
    [`mpc.x = [${'1 '.repeat(100)}];`, lines, 'more than 64 numbers'],
    ['%{\n', lines, 'does not end'],
  ])('%j', (text, line, message) => {
    const error = planError(grid, { file: SMALL + text });
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details.map(({ path }) => path)).toEqual(['file']);
    expect(error.message).toContain(`line ${line}`);
    expect(error.message).toContain(message);
  });

  test.each([
    ['', 'mpc.bus is missing'],
    ['mpc.bus = [1 3];', 'mpc.branch is missing'],
    ['mpc.bus = [1 3]; mpc.branch = [];', 'mpc.baseMVA is missing'],
    ['mpc.baseMVA = 1; mpc.bus = [1 3]; mpc.branch = []; mpc.gent = [1 5];', 'mpc.gen is missing'],
    ['mpc.baseMVA = 1; mpc.bus = [1 3]; mpc.gen = []; mpc.branch = [];', 'no branch is in service'],
    ['mpc.baseMVA = 0; mpc.bus = [1 3]; mpc.branch = [];', 'baseMVA is 0'],
    ['mpc.baseMVA = 1; mpc.bus = [1 3 NaN]; mpc.branch = [];', 'Pd is NaN'],
    ['mpc.baseMVA = 1; mpc.bus = [1 3; 1 1]; mpc.branch = [];', 'bus 1 is there twice'],
    ['mpc.baseMVA = 1; mpc.bus = [1 3]; mpc.branch = [1 2 0 1];', 'bus 2 is not among the buses'],
    ['BUS DATA FOLLOWS\n   1', 'does not end with -999'],
    ['BUS DATA FOLLOWS 2 ITEMS\n   1\n-999\n', 'line 1: BUS DATA FOLLOWS announces 2 items; 1 cards follow'],
    ['BUS DATA FOLLOWS\n   1 x\n-999\n', 'BRANCH DATA FOLLOWS is missing'],
    [`${' '.repeat(31)}   abc\nBUS DATA FOLLOWS\n-999\nBRANCH DATA FOLLOWS\n-999`, 'the base in columns 32 to 37'],
  ])('%j', (file, message) => {
    expect(planError(grid, { file }).message).toContain(message);
  });
});

describe('any text is a network or a refusal', () => {
  const isRefusal = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      expect((error as { code?: string }).code).toBe('VALIDATION_FAILED');
    }
  };

  test('pieces of case files', () => {
    const piece = fc.constantFrom(
      'mpc.bus',
      'mpc.branch',
      'mpc.gen',
      'mpc.baseMVA',
      '=',
      '[',
      ']',
      '{',
      '}',
      ';',
      '\n',
      '1',
      '2',
      '3',
      '-0.5',
      '1e308',
      'NaN',
      '-Inf',
      '%',
      '%{',
      '%}',
      "'",
      '"',
      '...',
      ',',
      '(',
      ')',
      ':',
      'x',
      '\r\n',
      '\t',
      'function',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => isRefusal(() => parseMatpower(pieces.join(' ')))),
      { numRuns: 2_000 },
    );
  });

  test('files that are cut short or have a character changed', () => {
    const texts = [matpowerOf(builtInCase('ieee14')), commonOf(builtInCase('ieee14'))];
    const change = fc.record({
      which: fc.nat(1),
      at: fc.nat(3_000),
      with: fc.constantFrom('', '9', '-', '.', ';', ']', 'x', '\n', '1e99'),
    });
    fc.assert(
      fc.property(change, ({ which, at, with: by }) => {
        const text = texts[which] ?? '';
        const parse = which === 0 ? parseMatpower : parseCommonFormat;
        isRefusal(() => parse(text.slice(0, at)));
        isRefusal(() => parse(text.slice(0, at) + by + text.slice(at + 1)));
      }),
      { numRuns: 500 },
    );
  });
});

test('a megabyte is read or refused in well under a second of work', () => {
  for (const text of [
    `mpc.bus = [${'1 '.repeat(490_000)}`,
    '%{\n'.repeat(300_000),
    '('.repeat(990_000),
    `mpc.x = {${'{'.repeat(900_000)}`,
    `x${' '.repeat(900_000)}=`,
    "'".repeat(900_000),
    'a;'.repeat(400_000),
  ])
    expect(planError(grid, { file: text }).code).toBe('VALIDATION_FAILED');
});
