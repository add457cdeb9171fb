// Results as comma-separated values (RFC 4180): the table of a sweep, the numbers of a result, or its arrays.

import { Option } from 'commander';
import { csvCell } from '../core/csv.ts';
import { DomainError } from '../core/errors.ts';
import { tablesOf, toCsv } from '../protocol/solution-tables.ts';
import { tableCsv } from '../protocol/sweep/csv.ts';
import { type TableResult, tableNumbers } from '../protocol/sweep/table-result.ts';
import type { Field } from '../solvers/field.ts';
import type { Plot } from '../solvers/plot.ts';
import { print, type Terminal } from './terminal.ts';

export const csvOption = (): Option =>
  new Option('--csv', 'print comma-separated values: the table of a sweep, else the numbers with ± and unit');

export const arraysOption = (): Option =>
  new Option('--arrays <table>', 'with --csv: a table of the arrays of the result, such as series');

interface MeasuredNumber {
  readonly value: number;
  readonly uncertainty?: number | undefined;
  readonly unit: string;
}

interface CsvResult extends MeasuredNumber {
  readonly table?: TableResult | undefined;
  readonly quantities: readonly (MeasuredNumber & { readonly name: string })[];
  /** Laws of a chain. */
  readonly results?: readonly (MeasuredNumber & { readonly operator_id: string })[] | undefined;
}

/** Arrays of a result, as far as they are here. */
interface CsvArrays {
  readonly series: readonly Field[];
  readonly fields: readonly Field[];
  readonly plots: readonly Plot[];
}

const NO_ARRAYS: CsvArrays = { series: [], fields: [], plots: [] };

interface CsvRequest {
  readonly arrays?: CsvArrays;
  /** Name of a table of the arrays; without one, the numbers are printed. */
  readonly name?: string | undefined;
}

/** @throws DomainError VALIDATION_FAILED for a name that no table of the result has */
export function printCsv(terminal: Terminal, result: CsvResult, { arrays = NO_ARRAYS, name }: CsvRequest = {}): void {
  for (const line of csvText(result, arrays, name).trimEnd().split(/\r?\n/)) print(terminal, line);
}

function csvText(result: CsvResult, arrays: CsvArrays, name: string | undefined): string {
  if (name !== undefined) return arraysCsv(arrays, name);
  const data = tableNumbers(result.table);
  return result.table !== undefined && data !== undefined ? tableCsv(result.table, data) : numbersCsv(result);
}

function arraysCsv(arrays: CsvArrays, name: string): string {
  const tables = tablesOf(arrays);
  const found = tables.find((table) => table.name === name);
  if (found !== undefined) return toCsv(found);
  const names = tables.map((table) => table.name).join(', ');
  const message = `--arrays ${name}: ${names === '' ? 'this result has no arrays over one coordinate' : `use ${names}`}.`;
  throw new DomainError('VALIDATION_FAILED', message, {
    details: [{ path: 'arrays', code: 'TABLE_UNKNOWN', message }],
  });
}

/** One number a line: the value, the steps of a chain of laws, and the quantities. All digits, so that they read back. */
function numbersCsv({ value, uncertainty, unit, quantities, results = [] }: CsvResult): string {
  const row = (name: string, number: MeasuredNumber) =>
    [csvCell(name), number.value, number.uncertainty ?? '', csvCell(number.unit)].join(',');
  const steps = results.length > 1 ? results : [];
  return [
    'name,value,uncertainty,unit',
    row('value', { value, uncertainty, unit }),
    ...steps.map((step) => row(step.operator_id, step)),
    ...quantities.map((quantity) => row(quantity.name, quantity)),
  ].join('\n');
}
