// A mesh with the fields on it as a file of VTK, which ParaView, VisIt and meshio read.
//
// Legacy format 3.0 in ASCII: https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html. Numbers have all digits,
// so that they read back to the same bits. A pair at nodes gets a third component of 0: readers take three as a vector.

import type { Field, MeshFields } from '../solvers/field.ts';

/** VTK_QUAD. */
const QUADRILATERAL = 9;

/** @returns undefined if nodes or elements are not among the fields, as in an answer that only links them */
export function meshVtk(solver: string, names: MeshFields, fields: readonly Field[]): string | undefined {
  const find = (name: string) => fields.find((field) => field.name === name);
  const [nodes, elements] = [find(names.nodes), find(names.elements)];
  if (!nodes || !elements) return undefined;
  const [nodeCount = 0] = nodes.shape;
  const [elementCount = 0, corners = 0] = elements.shape;
  const found = (list: readonly string[]) => list.flatMap((name) => find(name) ?? []);
  const [atNodes, inElements] = [found(names.atNodes), found(names.inElements)];
  const units = [...atNodes, ...inElements].map(({ name, unit }) => `${name} ${unit}`).join(', ');
  return `${[
    '# vtk DataFile Version 3.0',
    `svc ${solver}: x ${nodes.unit}, ${units}`.slice(0, 255),
    'ASCII',
    'DATASET UNSTRUCTURED_GRID',
    `POINTS ${nodeCount} double`,
    ...rowsOf(nodes, 2).map((row) => `${row} 0`),
    `CELLS ${elementCount} ${elementCount * (corners + 1)}`,
    ...rowsOf(elements, corners).map((row) => `${corners} ${row}`),
    `CELL_TYPES ${elementCount}`,
    ...Array.from({ length: elementCount }, () => QUADRILATERAL),
    ...sectionOf('POINT_DATA', nodeCount, atNodes),
    ...sectionOf('CELL_DATA', elementCount, inElements),
  ].join('\n')}\n`;
}

function sectionOf(kind: string, count: number, fields: readonly Field[]): string[] {
  if (fields.length === 0) return [];
  return [`${kind} ${count}`, `FIELD values ${fields.length}`, ...fields.flatMap((field) => arrayOf(field, count))];
}

function arrayOf(field: Field, count: number): string[] {
  const width = field.data.length / count;
  const isVector = width === 2;
  const rows = rowsOf(field, width);
  return [
    `${field.name} ${isVector ? 3 : width} ${count} double`,
    ...(isVector ? rows.map((row) => `${row} 0`) : rows),
  ];
}

function rowsOf({ data }: Field, width: number): string[] {
  return Array.from({ length: data.length / width }, (_, i) =>
    Array.from(data.subarray(width * i, width * (i + 1)), numberText).join(' '),
  );
}

/** As C++ reads it. */
function numberText(value: number): string {
  return Number.isNaN(value) ? 'nan' : String(value).replace('Infinity', 'inf');
}
