// Reports across all machines of the node. Public reports are cached for one tick.

import { LRUCache } from 'lru-cache';
import { addressOf, idHash } from '../../chain/identity.ts';
import { type Clock, isoFromNs, startOfTick, tickOf } from '../../core/clock.ts';
import { LIMITS } from '../../core/limits.ts';
import type { MachineRepository } from '../../storage/machines/machines.ts';
import type { OverviewRepository } from '../../storage/machines/overview.ts';
import type { Principal } from '../access/access.ts';

export interface OverviewOptions {
  readonly overview: OverviewRepository;
  readonly machines: MachineRepository;
  readonly clock: Clock;
}

const MAX_CACHED_REPORTS = 256;

export class OverviewService {
  readonly #options: OverviewOptions;
  readonly #cache = new LRUCache<string, { readonly tick: number; readonly report: Promise<unknown> }>({
    max: MAX_CACHED_REPORTS,
  });

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  async recent(limit: number, type: string | undefined) {
    const newest = await this.#cachePerTick(`recent ${type ?? ''}`, () =>
      this.#options.overview.recent(type, LIMITS.pageSize.max),
    );
    return newest.slice(0, limit).map((row) => ({ ...row, at: isoFromNs(startOfTick(row.svcond)) }));
  }

  /** Newest rows of the caller's machines, or of the public ones if the caller has none. */
  async feed(by: Principal | undefined, limit: number) {
    const own = by?.zid === undefined ? [] : await this.#options.overview.recentOf(by.zid, limit);
    if (own.length === 0) return { feed: 'public' as const, rows: await this.recent(limit, undefined) };
    return { feed: 'own' as const, rows: own.map((row) => ({ ...row, at: isoFromNs(startOfTick(row.svcond)) })) };
  }

  /** Most active machines in the ticks `from` to `to`. */
  async active(ticks: number, limit: number) {
    return this.#cachePerTick(`active ${ticks} ${limit}`, async () => {
      const to = tickOf(this.#options.clock.now());
      return { from: to - ticks + 1, to, rows: await this.#options.overview.active(to - ticks, limit) };
    });
  }

  /** Totals of the public machines, and of those that the caller is a member of. */
  async fleet(by: Principal | undefined) {
    const { overview } = this.#options;
    const publicTotals = await this.#cachePerTick('fleet', () => overview.totals(undefined));
    return { public: publicTotals, own: by?.zid === undefined ? null : await overview.totals(by.zid) };
  }

  /**
   * Computes id_hash and address of a machine from its slug and genesis hash. `valid` says whether the claimed id_hash
   * matches or, without one, whether this node has that machine.
   */
  async verifyAnchor(slug: string, genesisHash: string, claimed: string | undefined) {
    const id = idHash(slug, genesisHash);
    const known = (await this.#options.machines.bySlug(slug))?.genesisHash === genesisHash;
    return { valid: claimed === undefined ? known : claimed === id, known, id_hash: id, address: addressOf(id) };
  }

  async #cachePerTick<Report>(key: string, load: () => Promise<Report>): Promise<Report> {
    const tick = tickOf(this.#options.clock.now());
    const cached = this.#cache.get(key);
    if (cached?.tick === tick) return cached.report as Promise<Report>;
    const report = load();
    const entry = { tick, report };
    this.#cache.set(key, entry);
    // Do not cache a failure, but keep an entry of a later tick.
    report.catch(() => this.#cache.peek(key) === entry && this.#cache.delete(key));
    return report;
  }
}
