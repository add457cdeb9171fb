// Reads from the exports of a kernel at which positions its parameters, views, statistics and columns stand.
//
// The module declares them as enums, whose members are exported as i32 globals (assembly/kernel.ts). So every archived
// module describes itself, and no position is written down on this side.

import { DomainError } from '../core/errors.ts';
import { CONTROL } from './control-block.ts';

/** Positions by name, counted from 0. */
export interface KernelPositions {
  readonly parameters: ReadonlyMap<string, number>;
  readonly views: ReadonlyMap<string, number>;
  readonly statistics: ReadonlyMap<string, number>;
  /** Columns of row-major records, by record: `history` for the kernel's `HistoryColumn`. */
  readonly columns: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const MAX_VIEWS = 64;
const MAX_COLUMNS = 64;
const NAME = /^[a-z]\w{0,62}$/i;
const RECORD = /^(\w+)Column$/;

/** @throws DomainError KERNEL_FAILED if the kernel exports a position that is not one */
export function readPositions(slug: string, exports: Readonly<Record<string, unknown>>): KernelPositions {
  const membersOf = (enumeration: string, limit: number) => {
    const members = Object.entries((exports[enumeration] ?? {}) as Readonly<Record<string, unknown>>);
    return members.map(([name, member]): readonly [string, number] => {
      const position = (member as { readonly value?: unknown } | undefined)?.value;
      if (NAME.test(name) && Number.isInteger(position) && Number(position) >= 0 && Number(position) < limit) {
        return [name, Number(position)];
      }
      const message = `Kernel ${slug} exports ${enumeration}.${name} = ${position}; expected a position below ${limit}.`;
      throw new DomainError('KERNEL_FAILED', message);
    });
  };
  const columns = Object.keys(exports).flatMap((enumeration) => {
    const record = RECORD.exec(enumeration)?.[1];
    if (record === undefined) return [];
    const name = record.charAt(0).toLowerCase() + record.slice(1);
    return [[name, Object.fromEntries(membersOf(enumeration, MAX_COLUMNS))] as const];
  });
  return {
    parameters: new Map(membersOf('Parameter', CONTROL.maxParameters)),
    views: new Map(membersOf('View', MAX_VIEWS)),
    statistics: new Map(membersOf('Statistic', CONTROL.maxStatistics)),
    columns: Object.fromEntries(columns),
  };
}

/** The error of a name that a kernel does not have. @param kind  "parameter", "view" or "statistic" */
export function unknownName(slug: string, kind: string, name: string, known: ReadonlyMap<string, number>): DomainError {
  const names = [...known.keys()].join(', ') || 'none';
  return new DomainError('KERNEL_FAILED', `Kernel ${slug} has no ${kind} ${name}; it has ${names}.`);
}
