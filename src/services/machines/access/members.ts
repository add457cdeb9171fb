// Members of a machine and their roles. Every change is a row of its chain, and a machine always has an owner.

import { DomainError } from '../../../core/errors.ts';
import { LIMITS } from '../../../core/limits.ts';
import type { IdentityRepository } from '../../../storage/access/identities.ts';
import { into } from '../../../storage/database/writer.ts';
import type { DeveloperRepository } from '../../../storage/machines/access/developers.ts';
import {
  type Member,
  type MemberRepository,
  memberRows,
  ROLES,
  type Role,
} from '../../../storage/machines/access/members.ts';
import type { Machine } from '../../../storage/machines/machines.ts';
import type { Principal } from '../../access/access.ts';
import type { MachineService } from '../machines.ts';

/** Payload of a row of type `member`. */
export interface MemberPayload {
  readonly act: 'added' | 'changed' | 'removed';
  readonly zid: string;
  /** The new role; missing if the member was removed. */
  readonly role?: Role;
  /** Set for the identity that all developer keys of the machine act under. */
  readonly kind?: 'developer-keys';
}

export interface MemberServiceOptions {
  readonly machines: MachineService;
  readonly members: MemberRepository;
  readonly identities: IdentityRepository;
  readonly developers: DeveloperRepository;
}

const ZID = /^[0-9a-f]{32}$/;
/** Minimum role to change other members. */
const MIN_ROLE: Role = 'admin';

export class MemberService {
  readonly #options: MemberServiceOptions;

  constructor(options: MemberServiceOptions) {
    this.#options = options;
  }

  /** Longest membership first. */
  async list(machine: Machine) {
    const { members, developers } = this.#options;
    const developer = await developers.of(machine.id);
    return (await members.list(machine.id)).map((member) => recordOf(member, developer?.zid));
  }

  /**
   * @throws DomainError INVALID_ZID, NOT_FOUND for an unknown ZID, FORBIDDEN, CONFLICT for a member, and if the machine
   *   has as many as it may
   */
  async add(machine: Machine, by: Principal, zid: string, role: Role) {
    assertZid(zid);
    const { identities } = this.#options;
    if ((await identities.byZid(zid)) === undefined) throw new DomainError('NOT_FOUND', `Identity ${zid} not found.`);
    return this.#change(machine, by, zid, (known, { count }) => {
      if (known !== undefined) {
        throw new DomainError(
          'CONFLICT',
          `Member ${zid} already exists, with the role ${known}; change the role instead.`,
        );
      }
      if (count >= LIMITS.chain.members)
        throw new DomainError('CONFLICT', `Limit of ${LIMITS.chain.members} members reached; remove one.`);
      return { act: 'added', role };
    });
  }

  /** @throws DomainError INVALID_ZID, NOT_FOUND, FORBIDDEN, CONFLICT if it is the last owner */
  async setRole(machine: Machine, by: Principal, zid: string, role: Role) {
    assertZid(zid);
    return this.#change(machine, by, zid, (known, { isLastOwner }) => {
      if (known === undefined) throw notMember(machine, zid);
      if (isLastOwner && role !== 'owner') throw lastOwner(machine);
      return { act: 'changed', role };
    });
  }

  /**
   * Every member may remove themselves.
   *
   * @throws DomainError INVALID_ZID, NOT_FOUND, FORBIDDEN, CONFLICT if it is the last owner
   */
  async remove(machine: Machine, by: Principal, zid: string): Promise<void> {
    assertZid(zid);
    await this.#change(machine, by, zid, (known, { isLastOwner }) => {
      if (known === undefined) throw notMember(machine, zid);
      if (isLastOwner) throw lastOwner(machine);
      return { act: 'removed', role: undefined };
    });
  }

  async #change(
    machine: Machine,
    by: Principal,
    zid: string,
    decide: (
      known: Role | undefined,
      others: { readonly isLastOwner: boolean; readonly count: number },
    ) => { readonly act: MemberPayload['act']; readonly role: Role | undefined },
  ) {
    const { machines, members, developers } = this.#options;
    const developer = await developers.of(machine.id);
    const { answer } = await machines.commitExclusive(machine, async ({ head }, on) => {
      const callerRole = await machines.roleOf(machine, by, on);
      const known = await members.roleOf(machine.id, zid, on);
      const { count, owners } = await members.countsOf(machine.id, on);
      const { act, role } = decide(known, { isLastOwner: known === 'owner' && owners === 1, count });
      // Callers cannot grant or revoke a role above their own; they may lower their own. Changing others takes an
      // admin.
      const required = zid === by.zid ? [role] : [MIN_ROLE, known, role];
      for (const each of required) assertWithin(callerRole, each);
      const payload: MemberPayload = { act, zid, ...(role === undefined ? {} : { role }) };
      const row = machines.row(by, 'member', 'api', payload);
      const sinceSvcond = Math.max(row.svcond, head.svcond);
      const member: Member = { zid, role: role ?? 'viewer', sinceSvcond };
      if (known === role) return { rows: [], answer: member };
      const write = into(memberRows, { machineId: machine.id, zid, role, sinceSvcond });
      return { rows: [row], writes: [write], answer: member };
    });
    return recordOf(answer, developer?.zid);
  }
}

function recordOf({ zid, role, sinceSvcond }: Member, developerZid: string | undefined) {
  return { zid, role, kind: zid === developerZid ? 'developer-keys' : 'identity', since_svcond: sinceSvcond } as const;
}

/** @throws DomainError INVALID_ZID */
function assertZid(zid: string): void {
  if (ZID.test(zid)) return;
  const message = `zid must be 32 lower-case hex digits, not ${zid.slice(0, 40)}.`;
  throw new DomainError('INVALID_ZID', message, { details: [{ path: 'zid', code: 'INVALID_ZID', message }] });
}

function assertWithin(callerRole: Role | undefined, role: Role | undefined): void {
  if (role === undefined || (callerRole !== undefined && ROLES.indexOf(role) <= ROLES.indexOf(callerRole))) return;
  const needed = role === 'owner' ? 'owner' : 'admin or owner';
  const message = `Role ${needed} required to change members with the role ${role}; this key has ${callerRole ?? 'no role'}.`;
  throw new DomainError('FORBIDDEN', message);
}

function notMember({ head: { slug } }: Machine, zid: string): DomainError {
  return new DomainError('NOT_FOUND', `${zid} is not a member of ${slug}.`);
}

function lastOwner({ head: { slug } }: Machine): DomainError {
  return new DomainError('CONFLICT', `Machine ${slug} must have an owner; make another member owner first.`);
}
