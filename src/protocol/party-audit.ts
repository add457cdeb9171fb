// Audits what the rows of a chain say of the parties of one contract, or of its instances: that each acted only while it
// was bound, and that each signature is valid and counted once. Rows are visited in order.

import { payloadOf } from '../chain/bundle.ts';
import type { Row } from '../chain/row.ts';
import { rowSignature } from '../chain/signed-act.ts';
import { keyOfValue } from '../contracts/instances/keys.ts';
import { allVoters, type PartyBindings } from '../contracts/parties/bindings.ts';
import { confirmedSeat, type SenderFields, type SignedBy } from '../contracts/parties/sent-by.ts';

type AuditedRow = Pick<Row, 'slug' | 'seq' | 'type' | 'actor' | 'payload_text'>;
type Payload = Readonly<Record<string, unknown>>;

/** Who acts in a contract, or in an instance. */
interface Bound {
  bindings: PartyBindings | undefined;
  /** Unreadable rows that may have bound others since. */
  unreadable: number;
  readonly nonces: Record<string, number>;
}

/** The last event, which may have begun an instance. */
interface LastEvent {
  readonly row: AuditedRow;
  readonly payload: Payload;
}

export class PartyAudit {
  readonly #contract: string;
  /** Of a contract with instances: the field of events that names one. */
  readonly #field: string | undefined;
  readonly #bound: Bound;
  readonly #instances = new Map<string, Bound>();
  /** Unreadable rows that could have bound parties. */
  #unreadable: number;
  #last: LastEvent | undefined;
  #signatures = 0;

  /**
   * @param isWhole  whether no row that could have bound parties of the contract precedes the visited ones
   * @param key  as the definition names it, of a contract with instances
   */
  constructor(contract: string, isWhole = true, key?: string) {
    this.#contract = contract;
    this.#field = key?.slice('event.'.length);
    this.#unreadable = isWhole ? 0 : 1;
    this.#bound = { bindings: undefined, unreadable: 0, nonces: {} };
  }

  /** Who is bound after the visited rows; undefined if the contract has no parties. */
  get bindings(): PartyBindings | undefined {
    return this.#bound.bindings;
  }

  /** The largest number that each key has signed. */
  get nonces(): Readonly<Record<string, number>> {
    return this.#bound.nonces;
  }

  get signatures(): number {
    return this.#signatures;
  }

  /** Who is bound in an instance, and what their keys have signed; undefined if it has no parties, or rows are unreadable. */
  instance(key: string): Pick<PartyAudit, 'bindings' | 'nonces'> | undefined {
    const found = this.#instances.get(key);
    return found !== undefined && this.#isKnown(found) ? found : undefined;
  }

  /** What is wrong with a row; undefined if nothing is, or if it cannot be read. */
  visit(row: AuditedRow): string | undefined {
    if (row.payload_text === undefined) {
      if (row.type === 'contract') this.#unreadable++;
      if (row.type === 'event') this.#last = undefined;
      return undefined;
    }
    const payload = payloadOf(row);
    if (row.type === 'event') return this.#eventFault(row, payload);
    if (payload.contract !== this.#contract) return undefined;
    const { instance, party, bindings, act } = payload;
    const bound = typeof instance === 'string' ? this.#instanceOf(instance) : this.#bound;
    if (row.type === 'transition' && typeof party === 'string') return this.#manualFault(row, bound, party);
    if (row.type !== 'contract') return undefined;
    const isSpawn = act === 'spawned';
    const fault = isSpawn ? undefined : this.#fault(row, payload, bound, typeof party === 'string' ? party : undefined);
    if (bindings !== undefined && act !== 'proposed') {
      bound.bindings = bindings as PartyBindings;
      bound.unreadable = this.#unreadable;
    }
    return isSpawn ? this.#spawnFault(row, payload, bound) : fault;
  }

  #eventFault(row: AuditedRow, payload: Payload): string | undefined {
    this.#last = { row, payload };
    const { as, to } = payload as SenderFields;
    const party = as !== undefined && Object.hasOwn(as, this.#contract) ? as[this.#contract] : undefined;
    if (party === undefined && to !== this.#contract) return undefined;
    if (this.#field === undefined) return this.#fault(row, payload, this.#bound, party);
    const sent = (payload.payload ?? {}) as Payload;
    const key = keyOfValue(Object.hasOwn(sent, this.#field) ? sent[this.#field] : undefined);
    const bound = key === undefined ? undefined : this.#instances.get(key);
    if (bound !== undefined) return this.#fault(row, payload, bound, party, false);
    if (rowSignature(row.slug, row.type, payload) === false) return invalid(row);
    // Before any row has bound somebody in it, there is nobody to act.
    const isKnown = this.#unreadable === this.#bound.unreadable;
    return party === undefined || !isKnown ? undefined : `Row ${row.seq} was sent as ${party}, to no instance.`;
  }

  /** An instance begins by an event: whoever it says has sent it is bound by then. */
  #spawnFault({ seq }: AuditedRow, { event, party, key }: Payload, bound: Bound): string | undefined {
    const begun = this.#last?.row.seq === event ? this.#last : undefined;
    if (begun === undefined) return party === undefined ? undefined : `Row ${seq} names ${party}, but no event.`;
    const { signed } = begun.payload as SenderFields;
    // Its number counts, unless it has counted in an earlier life of the instance.
    if (signed !== undefined && (bound.nonces[signed.public_key] ?? -1) < signed.nonce) this.#count(bound, signed);
    if (typeof party !== 'string') return undefined;
    const fields = { ...(signed === undefined ? {} : { signed }), ...(typeof key === 'string' ? { key } : {}) };
    return this.#seatFault(begun.row, fields, bound, party);
  }

  /**
   * @param party  the party that acted, according to the row
   * @param isNamed  whether a row with a signature names the party
   */
  #fault(
    row: AuditedRow,
    payload: Payload,
    bound: Bound,
    party: string | undefined,
    isNamed = true,
  ): string | undefined {
    const { slug, seq, type } = row;
    const fields = payload as SenderFields;
    const isSigned = rowSignature(slug, type, payload);
    if (isSigned === false) return invalid(row);
    if (isSigned === true && fields.signed !== undefined) {
      const { public_key: key, nonce } = fields.signed;
      const last = Object.hasOwn(bound.nonces, key) ? (bound.nonces[key] ?? 0) : 0;
      if (nonce <= last) return `The signature in row ${seq} has the number ${nonce}; its key has used ${last} before.`;
      this.#count(bound, fields.signed);
      if (party === undefined && isNamed) return `Row ${seq} is signed, but names no party.`;
    }
    return party === undefined ? undefined : this.#seatFault(row, fields, bound, party);
  }

  #seatFault({ seq, actor }: AuditedRow, fields: SenderFields, bound: Bound, party: string): string | undefined {
    if (!this.#isKnown(bound)) return undefined;
    const seat = confirmedSeat(bound.bindings ?? {}, fields, actor);
    if (seat?.party === party) return undefined;
    return `Row ${seq} was sent as ${party}; its sender was bound to ${seat?.party ?? 'no party'} then.`;
  }

  #manualFault({ seq, actor }: AuditedRow, bound: Bound, party: string): string | undefined {
    if (!this.#isKnown(bound)) return undefined;
    const named = { [party]: bound.bindings?.[party] ?? [] };
    if (allVoters(named).has(`zid:${actor}`)) return undefined;
    return `Row ${seq} was fired by ${party}; its actor was not bound to it then.`;
  }

  #count({ nonces }: Bound, { public_key: key, nonce }: SignedBy): void {
    nonces[key] = nonce;
    this.#signatures++;
  }

  #isKnown({ unreadable }: Bound): boolean {
    return unreadable === this.#unreadable;
  }

  #instanceOf(key: string): Bound {
    const known = this.#instances.get(key);
    if (known !== undefined) return known;
    const bound: Bound = { bindings: undefined, unreadable: this.#unreadable, nonces: {} };
    this.#instances.set(key, bound);
    return bound;
  }
}

const invalid = ({ seq }: AuditedRow) => `The signature in row ${seq} is not one of its contents.`;
