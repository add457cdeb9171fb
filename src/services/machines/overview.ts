// What the machines of this node come to together. Public answers are worked out once a tick, however often they are asked for.

import { LRUCache } from 'lru-cache';
import { addressOf, idHash } from '../../chain/identity.ts';
import { type Clock, isoFromNs, startOfTick, tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { ActiveMachine, OverviewRepository, RecentRow, Totals } from '../../storage/machines/overview.ts';
import type { Principal } from '../access/access.ts';

export interface OverviewOptions {
  readonly overview: OverviewRepository;
  readonly machines: MachineRepository;
  readonly clock: Clock;
}

/** Questions whose answers are kept until the tick ends. */
const KEPT_ANSWERS = 256;

export class OverviewService {
  readonly #options: OverviewOptions;
  readonly #kept = new LRUCache<string, { readonly tick: number; readonly answer: Promise<unknown> }>({
    max: KEPT_ANSWERS,
  });

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  async recent(limit: number, type: string | undefined): Promise<(RecentRow & { readonly at: string })[]> {
    const newest = await this.#onceATick(`recent ${type ?? ''}`, () =>
      this.#options.overview.recent(type, LIMITS.pageSize.max),
    );
    return newest.slice(0, limit).map((row) => ({ ...row, at: isoFromNs(startOfTick(row.svcond)) }));
  }

  /** What the machines of the caller wrote last, or the public ones for a caller who has none of their own. */
  async observed(
    by: Principal | undefined,
    limit: number,
  ): Promise<{ feed: 'own' | 'public'; rows: (RecentRow & { readonly at: string })[] }> {
    const own = by?.zid === undefined ? [] : await this.#options.overview.recentOf(by.zid, limit);
    if (own.length === 0) return { feed: 'public', rows: await this.recent(limit, undefined) };
    return { feed: 'own', rows: own.map((row) => ({ ...row, at: isoFromNs(startOfTick(row.svcond)) })) };
  }

  /** In the ticks after `from`, up to and including `to`. */
  async active(ticks: number, limit: number): Promise<{ from: number; to: number; rows: readonly ActiveMachine[] }> {
    return this.#onceATick(`active ${ticks} ${limit}`, async () => {
      const to = tickOf(this.#options.clock.now());
      return { from: to - ticks + 1, to, rows: await this.#options.overview.active(to - ticks, limit) };
    });
  }

  /** The public totals, and with an identity those of all its machines. */
  async fleet(by: Principal | undefined): Promise<{ readonly public: Totals; readonly own: Totals | null }> {
    const { overview } = this.#options;
    const open = await this.#onceATick('fleet', () => overview.totals(undefined));
    return { public: open, own: by?.zid === undefined ? null : await overview.totals(by.zid) };
  }

  /**
   * What a machine of this name that began with this row is called everywhere, and whether that is so: the `id_hash` is the one
   * that follows, or, where none is given, this node has that machine.
   */
  async verifyAnchor(
    slug: string,
    genesisHash: string,
    claimed: string | undefined,
  ): Promise<{ valid: boolean; known: boolean; id_hash: string; address: string }> {
    const id = idHash(slug, genesisHash);
    const known = (await this.#options.machines.bySlug(slug))?.genesisHash === genesisHash;
    return { valid: claimed === undefined ? known : claimed === id, known, id_hash: id, address: addressOf(id) };
  }

  async #onceATick<Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const tick = tickOf(this.#options.clock.now());
    const kept = this.#kept.get(question);
    if (kept?.tick === tick) return kept.answer as Promise<Answer>;
    const answer = ask();
    const asked = { tick, answer };
    this.#kept.set(question, asked);
    // A failure is not kept; what a later tick was answered is.
    answer.catch(() => this.#kept.peek(question) === asked && this.#kept.delete(question));
    return answer;
  }
}
