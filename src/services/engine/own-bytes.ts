// Bytes that machines write by themselves: rows of timers, and of what follows from them. They count as stored by the
// account of the owner, as what callers write does. The timers of a machine whose owner has stored what it may in a day
// go on, but seldom.

import { LRUCache } from 'lru-cache';
import type { OpenRow } from '../../chain/row.ts';
import type { MemberRepository } from '../../storage/machines/access/members.ts';
import type { RateLimiter } from '../access/rate-limit.ts';

export interface OwnBytesOptions {
  readonly members: Pick<MemberRepository, 'tenantOfOwner'>;
  readonly rateLimit: Pick<RateLimiter, 'countOwn' | 'hasStoredAll'>;
  readonly onError: (error: unknown) => void;
}

/** A row beside its payload, with its hash, its fire and their indexes. */
const ROW_BYTES = 1_000;
const MAX_CACHED = 10_000;

export class OwnBytes {
  readonly #options: OwnBytesOptions;
  readonly #tenants = new LRUCache<string, string>({ max: MAX_CACHED, ttl: 600_000 });

  constructor(options: OwnBytesOptions) {
    this.#options = options;
  }

  /** Counts rows that are committed. Never rejects. */
  async count(machineId: string, rows: readonly Pick<OpenRow, 'payload_text'>[]): Promise<void> {
    const bytes = rows.reduce((sum, row) => sum + ROW_BYTES + row.payload_text.length, 0);
    try {
      const tenant = await this.#tenantOf(machineId);
      if (tenant !== undefined) this.#options.rateLimit.countOwn(tenant, bytes);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Whether the owner of a machine that has written something has stored what it may in a day. */
  isUsedUp(machineId: string): boolean {
    const tenant = this.#tenants.get(machineId);
    return tenant !== undefined && this.#options.rateLimit.hasStoredAll(tenant);
  }

  async #tenantOf(machineId: string): Promise<string | undefined> {
    const known = this.#tenants.get(machineId);
    if (known !== undefined) return known;
    const tenant = await this.#options.members.tenantOfOwner(machineId);
    if (tenant !== undefined) this.#tenants.set(machineId, tenant);
    return tenant;
  }
}
