// Series and fields of an answer: numbers inline, as bytes, or by link, and always with the hash that the seal covers.

import { fromBase64, fromLittleEndianF64, littleEndianBytes, toBase64 } from '../core/bits.ts';
import { LIMITS } from '../core/limits.ts';
import { isRecord } from '../core/record.ts';
import { EMPTY_SHA256, sha256Hex } from '../core/sha256.ts';
import type { Field } from '../solvers/definition.ts';
import { arraySha256, finiteNumbers, finiteSha256, withCanonicalNaNs } from './array-digest.ts';
import { arrayOf, type RunArray } from './executed-run.ts';
import { tableFault } from './sweep/table-result.ts';
import type { Untrusted } from './untrusted.ts';

export interface ArrayResult {
  readonly name: string;
  readonly unit: string;
  readonly shape: readonly number[];
  /** SHA-256 of the numbers as little-endian f64, row-major. */
  readonly sha256: string;
  /** The numbers, up to `LIMITS.inlineNumbers`. */
  readonly data?: readonly number[];
  /** The bytes of a longer array, in a self-contained receipt. */
  readonly base64?: string;
  /** Number of bytes behind `href`. */
  readonly bytes?: number;
  readonly href?: string;
}

/** Bytes that an envelope links to, to be stored beside it. */
export interface LinkedBytes {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/** Collects the arrays of an answer and the bytes that it links to. */
export class ArrayCollector {
  readonly linked: LinkedBytes[] = [];
  readonly #isComplete: boolean;

  /** @param isComplete  hold the bytes of long arrays instead of a link */
  constructor(isComplete: boolean) {
    this.#isComplete = isComplete;
  }

  /** @param assertFinite  throws for a number that JSON cannot hold */
  add({ name, unit, shape, data: given }: Field, assertFinite: (value: number, what: string) => void): ArrayResult {
    const data = finiteNumbers(given, (value) => assertFinite(value, name));
    const sha256 = finiteSha256(data);
    if (data.length <= LIMITS.inlineNumbers) return { name, unit, shape, sha256, data: numbersIn(data) };
    return { name, unit, shape, ...this.addBytes(data) };
  }

  /** The bytes of an array, or the link to them. NaN has one form. */
  addBytes(data: Float64Array): Pick<ArrayResult, 'sha256' | 'base64' | 'bytes' | 'href'> {
    const sha256 = arraySha256(data);
    const bytes = littleEndianBytes(withCanonicalNaNs(data));
    if (this.#isComplete) return { sha256, base64: toBase64(bytes) };
    this.linked.push({ sha256, bytes });
    return { sha256, bytes: bytes.length, href: `/api/svc/fields/${sha256}.bin` };
  }
}

/** As `Array.from`, which takes an iterator and several times as long. */
function numbersIn(data: Float64Array): number[] {
  const numbers: number[] = [];
  for (let i = 0; i < data.length; i++) numbers.push(data[i] as number);
  return numbers;
}

/** SHA-256 of the hashes of all arrays, series first: no array is hashed twice. */
export function trajectorySha256(...lists: readonly unknown[]): string {
  let hashes = '';
  for (const list of lists)
    if (Array.isArray(list))
      for (const one of list) hashes += isRecord(one) && typeof one.sha256 === 'string' ? one.sha256 : '';
  return hashes === '' ? EMPTY_SHA256 : sha256Hex(hashes);
}

/** Why the numbers of an untrusted envelope do not have the hashes beside them; undefined if they do. */
export function arraysFault({ series, fields, table, trajectory_sha256, runs }: Untrusted): string | undefined {
  for (const array of [series, fields].flatMap((list) => (Array.isArray(list) ? list : []))) {
    const { name, sha256, data, base64 } = isRecord(array) ? array : {};
    const numbers = numbersOf(data, base64);
    if (numbers === 'none') continue;
    if (numbers === undefined || arraySha256(numbers) !== sha256)
      return `The numbers of ${typeof name === 'string' ? name.slice(0, 80) : 'an array'} differ from their hash.`;
  }
  const wrongTable = tableFault(table);
  if (wrongTable !== undefined) return wrongTable;
  if (trajectory_sha256 !== trajectorySha256(series, fields)) return 'trajectory_sha256 names other arrays.';
  return runArraysFault(runs);
}

function runArraysFault(runs: unknown): string | undefined {
  for (const run of Array.isArray(runs) ? runs : []) {
    const inputs = isRecord(run) && isRecord(run.inputs) ? run.inputs : {};
    for (const [view, array] of Object.entries(inputs))
      if (isRecord(array) && array.base64 !== undefined && arrayOf(array as unknown as RunArray) === undefined)
        return `The bytes of the input ${view.slice(0, 80)} of a run differ from their hash.`;
  }
  return undefined;
}

/** The numbers of an array; undefined if they are none, `'none'` if the array holds only its hash. */
function numbersOf(data: unknown, base64: unknown): Float64Array | undefined | 'none' {
  if (data !== undefined && base64 !== undefined) return undefined;
  if (typeof base64 === 'string') {
    const bytes = fromBase64(base64);
    return bytes && fromLittleEndianF64(bytes);
  }
  if (base64 !== undefined) return undefined;
  if (data === undefined) return 'none';
  return Array.isArray(data) && data.every((one) => typeof one === 'number') ? Float64Array.from(data) : undefined;
}
