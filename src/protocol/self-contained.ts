// Self-contained receipts: the bytes of every array stand in the receipt, which needs no link and no plan of the day.

import { littleEndianBytes, toBase64 } from '../core/bits.ts';
import { mapValues } from '../core/map-values.ts';
import { isRecord } from '../core/record.ts';
import { arraySha256, finiteNumbers, type NumericArray, withCanonicalNaNs } from './array-digest.ts';
import type { Untrusted } from './untrusted.ts';

/** Arrays by hash. */
export type ArrayTable = ReadonlyMap<string, NumericArray>;

/** @param fields  series and fields of a solution. @param inputs  input arrays of runs */
export function arrayTable(fields: readonly Float64Array[], inputs: readonly NumericArray[]): ArrayTable {
  const arrays = [...fields.map((data) => finiteNumbers(data, () => {})), ...inputs];
  return new Map(arrays.map((data) => [arraySha256(data), data]));
}

/** The receipt or result with the bytes of every array of the table that it holds only by hash. */
export function withArrays<Subject extends Untrusted>(subject: Subject, table: ArrayTable): Subject {
  const { series, fields, runs, table: rows } = subject;
  return {
    ...subject,
    ...mapDefined({ series, fields }, (list) => mapList(list, (array) => withBytes(array, table))),
    ...mapDefined({ table: rows }, (one) => withBytes(one, table)),
    ...mapDefined({ runs }, (list) => mapList(list, (run) => withInputs(run, table))),
  };
}

function withInputs(run: unknown, table: ArrayTable): unknown {
  if (!isRecord(run) || !isRecord(run.inputs)) return run;
  return { ...run, inputs: mapValues(run.inputs, (array) => withBytes(array, table)) };
}

const hasNumbers = ({ data, rows, base64 }: Untrusted) =>
  data !== undefined || rows !== undefined || base64 !== undefined;

/** A link is left out where the bytes stand. */
function withBytes(array: unknown, table: ArrayTable): unknown {
  if (!isRecord(array) || hasNumbers(array) || typeof array.sha256 !== 'string') return array;
  const data = table.get(array.sha256);
  if (data === undefined) return array;
  const { href: _, bytes: __, ...rest } = array;
  return { ...rest, base64: toBase64(littleEndianBytes(withCanonicalNaNs(data))) };
}

const mapList = (list: unknown, change: (one: unknown) => unknown) => (Array.isArray(list) ? list.map(change) : list);

function mapDefined(record: Untrusted, change: (value: unknown) => unknown): Untrusted {
  const defined = Object.entries(record).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined.map(([name, value]) => [name, change(value)]));
}
