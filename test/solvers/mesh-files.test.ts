import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../../src/core/errors.ts';
import { fea } from '../../src/solvers/fea/solver.ts';
import { checkedMesh } from '../../src/solvers/parts/meshes/checked-mesh.ts';
import { narrowOrder, profileOf, refined, renumbered } from '../../src/solvers/parts/meshes/quad-mesh.ts';
import { parseMeshFile } from '../../src/solvers/parts/meshes/read-mesh-file.ts';
import { runSolver } from '../suites/run-solver.ts';

/** Two squares side by side, with a named left and right side, in three formats. */
const GMSH_2 = `$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
1 1 "wall"
1 2 "free end"
2 3 "body"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 2 0 0
4 0 1 0
5 1 1 0
6 2 1 0
$EndNodes
$Elements
4
1 1 2 1 7 1 4
2 1 2 2 8 3 6
3 3 2 3 9 1 2 5 4
4 3 2 3 9 2 3 6 5
$EndElements
`;
const GMSH_4 = `$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "wall"
1 2 "free end"
$EndPhysicalNames
$Entities
0 2 1 0
7 0 0 0 0 1 0 1 1 0
8 2 0 0 2 1 0 1 2 0
9 0 0 0 2 1 0 0 0
$EndEntities
$Nodes
1 6 1 6
2 9 0 6
1
2
3
4
5
6
0 0 0
1 0 0
2 0 0
0 1 0
1 1 0
2 1 0
$EndNodes
$Elements
3 4 1 4
1 7 1 1
1 1 4
1 8 1 1
2 3 6
2 9 3 2
3 1 2 5 4
4 2 3 6 5
$EndElements
`;
const ABAQUS = `*HEADING
two squares
** a comment
*NODE, NSET=NALL
1, 0., 0.
2, 1., 0.
3, 2., 0.
4, 0., 1.
5, 1., 1., 0.
6, 2., 1., 0.
*ELEMENT, TYPE=CPS4R, ELSET=EALL
1, 1, 2, 5, 4
2, 2, 3, 6, 5
*NSET, NSET=wall
1, 4
*ELSET, ELSET=end, GENERATE
2, 2, 1
*SURFACE, NAME=free_end
end, S2
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*STEP
*STATIC
*END STEP
`;
const FILES = { 'Gmsh 2.2': GMSH_2, 'Gmsh 4.1': GMSH_4, Abaqus: ABAQUS } as const;
const meshOf = (text: string) => checkedMesh(parseMeshFile(text, 'mesh'), 'mesh');

describe.each(Object.entries(FILES))('%s', (_, text) => {
  test('is read with its named sides', () => {
    const { mesh } = meshOf(text);
    expect([...mesh.points]).toEqual([0, 0, 1, 0, 1, 1, 0, 1, 2, 0, 2, 1]);
    expect([...mesh.quads]).toEqual([0, 1, 2, 3, 1, 4, 5, 2]);
    expect([...(mesh.sides.get('wall') ?? [])]).toEqual([3, 0]);
    expect([...(mesh.sides.get('free_end') ?? [])]).toEqual([4, 5]);
  });

  test('a bar under tension is as long as Hooke says', async () => {
    const { value, uncertainty, converged } = await runSolver(fea, {
      mesh: text,
      E: 1e9,
      nu: 0,
      supports: 'wall ux=0; at 0 0 uy=0',
      loads: 'free_end tx=1e6',
    });
    expect(Math.abs(value - 2e-3)).toBeLessThanOrEqual(uncertainty);
    expect(uncertainty).toBeLessThan(1e-12);
    expect(converged).toBe(true);
  });

  test('cut anywhere, it is a smaller mesh or a refusal that names the field', () => {
    for (let length = 0; length < text.length; length++) {
      const whole = outcomeOf(text.slice(0, length));
      if (typeof whole === 'string') expect(whole).toMatch(/^mesh[,:]/);
    }
  });

  test('with any line changed, doubled or left out, likewise', () => {
    const lines = text.split('\n');
    const word = fc.constantFrom(
      '0',
      '-1',
      '7',
      '1e9',
      '999999999999',
      'x',
      '',
      '$End',
      '*NODE',
      'NaN',
      '3 3 3 3',
      ',',
    );
    const change = fc.record({ at: fc.nat(lines.length - 1), kind: fc.nat(3), word, column: fc.nat(8) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const edited = [...lines];
        for (const { at, kind, word: put, column } of changes) {
          const line = edited[at] ?? '';
          if (kind === 0) edited[at] = '';
          else if (kind === 1) edited[at] = `${line}\n${line}`;
          else if (kind === 2) edited[at] = put;
          else
            edited[at] = line
              .split(' ')
              .with(column % line.split(' ').length, put)
              .join(' ');
        }
        const outcome = outcomeOf(edited.join('\n'));
        if (typeof outcome === 'string') expect(outcome).toMatch(/^mesh[,:]/);
      }),
      { numRuns: 400 },
    );
  });
});

/** The number of elements, or the refusal; anything else fails. */
function outcomeOf(text: string): number | string {
  try {
    return meshOf(text).mesh.quads.length / 4;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'VALIDATION_FAILED') return error.message;
    throw error;
  }
}

describe('refusals name the line or the element', () => {
  test.each([
    ['', 'line 1: got an empty text'],
    ['hello', 'expected a Gmsh file'],
    [GMSH_2.replace('2.2 0 8', '2.2 1 8'), 'line 2: the file is binary'],
    [GMSH_2.replace('2.2 0 8', '3.0 0 8'), 'version 3'],
    [GMSH_2.replace('$Nodes\n6', '$Nodes\n5'), 'expected $EndNodes: the count is wrong'],
    [GMSH_2.replace('$Nodes\n6', '$Nodes\n7'), '(6 of 7 read)'],
    [GMSH_2.replace('$Elements\n4', '$Elements\n900000000'), '(4 of 900000000 read)'],
    [GMSH_4.replace('1 6 1 6', '1 7 1 6'), 'got 6 nodes; 7 are announced'],
    [GMSH_4.replace('3 4 1 4', '3 5 1 4'), 'got 4 elements; 5 are announced'],
    [GMSH_4.replace('2 9 0 6', '2 9 0 7'), 'more than the 6 nodes announced'],
    [GMSH_2.replace('4 3 2 3 9 2 3 6 5', '4 2 2 3 9 2 3 6'), 'element 4 is a triangle'],
    [GMSH_2.replace('4 3 2 3 9 2 3 6 5', '4 10 2 3 9 2 3 6 5 1 2 3 4 5'), 'of type 10'],
    [GMSH_2.replace('4 3 2 3 9 2 3 6 5', '4 3 2 3 9 2 3 6 99'), 'node 99, which is not a node'],
    [GMSH_2.replace('6 2 1 0', '5 2 1 0'), 'node 5 is given twice'],
    [GMSH_2.replace('9 2 3 6 5', '9 2 5 6 3'), 'element 4 is turned over'],
    [GMSH_2.replace('9 2 3 6 5', '9 2 6 3 5'), 'element 4 is turned over'],
    [GMSH_2.replace('9 2 3 6 5', '9 1 2 5 4'), 'elements 3 and 4 have the same nodes'],
    [GMSH_2.replace('9 2 3 6 5', '9 2 2 6 5'), 'element 4 has a node twice'],
    [GMSH_2.replace('6 2 1 0', '6 2 1 0.5'), 'a flat mesh is expected'],
    [GMSH_2.replace('6 2 1 0', '6 1 0.5 0'), 'element 4 is turned over'],
    [ABAQUS.replace('CPS4R', 'CPS8'), 'elements of type "CPS8"'],
    [ABAQUS.replace('2, 2, 3, 6, 5', '2, 2, 3, 6'), 'an element: number and four nodes'],
    [ABAQUS.replace('6, 2., 1., 0.', ''), 'node 6, which is not a node'],
    [ABAQUS.replace('*HEADING', '*INCLUDE, INPUT=a.inp\n*HEADING'), 'reads another file'],
    [ABAQUS.replace('2, 2, 1', '2, 900000000, 1'), 'first, last and step'],
    [ABAQUS.replace('end, S2', 'end, S5'), 'its face S1 to S4'],
  ])('%#: %s', (text, message) => {
    expect(outcomeOf(text)).toContain(message);
  });

  test('bodies that are not connected, or only at a node', () => {
    const apart = ABAQUS.replace('6, 2., 1., 0.', '6, 2., 1., 0.\n12, 1., 0.\n15, 1., 1.').replace(
      '2, 2, 3, 6, 5',
      '2, 12, 3, 6, 15',
    );
    expect(outcomeOf(apart)).toContain('element 2 is not connected to element 1 by edges');
    const hinge = apart.replace('2, 12, 3, 6, 15', '2, 2, 3, 6, 15');
    expect(outcomeOf(hinge)).toContain('not connected');
  });

  test('elements that overlap', () => {
    const folded = ABAQUS.replace('2, 2, 3, 6, 5', '2, 1, 2, 6, 4');
    expect(outcomeOf(folded)).toContain('they overlap');
  });

  test('a text above the limit', () => {
    expect(fea.inputs.safeParse({ mesh: 'x'.repeat(1_000_001) }).success).toBe(false);
  });
});

test('clockwise meshes are turned, and unused nodes left out, with notes', () => {
  const clockwise = ABAQUS.replace('1, 1, 2, 5, 4', '1, 4, 5, 2, 1').replace('2, 2, 3, 6, 5', '2, 5, 6, 3, 2');
  const { notes, mesh } = meshOf(clockwise.replace('*ELEMENT', '9, 5., 5.\n*ELEMENT'));
  expect(mesh.points.length).toBe(12);
  expect(notes.join(' ')).toContain('clockwise');
  expect(notes.join(' ')).toContain('1 nodes belong to no quadrilateral');
});

test('an order with a narrow profile has one, and moves all parts of a mesh alike', () => {
  const n = 12;
  const wide = Array.from({ length: n }, (_, i) => i).toSorted((a, b) => ((a * 7) % n) - ((b * 7) % n));
  const nodes = wide.flatMap((x, i) => [`${2 * i + 1}, ${x}, 0`, `${2 * i + 2}, ${x}, 1`]);
  const at = (x: number) => 2 * wide.indexOf(x) + 1;
  const quads = Array.from(
    { length: n - 1 },
    (_, x) => `${x + 1}, ${at(x)}, ${at(x + 1)}, ${at(x + 1) + 1}, ${at(x) + 1}`,
  );
  const { mesh } = meshOf(['*NODE', ...nodes, '*ELEMENT, TYPE=CPS4', ...quads.toSorted()].join('\n'));
  const ordered = renumbered(mesh, narrowOrder(mesh));
  expect(profileOf(ordered, 1).at(-1)).toBeLessThanOrEqual(4 * 2 * n);
  const area = ({ points, quads: elements }: typeof mesh) =>
    Array.from({ length: elements.length / 4 }, (_, e) => points[2 * (elements[4 * e + 1] ?? 0)] ?? 0);
  expect(area(ordered)).toEqual(area(mesh));
  const fine = refined(refined(ordered));
  expect(fine.quads.length).toBe(16 * mesh.quads.length);
  expect(fine.points.length / 2).toBe((4 * (n - 1) + 1) * 5);
});
