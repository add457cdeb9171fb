// The token of one machine against its chain: what it is called, the rates at which it is issued, its picture.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import type { Mint } from '../../chain/tally.ts';
import type {
  InspectedAvatar,
  InspectedSegment,
  InspectedTally,
  InspectionRepository,
} from '../../storage/fsck/machines.ts';
import { SEALED_WITH_BYTES } from '../node/sealed-box.ts';
import { type Find, type FsckFault, findUnequal, type Held } from './faults.ts';

const TABLES = ['tally', 'tally_segment', 'tally_avatar'];

export class TallyCheck {
  readonly #machineId: string;
  readonly #inspection: InspectionRepository;
  readonly #find: Find;
  #genesis: Row | undefined;
  /** Rows that set a rate, by their numbers; a machine has a limited number of them. */
  readonly #rates = new Map<string, Row>();
  #picture: Row | undefined;

  constructor(machineId: string, inspection: InspectionRepository, find: Find) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#find = find;
  }

  see(row: Row): void {
    if (row.type === 'tally_genesis') this.#genesis = row;
    if (row.type === 'tally_genesis' || row.type === 'tally_rate') this.#rates.set(String(row.seq), row);
    if (row.type === 'tally_avatar') this.#picture = row;
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    const isUsed = this.#rates.size > 0 || this.#picture !== undefined;
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
      ({ name, symbol, max_supply }, said) => [
        ['name', name, said.name],
        ['symbol', symbol, said.symbol],
        ['max_supply', max_supply, said.max_supply],
      ],
    );
  }

  #checkSegments(segments: readonly InspectedSegment[]): void {
    const left = new Map(this.#rates);
    for (const segment of segments) {
      const { seq, svcond, unit, every, amount } = segment;
      const place = ['tally_segment', { seq }] as const;
      const row = left.get(seq);
      left.delete(seq);
      if (row !== undefined) findUnequal(this.#find, place, `row ${seq}`, [['svcond', svcond, row.svcond]]);
      this.#compare(place, row, segment, (_, said) => {
        const mint = said.mint as Partial<Mint> | undefined;
        return [
          ['unit', unit, mint?.unit],
          ['every', every, mint?.every],
          ['amount', amount, mint?.amount],
        ];
      });
    }
    for (const [seq, row] of left) this.#compare(['tally_segment', { seq }], row, undefined, () => []);
  }

  #checkAvatar(avatar: InspectedAvatar | undefined): void {
    const row = this.#picture;
    const place = ['tally_avatar', { machine_id: this.#machineId }] as const;
    if (avatar !== undefined && row !== undefined)
      findUnequal(this.#find, place, `row ${row.seq}`, [['svcond', avatar.svcond, row.svcond]]);
    this.#compare(place, row, avatar, ({ media_type, sha256, width, height, sealed_length }, said) => [
      ['media_type', media_type, said.media_type],
      ['sha256', sha256, said.sha256],
      ['width', width, said.width],
      ['height', height, said.height],
      ['sealed', `${sealed_length - SEALED_WITH_BYTES} bytes`, `${String(said.bytes)} bytes`],
    ]);
  }

  /** @param columns  of what is stored, against what the row says where it can be read */
  #compare<Stored>(
    place: readonly [string, FsckFault['key']],
    row: Row | undefined,
    stored: Stored | undefined,
    columns: (stored: Stored, said: Readonly<Record<string, unknown>>) => readonly Held[],
  ): void {
    if (row === undefined && stored !== undefined) this.#find(...place, 'SAID', 'No row of the chain says so.');
    if (row !== undefined && stored === undefined)
      this.#find(...place, 'SAID', `Row ${row.seq} says that it is there, and it is not.`);
    if (row?.payload_text !== undefined && stored !== undefined)
      findUnequal(this.#find, place, `row ${row.seq}`, columns(stored, payloadOf(row)));
  }
}
