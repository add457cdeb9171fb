// Temporary store of the complete results that tool answers summarise, addressed by SHA-256.

import { createHash } from 'node:crypto';
import { isoFromMs } from '../../core/clock.ts';
import { DomainError } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import type { FieldRepository } from '../../storage/compute/fields.ts';
import type { FieldStore } from './field-store.ts';

const MS_PER_HOUR = 3_600_000;

export class ResultService {
  readonly #fields: FieldRepository;
  readonly #store: FieldStore;
  readonly #nowMs: () => number;

  constructor(fields: FieldRepository, store: FieldStore, nowMs: () => number) {
    this.#fields = fields;
    this.#store = store;
    this.#nowMs = nowMs;
  }

  /** @returns where the result is on this node, and until when; undefined if there is no room for it */
  async store(json: string, tenant: string) {
    const bytes = Buffer.from(json);
    const expiresMs = this.#nowMs() + LIMITS.resultHours * MS_PER_HOUR;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if ((await this.#store.keep([{ bytes, sha256 }], tenant, 'result')) !== undefined) return undefined;
    return {
      sha256,
      bytes: bytes.length,
      path: `/api/svc/results/${sha256}.json`,
      expires_at: isoFromMs(expiresMs),
    };
  }

  /** @throws DomainError NOT_FOUND */
  async read(sha256: string): Promise<string> {
    const bytes = await this.#fields.get(sha256, this.#nowMs());
    const text = bytes === undefined ? '' : Buffer.from(bytes).toString('utf8');
    if (!isJsonObject(text)) {
      const message = `Result ${sha256} not found; results expire after ${LIMITS.resultHours} hours.`;
      throw new DomainError('NOT_FOUND', message);
    }
    return text;
  }
}

/** The store also holds arrays of doubles, which are not results. */
function isJsonObject(text: string): boolean {
  if (!text.startsWith('{')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
