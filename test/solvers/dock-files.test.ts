// Files of structures: what is read, and what is refused with its line.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import type { Solution } from '../../src/solvers/definition.ts';
import { scoredAtoms } from '../../src/solvers/dock/chemistry.ts';
import { inputs } from '../../src/solvers/dock/inputs.ts';
import { parsePdbqt } from '../../src/solvers/dock/pdbqt.ts';
import { planOf } from '../../src/solvers/dock/plan.ts';
import { parseSdf } from '../../src/solvers/dock/sdf.ts';
import { dock } from '../../src/solvers/dock/solver.ts';
import { parseXyz } from '../../src/solvers/dock/xyz.ts';
import { runSolver } from '../suites/run-solver.ts';
import truth from '../truth/vina-scores.json' with { type: 'json' };
import { atomRecord, BENZENE, BENZENE_WATER, METHANOL, sdf, WATER } from './dock-files.ts';

const xyz = (...rows: string[]) => [String(rows.length), 'comment', ...rows].join('\n');

interface Refused {
  readonly code: string;
  readonly path: string;
  readonly message: string;
}

/** The refusal of an input. */
function refusal(input: object): Refused {
  try {
    planOf(inputs.parse(input));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [detail] = error.details;
    return { code: detail?.code ?? '', path: detail?.path ?? '', message: error.message };
  }
  throw new Error('The input was taken.');
}

const ligand = (ligand_file: string, rest: object = {}) => refusal({ receptor_file: BENZENE, ligand_file, ...rest });
const replaced = (text: string, from: string | RegExp, to: string) => {
  expect(text).toMatch(from);
  return text.replace(from, to);
};

describe('refused with the line', () => {
  const cases: Readonly<Record<string, readonly [text: string, code: string, words: string]>> = {
    'XYZ with too few lines': ['3\nc\nC 0 0 0\nC 1 1 1', 'WRONG_COUNT', 'says 3 atoms; 2 lines'],
    'XYZ with too many lines': ['1\nc\nC 0 0 0\nC 1 1 1', 'WRONG_COUNT', 'line 4 is one more'],
    'a file that was not found': ['', 'EMPTY_FILE', 'is empty'],
    'a file of blanks': [' \n\n', 'EMPTY_FILE', 'is empty'],
    'XYZ of no atoms': ['0\nc\n', 'MALFORMED_STRUCTURE', 'at least 1'],
    'XYZ of a million atoms': ['1000000\nc\nC 0 0 0', 'TOO_MANY_ATOMS', 'at most 500'],
    'XYZ with NaN': [xyz('C 0 NaN 0'), 'MALFORMED_STRUCTURE', 'line 3: y is "NaN"'],
    'XYZ with Infinity': [xyz('C 0 0 Infinity'), 'MALFORMED_STRUCTURE', 'line 3: z is "Infinity"'],
    'XYZ with a huge number': [xyz('C 1e300 0 0'), 'MALFORMED_STRUCTURE', 'line 3: x is "1e300"'],
    'XYZ with a number in hexadecimal': [xyz('C 0x10 0 0'), 'MALFORMED_STRUCTURE', 'line 3: x is "0x10"'],
    'XYZ with a line cut short': [xyz('C 0 0 0', 'O 1.2 0'), 'MALFORMED_STRUCTURE', 'line 4: has 2 numbers'],
    'XYZ with a twin': [xyz('C 0 0 0', 'O 1.2 0 0', 'N 1.2 0.0001 0'), 'DUPLICATE_ATOMS', 'lines 4 and 5'],
    'XYZ with an unknown element': [xyz('C 0 0 0', 'Xx 2 0 0'), 'UNKNOWN_ELEMENT', 'line 4: "Xx"'],
    'XYZ with hydrogens only': [xyz('H 0 0 0', 'H 0.74 0 0'), 'NO_HEAVY_ATOMS', 'hydrogens only'],
    'PDBQT without atoms': ['REMARK nothing\nROOT\nENDROOT\nTORSDOF 0\n', 'MALFORMED_STRUCTURE', 'no ATOM'],
    'PDBQT cut in a line': [WATER.slice(0, 120), 'MALFORMED_STRUCTURE', 'line 3'],
    'PDBQT without ENDROOT': [WATER.split('ENDROOT')[0] ?? '', 'MALFORMED_STRUCTURE', 'cut short'],
    'PDBQT without TORSDOF': [WATER.split('TORSDOF')[0] ?? '', 'MALFORMED_STRUCTURE', 'TORSDOF is missing'],
    'PDBQT with NaN': [replaced(WATER, '   3.200', '     NaN'), 'MALFORMED_STRUCTURE', 'line 2: z is "NaN"'],
    'PDBQT with an unknown type': [replaced(WATER, ' OA', ' Qx'), 'UNKNOWN_ELEMENT', 'line 2: "Qx"'],
    'PDBQT without a type': [replaced(WATER, / OA/, '   '), 'MALFORMED_STRUCTURE', 'line 2'],
    'PDBQT with a record of its own': [`${WATER}DANCE 1\n`, 'MALFORMED_STRUCTURE', '"DANCE 1" is not expected'],
    'PDBQT with an open branch': [
      replaced(METHANOL, /ENDBRANCH.*\n/, ''),
      'MALFORMED_STRUCTURE',
      'BRANCH is not closed',
    ],
    'PDBQT with a branch to nowhere': [
      METHANOL.replaceAll('BRANCH   1   2', 'BRANCH   1  77'),
      'MALFORMED_STRUCTURE',
      'atom 77',
    ],
    'PDBQT with one serial twice': [replaced(METHANOL, 'ATOM      3', 'ATOM      2'), 'MALFORMED_STRUCTURE', 'serial'],
    'SDF with a lying count': [sdf('  9  0'), 'WRONG_COUNT', 'says 9 atoms and 0 bonds'],
    'SDF with no count': [sdf('     0'), 'MALFORMED_STRUCTURE', 'line 4'],
    'SDF cut before its counts': ['ethanol\nV2000', 'MALFORMED_STRUCTURE', 'line 2: the file ends before the line of'],
    'SDF without its end': [sdf('  2  1').replace('M  END', ''), 'MALFORMED_STRUCTURE', 'M  END'],
    'SDF with a bond to nowhere': [sdf('  2  1').replace('  1  2  1', '  1  7  1'), 'MALFORMED_STRUCTURE', 'atom 7'],
    'SDF V3000': [sdf('  0  0', 'V3000'), 'MALFORMED_STRUCTURE', 'V3000'],
    'SDF with NaN': [sdf('  2  1').replace('1.2000', '   NaN'), 'MALFORMED_STRUCTURE', 'line 6: x is "NaN"'],
    'a text of no format': ['{"atoms": 3}', 'UNKNOWN_FORMAT', 'expected PDBQT'],
  };
  for (const [name, [text, code, words]] of Object.entries(cases))
    test(name, () => {
      const found = ligand(text, { scoring: 'vina' });
      expect(found).toMatchObject({ code, path: 'ligand_file' });
      expect(found.message).toContain(words);
      expect(found.message.length).toBeLessThan(400);
    });

  test('more atoms than the limit in a PDBQT file', () => {
    const many = Array.from({ length: 501 }, (_, k) =>
      atomRecord(k + 1, 'C', 'C', 3 * (k % 20), 3 * Math.floor(k / 20), 0),
    );
    expect(ligand(many.join('\n'))).toMatchObject({ code: 'TOO_MANY_ATOMS' });
  });

  test('a box with a field missing, a box that the ligand cannot enter, and one beyond the receptor', () => {
    const box = { center_x: 0, center_y: 0, center_z: 0, size_x: 9, size_y: 9, size_z: 9 };
    const far = { ...BENZENE_WATER, ...box, center_x: 500 };
    expect(refusal(far)).toMatchObject({ code: 'EMPTY_BOX', path: 'center_x' });
    expect(refusal({ ...far, center_x: 0, size_z: undefined })).toMatchObject({ code: 'MISSING', path: 'size_z' });
    const small = { receptor: 'octahedron', ligand: 'lj13', ...box, size_x: 0.5, size_y: 0.5, size_z: 0.5 };
    expect(refusal(small)).toMatchObject({ code: 'LIGAND_LARGER_THAN_BOX', path: 'size_x' });
  });

  test('a box without a minimum inside, when it is run', async () => {
    // Attraction alone: everywhere inside, the energy falls towards the side of the receptor.
    const centre = { center_x: 5, center_y: 0, center_z: 0 } as const;
    const inside = { ligand: 'atom', ...centre, size_x: 1, size_y: 1, size_z: 1 } as const;
    await expect(runSolver(dock, { ...inside, exhaustiveness: 1 })).rejects.toMatchObject({
      details: [{ code: 'NO_POSE_IN_BOX', path: 'size_x' }],
    });
  });

  test('budgets: minimisations, pairs, a body without elements, a pose without a file', () => {
    expect(refusal({ exhaustiveness: 64, hops: 50_000 })).toMatchObject({
      code: 'TOO_MANY_MINIMISATIONS',
      path: 'hops',
    });
    const plate = (n: number) => xyz(...Array.from({ length: n }, (_, k) => `A ${k % 100} ${Math.floor(k / 100)} 0`));
    expect(refusal({ receptor_file: plate(10_000), ligand_file: plate(400) })).toMatchObject({
      code: 'TOO_MANY_PAIRS',
    });
    expect(refusal({ scoring: 'vina' })).toMatchObject({ code: 'MISSING', path: 'receptor_file' });
    expect(refusal({ mode: 'score' })).toMatchObject({ code: 'NO_POSE', path: 'mode' });
  });

  test('an atom of the ligand on one of the receptor has no energy', async () => {
    const one = xyz('Ar 0 0 0');
    const input = { receptor_file: one, ligand_file: one, mode: 'score' } as const;
    await expect(runSolver(dock, input)).rejects.toMatchObject({ details: [{ code: 'CLASH' }] });
  });
});

test('files that are cut or changed anywhere are read or refused by name, and never fail otherwise', () => {
  const texts = [WATER, METHANOL, BENZENE, sdf('  2  1'), xyz('C 0 0 0', 'O 1.2 0 0', 'H 0 -1 0')];
  const words = ['', 'NaN', '-', '1e999', '\t', 'ATOM  ', '0', '99999', '\n', 'Zz', 'ENDROOT', '\u00e9', '2000'];
  const change = fc.record({
    text: fc.constantFrom(...texts),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.integer({ min: 0, max: 80 }),
    word: fc.constantFrom(...words),
    isCut: fc.boolean(),
  });
  fc.assert(
    fc.property(change, ({ text, at, drop, word, isCut }) => {
      const place = Math.floor(at * text.length);
      const changed = text.slice(0, place) + word + (isCut ? '' : text.slice(place + drop));
      const input = inputs.safeParse({ receptor_file: BENZENE, ligand_file: changed, scoring: 'vina', mode: 'dock' });
      if (!input.success) return;
      try {
        const [run] = planOf(input.data).runs;
        expect([...(run?.inputs?.ligand ?? [Number.NaN])].every(Number.isFinite)).toBe(true);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        expect(error.details[0]?.path).toMatch(/_file$/);
      }
    }),
    { numRuns: 400 },
  );
});

test('atoms of SD, XYZ and PDBQT files have one chemistry', () => {
  const places = {
    C: [0, 0, 0],
    O: [1.42, 0, 0],
    HO: [1.75, 0.9, 0],
    H1: [-0.4, 1, 0],
    H2: [-0.4, -0.5, 0.9],
    H3: [-0.4, -0.5, -0.9],
  };
  const rows = Object.entries(places);
  const ofXyz = parseXyz('ligand_file', xyz(...rows.map(([name, at]) => `${name.charAt(0)} ${at.join(' ')}`)));
  const lines = rows.map(([name, [x = 0, y = 0, z = 0]]) => {
    const place = [x, y, z].map((one) => one.toFixed(4).padStart(10)).join('');
    return `${place} ${name.charAt(0).padEnd(3)} 0  0  0  0  0  0  0  0  0  0  0  0`;
  });
  const table = ['', '', '', '  6  0  0  0  0  0  0  0  0  0999 V2000', ...lines, 'M  END'].join('\n');
  const chemistry = [ofXyz, parseSdf('ligand_file', table), parsePdbqt('ligand_file', METHANOL)].map((structure) =>
    scoredAtoms('ligand_file', structure).scored.map(({ radius, bits }) => [radius, bits]),
  );
  // The carbon stands beside a heteroatom; the oxygen is a donor and an acceptor.
  expect(chemistry[0]).toEqual([
    [1.9, 0],
    [1.7, 6],
  ]);
  expect(chemistry[1]).toEqual(chemistry[0]);
  expect(chemistry[2]).toEqual(chemistry[0]);
});

test('terms of a pose are those of the published function by hand', async () => {
  // Two carbons at 4.3 Å (d = 0.5); an oxygen that accepts at 2.9 Å of a nitrogen that gives (d = -0.6).
  const carbon = (z: number) => `${atomRecord(1, 'C', 'C', 0, 0, z)}\n`;
  const plain = await runSolver(dock, { receptor_file: carbon(0), ligand_file: carbon(4.3), mode: 'score' });
  const expected = -0.035579 * Math.exp(-1) - 0.005156 * Math.exp(-6.25 / 4) - 0.035069;
  expect(Math.abs(plain.value - expected)).toBeLessThan(1e-15);
  const donor = [atomRecord(1, 'N', 'N', 0, 0, 0), atomRecord(2, 'H', 'HD', 0, 0, 1)].join('\n');
  const acceptor = atomRecord(1, 'O', 'OA', 0, 0, 2.9);
  const bond = await runSolver(dock, { receptor_file: donor, ligand_file: acceptor, mode: 'score' });
  expect(quantityOf(bond, 'term_hydrogen_bond')).toBeCloseTo((-0.587439 * 0.6) / 0.7, 12);
  expect(quantityOf(bond, 'term_repulsion')).toBeCloseTo(0.840245 * 0.36, 12);
});

test('a rotor divides the score', async () => {
  const places = [0, 1, 2, 3].map((k) => [1.2 * k, 0.8 * (k % 2), 3.6] as const);
  const [o1, c1, c2, o2] = places.map(([x, y, z], k) => atomRecord(k + 1, 'X', k % 3 === 0 ? 'OA' : 'C', x, y, z));
  const branch = ['BRANCH   2   3', c2, o2, 'ENDBRANCH   2   3'];
  const flexible = ['ROOT', o1, c1, 'ENDROOT', ...branch, 'TORSDOF 1'].join('\n');
  const score = (ligand_file: string) => runSolver(dock, { receptor_file: BENZENE, ligand_file, mode: 'score' });
  const [free, rigid] = [await score(flexible), await score([o1, c1, c2, o2].join('\n'))];
  expect(quantityOf(free, 'rotors')).toBe(1);
  expect(free.value / rigid.value).toBeCloseTo(1 / 1.05846, 12);
});

test('scores are those that AutoDock Vina prints', async () => {
  // One system of 24 differs by 0.002; nobody has explained that.
  const errors = [];
  for (const { printed, ...files } of truth.scores) {
    const scored = await runSolver(dock, { ...files, mode: 'score' });
    errors.push(Math.abs(quantityOf(scored, 'affinity_tabulated') - printed));
  }
  expect(errors.length).toBe(24);
  expect(errors.filter((error) => error > truth.tolerance).length).toBeLessThanOrEqual(1);
  expect(Math.max(...errors)).toBeLessThan(3e-3);
});

const quantityOf = ({ quantities }: Solution, name: string): number =>
  quantities.find((one) => one.name === name)?.value ?? Number.NaN;
