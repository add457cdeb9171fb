// Abaqus and CalculiX input (.inp): nodes, quadrilaterals of four nodes, node sets, element sets and surfaces.
//
// Keywords that say something else about a model (materials, steps, loads) are left out with a note. The format: CalculiX
// CrunchiX user's manual, chapter "Input deck format".

import type { MeshFile } from './mesh-file.ts';
import { quote, TextLines } from './text-lines.ts';

/** Four-node plane, axisymmetric and shell elements, with their variants. */
const QUAD_TYPE = /^(?:CPS4|CPE4|CAX4|S4|M3D4|DC2D4|2D4)[A-Z0-9]*$/;
const MAX_SET = 200_000;
/** The nodes of face S1 … S4, counted in the element. */
const FACES = [
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 0],
] as const;

interface Keyword {
  readonly name: string;
  readonly options: ReadonlyMap<string, string>;
}

interface Found {
  readonly nodes: Map<number, readonly [number, number, number]>;
  readonly quads: Map<number, readonly number[]>;
  readonly lines: Map<string, (readonly [number, number])[]>;
  readonly nodeSets: Map<string, Set<number>>;
  readonly elementSets: Map<string, Set<number>>;
  readonly skipped: Set<string>;
}

/** @throws DomainError VALIDATION_FAILED, which names the line */
export function parseAbaqus(text: string, path: string): MeshFile {
  const lines = new TextLines(text, path);
  const found: Found = {
    nodes: new Map(),
    quads: new Map(),
    lines: new Map(),
    nodeSets: new Map(),
    elementSets: new Map(),
    skipped: new Set(),
  };
  while (!lines.isAtEnd) {
    const line = lines.read('a keyword');
    if (line === '' || line.startsWith('**')) continue;
    if (!line.startsWith('*')) throw lines.fail(`got ${quote(line)}; expected a keyword, as in *NODE.`);
    read(lines, keywordOf(lines, line), found);
  }
  const missing = [...found.quads].flatMap(([element, corners]) => {
    const node = corners.find((corner) => !found.nodes.has(corner));
    return node === undefined ? [] : [[element, node] as const];
  });
  const [first] = missing;
  if (first) throw lines.fail(`element ${first[0]} has node ${first[1]}, which is not a node of the file.`);
  const left = [...found.skipped].slice(0, 12).join(', ');
  const notes = left === '' ? [] : [`Of the file, these keywords are not used: ${left}.`];
  return { nodes: found.nodes, quads: found.quads, lines: found.lines, nodeSets: found.nodeSets, notes };
}

function keywordOf(lines: TextLines, line: string): Keyword {
  const [name = '', ...options] = line
    .slice(1)
    .split(',')
    .map((word) => word.trim());
  const pairs = options.map((option) => {
    const at = option.indexOf('=');
    const key = (at < 0 ? option : option.slice(0, at)).trim().toUpperCase();
    return [key, at < 0 ? '' : option.slice(at + 1).trim()] as const;
  });
  if (name === '') throw lines.fail('a keyword without a name.');
  return { name: name.toUpperCase(), options: new Map(pairs) };
}

/** The lines of data after a keyword, without comments. */
function* dataLines(lines: TextLines): Generator<string> {
  for (let line = lines.peek(); line !== undefined; line = lines.peek()) {
    if (line.startsWith('*') && !line.startsWith('**')) return;
    lines.read('data');
    if (line !== '' && !line.startsWith('**')) yield line;
  }
}

/** @throws DomainError for a word that is not a finite number */
function numbersIn(lines: TextLines, line: string): readonly number[] {
  const words = line.replace(/,\s*$/, '').split(',');
  const numbers = words.map((word) => (word.trim() === '' ? Number.NaN : Number(word.trim())));
  if (numbers.every((one) => Number.isFinite(one))) return numbers;
  throw lines.fail(`got ${quote(line)}; expected numbers with commas between them.`);
}

function read(lines: TextLines, keyword: Keyword, found: Found): void {
  const { name, options } = keyword;
  if (name === 'INCLUDE' || options.has('INPUT')) throw lines.fail(`*${name} reads another file; give one text.`);
  if (name === 'NODE') readNodes(lines, options, found);
  else if (name === 'ELEMENT') readElements(lines, options, found);
  else if (name === 'NSET') readSet(lines, options, 'NSET', found.nodeSets);
  else if (name === 'ELSET') readSet(lines, options, 'ELSET', found.elementSets);
  else if (name === 'SURFACE') readSurface(lines, options, found);
  else {
    if (name !== 'HEADING') found.skipped.add(`*${name.slice(0, 30)}`);
    for (const _ of dataLines(lines));
  }
}

function setOf(sets: Map<string, Set<number>>, name: string): Set<number> {
  const set = sets.get(name) ?? new Set();
  sets.set(name, set);
  return set;
}

function readNodes(lines: TextLines, options: Keyword['options'], { nodes, nodeSets }: Found): void {
  const set = options.get('NSET');
  for (const line of dataLines(lines)) {
    const [tag = 0, x = 0, y, z = 0] = numbersIn(lines, line);
    if (y === undefined || !Number.isSafeInteger(tag) || tag < 1)
      throw lines.fail(`got ${quote(line)}; expected a node: number, x, y.`);
    if (nodes.has(tag)) throw lines.fail(`node ${tag} is given twice.`);
    nodes.set(tag, [x, y, z]);
    if (set !== undefined) setOf(nodeSets, set).add(tag);
  }
}

function readElements(lines: TextLines, options: Keyword['options'], { quads, elementSets }: Found): void {
  const type = (options.get('TYPE') ?? '').toUpperCase();
  if (!QUAD_TYPE.test(type))
    throw lines.fail(`elements of type ${quote(type)}; four-node quadrilaterals are read (CPS4, CPE4, CAX4, S4).`);
  const set = options.get('ELSET');
  for (const line of dataLines(lines)) {
    const [tag = 0, ...corners] = numbersIn(lines, line);
    if (corners.length !== 4 || ![tag, ...corners].every((one) => Number.isSafeInteger(one) && one > 0))
      throw lines.fail(`got ${quote(line)}; expected an element: number and four nodes.`);
    if (quads.has(tag)) throw lines.fail(`element ${tag} is given twice.`);
    quads.set(tag, corners);
    if (set !== undefined) setOf(elementSets, set).add(tag);
  }
}

function readSet(
  lines: TextLines,
  options: Keyword['options'],
  option: 'NSET' | 'ELSET',
  sets: Map<string, Set<number>>,
): void {
  const name = options.get(option);
  if (name === undefined || name === '') throw lines.fail(`*${option} without ${option}=name.`);
  const set = setOf(sets, name);
  for (const line of dataLines(lines)) {
    if (options.has('GENERATE')) {
      const [from = 0, to = 0, step = 1] = numbersIn(lines, line);
      if (!(step >= 1 && to >= from && (to - from) / step < MAX_SET))
        throw lines.fail(`got ${quote(line)}; expected first, last and step.`);
      for (let member = from; member <= to; member += step) set.add(member);
      continue;
    }
    for (const word of line.split(',').map((one) => one.trim())) {
      if (word === '') continue;
      const member = Number(word);
      const other = Number.isNaN(member) ? sets.get(word) : new Set([member]);
      if (!other) throw lines.fail(`got ${quote(word)}; expected numbers or the name of an earlier set.`);
      for (const one of other) set.add(one);
    }
  }
}

function readSurface(lines: TextLines, options: Keyword['options'], { quads, elementSets, lines: named }: Found): void {
  const name = options.get('NAME');
  if (name === undefined || name === '') throw lines.fail('*SURFACE without NAME=.');
  const pairs = named.get(name) ?? [];
  for (const line of dataLines(lines)) {
    const [of = '', face = ''] = line.split(',').map((word) => word.trim());
    const corners = FACES[Number(/^S([1-4])$/i.exec(face)?.[1]) - 1];
    const members = elementSets.get(of) ?? (quads.has(Number(of)) ? new Set([Number(of)]) : undefined);
    if (!corners || !members)
      throw lines.fail(`got ${quote(line)}; expected an element or element set, and its face S1 to S4.`);
    for (const member of members) {
      const quad = quads.get(member) ?? [];
      pairs.push([quad[corners[0]] ?? 0, quad[corners[1]] ?? 0]);
    }
  }
  named.set(name, pairs);
}
