// Developer keys of a machine. They act under an identity of the machine's own, which is a member of it: whoever made a key
// can leave, and the key sees nothing of their account.

import { type Clock, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { uuidV7 } from '../../core/ids.ts';
import { LIMITS } from '../../core/limits.ts';
import type { Account } from '../../storage/access/accounts.ts';
import { type DeveloperRepository, developerKeyRows, keyRevocations } from '../../storage/access/developers.ts';
import { type Identity, type MemberRepository, memberRows } from '../../storage/access/identities.ts';
import type { KeyRepository } from '../../storage/access/keys.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import { newIdentity } from '../machines/identity.ts';
import type { MachineService } from '../machines/machines.ts';
import type { AccessService, Principal } from './access.ts';
import { type CreatedKey, type KeyRecord, type KeyRequest, type KeyService, recordOf } from './keys.ts';
import type { MemberPayload } from './members.ts';

/** What a row of type `api_key` holds. */
export type DeveloperKeyPayload =
  | ({ readonly act: 'created'; readonly key_prefix: string } & Pick<
      KeyRecord,
      'id' | 'name' | 'scope' | 'rate_limit_tier' | 'expires_at'
    >)
  | { readonly act: 'revoked'; readonly id: string; readonly key_prefix: string };

export interface DeveloperKeyOptions {
  readonly machines: MachineService;
  readonly developers: DeveloperRepository;
  readonly members: MemberRepository;
  readonly keys: KeyService;
  readonly storedKeys: KeyRepository;
  readonly access: AccessService;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** What the identity of the keys is to the machine; the scope of each key says how much of that it has. */
const ROLE = 'admin';

export class DeveloperKeyService {
  readonly #options: DeveloperKeyOptions;

  constructor(options: DeveloperKeyOptions) {
    this.#options = options;
  }

  /** Newest first, revoked and expired ones too; never the keys themselves. */
  async list(machine: Machine): Promise<KeyRecord[]> {
    const developer = await this.#options.developers.of(machine.id);
    return developer === undefined ? [] : this.#options.keys.listOf(developer.accountId);
  }

  /** @throws DomainError FORBIDDEN beyond the caller's own scope or tier, VALIDATION_FAILED, CONFLICT if there are too many */
  async create(machine: Machine, by: Principal, request: KeyRequest): Promise<CreatedKey> {
    const { machines, developers, members, keys } = this.#options;
    const fresh = this.#newAccount();
    const { answer } = await machines.commitAlone(machine, async (_, on) => {
      const developer = await developers.of(machine.id, on);
      const { accountId, zid } = developer ?? { accountId: fresh.account.id, zid: fresh.identity.zid };
      await this.#assertRoom(developer?.accountId, on);
      const { key, stored, keyHash } = keys.draft(by, accountId, request);
      const record = recordOf(stored);
      const payload: DeveloperKeyPayload = {
        act: 'created',
        id: record.id,
        name: record.name,
        key_prefix: record.keyPrefix,
        scope: record.scope,
        rate_limit_tier: record.rate_limit_tier,
        expires_at: record.expires_at,
      };
      const row = machines.row(by, 'api_key', 'api', payload);
      const opened = developer === undefined ? fresh : undefined;
      const stores = [into(developerKeyRows, { machineId: machine.id, opened, key: stored, keyHash })];
      if ((await members.roleOf(machine.id, zid, on)) !== undefined) {
        return { rows: [row], writes: stores, answer: { key, record } };
      }
      const joined: MemberPayload = { act: 'added', zid, role: ROLE, kind: 'developer-keys' };
      const member = machines.row(by, 'member', 'api', joined);
      const joins = into(memberRows, { machineId: machine.id, zid, role: ROLE, sinceSvcond: member.svcond });
      return { rows: [member, row], writes: [...stores, joins], answer: { key, record } };
    });
    return answer;
  }

  /** At once and for good; twice is once. @throws DomainError NOT_FOUND */
  async revoke(machine: Machine, by: Principal, id: string): Promise<KeyRecord> {
    const { machines, developers, storedKeys, access } = this.#options;
    const nowMs = this.#nowMs();
    const { answer } = await machines.commitAlone(machine, async (_, on) => {
      const developer = await developers.of(machine.id, on);
      const found = developer && (await storedKeys.find(developer.accountId, id, on));
      if (developer === undefined || found === undefined) {
        throw new DomainError('NOT_FOUND', `${machine.head.slug} has no developer key with the id ${id}.`);
      }
      if (found.revokedMs !== undefined) return { rows: [], answer: recordOf(found) };
      const payload: DeveloperKeyPayload = { act: 'revoked', id, key_prefix: found.keyPrefix };
      const row = machines.row(by, 'api_key', 'api', payload);
      const write = into(keyRevocations, { accountId: developer.accountId, id, nowMs });
      return { rows: [row], writes: [write], answer: recordOf({ ...found, revokedMs: nowMs }) };
    });
    access.forgetAll();
    return answer;
  }

  /**
   * Developer keys are made and revoked where the chain of their machine says so, and nowhere else: one that made others by
   * itself would outlive its own revocation.
   *
   * @throws DomainError FORBIDDEN
   */
  async assertNone(by: Principal | undefined): Promise<void> {
    if (by === undefined || !(await this.#options.developers.isAccount(by.accountId))) return;
    const message =
      'This is a developer key of a machine; such keys are made and revoked at /api/chain/{slug}/api-keys.';
    throw new DomainError('FORBIDDEN', message);
  }

  async #assertRoom(accountId: string | undefined, on: Executor): Promise<void> {
    if (accountId === undefined) return;
    const live = await this.#options.storedKeys.countLive(accountId, on);
    if (live < LIMITS.chain.keys) return;
    throw new DomainError('CONFLICT', `The machine has ${live} developer keys, as many as are allowed; revoke one.`);
  }

  /** An identity whose equation nobody keeps: it is the machine's, and nobody recovers it. */
  #newAccount(): { account: Account; identity: Identity } {
    const createdMs = this.#nowMs();
    const id = uuidV7(createdMs, this.#options.randomBytes(10));
    const { zid } = newIdentity(this.#options.randomBytes);
    return {
      account: { id, kind: 'full', createdSvcond: tickOf(this.#options.clock.now()), createdMs },
      identity: { accountId: id, zid, salt: undefined, createdMs },
    };
  }

  #nowMs(): number {
    return Number(this.#options.clock.now() / 1_000_000n);
  }
}
