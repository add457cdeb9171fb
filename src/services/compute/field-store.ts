// Keeps arrays and long results for their links: within a quota of each tenant, a limit of all, and the free space.
//
// A request of 120 bytes makes 1.5 MB. What was filed is kept for a month, the rest for an hour, and what passes a limit
// not at all: the answer then says so, and has no link.

import { LIMITS } from '../../core/limits.ts';
import type { FieldRepository } from '../../storage/compute/fields.ts';
import { isUuid } from '../../storage/database/cursor.ts';
import type { Storage } from '../../storage/storage.ts';
import { KeyedMutex } from '../node/keyed-mutex.ts';

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 60 * MS_PER_MINUTE;
/** How long a link holds: of a filed run, of a result too long for an agent, of neither. */
const LIFE_MS = {
  filed: LIMITS.fieldDays * 24 * MS_PER_HOUR,
  result: LIMITS.resultHours * MS_PER_HOUR,
  unfiled: LIMITS.fieldMinutes * MS_PER_MINUTE,
} as const;
/** Stored pieces after which the totals are read again. */
const RECOUNT_INTERVAL = 64;

export interface FieldStoreOptions {
  readonly fields: FieldRepository;
  readonly transaction: Storage['transaction'];
  readonly nowMs: () => number;
  /** Free bytes where the database stores; undefined if this node cannot know. */
  readonly freeBytes: () => Promise<number | undefined>;
  readonly limits?: FieldLimits | undefined;
}

export type FieldLimits = Readonly<Record<keyof typeof LIMITS.storedFields, number>>;

interface Piece {
  readonly bytes: Uint8Array;
  /** If it is known. */
  readonly sha256?: string;
}

export class FieldStore {
  readonly #options: FieldStoreOptions;
  readonly #limits: FieldLimits;
  readonly #mutex = new KeyedMutex();
  #storedBytes = 0;
  #untilRecount = 0;

  constructor(options: FieldStoreOptions) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS.storedFields;
  }

  /**
   * Stores all pieces or none, in a transaction of their own.
   *
   * @param tenant  the id of an account (or of a machine that computes), or an address
   * @returns why nothing is stored; undefined if all is
   */
  async keep(pieces: readonly Piece[], tenant: string, life: keyof typeof LIFE_MS): Promise<string | undefined> {
    const { fields, transaction, nowMs } = this.#options;
    const bytes = pieces.reduce((sum, { bytes: { length } }) => sum + length, 0);
    const full = await this.#full(bytes);
    if (full !== undefined) return full;
    const isAccount = isUuid(tenant);
    const maxBytes = isAccount ? this.#limits.accountBytes : this.#limits.addressBytes;
    const now = nowMs();
    const store = () =>
      transaction(async (on) => {
        const used = await fields.bytesOf(tenant, now, on);
        if (used + bytes > maxBytes) return false;
        for (const piece of pieces) await fields.put(piece.bytes, now + LIFE_MS[life], tenant, on, piece.sha256);
        return true;
      });
    // Answers of one tenant that are stored at once would not see each other.
    const isKept = await this.#mutex.runExclusive(tenant, store);
    if (!isKept) return `the limit of ${maxBytes} stored bytes of your ${isAccount ? 'account' : 'address'} is reached`;
    this.#storedBytes += bytes;
    this.#untilRecount--;
    return undefined;
  }

  /** Why the node stores no more. The totals are read again now and then, and while they are too large. */
  async #full(bytes: number): Promise<string | undefined> {
    const { fields, freeBytes } = this.#options;
    const { nodeBytes, minFreeBytes } = this.#limits;
    if (this.#untilRecount > 0 && this.#storedBytes + bytes <= nodeBytes) return undefined;
    this.#storedBytes = await fields.totalBytes();
    const free = await freeBytes();
    if (this.#storedBytes + bytes > nodeBytes) return `the limit of ${nodeBytes} stored bytes of this node is reached`;
    if (free !== undefined && free - bytes < minFreeBytes) return 'the disk of this node is almost full';
    this.#untilRecount = RECOUNT_INTERVAL;
    return undefined;
  }
}
