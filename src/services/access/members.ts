// Members of a machine: who may do what with it. Every change is a row of its chain, and a machine always has an owner.

import { DomainError } from '../../core/errors.ts';
import type { DeveloperRepository } from '../../storage/access/developers.ts';
import {
  type IdentityRepository,
  type Member,
  type MemberRepository,
  memberRows,
  ROLES,
  type Role,
} from '../../storage/access/identities.ts';
import type { Executor } from '../../storage/database/sql.ts';
import { into } from '../../storage/machines/ledger.ts';
import type { Machine } from '../../storage/machines/machines.ts';
import type { MachineService } from '../machines/machines.ts';
import type { Principal } from './access.ts';

export interface MemberRecord {
  readonly zid: string;
  readonly role: Role;
  /** A person's or program's identity, or the one that all developer keys of the machine act under. */
  readonly kind: 'identity' | 'developer-keys';
  readonly since_svcond: number;
}

/** What a row of type `member` holds. */
export interface MemberPayload {
  readonly act: 'added' | 'changed' | 'removed';
  readonly zid: string;
  /** What they are from then on; nothing for who was removed. */
  readonly role?: Role;
  /** Of the identity that all developer keys of the machine act under. */
  readonly kind?: 'developer-keys';
}

export interface MemberServiceOptions {
  readonly machines: MachineService;
  readonly members: MemberRepository;
  readonly identities: IdentityRepository;
  readonly developers: DeveloperRepository;
}

const ZID = /^[0-9a-f]{32}$/;
/** The least that lets one decide about others. */
const DECIDES: Role = 'admin';

export class MemberService {
  readonly #options: MemberServiceOptions;

  constructor(options: MemberServiceOptions) {
    this.#options = options;
  }

  /** Those who have been there longest first. */
  async list(machine: Machine): Promise<MemberRecord[]> {
    const { members, developers } = this.#options;
    const developer = await developers.of(machine.id);
    return (await members.list(machine.id)).map((member) => recordOf(member, developer?.zid));
  }

  /** @throws DomainError INVALID_ZID, NOT_FOUND for a ZID that nobody has, CONFLICT for one that is a member, FORBIDDEN */
  async add(machine: Machine, by: Principal, zid: string, role: Role): Promise<MemberRecord> {
    assertZid(zid);
    const { identities } = this.#options;
    if ((await identities.byZid(zid)) === undefined) throw new DomainError('NOT_FOUND', `Nobody has the ZID ${zid}.`);
    return this.#change(machine, by, zid, (known) => {
      if (known !== undefined) {
        throw new DomainError(
          'CONFLICT',
          `${zid} is a member already, with the role ${known}; change the role instead.`,
        );
      }
      return { act: 'added', role };
    });
  }

  /** @throws DomainError INVALID_ZID, NOT_FOUND, FORBIDDEN, CONFLICT if it is the last owner */
  async setRole(machine: Machine, by: Principal, zid: string, role: Role): Promise<MemberRecord> {
    assertZid(zid);
    return this.#change(machine, by, zid, (known, isLastOwner) => {
      if (known === undefined) throw notMember(machine, zid);
      if (isLastOwner && role !== 'owner') throw lastOwner(machine);
      return { act: 'changed', role };
    });
  }

  /** Anybody may leave. @throws DomainError INVALID_ZID, NOT_FOUND, FORBIDDEN, CONFLICT if it is the last owner */
  async remove(machine: Machine, by: Principal, zid: string): Promise<void> {
    assertZid(zid);
    await this.#change(machine, by, zid, (known, isLastOwner) => {
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
      isLastOwner: boolean,
    ) => { readonly act: MemberPayload['act']; readonly role: Role | undefined },
  ): Promise<MemberRecord> {
    const { machines, members, developers } = this.#options;
    const developer = await developers.of(machine.id);
    const { answer } = await machines.commitAlone(machine, async (_, on) => {
      const own = await machines.roleOf(machine, by, on);
      const known = await members.roleOf(machine.id, zid, on);
      const isLastOwner = known === 'owner' && (await this.#owners(machine.id, on)) === 1;
      const { act, role } = decide(known, isLastOwner);
      // Nobody gives or takes away more than they have themselves; what is their own they may give up. Who decides about
      // others has to be an admin still.
      for (const one of zid === by.zid ? [role] : [DECIDES, known, role]) assertWithin(own, one);
      const payload: MemberPayload = { act, zid, ...(role === undefined ? {} : { role }) };
      const row = machines.row(by, 'member', 'api', payload);
      const member: Member = { zid, role: role ?? 'viewer', sinceSvcond: row.svcond };
      if (known === role) return { rows: [], answer: member };
      const write = into(memberRows, { machineId: machine.id, zid, role, sinceSvcond: row.svcond });
      return { rows: [row], writes: [write], answer: member };
    });
    return recordOf(answer, developer?.zid);
  }

  async #owners(machineId: string, on: Executor): Promise<number> {
    return (await this.#options.members.list(machineId, on)).filter(({ role }) => role === 'owner').length;
  }
}

function recordOf({ zid, role, sinceSvcond }: Member, developerZid: string | undefined): MemberRecord {
  return { zid, role, kind: zid === developerZid ? 'developer-keys' : 'identity', since_svcond: sinceSvcond };
}

/** @throws DomainError INVALID_ZID */
function assertZid(zid: string): void {
  if (ZID.test(zid)) return;
  const message = `zid is ${zid.slice(0, 40)}; 32 lower-case hex digits are expected.`;
  throw new DomainError('INVALID_ZID', message, { details: [{ path: 'zid', code: 'INVALID_ZID', message }] });
}

function assertWithin(own: Role | undefined, asked: Role | undefined): void {
  if (asked === undefined || (own !== undefined && ROLES.indexOf(asked) <= ROLES.indexOf(own))) return;
  const may = asked === 'owner' ? 'an owner' : 'an admin or owner';
  throw new DomainError('FORBIDDEN', `Only ${may} may decide about ${asked}s; this key has ${own ?? 'no role'}.`);
}

function notMember({ head: { slug } }: Machine, zid: string): DomainError {
  return new DomainError('NOT_FOUND', `${zid} is not a member of ${slug}.`);
}

function lastOwner({ head: { slug } }: Machine): DomainError {
  return new DomainError('CONFLICT', `This is the last owner of ${slug}: make somebody else owner first.`);
}
