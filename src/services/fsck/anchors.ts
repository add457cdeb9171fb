// Checks anchor tables against the chains: the anchors that a machine has as a mother, and those it recorded as a
// child.
//
// A mother's chain has anchors signed by the child. They reveal a rewritten history of the child even if its tree and
// its checkpoints were rewritten to match.

import {
  type AnchorPayload,
  type ContinuityPayload,
  isAnchorSigned,
  isContinuitySigned,
  type Pseudonym,
} from '../../chain/anchor.ts';
import { payloadOf } from '../../chain/bundle.ts';
import { idHash } from '../../chain/identity.ts';
import type { Hash } from '../../chain/merkle.ts';
import type { Row } from '../../chain/row.ts';
import { toHex } from '../../core/bits.ts';
import { groupBy } from '../../core/group-by.ts';
import type {
  AnchorInspection,
  HeldAnchor,
  InspectedAnchor,
  InspectedAnchored,
  InspectedContinuity,
  RecordedTable,
} from '../../storage/fsck/anchors.ts';
import type { InspectedMachine } from '../../storage/fsck/machines.ts';
import { isSignedByNative } from '../node/key-ring.ts';
import { passes, type ReportFault, reportUnequal } from './faults.ts';

const TABLES: readonly RecordedTable[] = ['anchor', 'anchor_continuity', 'anchored'];

export class AnchorsCheck {
  readonly #machine: InspectedMachine;
  readonly #inspection: AnchorInspection;
  readonly #report: ReportFault;
  /** Id_hash of each mother, by machine id. */
  #mothers: ReadonlyMap<string, string> = new Map();
  #tables: ReadonlySet<string> = new Set();

  constructor(machine: InspectedMachine, inspection: AnchorInspection, report: ReportFault) {
    this.#machine = machine;
    this.#inspection = inspection;
    this.#report = report;
  }

  /** @param tables  tables that have rows of this machine */
  async start(tables: ReadonlySet<string>): Promise<void> {
    this.#tables = tables;
    if (!tables.has('anchored')) return;
    const mothers = await this.#inspection.mothers(this.#machine.id);
    this.#mothers = new Map(mothers.map(({ id, slug, genesis_hash }) => [id, idHash(slug, genesis_hash)]));
  }

  /** Returns anchors by tree size, to be compared when the tree has reached that size. */
  async anchorsBySize(from: number, to: number): Promise<ReadonlyMap<string, readonly HeldAnchor[]>> {
    const isChild = this.#mothers.size > 0;
    return groupBy(isChild ? await this.#inspection.held(this.#machine.id, from, to) : [], ({ size }) => size);
  }

  /** Compares an anchor with the tree. @param root  root of the tree of the anchor's size */
  compareRoot(anchor: HeldAnchor, root: Hash): void {
    const mother = this.#mothers.get(anchor.mother_id);
    // Only an anchor that the child signed is evidence; any other is a fault of the mother's table.
    if (anchor.root === toHex(root) || mother === undefined || !isSigned(mother, anchor)) return;
    const message = `The first ${anchor.size} rows are not those that were anchored in ${anchor.mother_id}: history was rewritten.`;
    this.#report('audit', { seq: Number(anchor.size) - 1 }, 'TREE', message);
  }

  /**
   * Compares rows of the chain with the tables.
   *
   * @param machineHash  id_hash of the machine
   */
  async compareRows(rows: readonly Row[], machineHash: string): Promise<void> {
    const { id } = this.#machine;
    const inspection = this.#inspection;
    await this.#compareAll(
      'anchor',
      rows,
      (from, to) => inspection.anchors(id, from, to),
      (row, anchor) => this.#compareAnchor(row, anchor, machineHash),
    );
    await this.#compareAll(
      'anchor_continuity',
      rows,
      (from, to) => inspection.continuities(id, from, to),
      (row, continuity) => this.#compareContinuity(row, continuity, machineHash),
    );
    await this.#compareAll(
      'anchored',
      rows,
      (from, to) => inspection.anchored(id, from, to),
      (row, anchored) => this.#compareAnchored(row, anchored),
    );
  }

  /** Reports entries whose row is missing or of another type. */
  async finish(): Promise<void> {
    for (const table of TABLES.filter((name) => this.#tables.has(name)))
      for (const { key, seq, type } of await this.#inspection.unrecorded(table, this.#machine.id))
        this.#report(table, key, 'SAID', `Row ${seq} is ${type ?? 'missing'}, not of type ${table}.`, 'seq');
  }

  async #compareAll<Stored extends { readonly seq: string }>(
    table: RecordedTable,
    rows: readonly Row[],
    read: (from: number, to: number) => Promise<readonly Stored[]>,
    compare: (row: Row, stored: Stored) => void,
  ): Promise<void> {
    const matching = rows.filter(({ type }) => type === table);
    const [first, last] = [matching[0], matching.at(-1)];
    if (first === undefined || last === undefined) return;
    const stored = groupBy(await read(first.seq, last.seq), ({ seq }) => seq);
    for (const row of matching) {
      const found = stored.get(String(row.seq)) ?? [];
      if (found.length === 0)
        this.#report(table, { seq: row.seq }, 'SAID', `Row ${row.seq} has no entry in this table.`, 'seq');
      for (const entry of found) compare(row, entry);
    }
  }

  #compareAnchor(row: Row, stored: InspectedAnchor, machineHash: string): void {
    const { pseudonym, size } = stored;
    const entry = ['anchor', { pseudonym, size }] as const;
    const payload = payloadOf(row) as Partial<AnchorPayload>;
    const isSame =
      row.payload_text === undefined ||
      reportUnequal(this.#report, entry, `row ${row.seq}`, [
        ['pseudonym', pseudonym, payload.pseudonym],
        ['size', size, payload.size],
        ['public_key', stored.public_key, payload.public_key],
        ['root', stored.root, payload.root],
        ['svcond', stored.svcond, payload.svcond],
        ['sig', stored.sig, payload.sig],
      ]);
    if (isSame && !isSigned(machineHash, stored))
      this.#report(...entry, 'SIGNATURE', 'sig is not a signature of public_key over this anchor.', 'sig');
  }

  #compareContinuity(row: Row, { pseudonym, continues }: InspectedContinuity, machineHash: string): void {
    if (row.payload_text === undefined) return;
    const entry = ['anchor_continuity', { pseudonym }] as const;
    const payload = payloadOf(row) as Partial<Record<'from' | 'to', Partial<Pseudonym>>>;
    const isSame = reportUnequal(this.#report, entry, `row ${row.seq}`, [
      ['pseudonym', pseudonym, payload.to?.pseudonym],
      ['continues', continues, payload.from?.pseudonym],
    ]);
    if (isSame && !passes(() => isContinuitySigned(machineHash, payload as ContinuityPayload)))
      this.#report(...entry, 'SIGNATURE', `Row ${row.seq} is not signed by the keys of both pseudonyms.`);
  }

  #compareAnchored(row: Row, { mother_id, pseudonym, size }: InspectedAnchored): void {
    const mother = this.#mothers.get(mother_id);
    if (row.payload_text === undefined) return;
    const entry = ['anchored', { mother_id, pseudonym, size }] as const;
    const payload = payloadOf(row);
    reportUnequal(this.#report, entry, `row ${row.seq}`, [
      ['pseudonym', pseudonym, payload.pseudonym],
      ['size', size, payload.size],
    ]);
    // A missing mother is reported as a stray row.
    if (mother !== undefined && mother !== payload.mother) {
      const message = `mother_id is the machine with the id_hash ${mother}; row ${row.seq} says ${String(payload.mother)}.`;
      this.#report(...entry, 'SAID', message, 'mother_id');
    }
  }
}

function isSigned(mother: string, { pseudonym, size, public_key, root, svcond, sig }: InspectedAnchor): boolean {
  const anchor = { pseudonym, public_key, size: Number(size), root, svcond: Number(svcond), sig };
  return passes(() => isAnchorSigned(mother, anchor, isSignedByNative));
}
