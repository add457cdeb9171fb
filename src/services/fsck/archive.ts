// Checks the records of archived ranges against their files and rows. The rows are checked as those of the database.

import { canonicalJson } from '../../core/canonical-json.ts';
import type { ArchiveInspection, InspectedRange } from '../../storage/fsck/archive.ts';
import { summaryText, type Totals, totalsAfter } from '../../storage/machines/archive/summary.ts';
import { type ReportFault, reportUnequal } from './faults.ts';

export class ArchiveCheck {
  readonly #machineId: string;
  readonly #inspection: ArchiveInspection;
  readonly #report: ReportFault;
  readonly #seen = new Set<number>();
  #end = 0;
  #totals: Totals | undefined;
  /** Whether every file was the one that its record names. */
  #isReadable = true;

  constructor(machineId: string, inspection: ArchiveInspection, report: ReportFault) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#report = report;
  }

  get isReadable(): boolean {
    return this.#isReadable;
  }

  /** Ranges come in their order. */
  async visit({ record, rows, fault }: InspectedRange): Promise<void> {
    const key = { first_seq: record.first };
    this.#seen.add(record.first);
    const report = (message: string, column?: string) => this.#report('audit_archive', key, 'ARCHIVE', message, column);
    if (record.first !== this.#end)
      report(`The range begins at row ${record.first}; the one before ends at row ${this.#end - 1}.`, 'first_seq');
    this.#end = record.last + 1;
    const [first, last] = [rows[0], rows.at(-1)];
    if (fault !== undefined || first === undefined || last === undefined) {
      this.#isReadable = false;
      report(fault ?? 'The file has no rows.', 'sha256');
      return;
    }
    const totals = totalsAfter(this.#totals, rows);
    const stored = await this.#inspection.storedTotals(record);
    reportUnequal(this.#report, ['audit_archive', key], 'the file', [
      ['first_svcond', record.firstSvcond, first.svcond],
      ['last_svcond', record.lastSvcond, last.svcond],
      ['last_hash', record.lastHash, last.hash],
      ['summary', record.summary, summaryText(rows)],
      // Those of the next range follow from these, so one that is wrong is reported once.
      ['totals', stored, this.#isReadable ? canonicalJson(totals) : stored],
    ]);
    this.#totals = totals;
  }

  /** Names the files that have rows which are missing. */
  async visitGap(from: number, to: number): Promise<void> {
    for (const first_seq of await this.#inspection.filesOf(this.#machineId, from, to)) {
      const message = `Rows ${from} to ${to} are missing; the archive has a file of them, whose record is missing.`;
      this.#report('audit_archive', { first_seq }, 'ARCHIVE', message, 'first_seq');
    }
  }

  async finish(): Promise<void> {
    for (const first_seq of (await this.#inspection.firsts(this.#machineId)).filter((each) => !this.#seen.has(each)))
      this.#report('audit_archive', { first_seq }, 'ARCHIVE', 'Another range has the same rows.', 'first_seq');
    const seq = await this.#inspection.firstDouble(this.#machineId);
    if (seq === undefined) return;
    const message = `Row ${seq} is in the database and in the archive.`;
    this.#report('audit', { seq }, 'ARCHIVE', message, 'seq');
  }
}
