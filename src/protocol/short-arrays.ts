// A result with its long arrays by their hash, for a reader who does not need every number.

import { LIMITS } from '../core/limits.ts';
import { isRecord } from '../core/record.ts';
import { arraySha256 } from './array-digest.ts';
import type { Untrusted } from './untrusted.ts';

/**
 * Series and fields stay inline, in order, while they hold at most LIMITS.toolNumbers numbers together; of the others,
 * `pointer` says where they stand in the full answer (RFC 6901). Other arrays with more numbers become their hash.
 */
export function withShortArrays(answer: Untrusted): Untrusted {
  let left = LIMITS.toolNumbers;
  const shorten = (list: unknown, pointer: string) => {
    if (!Array.isArray(list)) return list;
    return list.map((array, index) => {
      if (!isRecord(array) || !Array.isArray(array.data)) return array;
      left -= array.data.length;
      if (left >= 0) return array;
      const { data: _, ...rest } = array;
      return { ...rest, pointer: `${pointer}/${index}/data` };
    });
  };
  const entries = Object.entries(answer).map(([name, value]) => {
    const isArrays = name === 'series' || name === 'fields';
    if (name === 'table') return [name, withoutRows(value)] as const;
    return [name, isArrays ? shorten(value, `/${name}`) : withHashes(value, `/${escaped(name)}`)] as const;
  });
  return Object.fromEntries(entries);
}

/** The value with every long numeric array, also of several dimensions, as its length, hash and place. */
function withHashes(value: unknown, pointer: string): unknown {
  if (Array.isArray(value)) {
    const numbers = value.flat(MAX_DIMENSIONS);
    if (numbers.length > LIMITS.toolNumbers && numbers.every((one) => typeof one === 'number'))
      return { numbers: numbers.length, sha256: arraySha256(Float64Array.from(numbers)), pointer };
    return value.map((item, index) => withHashes(item, `${pointer}/${index}`));
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(
    ([name, one]) => [name, withHashes(one, `${pointer}/${escaped(name)}`)] as const,
  );
  return Object.fromEntries(entries);
}

/** A table of a sweep with more numbers keeps its outline and its hash. */
function withoutRows(table: unknown): unknown {
  if (!isRecord(table) || !Array.isArray(table.rows)) return table;
  const { rows, ...rest } = table;
  return rows.length <= LIMITS.toolNumbers ? table : { ...rest, pointer: '/table/rows' };
}

const MAX_DIMENSIONS = 4;

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
