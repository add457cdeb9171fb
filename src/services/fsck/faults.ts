// What was found wrong with what is stored.

/** What kind of damage: see docs/fsck.md. */
export type FsckCode =
  | 'HASH'
  | 'LINK'
  | 'GAP'
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
  | 'DEFINITION'
  | 'VERSION'
  | 'STATE'
  | 'FIRE'
  | 'TIMER'
  | 'BALANCE'
  | 'STRAY';

export interface FsckFault {
  /** Its slug; null for a row of no machine. */
  readonly machine: string | null;
  readonly table: string;
  readonly key: Readonly<Record<string, string | number>>;
  /** Where it is known which one. */
  readonly column?: string;
  readonly code: FsckCode;
  readonly message: string;
}

/** One machine's faults, as they are found. */
export type Find = (table: string, key: FsckFault['key'], code: FsckCode, message: string, column?: string) => void;

/** Of one kind in one table of one machine so many are told one by one; the rest is counted. */
const TOLD = 25;

/** Tells faults as they come, and of a flood the beginning and how many there were. */
export class Findings {
  readonly #tell: (fault: FsckFault) => void;
  readonly #counts = new Map<string, { readonly first: FsckFault; count: number }>();
  #total = 0;

  constructor(tell: (fault: FsckFault) => void) {
    this.#tell = tell;
  }

  get total(): number {
    return this.#total;
  }

  of(machine: string | null): Find {
    return (table, key, code, message, column) => {
      const fault = { machine, table, key, ...(column === undefined ? {} : { column }), code, message };
      const name = `${machine} ${table} ${code}`;
      const kind = this.#counts.get(name) ?? { first: fault, count: 0 };
      this.#counts.set(name, kind);
      this.#total++;
      if (++kind.count <= TOLD) this.#tell(fault);
    };
  }

  /** The machine is done: what was only counted is told. */
  close(): void {
    for (const { first, count } of this.#counts.values()) {
      const { machine, table, code } = first;
      if (count > TOLD) this.#tell({ machine, table, key: {}, code, message: `${count - TOLD} more of this kind.` });
    }
    this.#counts.clear();
  }
}

/** A column, what it holds, and what it should hold. */
export type Held = readonly [column: string, held: unknown, expected: unknown];

/**
 * Names the columns that do not hold what they should.
 *
 * @param by  who says what is expected
 * @returns whether all do
 */
export function findUnequal(
  find: Find,
  [table, key]: readonly [string, FsckFault['key']],
  by: string,
  columns: readonly Held[],
): boolean {
  const unequal = columns.filter(([, held, expected]) => String(held) !== String(expected));
  for (const [column, held, expected] of unequal)
    find(table, key, 'SAID', `${column} is ${held}; ${by} says ${String(expected)}.`, column);
  return unequal.length === 0;
}

/** For checks of what may have any shape: what cannot be checked does not hold. */
export function isSound(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
