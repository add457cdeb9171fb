// Consent: which machines a mother lets anchor in its chain, and how often.
//
// Members are subject to a wide limit only, since they may write other rows too. Others share a narrower one, so that
// they never use up the members' part, and each of them has a rate of its own.

import { type Clock, TICK_SECONDS, tickOf } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { AnchorRepository } from '../../storage/anchors/anchors.ts';
import type { Executor } from '../../storage/database/sql.ts';
import type { MemberRepository } from '../../storage/machines/access/members.ts';
import { DEFAULT_ACCEPT_ANCHORS, type Machine } from '../../storage/machines/machines.ts';
import type { TallyRepository } from '../../storage/machines/tally.ts';
import type { RateLimiter } from '../access/rate-limit.ts';

export interface AnchorConsentOptions {
  readonly members: MemberRepository;
  readonly anchors: AnchorRepository;
  readonly tallies: TallyRepository;
  readonly rateLimit: RateLimiter;
  readonly clock: Clock;
}

const RATE = 'anchor';

export class AnchorConsent {
  readonly #options: AnchorConsentOptions;

  constructor(options: AnchorConsentOptions) {
    this.#options = options;
  }

  /**
   * Counts an anchor of somebody who is not a member.
   *
   * @param zid  whose right to anchor is used: the caller's, or that of whoever set the schedule
   * @returns gives the count back, for an anchor that existed already
   * @throws DomainError ANCHOR_NOT_ACCEPTED, RATE_LIMITED
   */
  async admit(mother: Machine, zid: string): Promise<() => Promise<void>> {
    const { rateLimit } = this.#options;
    if ((await this.assert(mother, zid)) === 'member') return async () => {};
    const tenant = `${zid} ${mother.id}`;
    await rateLimit.admit(RATE, tenant);
    return () => rateLimit.refund(RATE, tenant);
  }

  /** @throws DomainError ANCHOR_NOT_ACCEPTED, RATE_LIMITED  by the rows of the mother's chain, whoever wrote them */
  async assert(mother: Machine, zid: string, on?: Executor): Promise<'member' | 'other'> {
    const { members, anchors, tallies, clock } = this.#options;
    const role = await members.roleOf(mother.id, zid, on);
    const standing = role === undefined ? 'other' : 'member';
    assertAccepted(mother, zid, standing);
    if (standing === 'other' && (await tallies.of(mother.id, on))?.rates.at(-1)?.counts === 'all') {
      const message = `The mint rate of ${mother.head.slug} counts anchors; its admins can set the rate again to change that.`;
      throw new DomainError('ANCHOR_NOT_ACCEPTED', message);
    }
    const { ticks, rows } = LIMITS.chain.anchors.window;
    const max = rows[standing];
    const oldest = await anchors.tickOfNewest(mother.id, max, on);
    const remaining = oldest === undefined ? 0 : oldest + ticks - tickOf(clock.now());
    if (remaining <= 0) return standing;
    const retryAfterSeconds = Math.ceil(remaining * TICK_SECONDS);
    const message = `Limit of ${max} anchors in ${mother.head.slug} in an hour reached; retry in ${retryAfterSeconds} s.`;
    throw new DomainError('RATE_LIMITED', message, { retryAfterSeconds });
  }
}

function assertAccepted({ settings, head: { slug } }: Machine, zid: string, standing: 'member' | 'other'): void {
  const { accept_anchors: accepted = DEFAULT_ACCEPT_ANCHORS, anchor_zids: listed = [] } = settings;
  if (accepted === 'anyone') return;
  if (accepted !== 'nobody' && standing === 'member') return;
  if (accepted === 'listed' && listed.includes(zid)) return;
  const message = `Machine ${slug} accepts anchors of ${ACCEPTED[accepted]}; its admins can change accept_anchors.`;
  throw new DomainError('ANCHOR_NOT_ACCEPTED', message);
}

const ACCEPTED = {
  nobody: 'nobody',
  members: 'its members only',
  listed: 'its members and listed identities only',
} as const;
