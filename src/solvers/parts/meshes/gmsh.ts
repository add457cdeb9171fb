// Gmsh files (.msh), ASCII, versions 2.2 and 4.1: quadrilaterals of four nodes, and lines of physical groups.
//
// The format: Gmsh reference manual, "Gmsh mesh file formats".

import type { MeshFile } from './mesh-file.ts';
import { quote, TextLines } from './text-lines.ts';

const LINE = 1;
const TRIANGLE = 2;
const QUAD = 3;
const POINT = 15;

type Mutable<Kind> = Kind extends ReadonlyMap<infer Key, infer Value> ? Map<Key, Value> : never;

interface Found {
  readonly nodes: Mutable<MeshFile['nodes']>;
  readonly quads: Mutable<MeshFile['quads']>;
  /** By physical tag. */
  readonly lines: Map<number, [number, number][]>;
  /** Names of physical groups of dimension 1. */
  readonly names: Map<number, string>;
  /** Physical tags of curves. */
  readonly curves: Map<number, readonly number[]>;
}

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseGmsh(text: string, path: string): MeshFile {
  const lines = new TextLines(text, path);
  const found: Found = { nodes: new Map(), quads: new Map(), lines: new Map(), names: new Map(), curves: new Map() };
  let version = 0;
  while (!lines.isAtEnd) {
    const head = lines.read('a section');
    if (head === '') continue;
    if (!head.startsWith('$') || head.startsWith('$End')) throw lines.fail(`got ${quote(head)}; expected a section.`);
    const section = head.slice(1);
    if (section !== 'MeshFormat' && version === 0) throw lines.fail(`got ${quote(head)}; expected $MeshFormat first.`);
    if (section === 'MeshFormat') version = readFormat(lines);
    else if (section === 'PhysicalNames') readNames(lines, found);
    else if (section === 'Entities') readEntities(lines, found);
    else if (section === 'Nodes') (version < 4 ? readNodes2 : readNodes4)(lines, found);
    else if (section === 'Elements') (version < 4 ? readElements2 : readElements4)(lines, found);
    else {
      skip(lines, section);
      continue;
    }
    const end = lines.read(`$End${section}`);
    if (end !== `$End${section}`) throw lines.fail(`got ${quote(end)}; expected $End${section}: the count is wrong.`);
  }
  const named = new Map([...found.lines].map(([tag, pairs]) => [found.names.get(tag) ?? `${tag}`, pairs]));
  return { nodes: found.nodes, quads: found.quads, lines: named, nodeSets: new Map(), notes: [] };
}

function skip(lines: TextLines, section: string): void {
  while (lines.read(`$End${section}`) !== `$End${section}`);
}

function readFormat(lines: TextLines): number {
  const [version = 0, kind = 0] = lines.readNumbers(3, 'version, file type and data size');
  if (kind !== 0) throw lines.fail('the file is binary; save it as ASCII.');
  if (version === 2.2 || version === 4.1) return version;
  throw lines.fail(`got version ${version}; 2.2 and 4.1 are read.`);
}

function readNames(lines: TextLines, { names }: Found): void {
  const [count = 0] = lines.readWholes(1, 'the number of names');
  for (let i = 0; i < count; i++) {
    const line = lines.read('dimension, tag and "name"');
    const [, dimension, tag, name] = /^(\d)\s+(\d{1,9})\s+"([^"]{1,80})"$/.exec(line) ?? [];
    if (name === undefined) throw lines.fail(`got ${quote(line)}; expected dimension, tag and "name".`);
    if (dimension === '1') names.set(Number(tag), name.replaceAll(/\s+/g, '_'));
  }
}

/** Only the physical tags of curves are used. */
function readEntities(lines: TextLines, { curves }: Found): void {
  const [points = 0, curveCount = 0, surfaces = 0, volumes = 0] = lines.readWholes(4, 'four counts of entities');
  for (let i = 0; i < points; i++) lines.readNumbers(4, 'a point');
  for (let i = 0; i < curveCount; i++) {
    const [tag = 0, , , , , , , count = 0, ...rest] = lines.readNumbers(8, 'a curve');
    curves.set(tag, rest.slice(0, count).map(Math.abs));
  }
  for (let i = 0; i < surfaces + volumes; i++) lines.readNumbers(8, 'a surface or volume');
}

function addNode(lines: TextLines, { nodes }: Found, tag: number, place: readonly number[]): void {
  if (nodes.has(tag)) throw lines.fail(`node ${tag} is given twice.`);
  const [x = 0, y = 0, z = 0] = place;
  nodes.set(tag, [x, y, z]);
}

function readNodes2(lines: TextLines, found: Found): void {
  const [count = 0] = lines.readWholes(1, 'the number of nodes');
  for (let i = 0; i < count; i++) {
    const [tag = 0, ...place] = lines.readNumbers(4, `a node: number, x, y, z (${i} of ${count} read)`);
    if (!Number.isSafeInteger(tag)) throw lines.fail(`got node ${tag}; expected a whole number.`);
    addNode(lines, found, tag, place);
  }
}

function readNodes4(lines: TextLines, found: Found): void {
  const [blocks = 0, count = 0] = lines.readWholes(4, 'blocks, nodes, smallest and largest tag');
  for (let block = 0; block < blocks; block++) {
    const [, , , size = 0] = lines.readWholes(4, 'dimension, tag, parametric and number of nodes');
    if (found.nodes.size + size > count) throw lines.fail(`the blocks hold more than the ${count} nodes announced.`);
    const tags: number[] = [];
    for (let i = 0; i < size; i++) tags.push(lines.readWholes(1, 'the tag of a node')[0] ?? 0);
    for (const tag of tags) addNode(lines, found, tag, lines.readNumbers(3, 'x, y, z of a node'));
  }
  if (found.nodes.size !== count) throw lines.fail(`got ${found.nodes.size} nodes; ${count} are announced.`);
}

function addElement(
  lines: TextLines,
  found: Found,
  kind: number,
  tag: number,
  groups: readonly number[],
  nodes: readonly number[],
): void {
  const missing = nodes.find((node) => !found.nodes.has(node));
  if (missing !== undefined) throw lines.fail(`element ${tag} has node ${missing}, which is not a node of the file.`);
  if (kind === POINT) return;
  if (kind === TRIANGLE) throw lines.fail(`element ${tag} is a triangle; recombine the surface to quadrilaterals.`);
  const expected = kind === LINE ? 2 : 4;
  if (kind !== LINE && kind !== QUAD)
    throw lines.fail(`element ${tag} is of type ${kind}; lines (1) and quadrilaterals of four nodes (3) are read.`);
  if (nodes.length !== expected) throw lines.fail(`element ${tag} has ${nodes.length} nodes; expected ${expected}.`);
  if (kind === QUAD) {
    if (found.quads.has(tag)) throw lines.fail(`element ${tag} is given twice.`);
    found.quads.set(tag, nodes);
    return;
  }
  const [a = 0, b = 0] = nodes;
  for (const group of groups) {
    const pairs = found.lines.get(group) ?? [];
    pairs.push([a, b]);
    found.lines.set(group, pairs);
  }
}

function readElements2(lines: TextLines, found: Found): void {
  const [count = 0] = lines.readWholes(1, 'the number of elements');
  for (let i = 0; i < count; i++) {
    const [tag = 0, kind = 0, tags = 0, ...rest] = lines.readWholes(3, `an element (${i} of ${count} read)`);
    const groups = tags > 0 && rest[0] !== 0 ? rest.slice(0, 1) : [];
    addElement(lines, found, kind, tag, groups, rest.slice(tags));
  }
}

function readElements4(lines: TextLines, found: Found): void {
  const [blocks = 0, count = 0] = lines.readWholes(4, 'blocks, elements, smallest and largest tag');
  let total = 0;
  for (let block = 0; block < blocks; block++) {
    const [dimension = 0, entity = 0, kind = 0, size = 0] = lines.readWholes(4, 'dimension, tag, type and number');
    total += size;
    if (total > count) throw lines.fail(`the blocks hold more than the ${count} elements announced.`);
    const groups = dimension === 1 ? (found.curves.get(entity) ?? []) : [];
    for (let i = 0; i < size; i++) {
      const [tag = 0, ...nodes] = lines.readWholes(2, `an element (${i} of ${size} of its block read)`);
      addElement(lines, found, kind, tag, groups, nodes);
    }
  }
  if (total !== count) throw lines.fail(`got ${total} elements; ${count} are announced.`);
}
