// Audits what the rows of a chain say of the parties of one contract: that each acted only while it was bound, and that
// each signature is valid and counted once. Rows are visited in order.

import { payloadOf } from '../chain/bundle.ts';
import type { Row } from '../chain/row.ts';
import { rowSignature } from '../chain/signed-act.ts';
import { allVoters, type PartyBindings } from '../contracts/parties/bindings.ts';
import { confirmedSeat, type SenderFields } from '../contracts/parties/sent-by.ts';

type AuditedRow = Pick<Row, 'slug' | 'seq' | 'type' | 'actor' | 'payload_text'>;
type Payload = Readonly<Record<string, unknown>>;

export class PartyAudit {
  readonly #contract: string;
  #bindings: PartyBindings | undefined;
  /** False after an unreadable row, which may have bound others, until a readable one says who is bound. */
  #areBindingsKnown: boolean;
  readonly #nonces: Record<string, number> = {};
  #signatures = 0;

  /** @param isWhole  whether no row that could have bound parties of the contract precedes the visited ones */
  constructor(contract: string, isWhole = true) {
    this.#contract = contract;
    this.#areBindingsKnown = isWhole;
  }

  /** Who is bound after the visited rows; undefined if the contract has no parties. */
  get bindings(): PartyBindings | undefined {
    return this.#bindings;
  }

  /** The largest number that each key has signed. */
  get nonces(): Readonly<Record<string, number>> {
    return this.#nonces;
  }

  get signatures(): number {
    return this.#signatures;
  }

  /** What is wrong with a row; undefined if nothing is, or if it cannot be read. */
  visit(row: AuditedRow): string | undefined {
    if (row.payload_text === undefined) {
      if (row.type === 'contract') this.#areBindingsKnown = false;
      return undefined;
    }
    const payload = payloadOf(row);
    const { contract, bindings } = payload;
    const isOwn = contract === this.#contract;
    if (row.type === 'event') {
      const { as, to } = payload as SenderFields;
      const party = as !== undefined && Object.hasOwn(as, this.#contract) ? as[this.#contract] : undefined;
      return party === undefined && to !== this.#contract ? undefined : this.#fault(row, payload, party);
    }
    if (!isOwn) return undefined;
    if (row.type === 'transition' && typeof payload.party === 'string') return this.#manualFault(row, payload.party);
    if (row.type !== 'contract') return undefined;
    const fault = this.#fault(row, payload, typeof payload.party === 'string' ? payload.party : undefined);
    if (bindings !== undefined && payload.act !== 'proposed') {
      this.#bindings = bindings as PartyBindings;
      this.#areBindingsKnown = true;
    }
    return fault;
  }

  /** @param party  the party that acted, according to the row */
  #fault({ slug, seq, type, actor }: AuditedRow, payload: Payload, party: string | undefined): string | undefined {
    const fields = payload as SenderFields;
    const isSigned = rowSignature(slug, type, payload);
    if (isSigned === false) return `The signature in row ${seq} is not one of its contents.`;
    if (isSigned === true && fields.signed !== undefined) {
      const { public_key: key, nonce } = fields.signed;
      const last = Object.hasOwn(this.#nonces, key) ? (this.#nonces[key] ?? 0) : 0;
      if (nonce <= last) return `The signature in row ${seq} has the number ${nonce}; its key has used ${last} before.`;
      this.#nonces[key] = nonce;
      this.#signatures++;
      if (party === undefined) return `Row ${seq} is signed, but names no party.`;
    }
    if (party === undefined || !this.#areBindingsKnown) return undefined;
    const seat = confirmedSeat(this.#bindings ?? {}, fields, actor);
    if (seat?.party === party) return undefined;
    return `Row ${seq} was sent as ${party}; its sender was bound to ${seat?.party ?? 'no party'} then.`;
  }

  #manualFault({ seq, actor }: AuditedRow, party: string): string | undefined {
    if (!this.#areBindingsKnown) return undefined;
    const bound = { [party]: this.#bindings?.[party] ?? [] };
    if (allVoters(bound).has(`zid:${actor}`)) return undefined;
    return `Row ${seq} was fired by ${party}; its actor was not bound to it then.`;
  }
}
