// Anchors against the chains that say the same: what a machine holds as a mother, and what it noted as a child.
//
// A mother holds what the child signed for her, so a child whose history was rewritten is found by her, even where its tree
// and its checkpoints were made to fit.

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
import type {
  AnchorInspection,
  HeldAnchor,
  InspectedAnchor,
  InspectedAnchored,
  InspectedContinuity,
  SaidByRows,
} from '../../storage/fsck/anchors.ts';
import type { InspectedMachine } from '../../storage/fsck/machines.ts';
import { isSignedFast } from '../node/key-ring.ts';
import { type Find, findUnequal, isSound } from './faults.ts';

const TABLES: readonly SaidByRows[] = ['anchor', 'anchor_continuity', 'anchored'];

export class AnchorsCheck {
  readonly #machine: InspectedMachine;
  readonly #inspection: AnchorInspection;
  readonly #find: Find;
  /** The id_hash of each mother, by her id. */
  #mothers: ReadonlyMap<string, string> = new Map();
  #tables: ReadonlySet<string> = new Set();

  constructor(machine: InspectedMachine, inspection: AnchorInspection, find: Find) {
    this.#machine = machine;
    this.#inspection = inspection;
    this.#find = find;
  }

  /** @param tables  those that have rows of this machine */
  async start(tables: ReadonlySet<string>): Promise<void> {
    this.#tables = tables;
    if (!tables.has('anchored')) return;
    const mothers = await this.#inspection.mothers(this.#machine.id);
    this.#mothers = new Map(mothers.map(({ id, slug, genesis_hash }) => [id, idHash(slug, genesis_hash)]));
  }

  /** Anchors of trees of these sizes, by size: they are to be compared when the tree is as large. */
  async held(from: number, to: number): Promise<ReadonlyMap<string, readonly HeldAnchor[]>> {
    const isChild = this.#mothers.size > 0;
    return Map.groupBy(isChild ? await this.#inspection.held(this.#machine.id, from, to) : [], ({ size }) => size);
  }

  /** @param root  of the tree of this size */
  compareRoot(anchor: HeldAnchor, root: Hash): void {
    const mother = this.#mothers.get(anchor.mother_id);
    // What she holds is believed where the child signed it; the rest is a fault of her own.
    if (anchor.root === toHex(root) || mother === undefined || !isSigned(mother, anchor)) return;
    const message = `The first ${anchor.size} rows are not those that were anchored in ${anchor.mother_id}: history was rewritten.`;
    this.#find('audit', { seq: Number(anchor.size) - 1 }, 'TREE', message);
  }

  /**
   * Some rows of the chain against what the tables have for them.
   *
   * @param name  id_hash of the machine
   */
  async compare(rows: readonly Row[], name: string): Promise<void> {
    const { id } = this.#machine;
    const inspection = this.#inspection;
    await this.#compareAll(
      'anchor',
      rows,
      (from, to) => inspection.anchors(id, from, to),
      (row, one) => this.#compareAnchor(row, one, name),
    );
    await this.#compareAll(
      'anchor_continuity',
      rows,
      (from, to) => inspection.continuities(id, from, to),
      (row, one) => this.#compareContinuity(row, one, name),
    );
    await this.#compareAll(
      'anchored',
      rows,
      (from, to) => inspection.anchored(id, from, to),
      (row, one) => this.#compareAnchored(row, one),
    );
  }

  /** What names no row of the chain that it could be. */
  async finish(): Promise<void> {
    for (const table of TABLES.filter((one) => this.#tables.has(one)))
      for (const { key, seq, type } of await this.#inspection.unsaid(table, this.#machine.id))
        this.#find(table, key, 'SAID', `Row ${seq} is ${type ?? 'missing'}, not of type ${table}.`, 'seq');
  }

  async #compareAll<Stored extends { readonly seq: string }>(
    table: SaidByRows,
    rows: readonly Row[],
    read: (from: number, to: number) => Promise<readonly Stored[]>,
    compare: (row: Row, stored: Stored) => void,
  ): Promise<void> {
    const own = rows.filter(({ type }) => type === table);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return;
    const stored = Map.groupBy(await read(first.seq, last.seq), ({ seq }) => seq);
    for (const row of own) {
      const found = stored.get(String(row.seq)) ?? [];
      if (found.length === 0)
        this.#find(table, { seq: row.seq }, 'SAID', `Row ${row.seq} says that it is there, and it is not.`, 'seq');
      for (const one of found) compare(row, one);
    }
  }

  #compareAnchor(row: Row, stored: InspectedAnchor, name: string): void {
    const { pseudonym, size } = stored;
    const place = ['anchor', { pseudonym, size }] as const;
    const said = payloadOf(row) as Partial<AnchorPayload>;
    const isSame =
      row.payload_text === undefined ||
      findUnequal(this.#find, place, `row ${row.seq}`, [
        ['pseudonym', pseudonym, said.pseudonym],
        ['size', size, said.size],
        ['public_key', stored.public_key, said.public_key],
        ['root', stored.root, said.root],
        ['svcond', stored.svcond, said.svcond],
        ['sig', stored.sig, said.sig],
      ]);
    if (isSame && !isSigned(name, stored))
      this.#find(...place, 'SIGNATURE', 'sig is not a signature of public_key over this anchor.', 'sig');
  }

  #compareContinuity(row: Row, { pseudonym, continues }: InspectedContinuity, name: string): void {
    if (row.payload_text === undefined) return;
    const place = ['anchor_continuity', { pseudonym }] as const;
    const said = payloadOf(row) as Partial<Record<'from' | 'to', Partial<Pseudonym>>>;
    const isSame = findUnequal(this.#find, place, `row ${row.seq}`, [
      ['pseudonym', pseudonym, said.to?.pseudonym],
      ['continues', continues, said.from?.pseudonym],
    ]);
    if (isSame && !isSound(() => isContinuitySigned(name, said as ContinuityPayload)))
      this.#find(...place, 'SIGNATURE', `Row ${row.seq} is not signed by the keys of both pseudonyms.`);
  }

  #compareAnchored(row: Row, { mother_id, pseudonym, size }: InspectedAnchored): void {
    const mother = this.#mothers.get(mother_id);
    if (row.payload_text === undefined) return;
    const place = ['anchored', { mother_id, pseudonym, size }] as const;
    const said = payloadOf(row);
    findUnequal(this.#find, place, `row ${row.seq}`, [
      ['pseudonym', pseudonym, said.pseudonym],
      ['size', size, said.size],
    ]);
    // A mother who is not there is found among the strays.
    if (mother !== undefined && mother !== said.mother) {
      const message = `mother_id is the machine with the id_hash ${mother}; row ${row.seq} says ${String(said.mother)}.`;
      this.#find(...place, 'SAID', message, 'mother_id');
    }
  }
}

function isSigned(mother: string, { pseudonym, size, public_key, root, svcond, sig }: InspectedAnchor): boolean {
  const told = { pseudonym, public_key, size: Number(size), root, svcond: Number(svcond), sig };
  return isSound(() => isAnchorSigned(mother, told, isSignedFast));
}
