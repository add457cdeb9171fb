// The mesh of a result as a file of VTK, read back by the rules of the legacy format.

import { expect, test } from 'vitest';
import { meshVtk } from '../../src/protocol/mesh-file.ts';
import type { Field } from '../../src/solvers/definition.ts';
import { fea } from '../../src/solvers/fea/solver.ts';
import { runSolver } from '../suites/run-solver.ts';

const fieldOf = (fields: readonly Field[], name: string): Field => {
  const found = fields.find((field) => field.name === name);
  if (found === undefined) throw new Error(`No field ${name}.`);
  return found;
};

/** Words of a legacy file: `take` reads one, `numbers` so many. */
function readerOf(text: string) {
  const words = text.split('\n').slice(2).join(' ').split(/\s+/);
  let at = 0;
  const take = () => words[at++] ?? '';
  const expectWords = (...expected: readonly string[]) => expect(expected.map(take)).toEqual(expected);
  const numbers = (count: number) => Array.from({ length: count }, () => Number(take()));
  return { take, expectWords, numbers, isAtEnd: () => words.slice(at).join('') === '' };
}

/** Rows of so many numbers. */
const rowsOf = ({ data }: Field, width: number) =>
  Array.from({ length: data.length / width }, (_, i) => [...data.subarray(width * i, width * (i + 1))]);

test('Cook’s membrane reads back to the last bit: nodes, elements, and what is at and in them', async () => {
  const { fields } = await runSolver(fea, { problem: 'cook', nx: 8, ny: 8 });
  if (fea.mesh === undefined) throw new Error('fea has a mesh.');
  const text = meshVtk('fea', fea.mesh, fields) ?? '';
  const [first = '', title = ''] = text.split('\n');
  expect(first).toBe('# vtk DataFile Version 3.0');
  expect(title.length).toBeLessThan(256);
  expect(title).toContain('displacement m');

  const [nodes, elements] = [fieldOf(fields, 'nodes'), fieldOf(fields, 'elements')];
  const [n = 0, m = 0] = [nodes.shape[0], elements.shape[0]];
  expect([n, m]).toEqual([81, 64]);
  const file = readerOf(text);
  file.expectWords('ASCII', 'DATASET', 'UNSTRUCTURED_GRID', 'POINTS', String(n), 'double');
  expect(rowsOf(nodes, 2).map((row) => [...row, 0])).toEqual(
    rowsOf({ ...nodes, data: Float64Array.from(file.numbers(3 * n)) }, 3),
  );
  file.expectWords('CELLS', String(m), String(5 * m));
  expect(rowsOf(elements, 4).flatMap((row) => [4, ...row])).toEqual(file.numbers(5 * m));
  file.expectWords('CELL_TYPES', String(m));
  expect(new Set(file.numbers(m))).toEqual(new Set([9]));
  for (const [kind, count, names] of [
    ['POINT_DATA', n, fea.mesh.atNodes],
    ['CELL_DATA', m, fea.mesh.inElements],
  ] as const) {
    file.expectWords(kind, String(count), 'FIELD', 'values', String(names.length));
    for (const name of names) {
      const given = fieldOf(fields, name);
      const width = given.data.length / count;
      const written = width === 2 ? 3 : width;
      file.expectWords(name, String(written), String(count), 'double');
      const expected = rowsOf(given, width).flatMap((row) => (width === 2 ? [...row, 0] : row));
      expect(file.numbers(written * count)).toEqual(expected);
    }
  }
  expect(file.isAtEnd()).toBe(true);
  expect(Math.max(...fieldOf(fields, 'displacement').data)).toBeGreaterThan(20);
});

test('numbers that are none are written as other programs read them; without its arrays there is no file', () => {
  const mesh = { nodes: 'nodes', elements: 'elements', atNodes: ['T'], inElements: [] };
  const field = (name: string, shape: readonly number[], data: readonly number[]): Field => ({
    name,
    unit: 'm',
    shape,
    data: Float64Array.from(data),
  });
  const square = [field('nodes', [4, 2], [0, 0, 1, 0, 1, 1, 0, 1]), field('elements', [1, 4], [0, 1, 2, 3])];
  const T = field('T', [4], [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e-300]);
  expect(meshVtk('x', mesh, [...square, T])).toContain('T 1 4 double\nnan\ninf\n-inf\n1e-300\n');
  expect(meshVtk('x', mesh, square)).not.toContain('POINT_DATA');
  expect(meshVtk('x', mesh, [T])).toBeUndefined();
});
