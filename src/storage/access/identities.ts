// Identities (ZIDs) of accounts, and what they may do with machines.

import { type Executor, rows, stamp } from '../database/sql.ts';
import type { Writer } from '../machines/ledger.ts';

export const ROLES = ['viewer', 'operator', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export interface Identity {
  readonly accountId: string;
  readonly zid: string;
  /** Of its recovery equation; an identity without one cannot be recovered. */
  readonly salt: Uint8Array | undefined;
  readonly createdMs: number;
}

export interface Member {
  readonly zid: string;
  readonly role: Role;
  readonly sinceSvcond: number;
}

export class IdentityRepository {
  readonly #knex: Executor;

  constructor(knex: Executor) {
    this.#knex = knex;
  }

  /** @returns false if the account has an identity or the ZID is taken */
  async insert({ accountId, zid, salt, createdMs }: Identity, on: Executor = this.#knex): Promise<boolean> {
    const inserted = await rows(
      on,
      'insert into identity (account_id, zid, salt, created_at) values (?, ?, ?, ?) on conflict do nothing returning 1',
      [accountId, zid, salt ?? null, stamp(createdMs)],
    );
    return inserted.length === 1;
  }

  async zidOf(accountId: string, on: Executor = this.#knex): Promise<string | undefined> {
    const [row] = await rows<{ zid: string }>(on, 'select zid from identity where account_id = ?', [accountId]);
    return row?.zid;
  }

  async byZid(zid: string, on: Executor = this.#knex): Promise<Identity | undefined> {
    const [row] = await rows<{ account_id: string; salt: Uint8Array | null; created_at: number }>(
      on,
      'select account_id, salt, created_at from identity where zid = ?',
      [zid],
    );
    return row && { accountId: row.account_id, zid, salt: row.salt ?? undefined, createdMs: row.created_at };
  }
}

/** Memberships as they are after a change; without a role there is none any more. */
export const memberRows: Writer<{
  readonly machineId: string;
  readonly zid: string;
  readonly role: Role | undefined;
  readonly sinceSvcond: number;
}> = {
  async write(changed, on) {
    const members = new MemberRepository(on);
    for (const { machineId, zid, role, sinceSvcond } of changed) {
      if (role === undefined) await members.remove(machineId, zid);
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

  async remove(machineId: string, zid: string, on: Executor = this.#knex): Promise<boolean> {
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

  async list(machineId: string, on: Executor = this.#knex): Promise<Member[]> {
    const found = await rows<MemberRow>(
      on,
      'select zid, role, since_svcond from member where machine_id = ? order by since_svcond, zid',
      [machineId],
    );
    return found.map(({ zid, role, since_svcond }) => ({ zid, role, sinceSvcond: since_svcond }));
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
