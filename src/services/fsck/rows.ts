// Checks the rows of one chain: hashes, links, payloads and erasures, and the machine record against them.

import { payloadOf } from '../../chain/bundle.ts';
import { idHash } from '../../chain/identity.ts';
import { commitmentOf, isCommittedPayload, NO_HASH, type Row, rowHashOf } from '../../chain/row.ts';
import { rowFaults } from '../../chain/validate.ts';
import { fromHex } from '../../core/bits.ts';
import type { InspectedMachine, InspectedRow } from '../../storage/fsck/machines.ts';
import type { ReportFault } from './faults.ts';

/** Returns a stored row in the form in which it was hashed. */
export function toChainRow(row: InspectedRow, slug: string): Row {
  const { seq, v, svcond, type, source, actor, commitment, prev_hash, hash, salt, body } = row;
  const head = { v: v as Row['v'], slug, seq, svcond: Number(svcond), type, source, actor };
  const chained = { ...head, commit: commitment, prev: prev_hash, row_hash: hash };
  return salt === null || body === null ? chained : { ...chained, salt, payload_text: body };
}

export class RowsCheck {
  readonly #machine: InspectedMachine;
  readonly #report: ReportFault;
  /** The slug that the rows were hashed with, and the hash of row 0. */
  #slug: string;
  #genesisHash: string;
  #last: { readonly seq: number; readonly hash: string; readonly svcond: number } | undefined;
  #isContiguous = true;
  readonly #empty = new Set<number>();
  readonly #erased = new Set<number>();
  #unreadableErasures = 0;

  constructor(machine: InspectedMachine, report: ReportFault) {
    this.#machine = machine;
    this.#slug = machine.slug;
    this.#genesisHash = machine.genesis_hash;
    this.#report = report;
  }

  /** The id_hash that follows from the rows, whatever the machine record says. */
  get idHash(): string {
    return idHash(this.#slug, this.#genesisHash);
  }

  /** Whether no row number is missing so far. */
  get isContiguous(): boolean {
    return this.#isContiguous;
  }

  /**
   * @param next  the hash that the next row names, or that of the head for the last row
   * @returns the hash that the row must have according to its neighbours, hex
   */
  visit(row: InspectedRow, next: string): string {
    if (this.#last === undefined && row.seq === 0) this.#checkGenesis(row);
    const chained = toChainRow(row, this.#slug);
    const expected = (this.#last?.seq ?? -1) + 1;
    if (row.seq !== expected) {
      this.#isContiguous = false;
      this.#report('audit', { seq: row.seq }, 'GAP', `Rows ${expected} to ${row.seq - 1} are missing.`, 'seq');
    }
    const hash = this.#checkHash(chained, next, row.seq === expected);
    this.#checkPayload(row, chained);
    this.#collect(row, chained);
    if (row.seq === 0) this.#genesisHash = hash;
    this.#last = { seq: row.seq, hash, svcond: chained.svcond };
    return hash;
  }

  /** Goes on after rows that cannot be read: their leaves of the tree are unknown. */
  skip({
    last,
    lastHash,
    lastSvcond,
  }: {
    readonly last: number;
    readonly lastHash: string;
    readonly lastSvcond: number;
  }) {
    this.#isContiguous = false;
    this.#last = { seq: last, hash: lastHash, svcond: lastSvcond };
  }

  finish(): void {
    const { head_seq, head_hash, head_svcond } = this.#machine;
    const last = this.#last;
    if (last === undefined) {
      this.#reportMachine('GENESIS', 'The machine has no rows.', 'id');
      return;
    }
    if (head_seq !== String(last.seq)) {
      const isHeadHash = head_hash === last.hash;
      if (isHeadHash) this.#reportMachine('HEAD', `head_seq is ${head_seq}; the last row is ${last.seq}.`, 'head_seq');
      else
        this.#report(
          'audit',
          { seq: last.seq + 1 },
          'GAP',
          `The chain ends at row ${last.seq}; its head says ${head_seq}.`,
        );
    } else if (head_hash !== last.hash) {
      this.#reportMachine('HEAD', `head_hash is not the hash of row ${last.seq}.`, 'head_hash');
    }
    if (head_svcond !== String(last.svcond))
      this.#reportMachine('HEAD', `head_svcond is ${head_svcond}; row ${last.seq} has ${last.svcond}.`, 'head_svcond');
    this.#checkErasures();
  }

  #reportMachine(code: 'GENESIS' | 'HEAD' | 'ERASURE', message: string, column: string): void {
    const { id, slug } = this.#machine;
    this.#report('machine', { id, slug }, code, message, column);
  }

  /** Checks the machine record against row 0. If row 0 is unreadable or wrong itself, the record's slug is used. */
  #checkGenesis(row: InspectedRow): void {
    const { slug, genesis_hash, genesis_tick } = this.#machine;
    const { slug: genesisSlug } = payloadOf(toChainRow(row, slug));
    const isValidFor = (name: string) => rowFaults(toChainRow(row, name), name, 0, undefined).length === 0;
    if (typeof genesisSlug === 'string' && genesisSlug !== slug && isValidFor(genesisSlug)) {
      this.#reportMachine('GENESIS', `The slug is ${slug}; row 0 is that of ${genesisSlug}.`, 'slug');
      this.#slug = genesisSlug;
    }
    if (row.hash !== genesis_hash)
      this.#reportMachine('GENESIS', 'genesis_hash is not the hash of row 0.', 'genesis_hash');
    if (row.svcond !== genesis_tick)
      this.#reportMachine('GENESIS', `genesis_tick is ${genesis_tick}; row 0 has ${row.svcond}.`, 'genesis_tick');
    if (row.type !== 'genesis')
      this.#report('audit', { seq: 0 }, 'GENESIS', `Row 0 is of type ${row.type}; it must be genesis.`, 'type');
  }

  #checkHash(row: Row, next: string, hasBefore: boolean): string {
    const key = { seq: row.seq };
    const before = hasBefore ? (this.#last?.hash ?? NO_HASH) : undefined;
    const isLinked = before === undefined || row.prev === before;
    const actual = hashOf(row);
    let hash = row.row_hash;
    if (actual !== row.row_hash) {
      // The next row names the correct hash, so the stored hash is wrong.
      if (actual === next && actual !== undefined) {
        this.#report('audit', key, 'HASH', 'hash is not that of the row; the next row names the correct one.', 'hash');
        hash = actual;
      } else {
        this.#report('audit', key, 'HASH', 'The row does not match its hash.', faultyColumn(row, before));
      }
    }
    if (!isLinked && (actual === row.row_hash || hash !== row.row_hash))
      this.#report('audit', key, 'LINK', `The row does not name the hash of row ${row.seq - 1}.`, 'prev_hash');
    if (row.svcond < (this.#last?.svcond ?? 0))
      this.#report(
        'audit',
        key,
        'TICK',
        `svcond is ${row.svcond}; row ${row.seq - 1} has ${this.#last?.svcond}.`,
        'svcond',
      );
    return hash;
  }

  #checkPayload({ seq, salt, body, is_sealed }: InspectedRow, row: Row): void {
    const key = { seq };
    const isEmpty = salt === null && body === null;
    if (isEmpty && !is_sealed) this.#empty.add(seq);
    else if (is_sealed ? !isEmpty : salt === null || body === null)
      this.#report('audit', key, 'PAYLOAD', 'Salt and payload must both be present, both sealed or both erased.');
    if (isCommittedPayload(row) === false)
      this.#report('audit', key, 'COMMIT', 'Salt and payload do not match the commitment of the row.');
  }

  /** Collects what the row says about other rows. */
  #collect(row: InspectedRow, chained: Row): void {
    if (row.type !== 'payload_erased') return;
    const { seq } = payloadOf(chained);
    if (typeof seq === 'number') this.#erased.add(seq);
    else this.#unreadableErasures++;
  }

  #checkErasures(): void {
    const { erased } = this.#machine;
    for (const seq of this.#erased) {
      if (!this.#empty.has(seq))
        this.#report('audit', { seq }, 'ERASURE', 'A row says that the payload was erased, but it is present.', 'body');
    }
    for (const seq of this.#empty) {
      if (!this.#erased.has(seq) && this.#unreadableErasures === 0)
        this.#report(
          'audit',
          { seq },
          'ERASURE',
          'The payload is missing, but no row says that it was erased.',
          'body',
        );
    }
    if (erased !== String(this.#empty.size))
      this.#reportMachine('ERASURE', `erased is ${erased}; ${this.#empty.size} payloads are missing.`, 'erased');
  }
}

function hashOf(row: Row): string | undefined {
  try {
    return rowHashOf(row);
  } catch {
    return undefined; // a field that canonical JSON cannot represent
  }
}

/** Returns the wrong column, if restoring its value gives the hash. */
function faultyColumn(row: Row, before: string | undefined): string | undefined {
  if (before !== undefined && hashOf({ ...row, prev: before }) === row.row_hash) return 'prev_hash';
  if (hashOf({ ...row, v: 1 }) === row.row_hash) return 'v';
  const { salt, payload_text: text } = row;
  const bytes = salt === undefined ? undefined : fromHex(salt);
  const commit = bytes === undefined || text === undefined ? undefined : commitmentOf(bytes, text);
  return commit !== undefined && hashOf({ ...row, commit }) === row.row_hash ? 'commitment' : undefined;
}

export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
