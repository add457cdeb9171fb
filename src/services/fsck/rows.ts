// The rows of one chain against themselves and against what the machine says of them.

import { payloadOf } from '../../chain/bundle.ts';
import { idHash } from '../../chain/identity.ts';
import { commitmentOf, NO_HASH, type Row, rowHashOf } from '../../chain/row.ts';
import { faultsOf } from '../../chain/validate.ts';
import { fromHex } from '../../core/bits.ts';
import { canonicalJson } from '../../core/canonical-json.ts';
import type { InspectedMachine, InspectedRow } from '../../storage/fsck/machines.ts';
import type { Find } from './faults.ts';

/** A row as it was hashed. */
export function asRow(row: InspectedRow, slug: string): Row {
  const { seq, v, svcond, type, source, actor, commitment, prev_hash, hash, salt, body } = row;
  const head = { v: v as Row['v'], slug, seq, svcond: Number(svcond), type, source, actor };
  const chained = { ...head, commit: commitment, prev: prev_hash, row_hash: hash };
  return salt === null || body === null ? chained : { ...chained, salt, payload_text: body };
}

export class RowsCheck {
  readonly #machine: InspectedMachine;
  readonly #find: Find;
  /** What the rows were hashed under, and the hash of the first. */
  #slug: string;
  #genesisHash: string;
  #last: { readonly seq: number; readonly hash: string; readonly svcond: number } | undefined;
  #isWhole = true;
  readonly #empty = new Set<number>();
  readonly #saidErased = new Set<number>();
  #unreadErasures = 0;
  #status = 'active';
  readonly #settings: Record<string, unknown> = {};

  constructor(machine: InspectedMachine, find: Find) {
    this.#machine = machine;
    this.#slug = machine.slug;
    this.#genesisHash = machine.genesis_hash;
    this.#find = find;
  }

  /** The id_hash that follows from the rows, whatever the machine says. */
  get name(): string {
    return idHash(this.#slug, this.#genesisHash);
  }

  /** Whether every row so far stood at its place. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /**
   * @param next  the hash that the next row names, or the machine's head where this is the last
   * @returns the hash that the row has by what is around it, hex
   */
  see(row: InspectedRow, next: string): string {
    if (this.#last === undefined && row.seq === 0) this.#begin(row);
    const chained = asRow(row, this.#slug);
    const expected = (this.#last?.seq ?? -1) + 1;
    if (row.seq !== expected) {
      this.#isWhole = false;
      this.#find('audit', { seq: row.seq }, 'GAP', `Rows ${expected} to ${row.seq - 1} are missing.`, 'seq');
    }
    const hash = this.#checkHash(chained, next, row.seq === expected);
    this.#checkPayload(row, chained);
    this.#note(row, chained);
    if (row.seq === 0) this.#genesisHash = hash;
    this.#last = { seq: row.seq, hash, svcond: chained.svcond };
    return hash;
  }

  finish(): void {
    const { head_seq, head_hash, head_svcond } = this.#machine;
    const last = this.#last;
    if (last === undefined) {
      this.#machineFault('GENESIS', 'The machine has no rows.', 'id');
      return;
    }
    if (head_seq !== String(last.seq)) {
      const isHere = head_hash === last.hash;
      if (isHere) this.#machineFault('HEAD', `head_seq is ${head_seq}; the last row is ${last.seq}.`, 'head_seq');
      else
        this.#find(
          'audit',
          { seq: last.seq + 1 },
          'GAP',
          `The chain ends at row ${last.seq}; its head says ${head_seq}.`,
        );
    } else if (head_hash !== last.hash) {
      this.#machineFault('HEAD', `head_hash is not the hash of row ${last.seq}.`, 'head_hash');
    }
    if (head_svcond !== String(last.svcond))
      this.#machineFault('HEAD', `head_svcond is ${head_svcond}; row ${last.seq} has ${last.svcond}.`, 'head_svcond');
    this.#checkErasures();
    this.#checkSaid();
  }

  #machineFault(code: 'GENESIS' | 'HEAD' | 'ERASURE' | 'SAID', message: string, column: string): void {
    const { id, slug } = this.#machine;
    this.#find('machine', { id, slug }, code, message, column);
  }

  /** Row 0 says what the machine is called; where it does not say, or is wrong itself, the machine is believed. */
  #begin(row: InspectedRow): void {
    const { slug, genesis_hash, genesis_tick } = this.#machine;
    const { slug: said } = payloadOf(asRow(row, slug));
    const isRight = (name: string) => faultsOf(asRow(row, name), name, 0, undefined).length === 0;
    if (typeof said === 'string' && said !== slug && isRight(said)) {
      this.#machineFault('GENESIS', `The slug is ${slug}; row 0 is that of ${said}.`, 'slug');
      this.#slug = said;
    }
    if (row.hash !== genesis_hash)
      this.#machineFault('GENESIS', 'genesis_hash is not the hash of row 0.', 'genesis_hash');
    if (row.svcond !== genesis_tick)
      this.#machineFault('GENESIS', `genesis_tick is ${genesis_tick}; row 0 has ${row.svcond}.`, 'genesis_tick');
    if (row.type !== 'genesis') this.#find('audit', { seq: 0 }, 'GENESIS', `Row 0 is ${row.type}.`, 'type');
  }

  #checkHash(row: Row, next: string, hasBefore: boolean): string {
    const key = { seq: row.seq };
    const before = hasBefore ? (this.#last?.hash ?? NO_HASH) : undefined;
    const isLinked = before === undefined || row.prev === before;
    const found = hashOf(row);
    let hash = row.row_hash;
    if (found !== row.row_hash) {
      // What the next row names is the hash that this one had.
      if (found === next && found !== undefined) {
        this.#find('audit', key, 'HASH', 'hash is not that of the row; the next row names the right one.', 'hash');
        hash = found;
      } else {
        this.#find('audit', key, 'HASH', 'The row does not have the hash that it says.', columnOf(row, before));
      }
    }
    if (!isLinked && (found === row.row_hash || hash !== row.row_hash))
      this.#find('audit', key, 'LINK', `The row does not name the hash of row ${row.seq - 1}.`, 'prev_hash');
    if (row.svcond < (this.#last?.svcond ?? 0))
      this.#find(
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
      this.#find('audit', key, 'PAYLOAD', 'Salt and payload are there together, or sealed, or gone.');
    if (faultsOf(row, row.slug, seq, undefined).includes('COMMIT'))
      this.#find('audit', key, 'COMMIT', 'Salt and payload are not what the row committed to.');
  }

  /** What the row says about others and about the machine. */
  #note(row: InspectedRow, chained: Row): void {
    const payload = payloadOf(chained);
    if (row.type === 'payload_erased') {
      if (typeof payload.seq === 'number') this.#saidErased.add(payload.seq);
      else this.#unreadErasures++;
    }
    if (row.type === 'status' && typeof payload.to === 'string') this.#status = payload.to;
    if (row.type === 'settings') Object.assign(this.#settings, payload);
    if ((row.type === 'status' || row.type === 'settings') && chained.payload_text === undefined)
      this.#forget(row.type);
  }

  /** A change that cannot be read: nothing is known any more. */
  #forget(type: 'status' | 'settings'): void {
    if (type === 'status') this.#status = '';
    else for (const name of Object.keys(this.#settings)) delete this.#settings[name];
  }

  #checkErasures(): void {
    const { erased } = this.#machine;
    for (const seq of this.#saidErased) {
      if (!this.#empty.has(seq))
        this.#find('audit', { seq }, 'ERASURE', 'The payload was erased, and it is there.', 'body');
    }
    for (const seq of this.#empty) {
      if (!this.#saidErased.has(seq) && this.#unreadErasures === 0)
        this.#find('audit', { seq }, 'ERASURE', 'The payload is gone, and no row says that it was erased.', 'body');
    }
    if (erased !== String(this.#empty.size))
      this.#machineFault('ERASURE', `erased is ${erased}; ${this.#empty.size} payloads are gone.`, 'erased');
  }

  /** What the newest row about each setting says. */
  #checkSaid(): void {
    const { status, name, description, is_public, settings } = this.#machine;
    if (this.#status !== '' && status !== this.#status)
      this.#machineFault('SAID', `status is ${status}; the chain says ${this.#status}.`, 'status');
    const stored: Record<string, [unknown, string]> = {
      name: [name, 'name'],
      description: [description, 'description'],
      isPublic: [is_public, 'is_public'],
      settings: [parsed(settings), 'settings'],
    };
    for (const [field, [value, column]] of Object.entries(stored)) {
      const said = this.#settings[field];
      if (said !== undefined && canonicalJson(said) !== canonicalJson(value ?? null))
        this.#machineFault('SAID', `${column} is not what the chain says.`, column);
    }
  }
}

function hashOf(row: Row): string | undefined {
  try {
    return rowHashOf(row);
  } catch {
    return undefined; // a field that canonical JSON cannot say
  }
}

/** The column that is wrong, where putting the right value into it gives the hash. */
function columnOf(row: Row, before: string | undefined): string | undefined {
  if (before !== undefined && hashOf({ ...row, prev: before }) === row.row_hash) return 'prev_hash';
  if (hashOf({ ...row, v: 1 }) === row.row_hash) return 'v';
  const { salt, payload_text: text } = row;
  const bytes = salt === undefined ? undefined : fromHex(salt);
  const commit = bytes === undefined || text === undefined ? undefined : commitmentOf(bytes, text);
  return commit !== undefined && hashOf({ ...row, commit }) === row.row_hash ? 'commitment' : undefined;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
