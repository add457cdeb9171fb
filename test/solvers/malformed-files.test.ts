// Files that were damaged on their way: cut, lines lost, doubled or exchanged, numbers that lie or are huge, bytes that are
// no text, other ends of lines. Each is read or refused in words that name the field, and nothing else happens.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import type { SolverDefinition } from '../../src/solvers/definition.ts';
import { dock } from '../../src/solvers/dock/solver.ts';
import { builtInCase } from '../../src/solvers/grid/cases/index.ts';
import { grid } from '../../src/solvers/grid/solver.ts';
import { sat } from '../../src/solvers/sat/solver.ts';
import { BENZENE, METHANOL, sdf } from './dock-files.ts';
import { commonOf, matpowerOf } from './grid-files.ts';

interface Format {
  readonly solver: SolverDefinition;
  readonly field: string;
  readonly text: string;
  readonly rest?: Readonly<Record<string, unknown>>;
}

const ligand = (text: string): Format => ({
  solver: dock as unknown as SolverDefinition,
  field: 'ligand_file',
  text,
  rest: { receptor_file: BENZENE, scoring: 'vina' },
});
const network = (text: string): Format => ({ solver: grid as unknown as SolverDefinition, field: 'file', text });

const FORMATS: Readonly<Record<string, Format>> = {
  DIMACS: {
    solver: sat as unknown as SolverDefinition,
    field: 'dimacs',
    text: 'c odd ring\np cnf 3 6\n1 2 0\n2 3 0\n1 3 0\n-1 -2 0\n-2 -3 0\n-1 -3 0\n',
  },
  PDBQT: ligand(METHANOL),
  SDF: ligand(sdf('  2  1')),
  XYZ: ligand('3\nwater\nO 0 0 3.2\nH 0.757 0 3.786\nH -0.757 0 3.786\n'),
  MATPOWER: network(matpowerOf(builtInCase('case9'))),
  'common format': network(commonOf(builtInCase('ieee14'))),
};

/** The numbers that a kernel would get, or the refusal. */
function outcomeOf({ solver, field, rest }: Format, text: string): DomainError | 'no text' | readonly number[] {
  const parsed = solver.inputs.safeParse({ ...rest, [field]: text });
  if (!parsed.success) {
    expect(parsed.error.issues.map(({ path }) => path)).toEqual([[field]]);
    return 'no text';
  }
  try {
    return solver
      .plan(parsed.data)
      .runs.flatMap(({ inputs = {}, parameters }) => [
        ...Object.values(inputs).flatMap((view) => [...(view as Float64Array)]),
        ...Object.values(parameters as Readonly<Record<string, number>>),
      ]);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

const LIES = ['1e999', '-1e308', '99999999999999999999', '4294967297', '-1', '0', '7', 'NaN', 'Infinity', '0x10', '٣'];
const BYTES = ['\0', '\u0001', '\u001b[31m', '\ufeff', '\u2028', '\ud800', '\u00e9', '\t', '\\', '"'];

const damage = fc.record({
  kind: fc.constantFrom('cut', 'lose', 'double', 'exchange', 'repeat', 'lie', 'byte'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  to: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  lie: fc.constantFrom(...LIES),
  byte: fc.constantFrom(...BYTES),
});

function damaged(text: string, { kind, at, to, lie, byte }: typeof damage extends fc.Arbitrary<infer D> ? D : never) {
  const lines = text.split('\n');
  const [i, j] = [at, to].map((share) => Math.floor(share * lines.length)) as [number, number];
  const place = Math.floor(at * text.length);
  switch (kind) {
    case 'cut':
      return text.slice(0, place);
    case 'lose':
      return lines.toSpliced(i, 1).join('\n');
    case 'double':
      return lines.toSpliced(j, 0, lines[i] ?? '').join('\n');
    case 'exchange':
      return lines
        .with(i, lines[j] ?? '')
        .with(j, lines[i] ?? '')
        .join('\n');
    case 'repeat':
      return text + text;
    case 'byte':
      return text.slice(0, place) + byte + text.slice(place);
    case 'lie': {
      const numbers = [...text.matchAll(/-?\d+(?:\.\d+)?/g)];
      const one = numbers[Math.floor(to * numbers.length)];
      if (one === undefined) return text;
      return text.slice(0, one.index) + lie + text.slice(one.index + one[0].length);
    }
  }
}

describe.each(Object.entries(FORMATS))('%s', (_, format) => {
  const { text, solver, field } = format;

  test('a damaged file is read as finite numbers or refused in words', () => {
    const seen = { read: 0, refused: 0, 'no text': 0 };
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (all) => {
        const changed = all.reduce(damaged, text);
        const outcome = outcomeOf(format, changed);
        if (outcome === 'no text') {
          seen[outcome]++;
          expect(/[^\P{Cc}\t\n\r]/u.test(changed) || !changed.isWellFormed()).toBe(true);
          return;
        }
        if (!(outcome instanceof DomainError)) {
          seen.read++;
          expect(outcome.every(Number.isFinite)).toBe(true);
          return;
        }
        seen.refused++;
        expect(outcome.code).toBe('VALIDATION_FAILED');
        const [{ path = '' } = {}] = outcome.details;
        expect(Object.keys(solver.inputs.shape)).toContain(path);
        expect(outcome.message.length).toBeLessThan(400);
        expect(outcome.message).toMatch(/^\P{Cc}+$/u);
        const { line = 1 } = outcome.facts;
        expect(line).toBeLessThanOrEqual(changed.split(/\r\n|\n|\r/).length);
      }),
      { numRuns: 400 },
    );
    for (const count of Object.values(seen)) expect(count, JSON.stringify(seen)).toBeGreaterThan(10);
  });

  test.each([
    ['CRLF', text.replaceAll('\n', '\r\n')],
    ['CR', text.replaceAll('\n', '\r')],
    ['blank lines at the end', `${text}\n\n`],
  ])('%s ends the same lines', (_name, other) => {
    const plain = outcomeOf(format, text);
    expect(Array.isArray(plain)).toBe(true);
    expect(outcomeOf(format, other)).toEqual(plain);
  });

  test('NUL is refused before anything is read', () => {
    const { success, error } = solver.inputs.safeParse({ ...format.rest, [field]: `${text}\0` });
    expect(success).toBe(false);
    expect(error?.issues[0]?.message).toContain('control characters');
  });
});
