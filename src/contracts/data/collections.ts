// Bounded collections of a contract: maps, lists and sets in the order in which their entries came.
//
// A map is a list of pairs, not an object, so that its order is that of insertion whatever its keys are, in memory, in
// JSON and in every engine. Every operation returns a new collection; the old one stays as it was.

import { canonicalJson } from '../../core/canonical-json.ts';
import { LIMITS } from '../../core/limits.ts';
import { sha256Hex, utf8 } from '../../core/sha256.ts';
import type { Definition, Scalar } from '../definition.ts';
import { dataFault } from './faults.ts';
import { type CollectionKind, isMoney } from './types.ts';

export type Pair = readonly [key: string, value: Scalar];
/** Entries of a map are pairs, those of lists and sets values. */
export type Entries = readonly (Scalar | Pair)[];
/** The collections of a contract, by name. */
export type Collections = Readonly<Record<string, Entries>>;

/** A collection as declared. */
export interface CollectionShape {
  readonly name: string;
  readonly kind: CollectionKind;
  /** Declared type of its values: a scalar type or money. */
  readonly of: string;
  readonly max: number;
  readonly isRing: boolean;
}

/** The collections with which a contract begins. */
export const emptyCollections = ({ collections }: Pick<Definition, 'collections'>): Collections | undefined =>
  collections && Object.fromEntries(Object.keys(collections).map((name) => [name, []]));

export const pairsOf = (entries: Entries): readonly Pair[] => entries as readonly Pair[];

/** The values, without the keys of a map. */
export const valuesOf = (entries: Entries): readonly Scalar[] =>
  entries.map((entry) => (Array.isArray(entry) ? (entry as Pair)[1] : (entry as Scalar)));

/** Sets the value of a key; a key that is there keeps its place. @throws DomainError BAD_KEY, BAD_ENTRY, COLLECTION_FULL */
export function put(shape: CollectionShape, entries: Entries, key: Scalar, value: Scalar): Entries {
  const pair: Pair = [checkedKey(shape, key), checkedValue(shape, value)];
  const at = pairsOf(entries).findIndex(([known]) => known === key);
  return at < 0 ? grown(shape, entries, pair) : entries.with(at, pair);
}

/** Appends to a list. @throws DomainError BAD_ENTRY, COLLECTION_FULL */
export const append = (shape: CollectionShape, entries: Entries, value: Scalar): Entries =>
  grown(shape, entries, checkedValue(shape, value));

/** Adds to a set; what is there stays where it is. @throws DomainError BAD_ENTRY, COLLECTION_FULL */
export function add(shape: CollectionShape, entries: Entries, value: Scalar): Entries {
  const checked = checkedValue(shape, value);
  return entries.includes(checked) ? entries : grown(shape, entries, checked);
}

/** Removes a key of a map, or a value: of equal ones in a list the first. @throws DomainError NO_ENTRY */
export function remove({ name, kind }: CollectionShape, entries: Entries, wanted: Scalar): Entries {
  const at = kind === 'map' ? pairsOf(entries).findIndex(([key]) => key === wanted) : entries.indexOf(wanted);
  if (at < 0) throw dataFault('NO_ENTRY', `${name} has no entry ${shown(wanted)}.`);
  return entries.toSpliced(at, 1);
}

/** The first value of a list or set, and the rest. @throws DomainError NO_ENTRY */
export function take({ name }: CollectionShape, entries: Entries): { readonly value: Scalar; readonly rest: Entries } {
  const [value] = entries;
  if (value === undefined) throw dataFault('NO_ENTRY', `${name} is empty; nothing can be taken from it.`);
  return { value: value as Scalar, rest: entries.slice(1) };
}

/** SHA-256 of the canonical JSON of all collections, and its length. @throws DomainError COLLECTIONS_TOO_LARGE */
export function hashOfCollections(collections: Collections): { readonly hash: string; readonly bytes: number } {
  const text = canonicalJson(collections);
  const { bytes: max } = LIMITS.contracts.collections;
  const bytes = utf8(text).length;
  if (bytes > max) {
    const message = `The collections would take ${bytes} bytes; at most ${max} are allowed.`;
    throw dataFault('COLLECTIONS_TOO_LARGE', message);
  }
  return { hash: sha256Hex(text), bytes };
}

/** Whether stored collections have the hash that a row states; whatever somebody has written there. */
export function haveHash(collections: unknown, hash: unknown): boolean {
  try {
    return sha256Hex(canonicalJson(collections ?? {})) === hash;
  } catch {
    return false; // text that no contract writes
  }
}

function grown({ name, max, isRing }: CollectionShape, entries: Entries, entry: Scalar | Pair): Entries {
  if (entries.length < max) return [...entries, entry];
  if (isRing) return [...entries.slice(entries.length - max + 1), entry];
  throw dataFault('COLLECTION_FULL', `${name} is full: it has ${entries.length} entries, and ${max} are allowed.`);
}

function checkedKey({ name }: CollectionShape, key: Scalar): string {
  const { keyCharacters: max } = LIMITS.contracts.collections;
  if (typeof key === 'string' && key.length >= 1 && key.length <= max && isPrintable(key)) return key;
  const expected = `1 to ${max} characters, none of them a control character`;
  throw dataFault('BAD_KEY', `The key ${shown(key)} of ${name} is not allowed; ${expected}, are expected.`);
}

function checkedValue({ name, of }: CollectionShape, value: Scalar): Scalar {
  const { textCharacters: max } = LIMITS.contracts.collections;
  const isWhole = of === 'integer' || of === 'ticks' || isMoney(of);
  if (typeof value === 'string' && (value.length > max || !isPrintable(value)))
    throw dataFault('BAD_ENTRY', `${shown(value)} in ${name} is not allowed; at most ${max} printable characters are.`);
  if (typeof value === 'number' && (isWhole ? !Number.isSafeInteger(value) : !Number.isFinite(value)))
    throw dataFault('BAD_ENTRY', `${value} in ${name} is not allowed; a ${isWhole ? 'whole' : 'finite'} number is.`);
  return typeof value === 'number' ? value + 0 : value;
}

const isPrintable = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text);

const MAX_SHOWN_CHARACTERS = 40;
const shown = (value: Scalar) =>
  JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_SHOWN_CHARACTERS) : value);
