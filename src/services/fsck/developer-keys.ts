// Developer keys of one machine against its chain, which says what each may do and when it ended; and whom they act for.

import { payloadOf } from '../../chain/bundle.ts';
import type { Row } from '../../chain/row.ts';
import type { InspectedDeveloper, InspectedKey, RightsInspection } from '../../storage/fsck/rights.ts';
import type { DeveloperKeyPayload } from '../access/developer-keys.ts';
import type { MemberPayload } from '../access/members.ts';
import { type Find, findUnequal } from './faults.ts';
import { inPages, UnreadRows } from './unread.ts';

type Created = Extract<DeveloperKeyPayload, { readonly act: 'created' }>;

export class DeveloperKeysCheck {
  readonly #machineId: string;
  readonly #inspection: RightsInspection;
  readonly #find: Find;
  /** What made each key and what revoked it, by its id. */
  readonly #created = new Map<string, { readonly seq: number; readonly said: Partial<Created> }>();
  readonly #revoked = new Map<string, number>();
  readonly #unread = new UnreadRows();
  /** Whom the keys act for, and which row says so. */
  #actsFor: { readonly zid: string; readonly seq: number } | undefined;

  constructor(machineId: string, inspection: RightsInspection, find: Find) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#find = find;
  }

  see(row: Row): void {
    if (row.type === 'member') {
      const { zid, kind } = payloadOf(row) as Partial<MemberPayload>;
      if (kind === 'developer-keys' && zid !== undefined) this.#actsFor = { zid, seq: row.seq };
    }
    if (row.type !== 'api_key') return;
    const said = payloadOf(row) as Partial<DeveloperKeyPayload>;
    if (typeof said.id !== 'string') this.#unread.see(row);
    else if (said.act === 'created') this.#created.set(said.id, { seq: row.seq, said });
    else this.#revoked.set(said.id, row.seq);
  }

  async finish(tables: ReadonlySet<string>): Promise<void> {
    const isSaid = this.#created.size > 0 || this.#revoked.size > 0 || this.#unread.count > 0;
    if (!isSaid && !tables.has('developer_account')) return;
    const developer = await this.#inspection.developer(this.#machineId);
    if (developer === undefined || !isSaid) {
      const missing = isSaid
        ? 'The chain made developer keys, and there is no account of theirs.'
        : 'No row of the chain made a developer key.';
      this.#accountFault(missing, 'machine_id');
    }
    if (developer === undefined) return;
    this.#checkAccount(developer);
    await this.#checkKeys(developer.account_id);
  }

  #accountFault(message: string, column: string): void {
    this.#find('developer_account', { machine_id: this.#machineId }, 'SAID', message, column);
  }

  #checkAccount({ zid }: InspectedDeveloper): void {
    if (this.#actsFor === undefined || this.#actsFor.zid === zid) return;
    const { zid: said, seq } = this.#actsFor;
    this.#accountFault(
      `The account has the identity ${zid}; row ${seq} says that the keys act for ${said}.`,
      'account_id',
    );
  }

  async #checkKeys(accountId: string): Promise<void> {
    const read = (after: string | undefined, limit: number) => this.#inspection.keys(accountId, after, limit);
    for await (const key of inPages(read, ({ id }) => id)) {
      this.#checkKey(key);
      this.#created.delete(key.id);
      this.#revoked.delete(key.id);
    }
    // One that is gone is told of once, by the row that made it.
    const gone = new Map([...this.#revoked, ...[...this.#created].map(([id, { seq }]) => [id, seq] as const)]);
    for (const [id, seq] of gone)
      this.#find('api_key', { id }, 'SAID', `Row ${seq} is about this key, and it is not there.`, 'id');
    // Each row leaves a key or a revocation, for good: so many must be there that no other row explains.
    const { count } = this.#unread;
    const explained = this.#unread.settle();
    if (explained < count) {
      const message = `${count} rows about developer keys cannot be read; ${explained} keys and revocations are theirs.`;
      this.#find('api_key', { account_id: accountId }, 'SAID', message);
    }
  }

  #checkKey({ id, name, key_prefix, scope, tier, expires_at, is_revoked }: InspectedKey): void {
    const place = ['api_key', { id }] as const;
    const created = this.#created.get(id);
    if (created === undefined) {
      const message = `scope is ${scope}; no row of the chain made this key.`;
      this.#unread.difference(-1, () => this.#find(...place, 'SAID', message, 'id'));
    } else {
      const { seq, said } = created;
      findUnequal(this.#find, place, `row ${seq}`, [
        ['name', name, said.name],
        ['key_prefix', key_prefix, said.key_prefix],
        ['scope', scope, said.scope],
        ['tier', tier, said.rate_limit_tier],
        ['expires_at', expires_at, said.expires_at],
      ]);
    }
    const revoked = this.#revoked.get(id);
    if (revoked !== undefined && !is_revoked)
      this.#find(...place, 'SAID', `Row ${revoked} revoked this key, and it is not revoked.`, 'revoked_at');
    if (revoked === undefined && is_revoked)
      this.#unread.difference(created?.seq ?? -1, () =>
        this.#find(...place, 'SAID', 'The key is revoked, and no row of the chain did it.', 'revoked_at'),
      );
  }
}
