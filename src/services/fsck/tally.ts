// Checks the token of one machine against its chain: its name, mint rates and avatar.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import type { MintRate } from '../../chain/tally.ts';
import type { InspectedAvatar, InspectedSegment, InspectedTally, TallyInspection } from '../../storage/fsck/tally.ts';
import { SEAL_OVERHEAD_BYTES } from '../node/sealed-box.ts';
import { type ColumnCheck, type FsckFault, type ReportFault, reportUnequal } from './faults.ts';

const TABLES = ['tally', 'tally_segment', 'tally_avatar'];

export class TallyCheck {
  readonly #machineId: string;
  readonly #inspection: TallyInspection;
  readonly #report: ReportFault;
  #genesis: Row | undefined;
  /** Rows that set a mint rate, by number. Their number is limited. */
  readonly #rates = new Map<string, Row>();
  #avatar: Row | undefined;

  constructor(machineId: string, inspection: TallyInspection, report: ReportFault) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (row.type === 'tally_genesis') this.#genesis = row;
    if (row.type === 'tally_genesis' || row.type === 'tally_rate') this.#rates.set(String(row.seq), row);
    if (row.type === 'tally_avatar') this.#avatar = row;
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    const isUsed = this.#rates.size > 0 || this.#avatar !== undefined;
    if (!isUsed && !TABLES.some((table) => tables.has(table))) return;
    this.#checkTally(await this.#inspection.tally(this.#machineId));
    this.#checkSegments(await this.#inspection.segments(this.#machineId));
    this.#checkAvatar(await this.#inspection.avatar(this.#machineId));
  }

  #checkTally(tally: InspectedTally | undefined): void {
    this.#compare(
      ['tally', { machine_id: this.#machineId }],
      this.#genesis,
      tally,
      ({ name, symbol, max_supply }, payload) => [
        ['name', name, payload.name],
        ['symbol', symbol, payload.symbol],
        ['max_supply', max_supply, payload.max_supply],
      ],
    );
  }

  #checkSegments(segments: readonly InspectedSegment[]): void {
    const unmatched = new Map(this.#rates);
    for (const segment of segments) {
      const { seq, svcond, unit, every, amount, counts } = segment;
      const entry = ['tally_segment', { seq }] as const;
      const row = unmatched.get(seq);
      unmatched.delete(seq);
      if (row !== undefined) reportUnequal(this.#report, entry, `row ${seq}`, [['svcond', svcond, row.svcond]]);
      this.#compare(entry, row, segment, (_, payload) => {
        const mint = payload.mint as Partial<MintRate> | undefined;
        return [
          ['unit', unit, mint?.unit],
          ['every', every, mint?.every],
          ['amount', amount, mint?.amount],
          ['counts', counts, mint?.counts ?? 'all'],
        ];
      });
    }
    for (const [seq, row] of unmatched) this.#compare(['tally_segment', { seq }], row, undefined, () => []);
  }

  #checkAvatar(avatar: InspectedAvatar | undefined): void {
    const row = this.#avatar;
    const entry = ['tally_avatar', { machine_id: this.#machineId }] as const;
    if (avatar !== undefined && row !== undefined)
      reportUnequal(this.#report, entry, `row ${row.seq}`, [['svcond', avatar.svcond, row.svcond]]);
    this.#compare(entry, row, avatar, ({ media_type, sha256, width, height, sealed_length }, payload) => [
      ['media_type', media_type, payload.media_type],
      ['sha256', sha256, payload.sha256],
      ['width', width, payload.width],
      ['height', height, payload.height],
      ['sealed', `${sealed_length - SEAL_OVERHEAD_BYTES} bytes`, `${String(payload.bytes)} bytes`],
    ]);
  }

  /** @param columns  columns to compare, if the row can be read */
  #compare<Stored>(
    entry: readonly [string, FsckFault['key']],
    row: Row | undefined,
    stored: Stored | undefined,
    columns: (stored: Stored, payload: Readonly<Record<string, unknown>>) => readonly ColumnCheck[],
  ): void {
    if (row === undefined && stored !== undefined)
      this.#report(...entry, 'SAID', 'No row of the chain created this entry.');
    if (row !== undefined && stored === undefined)
      this.#report(...entry, 'SAID', `Row ${row.seq} has no entry in this table.`);
    if (row?.payload_text !== undefined && stored !== undefined)
      reportUnequal(this.#report, entry, `row ${row.seq}`, columns(stored, payloadOf(row)));
  }
}
