// Writes that carry an Idempotency-Key happen once, however often they are sent.

import { createHash, randomUUID } from 'node:crypto';
import { DomainError } from '../core/errors.ts';
import type { IdempotencyRepository, StoredAnswer } from '../storage/idempotency.ts';

export interface KeyedCall {
  readonly principal: string;
  readonly key: string;
  readonly route: string;
  readonly body: Uint8Array;
}

const MAX_KEY_CHARACTERS = 255;

export class IdempotencyService {
  readonly #repository: IdempotencyRepository;
  readonly #nowMs: () => number;

  constructor(repository: IdempotencyRepository, nowMs: () => number) {
    this.#repository = repository;
    this.#nowMs = nowMs;
  }

  /**
   * Run the call, or answer what the first one answered. A refusal stores nothing and frees the key.
   *
   * @throws DomainError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_FLIGHT, and whatever `run` throws
   */
  async once(
    call: KeyedCall,
    run: () => Promise<StoredAnswer>,
  ): Promise<{ readonly answer: StoredAnswer; readonly isReplayed: boolean }> {
    const { principal, key, route, body } = call;
    if (key.length === 0 || key.length > MAX_KEY_CHARACTERS) {
      throw new DomainError(
        'VALIDATION_FAILED',
        `The Idempotency-Key has ${key.length} characters; 1 to ${MAX_KEY_CHARACTERS} are allowed.`,
      );
    }
    const bodySha256 = createHash('sha256').update(body).digest();
    const claim = await this.#repository.claim({ principal, key, route, bodySha256 }, randomUUID(), this.#nowMs());
    if (claim.kind === 'done') return { answer: claim.answer, isReplayed: true };
    let answer: StoredAnswer;
    try {
      answer = await run();
    } catch (error) {
      await this.#repository.abandon(claim.lease);
      throw error;
    }
    await this.#repository.complete(claim.lease, answer);
    return { answer, isReplayed: false };
  }
}
