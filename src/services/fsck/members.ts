// Checks the members of one machine against its chain: the first row names the owner, and each later change is a row.

import { payloadOf } from '../../chain/bundle.ts';
import { type Row, SYSTEM_ACTOR } from '../../chain/row.ts';
import type { AccessInspection, InspectedMember } from '../../storage/fsck/access.ts';
import type { Role } from '../../storage/machines/access/members.ts';
import type { MemberPayload } from '../machines/access/members.ts';
import { type ReportFault, reportUnequal } from './faults.ts';
import { mayBeTickOf, type RowTick } from './times.ts';
import { paginate, UnreadableRows } from './unreadable-rows.ts';

/** Number and tick of a row. */
interface RowTime extends RowTick {
  readonly seq: number;
}

/** A member according to the newest row about them; without a role if that row removed them. */
interface ChainMember extends RowTime {
  readonly role: Role | undefined;
}

const OWNER: Role = 'owner';

export class MembersCheck {
  readonly #machineId: string;
  readonly #inspection: AccessInspection;
  readonly #report: ReportFault;
  readonly #chainMembers = new Map<string, ChainMember>();
  readonly #unreadable = new UnreadableRows();
  readonly #unreadableTimes: RowTime[] = [];
  /** ZID of the first owner; undefined for the node's own machine. */
  #founder: string | undefined;
  #svcond = -1;

  constructor(machineId: string, inspection: AccessInspection, report: ReportFault) {
    this.#machineId = machineId;
    this.#inspection = inspection;
    this.#report = report;
  }

  visit(row: Row): void {
    const { seq, svcond, type, actor } = row;
    const rowTime = { seq, svcond, isOnTime: svcond > this.#svcond };
    this.#svcond = svcond;
    // The node's own machine has no owner.
    if (seq === 0 && actor !== SYSTEM_ACTOR) {
      this.#founder = actor;
      this.#chainMembers.set(actor, { ...rowTime, role: OWNER });
    }
    if (type !== 'member') return;
    const { zid, role } = payloadOf(row) as Partial<MemberPayload>;
    if (typeof zid === 'string') this.#chainMembers.set(zid, { ...rowTime, role });
    else {
      this.#unreadable.add(row);
      this.#unreadableTimes.push(rowTime);
    }
  }

  async finish(): Promise<void> {
    let owners = 0;
    const read = (after: string | undefined, limit: number) => this.#inspection.members(this.#machineId, after, limit);
    for await (const member of paginate(read, ({ zid }) => zid)) {
      if (member.role === OWNER) owners++;
      this.#compare(member, this.#chainMembers.get(member.zid));
      this.#chainMembers.delete(member.zid);
    }
    for (const [zid, { seq, role }] of this.#chainMembers) {
      if (role === undefined) continue;
      const message = `Row ${seq} says that the role is ${role}, but the member is missing.`;
      this.#unreadable.reportUnlessExplained(seq, () => this.#report('member', { zid }, 'SAID', message, 'zid'));
    }
    this.#unreadable.flush();
    // Whatever the unreadable rows say, no row can leave a machine without an owner.
    if (this.#unreadable.count > 0 && this.#founder !== undefined && owners === 0)
      this.#report(
        'member',
        { machine_id: this.#machineId },
        'SAID',
        'The machine has no owner; it must have one.',
        'role',
      );
  }

  #compare({ zid, role, since_svcond }: InspectedMember, chainMember: ChainMember | undefined): void {
    const since = Number(since_svcond);
    const isSince = chainMember !== undefined && mayBeTickOf(since, chainMember);
    if (chainMember?.role === role && isSince) return;
    const reportDifference = () => {
      const entry = ['member', { zid }] as const;
      if (chainMember?.role === undefined) {
        const reason =
          chainMember === undefined ? 'no row of the chain added them' : `row ${chainMember.seq} removed them`;
        this.#report(...entry, 'SAID', `role is ${role}; ${reason}.`, 'role');
        return;
      }
      reportUnequal(this.#report, entry, `row ${chainMember.seq}`, [
        ['role', role, chainMember.role],
        ...(isSince ? [] : ([['since_svcond', since, chainMember.svcond]] as const)),
      ]);
    };
    // A change by an unreadable row has the tick of that row.
    if (this.#unreadableTimes.some((time) => mayBeTickOf(since, time)))
      this.#unreadable.reportUnlessExplained(chainMember?.seq ?? -1, reportDifference);
    else reportDifference();
  }
}
