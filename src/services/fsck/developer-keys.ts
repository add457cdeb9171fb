// Checks the developer keys of one machine against its chain: their scope, their revocation and the identity they act
// for.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import type { AccessInspection, InspectedDeveloper, InspectedKey } from '../../storage/fsck/access.ts';
import type { DeveloperKeyPayload } from '../machines/access/developer-keys.ts';
import type { MemberPayload } from '../machines/access/members.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { paginate, UnreadableRows } from './unreadable-rows.ts';

type Created = Extract<DeveloperKeyPayload, { readonly act: 'created' }>;

export class DeveloperKeysCheck {
  readonly #machineId: string;
  readonly #inspection: AccessInspection;
  readonly #report: ReportFault;
  /** Creation and revocation of each key, by key id. */
  readonly #created = new Map<string, { readonly seq: number; readonly payload: Partial<Created> }>();
  readonly #revoked = new Map<string, number>();
  readonly #unreadable = new UnreadableRows();
  /** Identity that the keys act for, and the row that sets it. */
  #actsFor: { readonly zid: string; readonly seq: number } | undefined;

  constructor(machineId: string, inspection: AccessInspection, report: ReportFault) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    if (row.type === 'member') {
      const { zid, kind } = payloadOf(row) as Partial<MemberPayload>;
      if (kind === 'developer-keys' && zid !== undefined) this.#actsFor = { zid, seq: row.seq };
    }
    if (row.type !== 'api_key') return;
    const payload = payloadOf(row) as Partial<DeveloperKeyPayload>;
    if (typeof payload.id !== 'string') this.#unreadable.add(row);
    else if (payload.act === 'created') this.#created.set(payload.id, { seq: row.seq, payload });
    else this.#revoked.set(payload.id, row.seq);
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    const hasRows = this.#created.size > 0 || this.#revoked.size > 0 || this.#unreadable.count > 0;
    if (!hasRows && !tables.has('developer_account')) return;
    const developer = await this.#inspection.developer(this.#machineId);
    if (developer === undefined || !hasRows) {
      const missing = hasRows
        ? 'The chain created developer keys, but their account is missing.'
        : 'No row of the chain created a developer key.';
      this.#accountFault(missing, 'machine_id');
    }
    if (developer === undefined) return;
    this.#checkAccount(developer);
    await this.#checkKeys(developer.account_id);
  }

  #accountFault(message: string, column: string): void {
    this.#report('developer_account', { machine_id: this.#machineId }, 'SAID', message, column);
  }

  #checkAccount({ zid }: InspectedDeveloper): void {
    if (this.#actsFor === undefined || this.#actsFor.zid === zid) return;
    const { zid: expected, seq } = this.#actsFor;
    this.#accountFault(
      `The account has the identity ${zid}; row ${seq} says that the keys act for ${expected}.`,
      'account_id',
    );
  }

  async #checkKeys(accountId: string): Promise<void> {
    const read = (after: string | undefined, limit: number) => this.#inspection.keys(accountId, after, limit);
    for await (const key of paginate(read, ({ id }) => id)) {
      this.#checkKey(key);
      this.#created.delete(key.id);
      this.#revoked.delete(key.id);
    }
    // A missing key is reported once, by the row that created it.
    const missing = new Map([...this.#revoked, ...[...this.#created].map(([id, { seq }]) => [id, seq] as const)]);
    for (const [id, seq] of missing)
      this.#report('api_key', { id }, 'SAID', `Row ${seq} is about this key, but the key is missing.`, 'id');
    // Each unreadable row left a key or a revocation, so at least as many must be unexplained by readable rows.
    const { count } = this.#unreadable;
    const unexplained = this.#unreadable.flush();
    if (unexplained < count) {
      const message = `${count} rows about developer keys cannot be read; only ${unexplained} keys and revocations can be theirs.`;
      this.#report('api_key', { account_id: accountId }, 'SAID', message);
    }
  }

  #checkKey({ id, name, key_prefix, scope, tier, expires_at, is_revoked }: InspectedKey): void {
    const entry = ['api_key', { id }] as const;
    const created = this.#created.get(id);
    if (created === undefined) {
      const message = `scope is ${scope}; no row of the chain created this key.`;
      this.#unreadable.reportUnlessExplained(-1, () => this.#report(...entry, 'SAID', message, 'id'));
    } else {
      const { seq, payload } = created;
      reportUnequal(this.#report, entry, `row ${seq}`, [
        ['name', name, payload.name],
        ['key_prefix', key_prefix, payload.key_prefix],
        ['scope', scope, payload.scope],
        ['tier', tier, payload.rate_limit_tier],
        ['expires_at', expires_at, payload.expires_at],
      ]);
    }
    const revoked = this.#revoked.get(id);
    if (revoked !== undefined && !is_revoked)
      this.#report(...entry, 'SAID', `Row ${revoked} revoked this key, but it is not revoked.`, 'revoked_at');
    if (revoked === undefined && is_revoked)
      this.#unreadable.reportUnlessExplained(created?.seq ?? -1, () =>
        this.#report(...entry, 'SAID', 'The key is revoked, but no row of the chain revoked it.', 'revoked_at'),
      );
  }
}
