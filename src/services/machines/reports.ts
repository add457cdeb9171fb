// Reports on one chain: row counts over time, row counts by source, and all rows of a tick.

import { treeRoot } from '../../chain/merkle.ts';
import { NO_HASH } from '../../chain/row.ts';
import { toHex } from '../../core/bits.ts';
import { type Clock, isoFromNs, readPulse, startOfTick, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AuditRepository, SourceCount } from '../../storage/machines/audit.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { assertPast, rowRecord } from './log.ts';

export interface MachineReportsOptions {
  readonly audit: AuditRepository;
  readonly clock: Clock;
}

export class MachineReports {
  readonly #options: MachineReportsOptions;

  constructor(options: MachineReportsOptions) {
    this.#options = options;
  }

  /**
   * Row counts of the last `ticks` ticks, in bins as equal as whole ticks allow.
   *
   * @throws DomainError VALIDATION_FAILED
   */
  async analytics({ id }: Machine, { ticks, bins }: { readonly ticks: number; readonly bins: number }) {
    if (bins > ticks) {
      const message = `bins must be at most ticks, ${ticks}, not ${bins}.`;
      throw new DomainError('VALIDATION_FAILED', message, { details: [{ path: 'bins', code: 'TOO_BIG', message }] });
    }
    const start = tickOf(this.#options.clock.now()) - ticks + 1;
    const counts = await this.#options.audit.countInBins(id, { start, ticks, bins });
    // The first tick whose bin is i: the smallest t with ⌊t · bins / ticks⌋ = i.
    const edge = (i: number) => start + Math.ceil((i * ticks) / bins);
    return Array.from({ length: bins }, (_, i) => ({
      from: edge(i),
      to: edge(i + 1) - 1,
      by_type: Object.fromEntries(counts.filter(({ bin }) => bin === i).map(({ type, rows }) => [type, rows])),
    }));
  }

  async sources({ id }: Machine): Promise<SourceCount[]> {
    return this.#options.audit.countBySource(id);
  }

  /** Rows of one tick, fewer than the limit if their payloads are long. @throws DomainError TICK_IN_FUTURE, NOT_FOUND before the first row */
  async block(machine: Machine, svcond: number, page: { readonly from?: number | undefined; readonly limit: number }) {
    const { audit, clock } = this.#options;
    const { slug } = machine.head;
    const now = tickOf(clock.now());
    assertPast(svcond, now);
    const before = await audit.lastAt(machine.id, slug, svcond - 1);
    const extent = await audit.extentAt(machine.id, svcond);
    if (before === undefined && extent === undefined) {
      const message = `Tick ${svcond} is before the first tick of ${slug}, ${machine.genesisTick}.`;
      throw new DomainError('NOT_FOUND', message);
    }
    const { first, last } = extent ?? { first: 0, last: -1 };
    const hashes = await audit.hashes(machine.id, first, last + 1);
    const from = Math.max(page.from ?? first, first);
    const longest = { from, to: Math.min(from + page.limit - 1, last), maxBytes: LIMITS.pageBytes };
    const to = from > longest.to ? longest.to : await audit.lastWithin(machine.id, longest);
    const rows = from > to ? [] : await audit.range(machine.id, slug, from, to);
    return {
      svcond,
      is_closed: svcond < now,
      count: last - first + 1,
      prev_head: before?.row_hash ?? NO_HASH,
      root: toHex(treeRoot(hashes)),
      pulse: { svcond, timestamp: isoFromNs(startOfTick(svcond)), R_t: readPulse(startOfTick(svcond)).R_t },
      rows: rows.map(rowRecord),
      next_from: to < last && from <= to ? to + 1 : null,
    };
  }
}
