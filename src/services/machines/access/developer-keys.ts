// Developer keys of a machine. They act under an identity of the machine, which is a member of it. The key survives its
// creator's membership, and has no access to the creator's account.

import { type Clock, tickOf } from '../../../core/clock.ts';
import { DomainError } from '../../../core/errors.ts';
import { uuidV7 } from '../../../core/ids.ts';
import { LIMITS } from '../../../core/limits.ts';
import type { AccountMacs } from '../../../storage/access/account-macs.ts';
import type { Account } from '../../../storage/access/accounts.ts';
import type { Identity } from '../../../storage/access/identities.ts';
import type { KeyRepository } from '../../../storage/access/keys.ts';
import type { Executor } from '../../../storage/database/sql.ts';
import { into } from '../../../storage/database/writer.ts';
import {
  type DeveloperRepository,
  developerKeyRows,
  keyRevocations,
} from '../../../storage/machines/access/developers.ts';
import { type MemberRepository, memberRows } from '../../../storage/machines/access/members.ts';
import { assertNotArchived, type Machine } from '../../../storage/machines/machines.ts';
import type { AccessService, Principal } from '../../access/access.ts';
import { newIdentity } from '../../access/identity.ts';
import { type KeyRecord, type KeyRequest, type KeyService, recordOf } from '../../access/keys.ts';
import type { MachineService } from '../machines.ts';
import type { MemberPayload } from './members.ts';

/** Payload of a row of type `api_key`. */
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
  readonly accountMacs: AccountMacs;
  readonly clock: Clock;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** Role of the identity that developer keys act under; the scope of each key limits it. */
const DEVELOPER_ROLE = 'admin';

export class DeveloperKeyService {
  readonly #options: DeveloperKeyOptions;

  constructor(options: DeveloperKeyOptions) {
    this.#options = options;
  }

  /** Newest first, including revoked and expired keys; never the raw keys. */
  async list(machine: Machine) {
    const developer = await this.#options.developers.of(machine.id);
    return developer === undefined ? [] : this.#options.keys.listOf(developer.accountId);
  }

  /**
   * @throws DomainError MACHINE_ARCHIVED, FORBIDDEN beyond the caller's own scope, tier or expiry, VALIDATION_FAILED,
   *   RATE_LIMITED, CONFLICT at the key limit
   */
  async create(machine: Machine, by: Principal, request: KeyRequest) {
    const { machines, developers, members, keys, accountMacs: macs } = this.#options;
    // A refusal uses up no rate.
    assertNotArchived(machine);
    await keys.admit(by);
    const newAccount = this.#newAccount();
    const { answer } = await machines.commitExclusive(machine, async ({ head }, on) => {
      const developer = await developers.of(machine.id, on);
      const { accountId, zid } = developer ?? { accountId: newAccount.account.id, zid: newAccount.identity.zid };
      await this.#assertBelowLimit(developer?.accountId, on);
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
      const opened = developer === undefined ? newAccount : undefined;
      const keyWrites = [into(developerKeyRows, { machineId: machine.id, opened, key: stored, keyHash, macs })];
      if ((await members.roleOf(machine.id, zid, on)) !== undefined) {
        return { rows: [row], writes: keyWrites, answer: { key, record } };
      }
      const joined: MemberPayload = { act: 'added', zid, role: DEVELOPER_ROLE, kind: 'developer-keys' };
      const member = machines.row(by, 'member', 'api', joined);
      const memberWrite = into(memberRows, {
        machineId: machine.id,
        zid,
        role: DEVELOPER_ROLE,
        sinceSvcond: Math.max(member.svcond, head.svcond),
      });
      return { rows: [member, row], writes: [...keyWrites, memberWrite], answer: { key, record } };
    });
    return answer;
  }

  /** Immediate, final and idempotent. @throws DomainError NOT_FOUND */
  async revoke(machine: Machine, by: Principal, id: string) {
    const { machines, developers, storedKeys, access, accountMacs: macs } = this.#options;
    const nowMs = this.#nowMs();
    const { answer } = await machines.commitExclusive(machine, async (_, on) => {
      const developer = await developers.of(machine.id, on);
      const found = developer && (await storedKeys.find(developer.accountId, id, on));
      if (developer === undefined || found === undefined) {
        throw new DomainError('NOT_FOUND', `Developer key ${id} not found on machine ${machine.head.slug}.`);
      }
      if (found.revokedMs !== undefined) return { rows: [], answer: recordOf(found) };
      const payload: DeveloperKeyPayload = { act: 'revoked', id, key_prefix: found.keyPrefix };
      const row = machines.row(by, 'api_key', 'api', payload);
      const write = into(keyRevocations, { accountId: developer.accountId, id, nowMs, macs });
      return { rows: [row], writes: [write], answer: recordOf({ ...found, revokedMs: nowMs }) };
    });
    access.clearCache();
    return answer;
  }

  /**
   * Developer keys cannot manage keys of an account: their chain must record every change, and a key that created
   * others would outlive its own revocation.
   *
   * @throws DomainError FORBIDDEN
   */
  async assertNotDeveloperKey(by: Principal | undefined): Promise<void> {
    if (by === undefined || !(await this.#options.developers.isDeveloperAccount(by.accountId))) return;
    const message = 'A developer key of a machine cannot do this; manage such keys at /api/chain/{slug}/api-keys.';
    throw new DomainError('FORBIDDEN', message);
  }

  async #assertBelowLimit(accountId: string | undefined, on: Executor): Promise<void> {
    if (accountId === undefined) return;
    const live = await this.#options.storedKeys.countLive(accountId, on);
    if (live < LIMITS.chain.keys) return;
    throw new DomainError('CONFLICT', `Limit of ${LIMITS.chain.keys} developer keys reached; revoke one.`);
  }

  /** An account with an identity of the machine; its equation is discarded, so it cannot be recovered. */
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
