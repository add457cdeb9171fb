// A network as its tables say: buses, generators and branches in the columns of MATPOWER, checked row by row.
//
// Zimmerman, Murillo-Sánchez & Thomas, IEEE Transactions on Power Systems 26 (2011) 12; MATPOWER User's Manual, appendix B.

import { LIMITS } from '../../core/limits.ts';
import { validationError } from '../parts/errors.ts';

/** Powers in MW and Mvar, shunts in MW and Mvar at 1 pu, angles in degrees. */
export interface Bus {
  readonly number: number;
  /** 1 load, 2 generator, 3 reference, 4 isolated. */
  readonly type: number;
  readonly load: number;
  readonly reactiveLoad: number;
  readonly conductance: number;
  readonly susceptance: number;
  readonly voltage: number;
  readonly angle: number;
  readonly kilovolts: number;
}

export interface Generator {
  readonly bus: number;
  readonly power: number;
  readonly reactivePower: number;
  readonly highest: number;
  readonly lowest: number;
  readonly voltage: number;
  readonly isOn: boolean;
}

/** Impedances in pu, ratings in MVA (0: none), shift in degrees. */
export interface Branch {
  readonly from: number;
  readonly to: number;
  readonly resistance: number;
  readonly reactance: number;
  readonly charging: number;
  readonly ratings: readonly [number, number, number];
  readonly tap: number;
  readonly shift: number;
  readonly isOn: boolean;
}

export interface NetworkCase {
  readonly title: string;
  /** MVA */
  readonly base: number;
  readonly buses: readonly Bus[];
  readonly generators: readonly Generator[];
  readonly branches: readonly Branch[];
  readonly names?: readonly string[];
  readonly notes: readonly string[];
}

/** Rows of numbers; `lines` of the text that they come from. */
export interface Table {
  readonly rows: readonly (readonly number[])[];
  readonly lines?: readonly number[];
}

export interface Tables {
  readonly title: string;
  readonly base: number;
  readonly buses: Table;
  readonly generators: Table;
  readonly branches: Table;
  readonly names?: readonly string[];
  readonly notes: readonly string[];
}

/** Larger magnitudes are no network, and their squares might overflow. */
const MAX_MAGNITUDE = 1e9;
/** The smallest impedance of a branch, in pu. */
const MIN_IMPEDANCE = 1e-9;
const MAX_NUMBER = 2_147_483_647;

type TableName = 'buses' | 'generators' | 'branches';

/** What the columns of a row are called, and which of them must be there. */
const COLUMNS: Readonly<Record<TableName, { readonly names: readonly string[]; readonly needed: number }>> = {
  buses: { names: ['number', 'type', 'Pd', 'Qd', 'Gs', 'Bs', 'area', 'Vm', 'Va', 'baseKV'], needed: 2 },
  generators: { names: ['bus', 'Pg', 'Qg', 'Qmax', 'Qmin', 'Vg', 'mBase', 'status'], needed: 2 },
  branches: {
    names: ['from', 'to', 'r', 'x', 'b', 'rateA', 'rateB', 'rateC', 'ratio', 'angle', 'status'],
    needed: 4,
  },
};

/** One row, read by position. */
class Row {
  readonly #values: readonly number[];
  readonly #where: string;
  readonly #field: string;
  readonly #names: readonly string[];

  constructor(field: string, table: TableName, values: readonly number[], where: string) {
    this.#values = values;
    this.#where = where;
    this.#field = field;
    this.#names = COLUMNS[table].names;
    const { needed } = COLUMNS[table];
    if (values.length < needed)
      throw this.error(
        `got ${values.length} numbers; at least ${needed} are needed: ${this.#names.slice(0, needed).join(', ')}`,
      );
  }

  error(message: string) {
    return validationError(this.#field, `${this.#where}: ${message}.`, 'MALFORMED_NETWORK');
  }

  /** A finite number, or the default where the row ends before it. */
  real(column: number, standard = 0): number {
    const value = this.#values[column] ?? standard;
    if (Math.abs(value) <= MAX_MAGNITUDE) return value;
    throw this.error(`${this.#names[column]} is ${value}; allowed are numbers from −1e9 to 1e9`);
  }

  /** A limit, which may be infinite. */
  limit(column: number, standard: number): number {
    const value = this.#values[column] ?? standard;
    if (!Number.isNaN(value)) return Math.max(-MAX_MAGNITUDE, Math.min(MAX_MAGNITUDE, value));
    throw this.error(`${this.#names[column]} is NaN; allowed are numbers, Inf and -Inf`);
  }

  whole(column: number, min: number, max: number): number {
    const value = this.#values[column] ?? Number.NaN;
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw this.error(`${this.#names[column]} is ${value}; allowed are whole numbers from ${min} to ${max}`);
  }
}

function* rowsOf(field: string, table: TableName, { rows, lines }: Table): IterableIterator<Row> {
  const { buses, branches, generators } = LIMITS.grid;
  const max = { buses, generators, branches }[table];
  if (rows.length > max)
    throw validationError(field, `There are ${rows.length} ${table}; at most ${max} are allowed.`, 'OUT_OF_RANGE', {
      max,
    });
  for (const [i, values] of rows.entries()) {
    const line = lines?.[i];
    yield new Row(
      field,
      table,
      values,
      line === undefined ? `${table}, row ${i + 1}` : `line ${line}, ${table}, row ${i + 1}`,
    );
  }
}

/**
 * @param field  the input that errors name; by default the table's own
 * @throws DomainError VALIDATION_FAILED, which names the row
 */
export function networkCaseOf(tables: Tables, field?: string): NetworkCase {
  const { base, title, names, notes } = tables;
  if (!(base >= 1e-6 && base <= MAX_MAGNITUDE))
    throw validationError(field ?? 'base', `baseMVA is ${base}; allowed are numbers from 1e-6 to 1e9.`, 'OUT_OF_RANGE');
  const rows = (table: TableName) => [...rowsOf(field ?? table, table, tables[table])];
  if (tables.buses.rows.length === 0) throw validationError(field ?? 'buses', 'The network has no bus.', 'MISSING');
  const known = new Set<number>();
  const buses = rows('buses').map((row) => busOf(row, known));
  const generators = rows('generators').map((row) => generatorOf(row, known));
  const branches = rows('branches').map((row) => branchOf(row, known));
  return { title, base, buses, generators, branches, ...(names ? { names } : {}), notes };
}

function busOf(row: Row, known: Set<number>): Bus {
  const number = row.whole(0, 1, MAX_NUMBER);
  if (known.has(number)) throw row.error(`bus ${number} is there twice`);
  known.add(number);
  const voltage = row.real(7, 1);
  const type = row.whole(1, 1, 4);
  if (type !== 4 && !(voltage > 0 && voltage <= 10))
    throw row.error(`Vm is ${voltage}; allowed are numbers above 0 up to 10`);
  return {
    number,
    type,
    load: row.real(2),
    reactiveLoad: row.real(3),
    conductance: row.real(4),
    susceptance: row.real(5),
    voltage,
    angle: angleOf(row, 8),
    kilovolts: row.real(9),
  };
}

function angleOf(row: Row, column: number): number {
  const angle = row.real(column);
  if (Math.abs(angle) <= 360) return angle;
  throw row.error(`the angle is ${angle}; allowed are −360 to 360 degrees`);
}

function knownBus(row: Row, column: number, known: Set<number>): number {
  const number = row.whole(column, 1, MAX_NUMBER);
  if (known.has(number)) return number;
  throw row.error(`bus ${number} is not among the buses`);
}

function generatorOf(row: Row, known: Set<number>): Generator {
  const isOn = row.real(7, 1) > 0;
  const voltage = row.real(5, 1);
  if (isOn && !(voltage > 0 && voltage <= 10))
    throw row.error(`Vg is ${voltage}; allowed are numbers above 0 up to 10`);
  const highest = row.limit(3, Number.POSITIVE_INFINITY);
  const lowest = row.limit(4, Number.NEGATIVE_INFINITY);
  if (isOn && lowest > highest) throw row.error(`Qmin is ${lowest} and Qmax ${highest}; Qmin must not be above Qmax`);
  return {
    bus: knownBus(row, 0, known),
    power: row.real(1),
    reactivePower: row.real(2),
    highest,
    lowest,
    voltage,
    isOn,
  };
}

function branchOf(row: Row, known: Set<number>): Branch {
  const [from, to] = [knownBus(row, 0, known), knownBus(row, 1, known)];
  const isOn = row.real(10, 1) > 0;
  const [resistance, reactance, ratio] = [row.real(2), row.real(3), row.real(8)];
  if (from === to) throw row.error(`the branch joins bus ${from} to itself`);
  if (isOn && Math.max(Math.abs(resistance), Math.abs(reactance)) < MIN_IMPEDANCE)
    throw row.error(`r is ${resistance} and x ${reactance}; one of them must be at least ${MIN_IMPEDANCE} pu in size`);
  if (isOn && ratio !== 0 && !(ratio >= 1e-3 && ratio <= 1e3))
    throw row.error(`ratio is ${ratio}; allowed are 0 (no transformer) and 0.001 to 1000`);
  const ratings = [5, 6, 7].map((column) => {
    const rating = row.limit(column, 0);
    if (rating < 0) throw row.error(`a rating is ${rating}; allowed are 0 (none) and positive numbers`);
    return rating >= MAX_MAGNITUDE ? 0 : rating;
  }) as [number, number, number];
  return {
    from,
    to,
    resistance,
    reactance,
    charging: row.real(4),
    ratings,
    tap: ratio === 0 ? 1 : ratio,
    shift: angleOf(row, 9),
    isOn,
  };
}
