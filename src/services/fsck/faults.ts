// Faults that fsck finds, and the reporter that limits how many of one kind are printed.

/** Kind of damage; see docs/fsck.md. */
export type FsckCode =
  | 'HASH'
  | 'LINK'
  | 'GAP'
  | 'ARCHIVE'
  | 'TICK'
  | 'COMMIT'
  | 'PAYLOAD'
  | 'ERASURE'
  | 'GENESIS'
  | 'HEAD'
  | 'TREE'
  | 'TILE'
  | 'CHECKPOINT'
  | 'SIGNATURE'
  | 'SAID'
  | 'SEAL'
  | 'DEFINITION'
  | 'VERSION'
  | 'STATE'
  | 'FIRE'
  | 'TIMER'
  | 'BALANCE'
  | 'STRAY'
  | 'SCHEMA'
  | 'SEALED'
  | 'MAC'
  | 'KERNEL'
  | 'FILE'
  | 'REPLAY';

export interface FsckFault {
  /** Slug of the machine; null for a row that belongs to none. */
  readonly machine: string | null;
  readonly table: string;
  readonly key: Readonly<Record<string, string | number>>;
  /** The damaged column, if known. */
  readonly column?: string;
  readonly code: FsckCode;
  readonly message: string;
}

/** Reports a fault of one machine. */
export type ReportFault = (
  table: string,
  key: FsckFault['key'],
  code: FsckCode,
  message: string,
  column?: string,
) => void;

/** Maximum number of faults of one kind in one table of one machine that are reported singly; the rest are counted. */
const MAX_REPORTED = 25;

/** Passes faults on as they are found, up to MAX_REPORTED of a kind, and then a count of the rest. */
export class FaultReporter {
  readonly #onFault: (fault: FsckFault) => void;
  readonly #counts = new Map<string, { readonly first: FsckFault; count: number }>();
  #total = 0;

  constructor(onFault: (fault: FsckFault) => void) {
    this.#onFault = onFault;
  }

  get total(): number {
    return this.#total;
  }

  /** Passes on what another reporter has limited. */
  pass(faults: readonly FsckFault[], total: number): void {
    for (const fault of faults) this.#onFault(fault);
    this.#total += total;
  }

  of(machine: string | null): ReportFault {
    return (table, key, code, message, column) => {
      const fault = { machine, table, key, ...(column === undefined ? {} : { column }), code, message };
      const name = `${machine} ${table} ${code}`;
      const kind = this.#counts.get(name) ?? { first: fault, count: 0 };
      this.#counts.set(name, kind);
      this.#total++;
      if (++kind.count <= MAX_REPORTED) this.#onFault(fault);
    };
  }

  /** Ends a machine: reports the counts of faults beyond MAX_REPORTED. */
  close(): void {
    for (const { first, count } of this.#counts.values()) {
      const { machine, table, code } = first;
      if (count > MAX_REPORTED)
        this.#onFault({ machine, table, key: {}, code, message: `${count - MAX_REPORTED} more of this kind.` });
    }
    this.#counts.clear();
  }
}

/** A column, its value, and the expected value. */
export type ColumnCheck = readonly [column: string, actual: unknown, expected: unknown];

/**
 * Reports the columns that do not have their expected value.
 *
 * @param source  source of the expected values, for the message
 * @returns whether all columns are as expected
 */
export function reportUnequal(
  report: ReportFault,
  [table, key]: readonly [string, FsckFault['key']],
  source: string,
  columns: readonly ColumnCheck[],
): boolean {
  const unequal = columns.filter(([, actual, expected]) => String(actual) !== String(expected));
  for (const [column, actual, expected] of unequal)
    report(table, key, 'SAID', `${column} is ${actual}; ${source} says ${String(expected)}.`, column);
  return unequal.length === 0;
}

/** Runs a check on a value of unknown shape. A check that throws fails. */
export function passes(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
