// Checks the share tokens of one machine against its chain: their label, expiry and revocation.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import type { AccessInspection, InspectedShare } from '../../storage/fsck/access.ts';
import type { SharePayload } from '../machines/access/shares.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { paginate, UnreadableRows } from './unreadable-rows.ts';

type Created = Extract<SharePayload, { readonly act: 'set' }>;

export class SharesCheck {
  readonly #machineId: string;
  readonly #inspection: AccessInspection;
  readonly #report: ReportFault;
  readonly #created = new Map<string, { readonly seq: number; readonly payload: Partial<Created> }>();
  /** The newest row that revoked all tokens; -1 if there is none. */
  #disabled = -1;
  /** The newest unreadable row, which may have revoked all tokens; -1 if there is none. */
  #maybeDisabled = -1;
  readonly #unreadable = new UnreadableRows();

  constructor(machineId: string, inspection: AccessInspection, report: ReportFault) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (row.type !== 'share') return;
    const payload = payloadOf(row) as Partial<SharePayload>;
    if (payload.act === 'disabled') this.#disabled = row.seq;
    else if (payload.act === 'set' && typeof payload.id === 'string')
      this.#created.set(payload.id, { seq: row.seq, payload });
    else {
      this.#unreadable.add(row);
      this.#maybeDisabled = row.seq;
    }
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    if (this.#created.size === 0 && !tables.has('share')) return;
    const read = (after: string | undefined, limit: number) => this.#inspection.shares(this.#machineId, after, limit);
    for await (const share of paginate(read, ({ id }) => id)) {
      this.#checkShare(share);
      this.#created.delete(share.id);
    }
    for (const [id, { seq }] of this.#created)
      this.#report('share', { id }, 'SAID', `Row ${seq} created this token, but it is missing.`, 'id');
    this.#unreadable.flush();
  }

  #checkShare({ id, label, created_at, expires_at, is_revoked }: InspectedShare): void {
    const entry = ['share', { id }] as const;
    const created = this.#created.get(id);
    if (created === undefined) {
      const message = `label is ${label}; no row of the chain created this token.`;
      this.#unreadable.reportUnlessExplained(-1, () => this.#report(...entry, 'SAID', message, 'id'));
      return;
    }
    const { seq, payload } = created;
    reportUnequal(this.#report, entry, `row ${seq}`, [
      ['label', label, payload.label],
      ['created_at', created_at, payload.created_at],
      ['expires_at', expires_at, payload.expires_at],
    ]);
    if (this.#disabled > seq && !is_revoked) {
      const message = `Row ${this.#disabled} revoked all tokens, but this one is not revoked.`;
      this.#report(...entry, 'SAID', message, 'revoked_at');
    }
    if (Math.max(this.#disabled, this.#maybeDisabled) < seq && is_revoked)
      this.#report(...entry, 'SAID', 'The token is revoked, but no row of the chain revoked it.', 'revoked_at');
  }
}
