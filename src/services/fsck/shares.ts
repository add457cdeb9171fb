// Share tokens of one machine against its chain, which says what each is called, until when it is good, and when all were ended.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import type { InspectedShare, RightsInspection } from '../../storage/fsck/rights.ts';
import type { SharePayload } from '../access/shares.ts';
import { type Find, findUnequal } from './faults.ts';
import { inPages, UnreadRows } from './unread.ts';

type Made = Extract<SharePayload, { readonly act: 'set' }>;

export class SharesCheck {
  readonly #machineId: string;
  readonly #inspection: RightsInspection;
  readonly #find: Find;
  readonly #set = new Map<string, { readonly seq: number; readonly said: Partial<Made> }>();
  /** The newest row that ended all there were; -1 before there is one. */
  #disabled = -1;
  /** Of the newest row that may have ended all there were, because it cannot be read. */
  #mayBeDisabled = -1;
  readonly #unread = new UnreadRows();

  constructor(machineId: string, inspection: RightsInspection, find: Find) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#find = find;
  }

  see(row: Row): void {
    if (row.type !== 'share') return;
    const said = payloadOf(row) as Partial<SharePayload>;
    if (said.act === 'disabled') this.#disabled = row.seq;
    else if (said.act === 'set' && typeof said.id === 'string') this.#set.set(said.id, { seq: row.seq, said });
    else {
      this.#unread.see(row);
      this.#mayBeDisabled = row.seq;
    }
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    if (this.#set.size === 0 && !tables.has('share')) return;
    const read = (after: string | undefined, limit: number) => this.#inspection.shares(this.#machineId, after, limit);
    for await (const share of inPages(read, ({ id }) => id)) {
      this.#checkShare(share);
      this.#set.delete(share.id);
    }
    for (const [id, { seq }] of this.#set)
      this.#find('share', { id }, 'SAID', `Row ${seq} made this token, and it is not there.`, 'id');
    this.#unread.settle();
  }

  #checkShare({ id, label, created_at, expires_at, is_revoked }: InspectedShare): void {
    const place = ['share', { id }] as const;
    const set = this.#set.get(id);
    if (set === undefined) {
      const message = `label is ${label}; no row of the chain made this token.`;
      this.#unread.difference(-1, () => this.#find(...place, 'SAID', message, 'id'));
      return;
    }
    const { seq, said } = set;
    findUnequal(this.#find, place, `row ${seq}`, [
      ['label', label, said.label],
      ['created_at', created_at, said.created_at],
      ['expires_at', expires_at, said.expires_at],
    ]);
    if (this.#disabled > seq && !is_revoked) {
      const message = `Row ${this.#disabled} ended all tokens, and this one is not revoked.`;
      this.#find(...place, 'SAID', message, 'revoked_at');
    }
    if (Math.max(this.#disabled, this.#mayBeDisabled) < seq && is_revoked)
      this.#find(...place, 'SAID', 'The token is revoked, and no row of the chain ended it.', 'revoked_at');
  }
}
