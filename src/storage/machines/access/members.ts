// Members of machines: which identity has which role in which machine.

import { type Executor, rows } from '../../database/sql.ts';
import type { Writer } from '../../database/writer.ts';

export const ROLES = ['viewer', 'operator', 'admin', 'owner'] as const;

export type Role = (typeof ROLES)[number];

export interface Member {
  readonly zid: string;
  readonly role: Role;
  readonly sinceSvcond: number;
}

/** Memberships after a change; without a role the membership is deleted. */
export const memberRows: Writer<{
  readonly machineId: string;
  readonly zid: string;
  readonly role: Role | undefined;
  readonly sinceSvcond: number;
}> = {
  async write(changed, on) {
    const members = new MemberRepository(on);
    for (const { machineId, zid, role, sinceSvcond } of changed) {
      if (role === undefined) await members.delete(machineId, zid);
      else await members.put(machineId, { zid, role, sinceSvcond });
    }
  },
};

interface MemberRow {
  readonly zid: string;
  readonly role: Role;
  readonly since_svcond: number;
}

export class MemberRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  async put(machineId: string, { zid, role, sinceSvcond }: Member, on: Executor = this.#knex): Promise<void> {
    await rows(
      on,
      `insert into member (machine_id, zid, role, since_svcond) values (?, ?, ?, ?)
       on conflict (machine_id, zid) do update set role = excluded.role, since_svcond = excluded.since_svcond`,
      [machineId, zid, role, sinceSvcond],
    );
  }

  async delete(machineId: string, zid: string, on: Executor = this.#knex): Promise<boolean> {
    const removed = await rows(on, 'delete from member where machine_id = ? and zid = ? returning 1', [machineId, zid]);
    return removed.length === 1;
  }

  async roleOf(machineId: string, zid: string, on: Executor = this.#knex): Promise<Role | undefined> {
    const [row] = await rows<{ role: Role }>(on, 'select role from member where machine_id = ? and zid = ?', [
      machineId,
      zid,
    ]);
    return row?.role;
  }

  /** Whose rates the keys of the owner's account use; of several owners, of the first. */
  async tenantOfOwner(machineId: string, on: Executor = this.#knex): Promise<string | undefined> {
    const [row] = await rows<{ tenant: string }>(
      on,
      `select coalesce(api_key.tenant, api_key.account_id::text) as tenant from member
       join identity on identity.zid = member.zid join api_key on api_key.account_id = identity.account_id
       where member.machine_id = ? and member.role = 'owner' order by member.since_svcond, member.zid, api_key.id limit 1`,
      [machineId],
    );
    return row?.tenant;
  }

  async list(machineId: string, on: Executor = this.#knex): Promise<Member[]> {
    const found = await rows<MemberRow>(
      on,
      'select zid, role, since_svcond from member where machine_id = ? order by since_svcond, zid',
      [machineId],
    );
    return found.map(({ zid, role, since_svcond }) => ({ zid, role, sinceSvcond: since_svcond }));
  }

  /** Number of the members of a machine, and of its owners. */
  async countsOf(
    machineId: string,
    on: Executor = this.#knex,
  ): Promise<{ readonly count: number; readonly owners: number }> {
    const [found] = await rows<{ count: number; owners: number }>(
      on,
      `select count(*) as count, count(*) filter (where role = 'owner') as owners from member where machine_id = ?`,
      [machineId],
    );
    return found ?? { count: 0, owners: 0 };
  }

  /** Ids of the machines that an identity is a member of, newest first. */
  async machinesOf(zid: string, limit: number, on: Executor = this.#knex): Promise<string[]> {
    const found = await rows<{ machine_id: string }>(
      on,
      'select machine_id from member where zid = ? order by machine_id desc limit ?',
      [zid, limit],
    );
    return found.map(({ machine_id }) => machine_id);
  }
}
