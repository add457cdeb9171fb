// Members of one machine against its chain: its first row names the owner, and every later change is a row.

import { payloadOf } from '../../chain/bundle.ts';
import { type Row, SYSTEM_ACTOR } from '../../chain/row.ts';
import type { Role } from '../../storage/access/identities.ts';
import type { InspectedMember, RightsInspection } from '../../storage/fsck/rights.ts';
import type { MemberPayload } from '../access/members.ts';
import { type Find, findUnequal } from './faults.ts';
import { inPages, UnreadRows } from './unread.ts';

/** When a row was written. */
interface Written {
  readonly seq: number;
  readonly svcond: number;
  /** Its tick is that of the clock, not of the row before, behind which the clock stood. */
  readonly isOnTime: boolean;
}

/** What the newest row about somebody says; no role where it put them out. */
interface Told extends Written {
  readonly role: Role | undefined;
}

const FOUNDER: Role = 'owner';

export class MembersCheck {
  readonly #machineId: string;
  readonly #inspection: RightsInspection;
  readonly #find: Find;
  readonly #told = new Map<string, Told>();
  readonly #unread = new UnreadRows();
  readonly #unreadTimes: Written[] = [];
  #founder: string | undefined;
  #svcond = -1;

  constructor(machineId: string, inspection: RightsInspection, find: Find) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#find = find;
  }

  see(row: Row): void {
    const { seq, svcond, type, actor } = row;
    const written = { seq, svcond, isOnTime: svcond > this.#svcond };
    this.#svcond = svcond;
    // The machine of the node belongs to nobody.
    if (seq === 0 && actor !== SYSTEM_ACTOR) {
      this.#founder = actor;
      this.#told.set(actor, { ...written, role: FOUNDER });
    }
    if (type !== 'member') return;
    const { zid, role } = payloadOf(row) as Partial<MemberPayload>;
    if (typeof zid === 'string') this.#told.set(zid, { ...written, role });
    else {
      this.#unread.see(row);
      this.#unreadTimes.push(written);
    }
  }

  async finish(): Promise<void> {
    let owners = 0;
    const read = (after: string | undefined, limit: number) => this.#inspection.members(this.#machineId, after, limit);
    for await (const member of inPages(read, ({ zid }) => zid)) {
      if (member.role === FOUNDER) owners++;
      this.#compare(member, this.#told.get(member.zid));
      this.#told.delete(member.zid);
    }
    for (const [zid, { seq, role }] of this.#told) {
      if (role === undefined) continue;
      const message = `Row ${seq} says that the role is ${role}, and they are no member.`;
      this.#unread.difference(seq, () => this.#find('member', { zid }, 'SAID', message, 'zid'));
    }
    this.#unread.settle();
    // Whatever the rows say that cannot be read: none of them was allowed to leave a machine without an owner.
    if (this.#unread.count > 0 && this.#founder !== undefined && owners === 0)
      this.#find(
        'member',
        { machine_id: this.#machineId },
        'SAID',
        'No member is an owner, and one always is.',
        'role',
      );
  }

  #compare({ zid, role, since_svcond }: InspectedMember, told: Told | undefined): void {
    const since = Number(since_svcond);
    const isSince = told !== undefined && isWrittenBy(since, told);
    if (told?.role === role && isSince) return;
    const tell = () => {
      const place = ['member', { zid }] as const;
      if (told?.role === undefined) {
        const said = told === undefined ? 'no row of the chain made them a member' : `row ${told.seq} put them out`;
        this.#find(...place, 'SAID', `role is ${role}; ${said}.`, 'role');
        return;
      }
      findUnequal(this.#find, place, `row ${told.seq}`, [
        ['role', role, told.role],
        ...(isSince ? [] : ([['since_svcond', since, told.svcond]] as const)),
      ]);
    };
    // What a row that cannot be read has changed bears its tick.
    if (this.#unreadTimes.some((one) => isWrittenBy(since, one))) this.#unread.difference(told?.seq ?? -1, tell);
    else tell();
  }
}

function isWrittenBy(since: number, { svcond, isOnTime }: Written): boolean {
  return isOnTime ? since === svcond : since <= svcond;
}
