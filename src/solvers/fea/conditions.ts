// Supports and loads: the small language of the inputs, and what it means.
//
//   supports   <side> fixed | <side> ux=… uy=… | at x y fixed | at x y ux=… uy=…
//   loads      <side> tx=… ty=… | <side> p=… | <side> force Fx Fy | point x y Fx Fy | gravity gx gy | heat ΔT
//
// A side is a name of the mesh, left, right, bottom or top (the extreme boundary edges), boundary, or x=… or y=…: all boundary
// edges on that line. Values after = are expressions in x and y without spaces.

import { validationError } from '../parts/errors.ts';
import { type FieldFunction, fieldFunction } from '../parts/field-expression.ts';

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Prescribed displacements, on a side or at a node. */
export interface Support {
  readonly on: string | Place;
  readonly ux?: FieldFunction;
  readonly uy?: FieldFunction;
}

export type Load =
  | { readonly kind: 'traction'; readonly on: string; readonly tx: FieldFunction; readonly ty: FieldFunction }
  | { readonly kind: 'pressure'; readonly on: string; readonly p: FieldFunction }
  | { readonly kind: 'force'; readonly on: string; readonly fx: number; readonly fy: number }
  | { readonly kind: 'point'; readonly at: Place; readonly fx: number; readonly fy: number }
  | { readonly kind: 'gravity'; readonly gx: number; readonly gy: number }
  | { readonly kind: 'heat'; readonly rise: FieldFunction };

const MAX_ENTRIES = 64;
const ZERO: FieldFunction = () => 0;

const quote = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const wordsOf = (entry: string): readonly string[] => entry.split(/\s+/).filter((word) => word !== '');

function entriesOf(text: string, path: string): readonly string[] {
  const entries = text.split(/[;\n]/).map((entry) => entry.trim());
  const used = entries.filter((entry) => entry !== '');
  if (used.length <= MAX_ENTRIES) return used;
  throw validationError(path, `${path} has ${used.length} entries; at most ${MAX_ENTRIES} are allowed.`);
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Finite numbers, or undefined if a word is none or their count differs. */
function numbersOf(words: readonly string[], count: number): readonly number[] | undefined {
  const numbers = words.map((word) => (NUMBER.test(word) ? Number(word) : Number.NaN));
  return words.length === count && numbers.every((one) => Number.isFinite(one)) ? numbers : undefined;
}

/** `name=expression` words by name, or undefined if there is another word, name, or none. */
function assignments<Name extends string>(
  words: readonly string[],
  names: readonly Name[],
  path: string,
): Partial<Record<Name, FieldFunction>> | undefined {
  const found: Partial<Record<Name, FieldFunction>> = {};
  for (const word of words) {
    const at = word.indexOf('=');
    const name = names.find((one) => one === word.slice(0, at));
    if (name === undefined || found[name] !== undefined || at === word.length - 1) return undefined;
    found[name] = fieldFunction(word.slice(at + 1), path);
  }
  return words.length === 0 ? undefined : found;
}

/** @throws DomainError VALIDATION_FAILED, which quotes the entry; EXPRESSION_INVALID */
export function parseSupports(text: string): readonly Support[] {
  return entriesOf(text, 'supports').map((entry) => {
    const [first = '', ...rest] = wordsOf(entry);
    const place = first === 'at' ? numbersOf(rest.slice(0, 2), 2) : undefined;
    const on = place ? { x: place[0] ?? 0, y: place[1] ?? 0 } : first;
    const words = place ? rest.slice(2) : rest;
    if (words.length === 1 && words[0] === 'fixed') return { on, ux: ZERO, uy: ZERO };
    const found = assignments(words, ['ux', 'uy'], 'supports');
    if (found && !(first === 'at' && !place)) return { on, ...found };
    const forms = '"side fixed", "side ux=… uy=…" or "at x y ux=… uy=…", values without spaces';
    throw validationError('supports', `supports has ${quote(entry)}; ${forms} is expected.`, 'MALFORMED_SUPPORT');
  });
}

/** @throws DomainError VALIDATION_FAILED, which quotes the entry; EXPRESSION_INVALID */
export function parseLoads(text: string): readonly Load[] {
  return entriesOf(text, 'loads').map((entry) => loadOf(wordsOf(entry)) ?? malformedLoad(entry));
}

function malformedLoad(entry: string): never {
  const forms =
    '"side tx=… ty=…", "side p=…", "side force Fx Fy", "point x y Fx Fy", "gravity gx gy" or "heat rise", values without spaces';
  throw validationError('loads', `loads has ${quote(entry)}; ${forms} is expected.`, 'MALFORMED_LOAD');
}

function loadOf([first = '', ...rest]: readonly string[]): Load | undefined {
  if (first === 'gravity') {
    const [gx, gy] = numbersOf(rest, 2) ?? [];
    return gx === undefined || gy === undefined ? undefined : { kind: 'gravity', gx, gy };
  }
  if (first === 'heat') {
    const [text] = rest;
    return text === undefined || rest.length > 1 ? undefined : { kind: 'heat', rise: fieldFunction(text, 'loads') };
  }
  if (first === 'point') {
    const [x, y, fx, fy] = numbersOf(rest, 4) ?? [];
    if (x === undefined || y === undefined || fx === undefined || fy === undefined) return undefined;
    return { kind: 'point', at: { x, y }, fx, fy };
  }
  if (rest[0] === 'force') {
    const [fx, fy] = numbersOf(rest.slice(1), 2) ?? [];
    return fx === undefined || fy === undefined ? undefined : { kind: 'force', on: first, fx, fy };
  }
  const pressure = rest.length === 1 && rest[0]?.startsWith('p=') ? assignments(rest, ['p'], 'loads') : undefined;
  if (pressure?.p) return { kind: 'pressure', on: first, p: pressure.p };
  const traction = assignments(rest, ['tx', 'ty'], 'loads');
  return traction && { kind: 'traction', on: first, tx: traction.tx ?? ZERO, ty: traction.ty ?? ZERO };
}
